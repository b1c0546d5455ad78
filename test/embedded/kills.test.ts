import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { rounds } from '../harness/rounds.js';
import { folderWithDatabase, query, start, temporaryFolder } from './folder.js';
import { type OwnerProgram, spawnOwner } from './owner-process.js';

const ROUNDS = rounds(1, 20);
const TEST_TIMEOUT_MS = 20_000 + ROUNDS * 20_000;

/** Lets a service insert a random number of rows, then calls `strike` on it and waits for its end. */
async function insertUntil(
  dataDirectory: string,
  strike: (owner: OwnerProgram, serverId: number) => void,
): Promise<{ inserted: number[]; serverId: number }> {
  const owner = spawnOwner(dataDirectory, { task: 'insert', settings: {} });
  const serverId = Number((await owner.waitFor('ready')).processId);
  const enough = 5 + Math.floor(Math.random() * 200);
  await eventually(() => owner.insertedIds().length >= enough, { what: `${enough} rows` });
  strike(owner, serverId);
  await owner.ended();
  return { inserted: owner.insertedIds(), serverId };
}

async function keptIds(connectionString: string): Promise<Set<number>> {
  const rows = await query(connectionString, 'SELECT id::int FROM kept');
  return new Set(rows.map(({ id }) => Number(id)));
}

it('the next service adopts the server after kill -9 of the service, and no acknowledged row is missing', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { dataDirectory } = await folderWithDatabase();
  const acknowledged: number[] = [];
  const servers = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { inserted, serverId } = await insertUntil(dataDirectory, (owner) => owner.signal('SIGKILL'));
    acknowledged.push(...inserted);
    servers.add(serverId);
  }
  const server = await start(dataDirectory);
  expect([...servers]).toEqual([server.processId]);
  const kept = await keptIds(server.connectionString);
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
});

it('the next start recovers every acknowledged row after kill -9 of service and server together', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { dataDirectory } = await folderWithDatabase();
  const acknowledged: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { inserted } = await insertUntil(dataDirectory, (owner, serverId) => {
      process.kill(serverId, 'SIGKILL');
      owner.signal('SIGKILL');
    });
    acknowledged.push(...inserted);
  }
  const kept = await keptIds((await start(dataDirectory)).connectionString);
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
});

it('the next start creates the database completely after kill -9 in the middle, and removes what the first one left', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  for (const file of rounds(
    ['global/pg_control'],
    ['PG_VERSION', 'postgresql.conf', 'global/pg_control', 'base/1/PG_VERSION', 'base/1/pg_filenode.map'],
  )) {
    const { dataDirectory } = await temporaryFolder();
    const owner = spawnOwner(dataDirectory);
    const content = () => readdir(dataDirectory, { recursive: true });
    await eventually(async () => (await content()).some((path) => path.endsWith(`/cluster/${file}`)), {
      what: `an initdb that has written ${file}`,
      everyMs: 1,
    });
    owner.signal('SIGKILL');
    await owner.ended();
    expect(await readdir(dataDirectory)).toEqual([expect.stringMatching(/^postgres\.new-/)]);
    const server = await start(dataDirectory);
    expect(await query(server.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
    await (await start(dataDirectory)).stop();
    expect((await readdir(dataDirectory)).sort()).toEqual(['postgres', 'postgres.log']);
  }
});
