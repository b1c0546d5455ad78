import { expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { folderWithDatabase, query, start, temporaryFolder } from './folder.js';
import { spawnOwner } from './owner-process.js';

it('starts exactly one of several services on an empty directory, and refuses the others by naming it', {
  timeout: 120_000,
}, async () => {
  for (const contenders of process.env.FAULTS === 'full' ? [2, 2, 2, 3, 4] : [2]) {
    const { dataDirectory } = await temporaryFolder();
    const programs = Array.from({ length: contenders }, () => spawnOwner(dataDirectory));
    const outcomes = await Promise.all(programs.map((program) => program.outcome()));
    const ready = outcomes.findIndex(({ event }) => event === 'ready');
    const message = `Another Remesa (process ${programs[ready]?.processId}) is using ${dataDirectory}. Stop it, or set DATA_DIR to another folder.`;
    const refusals = outcomes.filter((_outcome, index) => index !== ready);
    expect(refusals).toMatchObject(refusals.map(() => ({ event: 'refused', message })));
    const url = String(outcomes[ready]?.connectionString);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  }
});

it('refuses a second start in the same process, and allows it after the first has stopped', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const first = await start(dataDirectory);
  await expect(start(dataDirectory)).rejects.toThrow(`Another Remesa (process ${process.pid})`);
  await first.stop();
  expect((await start(dataDirectory)).processId).not.toBe(first.processId);
});

it('reports that its server was killed, stops without waiting, and can be started again', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const lost: string[] = [];
  const server = await start(dataDirectory, { onLost: (reason) => lost.push(reason) });
  process.kill(server.processId, 'SIGKILL');
  await eventually(() => lost.length > 0);
  expect(lost).toEqual(['The connection to the embedded database was lost. Start Remesa again.']);
  expect(server.messages).toEqual(lost);
  await server.stop();
  expect((await start(dataDirectory)).processId).not.toBe(server.processId);
});

it('reports that its lock was lost, and leaves the server to the next owner', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const lost: string[] = [];
  const server = await start(dataDirectory, { onLost: (reason) => lost.push(reason) });
  const holder = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'";
  await query(server.connectionString, holder);
  await eventually(() => lost.length > 0);
  const next = await start(dataDirectory);
  await server.stop();
  expect(await query(next.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(next.processId).toBe(server.processId);
});
