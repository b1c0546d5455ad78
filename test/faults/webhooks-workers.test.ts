/** Several processes on one queue, one of which stands still past its lease and then goes on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { registerUrl } from '../../src/webhooks/registration.js';
import { recordEvent } from '../../src/webhooks/service.js';
import { eventually } from '../harness/eventually.js';
import { endProcessesAfterEach, startServiceOf } from '../harness/processes.js';
import { useReceiver } from '../harness/receiver.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';
import { addMerchant, eventOf } from '../webhooks/happenings.js';

const receiver = useReceiver();
const { url, sql, database } = useTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'remesa-workers-'));
endProcessesAfterEach();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const by = { actor: { kind: 'system', name: 'test' } } as const;
const channels = ['order', 'kyc'] as const;
const merchants = 6;

const start = (role: string) =>
  startServiceOf('test/programs/changes-service.ts', { DATABASE_URL: url, DATA_DIR: folder, ROLE: role });

async function workerIds(): Promise<string[]> {
  return (await sql.query('SELECT worker_id FROM webhook_workers')).rows.map((row) => row.worker_id);
}

/** With the id under which it holds endpoints. */
async function startWorker(role: string) {
  const others = await workerIds();
  const service = await start(role);
  const workerId = await eventually(
    async () => (await workerIds()).find((workerId) => !others.includes(workerId)),
    { withinMs: 30_000, what: 'its first heartbeat' },
  );
  return { service, workerId };
}

async function heldBy(workerId: string): Promise<number> {
  return (await sql.query('SELECT 1 FROM webhook_endpoints WHERE held_by = $1', [workerId])).rowCount ?? 0;
}

async function queue(events: number): Promise<void> {
  for (let index = 0; index < merchants; index += 1) {
    const { merchant } = await addMerchant(database, `merchant-${index}`);
    for (const channel of channels) {
      const endpoint = { merchantId: merchant, channel };
      await database.transaction((tx) => registerUrl(tx, by, endpoint, `${receiver.url}/hook`, 'public'));
      await database.transaction(async (tx) => {
        for (let number = 0; number < events / merchants / channels.length; number += 1)
          await recordEvent(tx, eventOf(merchant, { channel, subject: `s${number % 50}` }));
      });
    }
  }
}

it('nothing is lost, and what the late one says overwrites nothing', { timeout: 600_000 }, async () => {
  const total = rounds(480, 5040);
  // After the first hundred, answers are late until a worker stands still, which then has sent what it knows no answer to.
  let standsStill = false;
  receiver.behaviour = () => {
    const isLate = !standsStill && receiver.received.length > 100;
    return { kind: 'answer', status: 200, afterMs: isLate ? 5_000 : Math.random() * 300 };
  };
  // The first one fills the new database.
  const workers = [await startWorker('all')];
  while (workers.length < rounds(3, 4)) workers.push(await startWorker('worker'));
  await queue(total);
  await eventually(() => receiver.received.length > 100, { withinMs: 30_000, what: 'delivering' });

  const busiest = `SELECT held_by FROM webhook_endpoints WHERE held_by IS NOT NULL
                    GROUP BY held_by ORDER BY count(*) DESC LIMIT 1`;
  const { rows: holders } = await sql.query(busiest);
  const stopped = workers.find(({ workerId }) => workerId === holders[0]?.held_by);
  if (!stopped) throw new Error('nobody holds an endpoint');
  stopped.service.process.kill('SIGSTOP');
  standsStill = true;
  const { rows: delivered } = await sql.query(`SELECT event_id FROM deliveries WHERE state = 'delivered'`);
  expect(await heldBy(stopped.workerId)).toBeGreaterThan(0);
  await eventually(async () => (await heldBy(stopped.workerId)) === 0, {
    withinMs: 120_000,
    what: 'its endpoints taken over',
  });
  stopped.service.process.kill('SIGCONT');

  await eventually(
    async () => (await sql.query(`SELECT 1 FROM deliveries WHERE state = 'delivered'`)).rowCount === total,
    { withinMs: 300_000, what: 'everything delivered' },
  );
  const times = new Map<string, number>();
  for (const { headers } of receiver.received) {
    const id = String(headers['webhook-id']);
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  expect(times.size).toBe(total);
  // Only what it had sent without having its answer on record is sent again.
  const twice = [...times].filter(([, count]) => count > 1).map(([id]) => id);
  const onRecord = new Set(delivered.map((row) => row.event_id));
  expect(twice.filter((id) => onRecord.has(id))).toEqual([]);
  const { rows } = await sql.query(
    `SELECT count(*)::int AS attempts, max(attempt_no) AS most FROM delivery_attempts`,
  );
  expect(rows).toEqual([{ attempts: total, most: 1 }]);
  for (const { service } of workers) expect(await service.end('SIGTERM')).toBe(0);
});
