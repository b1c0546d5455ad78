/** Several processes on one queue, one of which stands still past its lease and then goes on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { registerUrl } from '../../src/webhooks/registration.js';
import { eventually } from '../harness/eventually.js';
import { endProcessesAfterEach, startServiceOf } from '../harness/processes.js';
import { useReceiver } from '../harness/receiver.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';
import { addMerchant, eventOf, recordEvent } from '../webhooks/happenings.js';

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

/** Under which claims something is being sent. */
async function tokens(): Promise<string[]> {
  const { rows } = await sql.query('SELECT DISTINCT lease_token FROM deliveries WHERE lease_token IS NOT NULL');
  return rows.map((row) => row.lease_token);
}

async function queue(events: number): Promise<void> {
  for (let index = 0; index < merchants; index += 1) {
    const { merchant } = await addMerchant(database, `merchant-${index}`);
    for (const channel of channels) {
      const endpoint = { merchantId: merchant, channel };
      await database.transaction((tx) => registerUrl(tx, by, endpoint, { url: `${receiver.url}/hook` }, 'public'));
      await database.transaction(async (tx) => {
        for (let number = 0; number < events / merchants / channels.length; number += 1)
          await recordEvent(tx, eventOf(merchant, { channel, subject: `s${number % 50}` }));
      });
    }
  }
}

it('nothing is lost, and what the late one says overwrites nothing', { timeout: 600_000 }, async () => {
  const total = rounds(480, 5040);
  // After the first hundred, answers are late until a worker stands still, which then has sent what it knows no answer
  // to.
  let standsStill = false;
  receiver.behaviour = () => {
    const isLate = !standsStill && receiver.received.length > 100;
    return { kind: 'answer', status: 200, afterMs: isLate ? 5_000 : Math.random() * 300 };
  };
  // The first one fills the new database, and has claimed something at every url when the others come.
  const first = await start('all');
  await queue(total);
  await eventually(() => receiver.received.length > 100, { withinMs: 60_000, what: 'delivering' });
  const others = await Promise.all(Array.from({ length: rounds(2, 3) }, () => start('worker')));

  await eventually(async () => (await tokens()).length > 0, { withinMs: 30_000, what: 'a claim' });
  first.process.kill('SIGSTOP');
  standsStill = true;
  const stopped = await tokens();
  const { rows: delivered } = await sql.query(`SELECT event_id FROM deliveries WHERE state = 'delivered'`);
  // As if the time of their leases had passed.
  await sql.query('UPDATE deliveries SET leased_until = statement_timestamp() WHERE lease_token IS NOT NULL');
  await eventually(async () => !(await tokens()).some((token) => stopped.includes(token)), {
    withinMs: 120_000,
    what: 'its deliveries claimed by others',
  });
  first.process.kill('SIGCONT');

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
  const { rows } = await sql.query(`SELECT count(*)::int AS attempts, max(attempt_no) AS most FROM delivery_attempts`);
  expect(rows).toEqual([{ attempts: total, most: 1 }]);
  for (const service of [first, ...others]) expect(await service.end('SIGTERM')).toBe(0);
});
