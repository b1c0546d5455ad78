import { describe, expect, it } from 'vitest';
import { breaches, houseRules } from './house-rules.js';
import { textFiles } from './repository.js';

const files = textFiles();

describe('the repository keeps the rules of the house', () => {
  it.each(houseRules.map((rule) => [rule.rule, rule] as const))('%s', (_rule, rule) => {
    expect(breaches(rule, files)).toEqual([]);
  });
});

describe('a breach is seen', () => {
  it.each(houseRules.map((rule) => [rule.rule, rule] as const))('%s', (_rule, rule) => {
    expect(breaches(rule, [rule.broken])).toHaveLength(1);
  });

  it('and an exception names something that exists', () => {
    const named = houseRules.flatMap((rule) => Object.keys(rule.except ?? {}));
    expect(named.filter((path) => !files.some((file) => file.path.startsWith(path)))).toEqual([]);
  });
});
