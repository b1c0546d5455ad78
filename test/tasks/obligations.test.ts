/** Everything that holds money has a next actor, a due time, an escalation and a law behind it. */
import { describe, expect, it } from 'vitest';
import { merchantId, newMerchantPublicId } from '../../src/ids.js';
import { amount, isZero } from '../../src/money/amount.js';
import type { Order } from '../../src/orders/order/order.js';
import { eventRules } from '../../src/orders/order/order-events.js';
import { memoriesAfter, stateAfter } from '../../src/orders/order/transitions.js';
import { orderObligations } from '../../src/orders/owed/obligations.js';
import { paymentObligations } from '../../src/payments/owed/obligations.js';
import { placeOfMoney, suspenseStates } from '../../src/payments/suspense/transitions.js';
import { duties } from '../../src/tasks/duty.js';
import { publicObligations } from '../../src/tasks/obligation.js';
import { taskKinds } from '../../src/tasks/task.js';
import { useRemesa } from '../harness/remesa.js';
import { type Books, stepsFrom } from '../orders/histories.js';

const running = useRemesa();
const all = [...orderObligations, ...paymentObligations];

interface Node {
  readonly order: Order;
  readonly books: Books;
}

const start = {
  ...{ orderId: newMerchantPublicId('ord', merchantId(1)), state: 'AWAITING_PAYMENT', memories: {} },
  ...{ amountIn: amount('EUR', 10_000n), fee: amount('EUR', 200n), amountOut: amount('MXN', 195_117n) },
  ...{ midRate: { coefficient: 2_001n, scale: 2 }, marginBasisPoints: 50 },
  ...{ amountReceived: amount('EUR', 0n), amountRefunded: amount('EUR', 0n) },
  ...{ amountKept: amount('EUR', 0n), amountReversed: amount('EUR', 0n) },
} as unknown as Order;

/** What decides which steps are possible. */
function keyOf({ order, books }: Node): string {
  const { state, memories, amountIn, amountReceived, amountRefunded, amountReversed } = order;
  const isPaid = amountReceived.minor >= amountIn.minor;
  return JSON.stringify([
    ...[state, memories.review, memories.information, books.place, books.frozenFrom, isPaid],
    ...[amountReceived, amountRefunded, amountReversed].map(isZero),
  ]);
}

/** Every state with every account that the money of an order can be on, by all steps of all histories. */
function placesOfMoney(): Set<string> {
  const nodes: Node[] = [{ order: start, books: { place: 'liability' } }];
  const known = new Set(nodes.map(keyOf));
  const places = new Set<string>();
  for (const node of nodes) {
    const { order, books } = node;
    const isHeld = order.amountReceived.minor > order.amountRefunded.minor + order.amountReversed.minor;
    if (isHeld && books.place !== 'none') places.add(`${order.state} ${books.place}`);
    for (const { move, books: after } of stepsFrom(order, books)) {
      const { event, change } = move;
      const { resumes } = eventRules[event];
      const state = stateAfter(order.state, event, resumes && order.memories[resumes]);
      if (!state) throw new Error(`${event} is not possible`);
      const memories = memoriesAfter(order.state, event, order.memories);
      const next = { order: { ...order, ...change, state, memories }, books: after };
      if (known.has(keyOf(next))) continue;
      known.add(keyOf(next));
      nodes.push(next);
    }
  }
  return places;
}

describe('the table of obligations', () => {
  it('has each state of an order with each account that its money can be on, and no other', () => {
    // What a rail has is on an account of the rail, not of the order.
    const listed = orderObligations.filter(({ account }) => account !== 'settlement');
    expect(listed.map(({ state, account }) => `${state} ${account}`).sort()).toEqual([...placesOfMoney()].sort());
  });

  it('has each state of money in suspense', () => {
    const held = suspenseStates.flatMap((state) => {
      const place = placeOfMoney(state);
      return place ? [`${state} ${place}`] : [];
    });
    const listed = paymentObligations.filter(({ record }) => record === 'suspense');
    expect(listed.map(({ state, account }) => `${state} ${account}`)).toEqual(held);
  });

  it('names for each who acts, until when, what follows, the law, and the task where an operator acts', () => {
    for (const entry of all) {
      for (const text of [entry.action, entry.due, entry.afterwards, entry.legalBasis])
        expect([entry.state, text.length > 4]).toEqual([entry.state, true]);
      expect([entry.state, entry.nextActor === 'operator' && entry.task === undefined]).toEqual([entry.state, false]);
    }
    expect(Object.keys(duties).sort()).toEqual([...taskKinds].sort());
  });

  it('tells merchants nothing of freezes, and operators everything', async () => {
    const shown = await running.api.get('/meta/obligations', { token: running.acme.token });
    expect(shown.json).toHaveLength(publicObligations(all).length);
    expect(shown.json).toContainEqual(
      expect.objectContaining({ status: 'IN_REVIEW', account: 'liability', nextActor: 'operator' }),
    );
    expect(shown.text).not.toMatch(/freez|frozen|block|sanction|suspense/i);
    const full = await running.api.get('/operator/obligations', { token: running.admin });
    expect(full.json).toContainEqual(
      expect.objectContaining({
        ...{ record: 'order', state: 'FROZEN', account: 'frozen', task: 'order_frozen' },
        ...{ withinHours: 240, escalatesTo: 'admin' },
      }),
    );
    expect(full.json).toHaveLength(all.length);
  });
});
