import { expect, it } from 'vitest';
import { settings } from '../../src/config/config.js';
import { readText } from './repository.js';

const example = readText('.env.example').split('\n');

it('.env.example shows every setting once, with the default that holds without it', () => {
  const shown = example.flatMap((line) => {
    const [, name, value] = /^# ([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [`${name}=${value}`];
  });
  const declared = Object.entries(settings).map(([name, setting]) => `${name}=${setting.defaultText ?? ''}`);
  expect(shown.sort()).toEqual(declared.sort());
});

it('.env.example changes nothing when it is copied as it is', () => {
  expect(example.filter((line) => line.trim() !== '' && !line.startsWith('#'))).toEqual([]);
});
