/** `applyTransition` on the real database, with events that no route causes yet. */
import { describe, expect, it } from 'vitest';
import type { By } from '../../src/caller.js';
import { merchantId, operatorId, storedPublicId } from '../../src/ids.js';
import type { Posting } from '../../src/ledger/journal.js';
import * as book from '../../src/ledger/postings.js';
import { amount } from '../../src/money/amount.js';
import { GatedSteps } from '../../src/orders/flow/gated-steps.js';
import { decideGate, type Findings } from '../../src/orders/order/gate.js';
import type { Order } from '../../src/orders/order/order.js';
import { findOrder } from '../../src/orders/order/store.js';
import type { Move } from '../../src/orders/order/transition.js';
import type { Queryable, Statement, Transaction, ValuesOf } from '../../src/postgres/statement.js';
import { orderTimeline } from '../harness/histories.js';
import { useRemesa } from '../harness/remesa.js';
import { orderJobNames } from '../orders/orders.js';
import { eventsOf, get, placed, sender, timelineOf, verbsOf } from './orders.js';
import { TestPayouts } from './paid-orders.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const { sql } = running;
const bySystem: By = { actor: { kind: 'system', name: 'test' } };
const byOperator: By = { actor: { kind: 'operator', operatorId: operatorId(1), role: 'admin' } };

async function newOrder(): Promise<Order> {
  const { id } = await placed(running, await sender(running));
  return reload(id);
}

async function reload(id: string): Promise<Order> {
  const ref = { merchantId: merchantId(running.acme.merchant), orderId: storedPublicId('ord', id) };
  const order = await findOrder(running.service.database, ref);
  if (!order) throw new Error('no order');
  return order;
}

async function apply(order: Order, move: Move, by: By = bySystem): Promise<Order> {
  const { transitions } = await verbsOf(running);
  return running.service.database.transaction((tx) => transitions.applyTransition(tx, by, order, move));
}

const paid = (order: Order): Move => ({
  event: 'complete_payment',
  change: { amountReceived: order.amountIn },
  journals: [book.paymentReceived('pay_1', order.orderId, order.amountIn)],
});

describe('applyTransition', () => {
  it('writes the order, its timeline, the journal, the audit entry and the event', async () => {
    const before = await newOrder();
    const after = await apply(before, paid(before));
    expect(after).toMatchObject({ state: 'PAYMENT_RECEIVED', version: 2, amountReceived: before.amountIn });
    const shown = (await get(running, before.orderId)).json;
    expect(shown).toMatchObject({ status: 'PAYMENT_RECEIVED', amountReceived: 100, version: 2 });
    expect((await eventsOf(running, before.orderId)).at(-1)).toEqual({
      type: 'order.payment_received',
      previousStatus: 'AWAITING_PAYMENT',
      // The worker may have tried to move the order on since.
      object: { ...shown, pendingReason: null },
    });
    const { rows } = await sql.query(
      `SELECT posting.account, posting.amount_minor::int AS minor FROM ${orderTimeline} AS entry
         JOIN ledger_postings AS posting
           ON posting.merchant_id = entry.merchant_id AND posting.journal_id = ANY (entry.journal_ids)
        WHERE entry.order_id = $1 AND entry.version = 2 ORDER BY posting.position`,
      [before.orderId],
    );
    expect(rows).toEqual([
      { account: 'payin:USD', minor: 10_000 },
      { account: 'liability:USD', minor: -10_000 },
    ]);
    const audit = 'SELECT action, from_state, to_state FROM changes WHERE subject = $1 ORDER BY id';
    expect((await sql.query(audit, [`order:${before.orderId}`])).rows.at(-1)).toEqual({
      action: 'order.complete_payment',
      from_state: 'AWAITING_PAYMENT',
      to_state: 'PAYMENT_RECEIVED',
    });
  });

  it('needs two round trips besides BEGIN and COMMIT, also with a journal', async () => {
    const order = await newOrder();
    const { transitions } = await verbsOf(running);
    const trips = await running.service.database.transaction(async (tx) => {
      const counted = new CountedTrips(tx);
      const move = paid(order);
      await transitions.applyTransition(counted as unknown as Transaction, bySystem, order, move);
      return counted.trips;
    });
    expect(trips).toBe(2);
  });

  it('is refused on an old version with 409 and changes nothing', async () => {
    const before = await newOrder();
    await apply(before, paid(before));
    await expect(apply(before, { event: 'expire' })).rejects.toMatchObject({
      code: 'order_transition_not_allowed',
    });
    expect(await timelineOf(running, before.orderId)).toHaveLength(2);
  });

  it('succeeds once for ten at once on one version', async () => {
    const order = await newOrder();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => apply(order, paid(order))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { rows } = await sql.query('SELECT count(*)::int AS n FROM ledger_postings WHERE reference = $1', [
      order.orderId,
    ]);
    expect(rows[0].n).toBe(1);
  });

  it('is refused to an actor whom the table does not name', async () => {
    const order = await newOrder();
    await expect(apply(order, { event: 'expire' }, byOperator)).rejects.toMatchObject({
      code: 'order_transition_not_allowed',
    });
  });

  it('does not write a journal that the table does not name, nor one that does not sum to zero', async () => {
    const order = await newOrder();
    const wrong = book.converted(order.orderId, order);
    await expect(apply(order, { ...paid(order), journals: [wrong] })).rejects.toThrow('does not post converted');
    const content = book.paymentReceived('pay_1', order.orderId, order.amountIn);
    const [first, ...others] = content.postings;
    const crooked = { ...content, postings: [{ ...first, minor: 1n } as Posting, ...others] };
    await expect(apply(order, { ...paid(order), journals: [crooked] })).rejects.toThrow();
    expect(await reload(order.orderId)).toEqual(order);
    expect(await eventsOf(running, order.orderId)).toHaveLength(1);
  });

  it('returns from a review and from a request for information to where the order was', async () => {
    let order = await newOrder();
    order = await apply(order, paid(order));
    order = await apply(order, { event: 'refer' });
    order = await apply(order, { event: 'request_information' });
    order = await apply(order, { event: 'provide_information' }, byOperator);
    expect(order.state).toBe('IN_REVIEW');
    order = await apply(order, { event: 'approve' }, byOperator);
    expect(order.state).toBe('PAYMENT_RECEIVED');
  });
});

describe('the steps that need the gate', () => {
  /** Of the verbs beside the service, whose lists have this version. */
  const passed = (order: Order, listsVersion = 'no lists', readAtMs = performance.now()) => {
    const decision = decideGate(order, {
      ...{ listsVersion, areListsUsable: true, senderHits: [], beneficiaryMatches: [], payerMatches: [], rules: [] },
      ...{ missingLevel: undefined, hasQuotedTerms: true, isLedgerSound: true, readAtMs },
      people: { earlierAttempts: 0 } as Findings['people'],
      route: { rail: 'test', estimatedArrivalAt: new Date('2030-01-02T15:00:00.000Z') },
    });
    if (decision.outcome !== 'pass') throw new Error('not passed');
    return decision.pass;
  };

  it('need two round trips besides BEGIN and COMMIT, with the journal and the attempt', async () => {
    const unpaid = await newOrder();
    let order = await apply(unpaid, paid(unpaid));
    const { transitions } = await verbsOf(running);
    const payouts = new TestPayouts();
    const steps = new GatedSteps(transitions, () => payouts);
    for (const step of ['convert', 'submitPayout'] as const) {
      const trips = await running.service.database.transaction(async (tx) => {
        const counted = new CountedTrips(tx);
        order = await steps[step](counted as unknown as Transaction, bySystem, order, passed(order));
        return counted.trips;
      });
      expect([step, trips]).toEqual([step, 2]);
    }
    expect([order.state, payouts.payoutsOf(order.orderId)]).toEqual(['PAYOUT_SUBMITTED', 1]);
  });

  it('are refused and change nothing with a pass for another version, an old one, or after the lists were replaced', async () => {
    const unpaid = await newOrder();
    const order = await apply(unpaid, paid(unpaid));
    const { transitions } = await verbsOf(running);
    const steps = new GatedSteps(transitions, () => new TestPayouts());
    const old = passed(order, 'no lists', performance.now() - 5_000);
    for (const pass of [passed(unpaid), passed(order, 'older lists'), old]) {
      const converting = running.service.database.transaction((tx) => steps.convert(tx, bySystem, order, pass));
      await expect(converting).rejects.toMatchObject({ code: 'order_transition_not_allowed' });
    }
    expect(await timelineOf(running, order.orderId)).toHaveLength(2);
  });
});

describe('a freeze during a review', () => {
  it('cannot be told from an ordinary review by the order, its timeline, its lists or its events', async () => {
    const [ordinary, frozen] = [await inReview(), await inReview()];
    const money = amount('USD', frozen.amountIn.minor);
    const held = await apply(
      frozen,
      { event: 'freeze', journals: [book.frozen(frozen.orderId, 'liability', money)] },
      byOperator,
    );
    expect(held.state).toBe('FROZEN');
    expect(await visible(frozen)).toEqual(await visible(ordinary));
    await apply(held, { event: 'release' }, byOperator);
    expect(await visible(frozen)).toEqual(await visible(ordinary));
  });
});

async function inReview(): Promise<Order> {
  const order = await newOrder();
  return apply(await apply(order, paid(order)), { event: 'refer' });
}

/** Everything that a merchant can see of an order, without what differs between any two orders. */
async function visible({ orderId }: Order): Promise<unknown> {
  const order = (await get(running, orderId)).json;
  const { token } = running.acme;
  const timeline = await timelineOf(running, orderId);
  const listed = await running.api.get(`/merchant/orders?status=IN_REVIEW&userId=${order.userId}`, { token });
  const events = await eventsOf(running, orderId);
  const seen = { order, timeline, listed: listed.json, events };
  const own = [order.id, order.rateCode, String(order.userId), order.payIn.reference];
  let text = JSON.stringify(seen).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
  for (const value of own) text = text.replaceAll(value, 'own');
  return JSON.parse(text.replaceAll(':own,', ':"own",'));
}

/** Counts how often statements are sent while none is under way. */
class CountedTrips implements Queryable {
  trips = 0;
  #inFlight = 0;

  constructor(readonly tx: Transaction) {}

  readonly seal: Transaction['seal'] = (...content) => this.tx.seal(...content);

  async query<Row, Name extends string>(statement: Statement<Row, Name>, ...values: ValuesOf<Name>): Promise<Row[]> {
    if (this.#inFlight === 0) this.trips += 1;
    this.#inFlight += 1;
    try {
      return await this.tx.query(statement, ...values);
    } finally {
      this.#inFlight -= 1;
    }
  }

  wake(job: string): void {
    this.tx.wake(job);
  }
}
