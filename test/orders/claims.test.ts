/** The worker takes several orders of a merchant together: it reads about them once, and moves each on by itself. */
import { expect, it, vi } from 'vitest';
import { advanceJob } from '../../src/orders/transition.js';
import type { Statement } from '../../src/postgres/statement.js';
import type { Job } from '../../src/worker/worker.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { useRatesOnTheBoard, useRatesService } from '../rates/quoting.js';
import { get, sender, timelineOf } from './orders.js';
import { paid } from './paid-orders.js';

let job: Job | undefined;
const running = useRatesService({ PAYOUT_RAILS: 'manual' }, undefined, (jobs) => {
  job = jobs.find(({ name }) => name === advanceJob);
  return jobs.filter((other) => other !== job);
});
useRatesOnTheBoard(running);
const run = () => job?.run(AbortSignal.timeout(30_000));
const statusesOf = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await get(running, id)).json.status));

/** What the gate reads, by the names of its statements. */
const reads = [
  ...['application-store.list-unlike-payers', 'copies-store.list', 'hit-store.list-of-users'],
  ...['ledger-store.find-fault', 'orders.read-clock', 'payouts.count-of-orders'],
  ...['people-store.list-held-levels', 'people-store.list-submissions', 'sealed-users-store.list'],
];

it('reads each kind of fact once for all orders of a claim, for both steps of each', async () => {
  const user = await sender(running);
  const ids = [await paid(running, { user }), await paid(running, { user }), await paid(running)];
  const query = vi.spyOn(running.service.database, 'query');
  expect(await run()).toBe(6);
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
  expect(await run()).toBe(4);
  expect(await statusesOf([broken as string, ...others])).toEqual([
    ...['PAYMENT_RECEIVED', 'PAYOUT_SUBMITTED', 'PAYOUT_SUBMITTED'],
  ]);
});
