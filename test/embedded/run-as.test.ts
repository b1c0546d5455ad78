import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundledBinaries } from '../../src/postgres/embedded/binaries.js';
import { folderWithDatabase, query, start, temporaryFolder } from './folder.js';
import { spawnOwner } from './owner-process.js';

const isRoot = process.geteuid?.() === 0;
const daemon = { uid: 1, gid: 1 };

describe.runIf(isRoot)('started by root', () => {
  it('the server runs as an account without privileges, which owns only the database, also at the next start', async () => {
    const { outer, dataDirectory } = await temporaryFolder();
    await chmod(outer, 0o755);
    const first = await start(dataDirectory);
    await query(first.connectionString, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const { uid } = await stat(join(dataDirectory, 'postgres'));
    expect(uid).toBeGreaterThan(0);
    expect(await identityOf(first.processId)).toEqual([uid, 0n]);
    expect((await stat(dataDirectory)).uid).toBe(0);
    await first.stop();
    const second = await start(dataDirectory);
    expect(await identityOf(second.processId)).toEqual([uid, 0n]);
    expect(await query(second.connectionString, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('programs and data may lie in a folder that only root can enter, and the server has the one capability that this takes', async ({
    skip,
  }) => {
    if (process.platform !== 'linux') skip('capabilities belong to Linux');
    const { outer, dataDirectory } = await temporaryFolder();
    await chmod(outer, 0o700);
    const { major, postgres } = await bundledBinaries();
    await cp(dirname(dirname(postgres)), join(outer, 'native'), { recursive: true, verbatimSymlinks: true });
    const programs = join(outer, 'native', 'bin');
    const binaries = { major, initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') };
    const server = await start(dataDirectory, { binaries });
    const { uid } = await stat(join(dataDirectory, 'postgres'));
    const dacOverride = 1n << 1n;
    expect(await identityOf(server.processId)).toEqual([uid, dacOverride]);
    expect(await query(server.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('a database that root has copied is given to the account', async () => {
    const { dataDirectory } = await folderWithDatabase();
    await promisify(execFile)('chown', ['-R', '0:0', join(dataDirectory, 'postgres')]);
    const { connectionString } = await start(dataDirectory);
    expect(await query(connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe.runIf(isRoot)('started by an ordinary user', () => {
  it('the server runs as that user', async ({ skip }) => {
    if (!(await ownerProgramIsReachable())) skip('daemon cannot reach Node.js or this repository');
    const { outer, dataDirectory } = await temporaryFolder();
    await chown(outer, daemon.uid, daemon.gid);
    const ready = await spawnOwner(dataDirectory, { identity: daemon }).outcome();
    expect(ready.event).toBe('ready');
    expect(await identityOf(Number(ready.processId))).toEqual([daemon.uid, 0n]);
    expect(await query(String(ready.connectionString), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('a folder and a database of another user are refused, and the owner named', async ({ skip }) => {
    if (!(await ownerProgramIsReachable())) skip('daemon cannot reach Node.js or this repository');
    const { outer, dataDirectory } = await temporaryFolder();
    await chmod(outer, 0o755);
    await mkdir(join(dataDirectory, 'postgres'), { recursive: true, mode: 0o700 });
    await chmod(dataDirectory, 0o700);
    const inFolder = await spawnOwner(dataDirectory, { identity: daemon }).outcome();
    expect(inFolder.message).toMatch(/^This user may not use .*data\..* It belongs to user "root"\.$/);
    await chown(dataDirectory, daemon.uid, daemon.gid);
    const inDatabase = await spawnOwner(dataDirectory, { identity: daemon }).outcome();
    expect(inDatabase.message).toMatch(/belongs to user "root", and Remesa was started as user "daemon"/);
  });
});

async function ownerProgramIsReachable(): Promise<boolean> {
  const program = join(dirname(import.meta.dirname), 'programs', 'embedded-owner.ts');
  const args = ['-e', 'fs.readFileSync(process.argv[1])', program];
  return await promisify(execFile)(process.execPath, args, { ...daemon, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

/** The user and the capabilities of a process. */
async function identityOf(processId: number): Promise<[number, bigint]> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8');
  const value = (name: string) => new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(status)?.[1];
  return [Number(value('Uid')), BigInt(`0x${value('CapEff')}`)];
}
