/** The lock file serves `npm ci` on every platform, wherever it was written. */
import { describe, expect, it } from 'vitest';
import { complete, missingEntries } from '../../scripts/lock-file.mjs';
import { readText } from './repository.js';

const lock = JSON.parse(readText('package-lock.json'));

describe('the lock file', () => {
  it('has every optional package of every platform (npm run lock adds them)', () => {
    expect([...missingEntries(lock).keys()]).toEqual([]);
  });

  it('names no download address', () => {
    expect(readText('package-lock.json')).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
  });
});

describe('completing a lock file', () => {
  const parent = { version: '1.2.0', dev: true, optionalDependencies: { '@tool/linux-arm64-musl': '1.2.0' } };

  it('adds a missing package with its version and the platform that its name tells', () => {
    const completed = complete({ packages: { 'node_modules/tool': parent } });
    expect(completed.packages['node_modules/@tool/linux-arm64-musl']).toEqual({
      version: '1.2.0',
      cpu: ['arm64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    });
    expect(missingEntries(completed).size).toBe(0);
  });

  it('puts a package of another version than the one at the top below its parent', () => {
    const top = { version: '2.0.0', os: ['linux'], cpu: ['arm64'] };
    const packages = { 'node_modules/tool': parent, 'node_modules/@tool/linux-arm64-musl': top };
    expect([...missingEntries({ packages }).keys()]).toEqual(['node_modules/tool/node_modules/@tool/linux-arm64-musl']);
  });

  it('keeps what npm wrote itself', () => {
    const written = { version: '1.2.0', integrity: 'sha512-AAAA', os: ['linux'], cpu: ['arm64'] };
    const packages = { 'node_modules/tool': parent, 'node_modules/@tool/linux-arm64-musl': written };
    expect(complete({ packages }).packages).toEqual(packages);
  });

  it('refuses a package whose name tells no platform', () => {
    const odd = { version: '1.0.0', optionalDependencies: { 'tool-native': '1.0.0' } };
    expect(() => missingEntries({ packages: { 'node_modules/tool': odd } })).toThrow(
      'tool-native is missing in package-lock.json',
    );
  });
});
