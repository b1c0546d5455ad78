/** Every reason for which an order does not move, each with an order that has it; and the notifications of an order. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type StuckReason, stuckReasons } from '../../src/orders/operator/desk/stuck.js';
import type { Order } from '../../src/orders/order/order.js';
import { bySystem } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { useReceiver } from '../harness/receiver.js';
import { useRemesa } from '../harness/remesa.js';
import { orderJobNames, placed, sender } from '../orders/orders.js';
import { pay } from '../orders/paid-orders.js';
import { attemptsOf, letTimePass, orderOf, PlayedRail, refunding, report, run, submitted } from '../payouts/payouts.js';
import { type PayoutVerbs, payoutVerbs } from '../payouts/worker-verbs.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const receiver = useReceiver();
const rail = new PlayedRail('played');
let verbs: PayoutVerbs;
beforeAll(async () => {
  verbs = await payoutVerbs(running.service.database, [rail]);
});

const stuck = async (): Promise<Map<string, string>> => {
  const found = new Map<string, string>();
  let path: string | undefined = '/operator/orders/stuck?limit=5';
  while (path !== undefined) {
    const page = await running.api.get(path, { token: running.viewer });
    for (const { id, reason } of page.json) found.set(id, reason);
    path = /<([^>]*)>/.exec(page.headers.get('link') ?? '')?.[1];
  }
  return found;
};
const paidOrder = async (): Promise<Order> => {
  const { id } = await placed(running, await sender(running));
  await pay(running, id);
  return orderOf(running, id);
};
const waiting = async (reason: string): Promise<Order> => {
  const order = await paidOrder();
  const text = 'UPDATE orders SET waits_for = $2 WHERE order_id = $1';
  await running.sql.query(text, [order.orderId, reason]);
  return order;
};
const reported = async (order: Order, ...kinds: Parameters<typeof report>[0][]): Promise<Order> => {
  const { reference, rail: name } = (await attemptsOf(running, order)).at(-1);
  for (const kind of kinds)
    await verbs.database.transaction((tx) =>
      verbs.reports.receive(tx, bySystem, {
        ...{ rail: name, report: report(kind, reference), source: 'hand', bank: 'main' },
      }),
    );
  return order;
};
const lost = async (order: Order): Promise<Order> => {
  rail.onSubmit = async () => Promise.reject(new Error('no answer'));
  await run(verbs);
  await letTimePass(running);
  await run(verbs);
  const [attempt] = await attemptsOf(running, order);
  expect(attempt.state).toBe('UNKNOWN');
  return order;
};

/** How an order comes to have each reason. Those of the worker are what it writes when it cannot go on. */
const ways: Readonly<Record<StuckReason, () => Promise<Order>>> = {
  no_rail: () => waiting('no_rail'),
  rail_paused: () => waiting('rail_paused'),
  corridor_paused: () => waiting('corridor_paused'),
  merchant_paused: () => waiting('merchant_paused'),
  screening_lists: () => waiting('screening_lists'),
  ledger_fault: () => waiting('ledger_fault'),
  not_moved_on: paidOrder,
  outcome_unknown: async () => lost(await submitted(running, verbs, { rail: 'played' })),
  payout_overdue: async () => submitted(running, verbs, { rail: 'manual' }),
  refund_overdue: () => refunding(running, verbs),
  payout_failed: async () => reported(await submitted(running, verbs, { rail: 'manual' }), 'rejected'),
  payout_returned: async () => reported(await submitted(running, verbs, { rail: 'manual' }), 'paid', 'returned'),
  refund_failed: async () => reported(await refunding(running, verbs), 'rejected'),
};

describe('GET /operator/orders/stuck', () => {
  it('names every reason, and lists no order that moves', async () => {
    const moving = await placed(running, await sender(running));
    const orders = new Map<string, StuckReason>();
    for (const reason of stuckReasons) orders.set((await ways[reason]()).orderId, reason);
    const early = await stuck();
    for (const [id, reason] of orders) {
      const isSoon = !['not_moved_on', 'outcome_unknown', 'payout_overdue', 'refund_overdue'].includes(reason);
      expect([reason, early.get(id)]).toEqual([reason, isSoon ? reason : undefined]);
    }
    await running.sql.query(
      `UPDATE payout_attempts SET changed_at = changed_at - interval '16 minutes' WHERE state = 'UNKNOWN'`,
    );
    await running.sql.query(`INSERT INTO merchant_clocks (merchant_id, ahead) VALUES ($1, interval '30 days')`, [
      running.acme.merchant,
    ]);
    expect(Object.fromEntries(await stuck())).toEqual(Object.fromEntries(orders));
    expect((await stuck()).has(moving.id)).toBe(false);
    const unknown = [...orders].find(([, reason]) => reason === 'outcome_unknown')?.[0] ?? '';
    const [attempt] = (await running.api.get(`/operator/orders/${unknown}`, { token: running.viewer })).json.attempts;
    const tasks = await running.api.get('/operator/tasks?kind=payout_unknown', { token: running.viewer });
    expect(tasks.json.map(({ id }: { id: string }) => id)).toEqual([`payout_unknown.${attempt.id}`]);
  });

  it('is one task for each reason that has no task of its own, with the number of orders', async () => {
    await waiting('no_rail');
    await running.sql.query(`UPDATE orders SET updated_at = updated_at - interval '1 hour', version = version + 1
                              WHERE waits_for = 'no_rail'`);
    const tasks = await running.api.get('/operator/tasks?kind=order_stuck&merchant=acme', { token: running.viewer });
    const counts = tasks.json.map(({ summary, count }: { summary: string; count: number }) => [
      ...[/: (\w+)\.$/.exec(summary)?.[1], count],
    ]);
    const decidedApart = ['outcome_unknown', 'refund_overdue', 'payout_failed', 'payout_returned', 'refund_failed'];
    const expected = stuckReasons.filter((reason) => !decidedApart.includes(reason));
    expect(counts.map(([reason]: [string]) => reason).sort()).toEqual([...expected].sort());
    expect(Object.fromEntries(counts)).toMatchObject({ no_rail: 2, ledger_fault: 1 });
  });

  it('a frozen order is a task with what is frozen, until it is released', async () => {
    const order = await paidOrder();
    const freeze = { note: 'A test.' };
    const path = `/operator/orders/${order.orderId}`;
    const frozen = await running.api.post(`${path}/freeze`, { token: running.admin, body: freeze });
    expect(frozen.status, frozen.text).toBe(200);
    const tasks = async () =>
      (await running.api.get('/operator/tasks?kind=order_frozen', { token: running.viewer })).json;
    expect(await tasks()).toMatchObject([
      {
        ...{ id: `order_frozen.${order.orderId}`, path, merchant: 'acme', orderId: order.orderId },
        ...{ userId: Number(order.userId), amount: '100.00', currency: 'USD' },
      },
    ]);
    await running.api.post(`${path}/release`, { token: running.admin, body: freeze });
    expect(await tasks()).toEqual([]);
  });
});

describe('GET /operator/orders/{id}', () => {
  it('shows each notification of the order with the state of its delivery', async () => {
    const { token } = running.rival;
    const order = await placed(running, await sender(running, running.rival), { merchant: running.rival });
    const events = async () =>
      (await running.api.get(`/operator/orders/${order.id}`, { token: running.viewer })).json.events;
    const [before] = await events();
    expect(before).toMatchObject({ type: 'order.awaiting_payment', delivery: null, deliveredAt: null });
    receiver.behaviour = { kind: 'answer', status: 500 };
    const path = '/merchant/webhook/order-notification';
    expect((await running.api.post(path, { token, body: { url: receiver.url } })).status).toBe(200);
    await running.api.post(`/orders/${order.id}/cancel`, { token });
    const failing = await eventually(
      async () => {
        const [, cancelled] = await events();
        return receiver.received.length > 0 && cancelled?.delivery ? cancelled : undefined;
      },
      { what: 'a delivery that fails' },
    );
    expect(failing).toMatchObject({ type: 'order.cancelled', deliveredAt: null });
    receiver.behaviour = { kind: 'answer', status: 200 };
    await running.api.post(`/events/${failing.id}/redeliver`, { token });
    const delivered = await eventually(
      async () => {
        const [, cancelled] = await events();
        return cancelled.deliveredAt ? cancelled : undefined;
      },
      { what: 'the delivery' },
    );
    expect(delivered).toMatchObject({ id: failing.id, type: 'order.cancelled', delivery: 'delivered' });
  });
});
