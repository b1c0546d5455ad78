import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isRunning } from '../../src/postgres/embedded/running-process.js';
import { eventually } from '../harness/eventually.js';
import { rounds } from '../harness/rounds.js';
import { folderWithDatabase, query, start, temporaryFolder } from './folder.js';
import { type OwnerProgram, spawnOwner } from './owner-process.js';

const ROUNDS = rounds(1, 20);
const UP_WITHIN_MS = 15_000;
const TEST_TIMEOUT_MS = 20_000 + ROUNDS * 20_000;

/** Lets a service insert a random number of rows, then calls `strike` on it and waits for its end. */
async function insertUntil(
  dataDirectory: string,
  strike: (owner: OwnerProgram, serverId: number) => void,
): Promise<{ owner: OwnerProgram; adopted: unknown; tookMs: number }> {
  const owner = spawnOwner(dataDirectory, { task: 'insert', settings: {} });
  const { adopted, processId, tookMs } = await owner.waitFor('ready');
  const enough = 5 + Math.floor(Math.random() * 200);
  await eventually(() => owner.insertedIds().length >= enough, { what: `${enough} rows` });
  strike(owner, Number(processId));
  await owner.ended();
  return { owner, adopted, tookMs: Number(tookMs) };
}

async function keptIds(connectionString: string): Promise<Set<number>> {
  const rows = await query(connectionString, 'SELECT id::int FROM kept');
  return new Set(rows.map(({ id }) => Number(id)));
}

it('after kill -9 of the service the next one adopts the server, and no acknowledged row is missing', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { dataDirectory } = await folderWithDatabase();
  const acknowledged: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { owner, adopted, tookMs } = await insertUntil(dataDirectory, (victim) => victim.signal('SIGKILL'));
    acknowledged.push(...owner.insertedIds());
    expect(adopted).toBe(round > 0);
    expect(tookMs).toBeLessThan(UP_WITHIN_MS);
  }
  const server = await start(dataDirectory);
  expect(server.adopted).toBe(true);
  const kept = await keptIds(server.connectionString);
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
});

it('after kill -9 of service and server together the next start recovers every acknowledged row', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { dataDirectory } = await folderWithDatabase();
  const acknowledged: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { owner, adopted, tookMs } = await insertUntil(dataDirectory, (victim, serverId) => {
      process.kill(serverId, 'SIGKILL');
      victim.signal('SIGKILL');
    });
    acknowledged.push(...owner.insertedIds());
    expect(adopted).toBe(false);
    expect(tookMs).toBeLessThan(UP_WITHIN_MS);
  }
  const kept = await keptIds((await start(dataDirectory)).connectionString);
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
});

it('after kill -9 while the database is created, the next start creates it completely', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  for (let round = 0; round < Math.ceil(ROUNDS / 3); round += 1) {
    const { dataDirectory } = await temporaryFolder();
    const owner = spawnOwner(dataDirectory);
    await eventually(() => isIncomplete(dataDirectory, round), { what: 'an incomplete cluster' });
    owner.signal('SIGKILL');
    await owner.ended();
    const server = await start(dataDirectory);
    expect(await query(server.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(isRunning(server.processId)).toBe(false);
  }
});

/** Each round waits for a later file of initdb. */
async function isIncomplete(dataDirectory: string, round: number): Promise<boolean> {
  const files = [
    'PG_VERSION',
    'postgresql.conf',
    'global/pg_control',
    'base/1/PG_VERSION',
    'base/1/pg_filenode.map',
  ];
  const file = files[round % files.length] ?? 'PG_VERSION';
  const attempt = (await readdir(dataDirectory)).find((name) => name.startsWith('postgres.new-'));
  if (attempt === undefined) return (await readdir(dataDirectory)).includes('postgres');
  const content = await readdir(join(dataDirectory, attempt, 'cluster'), { recursive: true }).catch(
    (): string[] => [],
  );
  return content.includes(file);
}
