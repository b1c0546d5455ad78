import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findMasterKey, loadMasterKey, masterKeyCheckValue } from '../../src/keys/master-key.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remesa-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const load = () => loadMasterKey({ masterKey: undefined, dataDirectory: folder });

it('the master key is created once and found again', () => {
  const created = load();
  expect(created).toHaveLength(32);
  expect(load()).toEqual(created);
  expect(new Set(created).size).toBeGreaterThan(16);
});

it('the file of the master key is readable by its owner only, and no draft remains', () => {
  load();
  expect(statSync(join(folder, 'master-key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['master-key']);
});

it('a missing data directory is created for its owner only', () => {
  const nested = join(folder, 'data');
  loadMasterKey({ masterKey: undefined, dataDirectory: nested });
  expect(statSync(nested).mode & 0o777).toBe(0o700);
});

it('processes that start at the same moment share one master key', async () => {
  const keys = await Promise.all([1, 2, 3, 4].map(() => keyLoadedByAnotherProcess()));
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(keys).size).toBe(1);
  expect(readFileSync(join(folder, 'master-key'), 'utf8')).toBe(
    `${Buffer.from(keys[0] ?? '', 'hex').toString('base64')}\n`,
  );
});

it.each([
  ['empty', ''],
  ['incomplete', 'q83vASNFZ4mrze8BI0Vn'],
  ['not a key', 'restore me from a backup, please'],
])('a damaged file of the master key (%s) is refused and not changed', (_, text) => {
  writeFileSync(join(folder, 'master-key'), text);
  expect(load).toThrow('does not contain a key of 32 bytes. Restore it from a backup.');
  expect(readFileSync(join(folder, 'master-key'), 'utf8')).toBe(text);
});

it('a master key in the settings is used, and no file is created', () => {
  const configured = Buffer.alloc(32, 7);
  expect(loadMasterKey({ masterKey: configured, dataDirectory: folder })).toBe(configured);
  expect(readdirSync(folder)).toEqual([]);
});

it('a missing master key of an existing database is refused, not created, and found once it is restored', () => {
  const find = () => findMasterKey({ masterKey: undefined, dataDirectory: folder });
  expect(find).toThrow(`The master key of this database is missing: there is no ${folder}/master-key`);
  expect(readdirSync(folder)).toEqual([]);
  expect(load()).toEqual(find());
});

it('the check value of a key is the same in every version and differs for another key', () => {
  const key = Buffer.alloc(32, 7);
  expect(masterKeyCheckValue(key).toString('hex')).toBe(
    'a7af9d6b0e4a8ff59ce457d3bd23f4820a0031d98d7e56c915d53ce644fda796',
  );
  expect(masterKeyCheckValue(Buffer.alloc(32, 8)).equals(masterKeyCheckValue(key))).toBe(false);
});

async function keyLoadedByAnotherProcess(): Promise<string> {
  const program = `
    import { loadMasterKey } from './src/keys/master-key.ts';
    const key = loadMasterKey({ masterKey: undefined, dataDirectory: process.argv[1] });
    process.stdout.write(key.toString('hex'));`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, folder]);
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  await once(child, 'close');
  return output;
}
