/**
 * The worker claims several orders of a merchant: it reads about them once, and makes each step in a transaction of its
 * own.
 */
import { expect, it, vi } from 'vitest';
import { advanceJob } from '../../src/orders/order/transition.js';
import type { Statement } from '../../src/postgres/statement.js';
import type { Job } from '../../src/worker/worker.js';
import { done } from '../harness/api.js';
import { orderTimeline } from '../harness/histories.js';
import { useRemesa } from '../harness/remesa.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { cancel, get, sender, timelineOf } from './orders.js';
import { paid } from './paid-orders.js';

let job: Job | undefined;
const running = useRemesa({
  settings: { PAYOUT_RAILS: 'manual' },
  chooseJobs: (jobs) => {
    job = jobs.find(({ name }) => name === advanceJob);
    return jobs.filter((other) => other !== job);
  },
  hasRates: true,
});
const run = () => job?.run(AbortSignal.timeout(30_000));
const statusesOf = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await get(running, id)).json.status));

/** What the gate reads, by the names of its statements. */
const reads = [
  ...['application-store.list-unlike-payers', 'copies-store.list', 'hit-store.list-of-users'],
  ...['ledger-store.find-fault', 'merchant-clock.read', 'payouts.count-of-orders'],
  ...['people-store.list-held-levels', 'people-store.list-submissions', 'sealed-users-store.list'],
];

it('reads each kind of fact once for all orders of a claim, for both steps of each', async () => {
  const user = await sender(running);
  const ids = [await paid(running, { user }), await paid(running, { user }), await paid(running)];
  const query = vi.spyOn(running.service.database, 'query');
  expect(await run()).toBe(3);
  const sent = query.mock.calls.map(([statement]) => (statement as Statement<unknown>).name);
  query.mockRestore();
  expect(sent.filter((name) => reads.includes(name)).sort()).toEqual(reads);
  expect(await statusesOf(ids)).toEqual(Array(3).fill('PAYOUT_SUBMITTED'));
  for (const id of ids) expect(await timelineOf(running, id)).toHaveLength(4);
  expect(await run()).toBe(0);
});

it('moves the others on when the copies of one order cannot be opened', async () => {
  const [broken, ...others] = [await paid(running), await paid(running), await paid(running)];
  await withoutTriggers(running.sql, (client) =>
    client.query(`UPDATE orders SET sealed_beneficiary = '\\x00' WHERE order_id = $1`, [broken]),
  );
  expect(await run()).toBe(3);
  expect(await statusesOf([broken as string, ...others])).toEqual([
    ...['PAYMENT_RECEIVED', 'PAYOUT_SUBMITTED', 'PAYOUT_SUBMITTED'],
  ]);
});

/** The orders whose journals of this event were written by the same transaction as those of the first. */
async function writtenWith(first: string, event: string): Promise<string[]> {
  const { rows } = await running.sql.query(
    `WITH posted AS (
       SELECT DISTINCT entry.order_id, posting.xmin::text AS transaction FROM ${orderTimeline} AS entry
         JOIN ledger_postings AS posting
           ON posting.merchant_id = entry.merchant_id AND posting.journal_id = ANY (entry.journal_ids)
        WHERE entry.event = $2)
     SELECT order_id FROM posted WHERE transaction = (SELECT transaction FROM posted WHERE order_id = $1) ORDER BY order_id`,
    [first, event],
  );
  return rows.map((row) => row.order_id);
}

it('makes each step of each order in a transaction of its own', async () => {
  const ids = [await paid(running), await paid(running), await paid(running)].sort();
  expect(await run()).toBe(3);
  expect(await statusesOf(ids)).toEqual(Array(3).fill('PAYOUT_SUBMITTED'));
  for (const id of ids) {
    expect(await writtenWith(id, 'convert')).toEqual([id]);
    expect(await writtenWith(id, 'submit_payout')).toEqual([id]);
  }
  const { rows } = await running.sql.query(
    `SELECT DISTINCT entry.order_id, posting.reference FROM ${orderTimeline} AS entry
       JOIN ledger_postings AS posting
         ON posting.merchant_id = entry.merchant_id AND posting.journal_id = ANY (entry.journal_ids)
      WHERE entry.order_id = ANY ($1) AND entry.event IN ('convert', 'submit_payout') AND posting.reference IS NOT NULL
      ORDER BY entry.order_id`,
    [ids],
  );
  // Each entry names the journals of its own order.
  expect(rows).toEqual(ids.map((id) => ({ order_id: id, reference: id })));
  for (const id of ids) {
    const entries = await timelineOf(running, id);
    expect(entries.map(({ event }) => event)).toEqual([...['create', 'complete_payment', 'convert', 'submit_payout']]);
  }
});

it('moves the others on when somebody cancels one order after it was claimed', async () => {
  const [cancelled = '', ...others] = [await paid(running), await paid(running), await paid(running)];
  const { database } = running.service;
  const query = database.query.bind(database);
  let isCancelled = false;
  const spy = vi.spyOn(database, 'query').mockImplementation(async (statement, values) => {
    // The facts are read after the claim.
    if (statement.name === 'copies-store.list' && !isCancelled) {
      isCancelled = true;
      done(await cancel(running, cancelled));
    }
    return query(statement, values) as never;
  });
  expect(await run()).toBe(3);
  spy.mockRestore();
  expect(await statusesOf([cancelled, ...others])).toEqual(['REFUND_PENDING', 'PAYOUT_SUBMITTED', 'PAYOUT_SUBMITTED']);
});

it('moves the others on when the database refuses the step of one order', async () => {
  const ids = [await paid(running), await paid(running), await paid(running)];
  const [refused, ...others] = ids as [string, string, string];
  await running.sql.query(
    `CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'refused by the test'; END $$`,
  );
  await running.sql.query(
    `CREATE TRIGGER refuses_one BEFORE INSERT ON payout_attempts FOR EACH ROW
       WHEN (NEW.order_id = '${refused}') EXECUTE FUNCTION refuse_one()`,
  );
  expect(await run()).toBe(3);
  expect(await statusesOf([refused, ...others])).toEqual([...['CONVERTED', 'PAYOUT_SUBMITTED', 'PAYOUT_SUBMITTED']]);
  // Each of the others was submitted once, by itself.
  expect(await writtenWith(others[0] as string, 'submit_payout')).toEqual([others[0]]);
  const { rows } = await running.sql.query(
    'SELECT order_id FROM payout_attempts WHERE order_id = ANY ($1) ORDER BY order_id',
    [ids],
  );
  expect(rows.map((row) => row.order_id)).toEqual([...others].sort());
  await running.sql.query('DROP TRIGGER refuses_one ON payout_attempts');
});
