import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { isRunning, takesSignals } from '../../src/postgres/embedded/running-process.js';
import { eventually } from '../harness/eventually.js';
import { slowness } from '../harness/slowness.js';
import { folderWithDatabase, postmasterOf, query, start, temporaryFolder } from './folder.js';
import { spawnOwner } from './owner-process.js';

it('creates a database at the first start, which no other user can read and nobody without the password, and still has its rows at the second', async () => {
  const { outer, dataDirectory } = await temporaryFolder();
  await chmod(outer, 0o700);
  const first = await start(dataDirectory);
  await query(first.connectionString, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const modes = await Promise.all(
    ['', 'postgres', 'postgres-password', 'postgres.log'].map(async (name) => {
      const { mode } = await stat(join(dataDirectory, name));
      return (mode & 0o777).toString(8);
    }),
  );
  expect(modes).toEqual(['700', '700', '600', '600']);
  expect((await readdir(dataDirectory)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
  // The server runs as the user who started it, in a folder that no other user can enter.
  expect((await stat(join(dataDirectory, 'postgres', 'base'))).uid).toBe(process.geteuid?.());
  const wrong = first.connectionString.replace(/:[^:@]+@/, ':wrong@');
  await expect(query(wrong, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  await first.stop();
  const startedAt = performance.now();
  const second = await start(dataDirectory);
  const rows = await query(second.connectionString, 'SELECT answer FROM kept');
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeLessThan(1_000 * (await slowness()));
  expect(rows).toEqual([{ answer: 42 }]);
  expect(first.messages).toEqual([`Creating a new database in ${dataDirectory}/postgres`]);
  expect(second.messages).toEqual([]);
  expect(second.adopted).toBe(false);
});

it('is durable, has data checksums, uses UTF-8, sorts the same on every machine, and logs no personal data', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const { connectionString } = await start(dataDirectory, { settings: {} });
  const [settings] = await query(
    connectionString,
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
            current_setting('synchronous_commit') AS synchronous_commit,
            current_setting('data_checksums') AS data_checksums,
            current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS addresses,
            (SELECT datlocale FROM pg_database WHERE datname = 'remesa') AS locale`,
  );
  expect(settings).toEqual({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    data_checksums: 'on',
    encoding: 'UTF8',
    addresses: '127.0.0.1',
    locale: 'C.UTF-8',
  });
  await query(connectionString, 'CREATE TABLE person (name text PRIMARY KEY)');
  await query(connectionString, "INSERT INTO person VALUES ('Ada Secret')");
  await expect(query(connectionString, "INSERT INTO person VALUES ('Ada Secret')")).rejects.toThrow(
    /duplicate/,
  );
  const log = await readFile(join(dataDirectory, 'postgres.log'), 'utf8');
  expect(log).toContain('duplicate key value');
  expect(log).not.toContain('Ada Secret');
});

it('stop ends the server, a second stop does nothing, and a lock file whose process id now belongs to another program is ignored', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const server = await start(dataDirectory);
  await Promise.all([server.stop(), server.stop()]);
  expect(isRunning(server.processId)).toBe(false);
  expect(await postmasterOf(dataDirectory)).toBeUndefined();
  await server.stop();
  const otherProgram = spawn('sleep', ['60']);
  onTestFinished(() => void otherProgram.kill('SIGKILL'));
  await writeLockFile(dataDirectory, otherProgram.pid);
  const next = await start(dataDirectory);
  expect(next.adopted).toBe(false);
  expect(otherProgram.exitCode).toBeNull();
});

it('runs in its own session, so that Ctrl-C does not reach it, and without the secrets of the service', async ({
  skip,
}) => {
  if (process.platform !== 'linux') skip('reads /proc');
  const { dataDirectory } = await folderWithDatabase();
  const owner = spawnOwner(dataDirectory);
  const { processId } = await owner.waitFor('ready');
  const [ownGroup, ownSession] = await groupAndSession(owner.processId);
  const [group, session] = await groupAndSession(Number(processId));
  expect([group, session]).toEqual([processId, processId]);
  expect([ownGroup, ownSession]).not.toContain(processId);
  expect(await readFile(`/proc/${processId}/environ`, 'utf8')).not.toContain('not-for-the-server');
});

async function groupAndSession(processId: number): Promise<number[]> {
  const line = await readFile(`/proc/${processId}/stat`, 'utf8');
  return line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .slice(2, 4)
    .map(Number);
}

it('refuses the data of another major version and leaves it untouched', async () => {
  const { dataDirectory } = await temporaryFolder();
  await mkdir(join(dataDirectory, 'postgres'), { recursive: true });
  await writeFile(join(dataDirectory, 'postgres', 'PG_VERSION'), '14\n');
  await writeFile(join(dataDirectory, 'postgres', 'rows'), 'precious');
  await expect(start(dataDirectory)).rejects.toThrow(
    /created by PostgreSQL 14; this Remesa includes PostgreSQL 18.*dump.*DATABASE_URL.*move the folder away/,
  );
  expect((await readdir(join(dataDirectory, 'postgres'))).sort()).toEqual(['PG_VERSION', 'rows']);
  expect(await readdir(dataDirectory)).toEqual(['postgres']);
});

it('refuses a folder that contains other files', async () => {
  const { dataDirectory } = await temporaryFolder();
  await mkdir(join(dataDirectory, 'postgres'), { recursive: true });
  await writeFile(join(dataDirectory, 'postgres', 'letter.txt'), 'Dear Ada');
  await expect(start(dataDirectory)).rejects.toThrow(/is not empty and contains no PostgreSQL database/);
});

it('shows the log of the server when it does not start', async () => {
  const { dataDirectory } = await folderWithDatabase();
  await expect(start(dataDirectory, { settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
    /PostgreSQL did not start: it ended with code 1.*invalid value for parameter "shared_buffers": "plenty"/s,
  );
});

it('refuses a cluster without its password file, and creates no new password', async () => {
  const { dataDirectory } = await folderWithDatabase();
  await rm(join(dataDirectory, 'postgres-password'));
  await expect(start(dataDirectory)).rejects.toThrow(/postgres-password is missing.*backup/);
  expect((await readdir(dataDirectory)).sort()).toEqual(['postgres', 'postgres.log']);
});

it('refuses a password file that belongs to another cluster', async () => {
  const { dataDirectory } = await folderWithDatabase();
  await writeFile(join(dataDirectory, 'postgres-password'), 'another\n');
  await expect(start(dataDirectory)).rejects.toThrow(/does not accept the password in/);
});

it('ignores the lock file of a server that is a zombie', async ({ skip }) => {
  if (process.platform !== 'linux') skip('reads /proc');
  const { dataDirectory } = await folderWithDatabase();
  const processId = await zombieProcess();
  expect(takesSignals(processId)).toBe(true);
  await writeLockFile(dataDirectory, processId);
  expect((await start(dataDirectory)).adopted).toBe(false);
});

/** `sleep` replaces the shell that has a child and never waits for it, so that the child stays a zombie. */
async function zombieProcess(): Promise<number> {
  const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 60']);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [output] = await once(parent.stdout, 'data');
  await eventually(async () => (await readFile(`/proc/${parent.pid}/comm`, 'utf8')) === 'sleep\n');
  parent.stdin.end();
  await eventually(() => !isRunning(Number(output)), { what: 'the end of the child' });
  return Number(output);
}

async function writeLockFile(dataDirectory: string, processId: number | undefined): Promise<void> {
  const lines = [processId, `${dataDirectory}/postgres`, 1, 5432, '', '127.0.0.1', '1 1', 'ready   '];
  await writeFile(join(dataDirectory, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`);
}

it('waits for a server that is stopping and then starts a new one', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const predecessor = spawnOwner(dataDirectory);
  const { processId, connectionString } = await predecessor.waitFor('ready');
  const lastClient = new Client({ connectionString: String(connectionString) });
  await lastClient.connect();
  predecessor.signal('SIGKILL');
  await predecessor.ended();
  process.kill(Number(processId), 'SIGTERM');
  await eventually(async () => (await postmasterOf(dataDirectory))?.status === 'stopping');
  const messages: string[] = [];
  const starting = start(dataDirectory, { say: (message) => messages.push(message) });
  await eventually(() => messages.length > 0, { what: 'the explanation' });
  await lastClient.end();
  const server = await starting;
  expect(messages).toEqual([`Waiting for the previous database server (process ${processId}) to stop`]);
  expect(server.adopted).toBe(false);
  expect(server.processId).not.toBe(processId);
});

it('removes the temporary folders of killed starts, and none of a running process', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const endedProcess = spawn('true');
  await eventually(() => endedProcess.exitCode !== null);
  await mkdir(join(dataDirectory, `postgres.new-${endedProcess.pid}-0a1b`, 'cluster'), { recursive: true });
  await mkdir(join(dataDirectory, `postgres.new-${process.pid}-0a1b`));
  await mkdir(join(dataDirectory, `postgres.new-${process.ppid}-0a1b`));
  await start(dataDirectory);
  const remaining = (await readdir(dataDirectory)).filter((name) => name.startsWith('postgres.new'));
  expect(remaining).toEqual([`postgres.new-${process.ppid}-0a1b`]);
});
