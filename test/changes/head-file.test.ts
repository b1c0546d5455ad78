import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HeadFile } from '../../src/changes/chain/head-file.js';
import { useAuditLog } from './audit-log.js';

const log = useAuditLog();
const { signal } = new AbortController();

const linesOf = (file: HeadFile) =>
  readFileSync(file.path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const numbersOf = (file: HeadFile) => linesOf(file).map((line) => line.number);
const start = (file: HeadFile) => log.worker(log.database, file).run(signal);

describe('the file of heads', () => {
  it('has a line for each head, readable by its owner only', async () => {
    await log.record(2);
    await log.chain();
    await log.record(1);
    await log.chain();
    expect(numbersOf(log.file)).toEqual(['1', '2']);
    expect(linesOf(log.file).map((line) => line.ends[0].slice(0, 2))).toEqual([
      ['0', '2'],
      ['0', '3'],
    ]);
    expect(statSync(log.file.path).mode & 0o777).toBe(0o600);
  });

  it('gets a head that is missing because of a crash when the service starts again', async () => {
    await log.record(2);
    await log.chain();
    const afterCrash = log.newFile();
    await start(afterCrash);
    expect(linesOf(afterCrash)).toEqual(linesOf(log.file));
    await start(afterCrash);
    expect(linesOf(afterCrash)).toHaveLength(1);
  });

  it('gets a head that could not be written once the file can be written again', async () => {
    const [folder, movedFolder] = [join(log.folder, 'disk'), join(log.folder, 'disk-away')];
    mkdirSync(folder);
    const file = new HeadFile(join(folder, 'heads.jsonl'));
    const worker = log.worker(log.database, file);
    await log.record(1);
    expect(await worker.run(signal)).toBe(1);
    renameSync(folder, movedFolder);
    await log.record(2);
    await expect(worker.run(signal)).rejects.toThrow('ENOENT');
    renameSync(movedFolder, folder);
    expect(await worker.run(signal)).toBe(0);
    expect(numbersOf(file)).toEqual(['1', '2']);
  });
});
