import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { OwnershipKeeper } from '../../src/postgres/embedded/ownership/keep-ownership.js';
import { takeOwnership, tryToOwn } from '../../src/postgres/embedded/ownership/take-ownership.js';
import { eventually } from '../harness/eventually.js';
import { slowness } from '../harness/slowness.js';
import { folderWithDatabase, query, start, temporaryFolder } from './folder.js';
import { type ProgramEvent, spawnOwner } from './owner-process.js';

const refusedWithinMs = async () => 2_000 * (await slowness());

it('starts exactly one of several services on an empty directory, and refuses the others', {
  timeout: 120_000,
}, async () => {
  for (const contenders of process.env.FAULTS === 'full' ? [2, 2, 2, 3, 4] : [2]) {
    const { dataDirectory } = await temporaryFolder();
    const programs = Array.from({ length: contenders }, () => spawnOwner(dataDirectory));
    const outcomes = await Promise.all(programs.map((program) => program.outcome()));
    const winner = programs[outcomes.findIndex(({ event }) => event === 'ready')];
    expect(winner).toBeDefined();
    const losers = outcomes.filter(({ event }) => event !== 'ready');
    const refusal = refusalFor(winner?.processId ?? 0, dataDirectory);
    expect(losers).toEqual(Array.from({ length: contenders - 1 }, () => expect.objectContaining(refusal)));
    const ready = outcomes.find(({ event }) => event === 'ready');
    expect(await query(String(ready?.connectionString), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  }
});

it('refuses a second start in the same process, and allows it after the first has stopped', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const first = await start(dataDirectory);
  const startedAt = performance.now();
  await expect(start(dataDirectory)).rejects.toThrow(`Another Remesa (process ${process.pid})`);
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeLessThan(await refusedWithinMs());
  await first.stop();
  expect((await start(dataDirectory)).adopted).toBe(false);
});

it('waits for the lock of a dead holder, also one with the process id of this process', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const server = await start(dataDirectory);
  const [dead, next] = [await session(server.connectionString), await session(server.connectionString)];
  expect(await tryToOwn(dead)).toEqual({ granted: true });
  let taken = false;
  const taking = takeOwnership(next, '/another/directory').then(() => {
    taken = true;
  });
  // Longer than it waits for a live holder.
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(taken).toBe(false);
  await dead.end();
  await taking;
});

it('takes the lock again when an administrator ends its session, and when the server restarts after a crash', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const owner = spawnOwner(dataDirectory);
  const connectionString = String((await owner.waitFor('ready')).connectionString);
  const ends = [
    (holder: number) => query(connectionString, `SELECT pg_terminate_backend(${holder})`),
    // The death of one of its processes makes the server restart all of them.
    async (holder: number) => process.kill(holder, 'SIGKILL'),
  ];
  for (const end of ends) {
    const before = await eventually(() => holderOf(connectionString), { what: 'a holder of the lock' });
    await end(Number(before));
    await eventually(
      async () => {
        const now = await holderOf(connectionString);
        return now !== undefined && now !== before;
      },
      { what: 'another session that holds the lock' },
    );
    expect(await spawnOwner(dataDirectory).outcome()).toMatchObject(
      refusalFor(owner.processId, dataDirectory),
    );
  }
});

it('reports when another service has taken the lock, and is no longer the owner', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const server = await start(dataDirectory);
  const first = await session(server.connectionString);
  const other = await session(server.connectionString, 'remesa pid 4194304');
  await tryToOwn(first);
  const messages: string[] = [];
  const lost: string[] = [];
  let openGate = () => {};
  const gate = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  const keeper = new OwnershipKeeper(first, {
    openSession: () => gate.then(() => session(server.connectionString)),
    serverIsRunning: () => true,
    say: (message) => messages.push(message),
    onLost: (reason) => lost.push(reason),
  });
  await query(server.connectionString, `SELECT pg_terminate_backend(${await processOf(first)})`);
  await eventually(async () => (await tryToOwn(other)).granted);
  openGate();
  await eventually(() => lost.length > 0);
  expect(messages).toEqual(lost);
  expect(messages[0]).toMatch(/^Another Remesa \(process 4194304\) has taken over/);
  expect(keeper.isOwner).toBe(false);
});

it('reports that its server was killed, stops without waiting, and can be started again', async () => {
  const { dataDirectory } = await folderWithDatabase();
  const lost: string[] = [];
  const server = await start(dataDirectory, { onLost: (reason) => lost.push(reason) });
  process.kill(server.processId, 'SIGKILL');
  await eventually(() => lost.length > 0);
  expect(lost).toEqual(['The database server has ended. Start Remesa again.']);
  await server.stop();
  expect((await start(dataDirectory)).adopted).toBe(false);
});

function refusalFor(processId: number, dataDirectory: string): Partial<ProgramEvent> {
  const message = `Another Remesa (process ${processId}) is using ${dataDirectory}. Stop it, or set DATA_DIR to another folder.`;
  return { event: 'refused', message };
}

async function session(connectionString: string, name = `remesa pid ${process.pid}`): Promise<Client> {
  const client = new Client({ connectionString, application_name: name });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}

async function processOf(client: Client): Promise<number> {
  return (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
}

async function holderOf(connectionString: string): Promise<unknown> {
  const rows = await query(
    connectionString,
    "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted",
  );
  return rows[0]?.pid;
}
