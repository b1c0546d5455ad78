/**
 * Payouts beside a running service, on the same database: orders that wait for their payout, and rails that tests play.
 */
import type { Scope } from '../../src/caller.js';
import { merchantId, storedPublicId } from '../../src/ids.js';
import * as book from '../../src/ledger/postings.js';
import { beneficiaryOf, senderOf } from '../../src/orders/order/copies/copies.js';
import type { Order } from '../../src/orders/order/order.js';
import { newRefund } from '../../src/orders/order/refund.js';
import { findOrder } from '../../src/orders/order/store.js';
import type { Move } from '../../src/orders/order/transition.js';
import type { SuspenseRecord } from '../../src/payments/suspense/suspense.js';
import { findSuspenseOfPayment } from '../../src/payments/suspense/suspense-store.js';
import type { Batch, Finding, Rail, Report } from '../../src/payouts/rail.js';
import type { Transaction } from '../../src/postgres/statement.js';
import type { Remesa } from '../harness/remesa.js';
import { lupita, placed, sender } from '../orders/orders.js';
import type { PayoutVerbs } from './worker-verbs.js';

const bySystem = { actor: { kind: 'system', name: 'test' } } as const;

export interface Wanted {
  readonly rail: string;
  readonly beneficiary?: Record<string, unknown>;
}

/**
 * An order that was paid and converted, and whose payout has been submitted: its attempt is READY. All in one
 * transaction, so that no job of the service sees the steps between.
 */
export async function submitted(
  running: Remesa,
  verbs: PayoutVerbs,
  { rail, beneficiary = {} }: Wanted,
): Promise<Order> {
  const { database, receiving, transitions } = verbs;
  const body = { beneficiary: { ...lupita, ...beneficiary } };
  const { id } = await placed(running, await sender(running), { body });
  const order = await orderOf(running, id);
  return database.transaction(async (tx) => {
    const payment = { paymentId: `pay_${id.slice(4)}`, amount: order.amountIn };
    const paid = await receiving.receive(tx, bySystem, order, payment);
    const journals = [book.converted(order.orderId, order)];
    const converted = await transitions.applyTransition(tx, bySystem, paid, {
      event: 'convert',
      journals,
    } as object as Move);
    return submitIn(tx, verbs, converted, rail);
  });
}

/** Submits the payout of an order again, after it failed. */
export function submitPayout(verbs: PayoutVerbs, order: Order, rail: string): Promise<Order> {
  return verbs.database.transaction((tx) => submitIn(tx, verbs, order, rail));
}

async function submitIn(tx: Transaction, verbs: PayoutVerbs, order: Order, rail: string): Promise<Order> {
  const journals = [book.payoutSubmitted(order.orderId, rail, order.amountOut)];
  const estimatedArrivalAt = new Date(Date.now() + 2 * 86_400_000);
  const moved = await verbs.transitions.applyTransition(tx, bySystem, order, {
    event: 'submit_payout',
    change: { estimatedArrivalAt },
    journals,
  } as object as Move);
  await openPayout(tx, verbs, moved, rail);
  return moved;
}

/** As the gate calls it, with what it has opened. */
export async function openPayout(
  tx: Transaction,
  { users, payouts }: PayoutVerbs,
  order: Order,
  rail: string,
): Promise<void> {
  const { merchantId: merchant, orderId, userId } = order;
  const retainedKey = await users.retainedKey(tx, merchant, userId);
  const profile = await users.profile(tx, merchant, userId);
  const [sender, beneficiary] = [await senderOf(users, tx, order), await beneficiaryOf(users, tx, order)];
  if (!retainedKey || !sender || !beneficiary) throw new Error('the people of the order are not known');
  const senderName = profile && `${profile.firstName} ${profile.lastName}`;
  const earlierAttempts = (await payouts.countAttempts(tx, merchant, [orderId])).get(orderId) ?? 0;
  const plan = { rail, estimatedArrivalAt: new Date() };
  await payouts.openPayout(tx, order, plan, {
    retainedKey,
    senderName,
    sender,
    beneficiary,
    earlierAttempts,
  });
}

/** An order that was cancelled after it was converted, whose refund waits. */
export async function refunding(running: Remesa, verbs: PayoutVerbs): Promise<Order> {
  const { database, transitions, receiving, payouts } = verbs;
  const { id } = await placed(running, await sender(running));
  const order = await orderOf(running, id);
  return database.transaction(async (tx) => {
    const payment = { paymentId: `pay_${id.slice(4)}`, amount: order.amountIn };
    const paid = await receiving.receive(tx, bySystem, order, payment);
    const journals = [book.refundDue(order.orderId, order.amountIn)];
    const by = {
      actor: { kind: 'merchant', merchantId: order.merchantId, scopes: new Set<Scope>() },
    } as const;
    const asked = { amount: order.amountIn, reason: undefined, paymentIds: [payment.paymentId] };
    const refund = newRefund(order, asked, new Date());
    const change = { refundDueBy: new Date(Date.now() + 3 * 86_400_000), refunds: [refund] };
    const due = await transitions.applyTransition(tx, by, paid, {
      event: 'cancel_and_refund',
      change,
      journals,
    });
    await payouts.openRefund(tx, due, refund);
    return due;
  });
}

/** Money that names no order, on its way back to who paid it. */
export async function payingBackSuspense(
  running: Remesa,
  { database, suspense }: PayoutVerbs,
): Promise<SuspenseRecord> {
  const paid = await running.api.post('/sandbox/payments', {
    ...{ token: running.acme.token, body: { reference: 'rent', amount: 100, currency: 'USD' } },
  });
  const paymentId = storedPublicId('pay', paid.json.id);
  return database.transaction(async (tx) => {
    const record = await findSuspenseOfPayment(tx, merchantId(running.acme.merchant), paymentId);
    if (!record) throw new Error('no record');
    await suspense.returnToPayer(tx, bySystem, record);
    return record;
  });
}

export async function orderOf(running: Remesa, id: string): Promise<Order> {
  const ref = { merchantId: merchantId(running.acme.merchant), orderId: storedPublicId('ord', id) };
  const order = await findOrder(running.service.database, ref);
  if (!order) throw new Error('no order');
  return order;
}

// biome-ignore lint/suspicious/noExplicitAny: rows of the database, which the tests examine.
export async function attemptsOf({ sql }: Pick<Remesa, 'sql'>, order: Order): Promise<any[]> {
  const text = 'SELECT * FROM payout_attempts WHERE order_id = $1 ORDER BY number';
  return (await sql.query(text, [order.orderId])).rows;
}

/**
 * Everything that waits is due now, and no lease is running: as if time had passed. With an order, only what waits for
 * that one: a rail is asked a few times after a payment, and then no more.
 */
export async function letTimePass({ sql }: Pick<Remesa, 'sql'>, order?: Order): Promise<void> {
  await sql.query(
    `UPDATE payout_attempts SET due_at = least(due_at, now()), leased_until = NULL, lease_holder = NULL
      WHERE due_at IS NOT NULL AND ($1::text IS NULL OR order_id = $1)`,
    [order?.orderId ?? null],
  );
  await sql.query(`UPDATE payout_rail_failures SET resumes_at = failing_since`);
}

export function run({ sending }: PayoutVerbs): Promise<number> {
  return sending.run(AbortSignal.timeout(60_000));
}

export function report(kind: Report['kind'], reference: string, more: Partial<Report> = {}): Report {
  return { reportId: `${reference}.${kind}`, reference, kind, raw: kind, ...more };
}

/** A rail that tests play: it does what `on` says. */
export class PlayedRail implements Rail {
  readonly name: string;
  readonly capabilities: Rail['capabilities'];
  readonly batches: Batch[] = [];
  readonly asked: string[] = [];
  onSubmit: (batch: Batch) => Promise<readonly Report[]> = async ({ payments }) =>
    payments.map(({ reference }) => report('accepted', reference));
  onFind: (reference: string) => Promise<Finding> = async () => 'unknown';

  constructor(name: string, capabilities: Partial<Rail['capabilities']> = {}) {
    this.name = name;
    this.capabilities = {
      ...{ methods: 'any', currencies: 'any', paymentsPerMessage: 1, messagesAtOnce: 4 },
      ...{ canRecall: false, proofOfPayment: 'report', submission: 'automatic', asksAfterPayment: false },
      ...capabilities,
    };
  }

  plan(_request: unknown, now: Date) {
    return { cutOffAt: undefined, valueDate: now.toISOString().slice(0, 10), arrivesAt: now };
  }

  submit(batch: Batch): Promise<readonly Report[]> {
    this.batches.push(batch);
    return this.onSubmit(batch);
  }

  find(reference: string): Promise<Finding> {
    this.asked.push(reference);
    return this.onFind(reference);
  }

  /** A document has the kinds of the reports about one reference: `ORD… accepted paid`. */
  read(document: Buffer): readonly Report[] {
    const [reference = '', ...kinds] = document.toString().split(' ');
    return kinds.map((kind) => report(kind as Report['kind'], reference));
  }
}
