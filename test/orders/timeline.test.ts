/** GET /orders/{id}/timeline with the journals of the ledger. */
import { describe, expect, it } from 'vitest';
import type { OrderEvent } from '../../src/orders/order/order-events.js';
import { useRemesa } from '../harness/remesa.js';
import { userToken } from '../harness/users.js';
import { orderJobNames } from '../orders/orders.js';
import { sender } from './orders.js';
import { drive, paidOrder } from './paid.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const timelineOf = async (id: string, token = running.acme.token) =>
  (await running.api.get(`/orders/${id}/timeline`, { token })).json;

describe('GET /orders/{id}/timeline', () => {
  it('shows a merchant the journal of each transition, and a user the same entries without them', async () => {
    const user = await sender(running);
    const order = await paidOrder(running, user);
    await drive(running, order, 'convert', 'submit_payout', 'complete');
    const entries = await timelineOf(order.orderId);
    expect(entries.map(({ event, journals }: Entry) => [event, journals.map((journal) => journal.event)])).toEqual([
      ['create', []],
      ['complete_payment', ['payment_received']],
      ['convert', ['converted']],
      ['submit_payout', ['payout_submitted']],
      ['complete', []],
    ]);
    expect(entries[1].journals).toEqual([
      {
        event: 'payment_received',
        postings: [
          { account: 'payin:USD', side: 'debit', currency: 'USD', amount: 100 },
          { account: 'liability:USD', side: 'credit', currency: 'USD', amount: 100 },
        ],
      },
    ]);
    for (const { journals } of entries)
      for (const { postings } of journals) expect(sumsOf(postings)).toEqual([0, 0].slice(0, sumsOf(postings).length));
    const token = await userToken(running, running.acme, user);
    expect(await timelineOf(order.orderId, token)).toEqual(entries.map(({ journals: _, ...entry }: Entry) => entry));
  });

  // Each pair: what an ordinary review would do, and the same with a freeze.
  it.each<[string, OrderEvent[], OrderEvent[]]>([
    ['begins', ['refer'], ['freeze']],
    ['begins within a review and ends', ['refer'], ['refer', 'freeze', 'release']],
    ['ends in a refund', ['refer', 'refund'], ['freeze', 'refund']],
    ['of converted money ends in a refund', ['convert', 'refer', 'refund'], ['convert', 'freeze', 'refund']],
    [
      'stops a payout that was not sent',
      ['convert', 'submit_payout', 'refer', 'refund'],
      ['convert', 'submit_payout', 'freeze', 'refund'],
    ],
    [
      'ends with the proof of a payout',
      ['convert', 'fail_payout', 'refer', 'prove_payout'],
      ['convert', 'fail_payout', 'freeze', 'prove_payout'],
    ],
    ['ends by a clawback', ['refer', 'reverse_payment'], ['freeze', 'reverse_payment']],
    [
      'of a refund ends by a clawback',
      ['cancel_and_refund', 'refer', 'reverse_payment'],
      ['cancel_and_refund', 'freeze', 'reverse_payment'],
    ],
  ])('does not tell a freeze that %s', async (_, ordinary, frozen) => {
    const [first, second] = [await seenAfter(ordinary), await seenAfter(frozen)];
    expect(second).toEqual(first);
  });
});

interface Entry {
  readonly event: string;
  readonly journals: { readonly event: string; readonly postings: Shown[] }[];
}
interface Shown {
  readonly currency: string;
  readonly side: 'debit' | 'credit';
  readonly amount: number;
}

/** Debits less credits by currency, in cents. */
function sumsOf(postings: readonly Shown[]): number[] {
  const currencies = [...new Set(postings.map(({ currency }) => currency))];
  return currencies.map((currency) =>
    postings
      .filter((posting) => posting.currency === currency)
      .reduce((sum, { side, amount }) => sum + Math.round(amount * 100) * (side === 'debit' ? 1 : -1), 0),
  );
}

/** The timeline without what differs between any two orders. */
async function seenAfter(events: readonly OrderEvent[]): Promise<unknown> {
  const order = await paidOrder(running, await sender(running));
  await drive(running, order, ...events);
  const text = JSON.stringify(await timelineOf(order.orderId));
  return JSON.parse(text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time').replaceAll(order.orderId, 'order'));
}
