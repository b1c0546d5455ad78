import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { postmasterPid } from '../harness/embedded-place.js';
import { eventually } from '../harness/eventually.js';
import { isAlive } from '../harness/is-alive.js';
import { folderWithDatabase, query, start, temporaryFolder } from './folder.js';
import { spawnOwner } from './owner-process.js';

it('creates a database at the first start, which no other user can read and nobody without the password, and still has its rows at the second', async () => {
  const { dataDirectory } = await temporaryFolder();
  const first = await start(dataDirectory);
  await query(first.connectionString, 'CREATE TABLE kept AS SELECT 42 AS answer');
  for (const name of ['postgres', 'postgres/password', 'postgres.log'])
    expect((await stat(join(dataDirectory, name))).mode & 0o077, name).toBe(0);
  expect((await stat(dataDirectory)).mode & 0o066).toBe(0);
  const wrong = first.connectionString.replace(/:[^:@]+@/, ':wrong@');
  await expect(query(wrong, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  await first.stop();
  expect(postmasterPid(dataDirectory)).toBeUndefined();
  await eventually(() => !isAlive(first.processId), { what: 'the end of the server' });
  const second = await start(dataDirectory);
  expect(await query(second.connectionString, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  expect(first.messages).toEqual([`Creating a new database in ${dataDirectory}/postgres`]);
  expect(second.messages).toEqual([]);
  expect((await readdir(dataDirectory)).sort()).toEqual(['postgres', 'postgres.log']);
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
  const insert = "INSERT INTO person VALUES ('Ada Secret')";
  await query(connectionString, insert);
  await expect(query(connectionString, insert)).rejects.toThrow(/duplicate/);
  const log = await readFile(join(dataDirectory, 'postgres.log'), 'utf8');
  expect(log).toContain('duplicate key value');
  expect(log).not.toContain('Ada Secret');
});

it('runs in its own session, so that Ctrl-C does not reach it, and without the secrets of the service', async ({
  skip,
}) => {
  if (process.platform !== 'linux') skip('reads /proc');
  const { dataDirectory } = await folderWithDatabase();
  const owner = spawnOwner(dataDirectory);
  const { processId } = await owner.waitFor('ready');
  const line = await readFile(`/proc/${processId}/stat`, 'utf8');
  const [group, session] = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .slice(2, 4);
  expect([Number(group), Number(session)]).toEqual([processId, processId]);
  expect(await readFile(`/proc/${processId}/environ`, 'utf8')).not.toContain('not-for-the-server');
});

it('ignores the lock file of a server whose process id now belongs to another program', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const other = spawn('sleep', ['60']);
  onTestFinished(() => void other.kill('SIGKILL'));
  const lines = [other.pid, `${dataDirectory}/postgres`, 1, 5432, '', '127.0.0.1', '1 1', 'ready   '];
  await writeFile(join(dataDirectory, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`);
  const server = await start(dataDirectory);
  await server.stop();
  expect(other.exitCode).toBeNull();
});

it('waits for a server that is stopping and then starts a new one', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const predecessor = spawnOwner(dataDirectory);
  const { processId, connectionString } = await predecessor.waitFor('ready');
  const lastClient = new Client({ connectionString: String(connectionString) });
  await lastClient.connect();
  predecessor.signal('SIGKILL');
  await predecessor.ended();
  process.kill(Number(processId), 'SIGTERM');
  const lockFile = () => readFile(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8');
  await eventually(async () => (await lockFile()).includes('stopping'));
  const messages: string[] = [];
  const starting = start(dataDirectory, { say: (message) => messages.push(message) });
  await eventually(() => messages.length > 0, { what: 'the explanation' });
  await lastClient.end();
  expect((await starting).processId).not.toBe(processId);
  expect(messages).toEqual([
    'The database is not ready yet: it recovers from a crash, or the previous server is still stopping',
  ]);
});

it('refuses the data of another major version and leaves it untouched', async () => {
  const { dataDirectory } = await temporaryFolder();
  await mkdir(join(dataDirectory, 'postgres'), { recursive: true });
  await writeFile(join(dataDirectory, 'postgres', 'PG_VERSION'), '14\n');
  await expect(start(dataDirectory)).rejects.toThrow(
    /created by PostgreSQL 14; this Remesa includes PostgreSQL 18.*Dump.*DATABASE_URL.*move the folder away/,
  );
  expect(await readdir(dataDirectory, { recursive: true })).toEqual(['postgres', 'postgres/PG_VERSION']);
});

it('refuses a folder of other files', async () => {
  const { dataDirectory } = await temporaryFolder();
  await mkdir(join(dataDirectory, 'postgres'), { recursive: true });
  await expect(start(dataDirectory)).rejects.toThrow(/contains no PostgreSQL database\. Move it away/);
});

it('shows the log of the server when it does not start', async () => {
  const { dataDirectory } = await folderWithDatabase();
  await expect(start(dataDirectory, { settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
    /PostgreSQL did not start\..*invalid value for parameter "shared_buffers": "plenty"/s,
  );
});
