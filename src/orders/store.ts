/** SQL that writes and finds orders, always within one merchant. */
import type { MerchantId, UserId } from '../ids.js';
import { rateToLiteral } from '../money/rate.js';
import { queryJoined } from '../postgres/in-step.js';
import { merchantNow } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { CountedValue, Order, OrderRef } from './order.js';
import { toStoredRefund } from './refunds/refund.js';
import { type OrderRow, orderColumns, toOrder } from './row.js';
import { openStates } from './transitions.js';

/** Times are whole milliseconds, so that none is lost on the way to a caller and back. */
const now = `date_trunc('milliseconds', ${merchantNow})`;
/** Selected, because a distributed schema allows no time in CASE, coalesce and RETURNING. */
const clock = `(SELECT ${now} AS at) AS clock`;

const insertOrder = statement<OrderRow>(
  'orders.insert',
  `INSERT INTO orders (merchant_id, order_id, user_id, quote_code, external_order_id, payin_reference, state, fiat_in,
     fiat_out, amount_in_minor, amount_out_minor, fee_minor, rate, mid_rate, margin_basis_points, usd_minor,
     usd_rate_source, beneficiary_id, payout_country, payout_method, payout_account, sealed_beneficiary, sealed_sender,
     purpose, source_of_funds, relationship, metadata, version, public_version, created_at, updated_at,
     rate_guaranteed_until, payment_due_at, expires_at, payin_account)
   SELECT $1::bigint, $2, $3::bigint, $4, $5, $6, 'AWAITING_PAYMENT', $7, $8, $9::bigint, $10::bigint, $11::bigint,
          $12::numeric, $13::numeric, $14::int, $15::bigint, $16, $17, $18, $19, $20, $21::bytea, $22::bytea, $23, $24,
          $25, $26::jsonb, 1, 1, clock.at, clock.at, clock.at + make_interval(hours => $27),
          clock.at + make_interval(hours => $28), clock.at + make_interval(hours => $29),
          $30::jsonb
     FROM ${clock}
   RETURNING ${orderColumns}`,
);
const findById = statement<OrderRow>(
  'orders.find',
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = $1 AND order_id = $2`,
);
const findByExternalId = statement<OrderRow>(
  'orders.find-by-external-id',
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = $1 AND external_order_id = $2`,
);
const findSenders = statement<{ order_id: string; sealed_sender: Buffer }>(
  'orders.find-senders',
  'SELECT order_id, sealed_sender FROM orders WHERE merchant_id = $1 AND order_id = ANY ((SELECT $2::text[])::text[])',
);
const readClock = statement<{ now: Date }>('orders.read-clock', `SELECT ${now} AS now`);
/** In the order of their ids, so that two transactions do not wait for each other. */
const lockByIds = statement<OrderRow>(
  'orders.lock',
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = $1 AND order_id = ANY ((SELECT $2::text[])::text[]) ORDER BY order_id FOR UPDATE`,
);
/** Returns what the caller cannot know: all else is as it was at the version that was read. */
const updateOrders = statement<
  Pick<
    OrderRow,
    'order_id' | 'metadata' | 'version' | 'public_version' | 'updated_at' | 'cancellation_requested_at'
  > & { changed_at: Date }
>(
  'orders.update',
  `UPDATE orders SET state = changed.state, review_resumes_at = changed.review_resumes_at,
          information_resumes_at = changed.information_resumes_at, status_reason = changed.status_reason,
          amount_received_minor = changed.amount_received_minor, amount_refunded_minor = changed.amount_refunded_minor,
          cancellable_until = changed.cancellable_until, action_required_by = changed.action_required_by,
          refund_due_by = changed.refund_due_by, estimated_arrival_at = changed.estimated_arrival_at,
          requirements = string_to_array(changed.requirements, ','), amount_kept_minor = changed.amount_kept_minor,
          amount_reversed_minor = changed.amount_reversed_minor, payout_charges_minor = changed.payout_charges_minor,
          refunds = changed.refunds::jsonb, retries_payout = changed.retries_payout, waits_for = NULL, try_at = NULL,
          version = orders.version + 1, public_version = orders.public_version + changed.public_steps,
          updated_at = CASE WHEN changed.public_steps = 1 THEN clock.at ELSE orders.updated_at END,
          cancellation_requested_at = CASE WHEN changed.is_cancellation
            THEN coalesce(orders.cancellation_requested_at, clock.at) ELSE orders.cancellation_requested_at END
     FROM unnest((SELECT $2::text[]), $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[],
                 $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[], $14::int[], $15::boolean[],
                 $16::text[], $17::bigint[], $18::bigint[], $19::bigint[], $20::text[], $21::boolean[])
          AS changed (order_id, version, state, review_resumes_at, information_resumes_at, status_reason,
                      amount_received_minor, amount_refunded_minor, cancellable_until, action_required_by, refund_due_by,
                      estimated_arrival_at, public_steps, is_cancellation, requirements, amount_kept_minor,
                      amount_reversed_minor, payout_charges_minor, refunds, retries_payout),
          ${clock}
    WHERE orders.merchant_id = $1 AND orders.order_id = changed.order_id AND orders.version = changed.version
   RETURNING orders.order_id, orders.metadata, orders.version, orders.public_version, orders.updated_at,
             orders.cancellation_requested_at, clock.at AS changed_at`,
);
const replaceCopy = statement<OrderRow & { changed_at: Date }>(
  'orders.replace-beneficiary',
  `UPDATE orders SET beneficiary_id = $4, payout_country = $5, payout_method = $6, payout_account = $7,
          sealed_beneficiary = $8, beneficiary_version = beneficiary_version + 1, version = version + 1,
          public_version = public_version + 1, updated_at = clock.at
     FROM ${clock}
    WHERE merchant_id = $1 AND order_id = $2 AND version = $3
   RETURNING ${orderColumns}, clock.at AS changed_at`,
);
const findCopy = statement<{ sealed_beneficiary: Buffer; beneficiary_version: number }>(
  'orders.find-beneficiary',
  'SELECT sealed_beneficiary, beneficiary_version FROM orders WHERE merchant_id = $1 AND order_id = $2',
);
const findOpen = statement<{ order_id: string }>(
  'orders.find-open',
  'SELECT order_id FROM orders WHERE merchant_id = $1 AND user_id = $2 AND state = ANY ($3) LIMIT 1',
);
/** Also an order whose payment was taken off again: the law wants to know who paid, and so does whoever pays it back. */
const findPaid = statement<{ order_id: string }>(
  'orders.find-paid',
  `SELECT placed.order_id FROM orders AS placed
    WHERE placed.merchant_id = $1 AND placed.user_id = $2
      AND (placed.amount_received_minor > 0
           OR EXISTS (SELECT FROM order_timeline AS entry
                       WHERE entry.merchant_id = placed.merchant_id AND entry.order_id = placed.order_id
                         AND cardinality(entry.journal_ids) > 0))
    LIMIT 1`,
);
const forgetMetadata = statement(
  'orders.forget-metadata',
  'UPDATE orders SET metadata = NULL WHERE merchant_id = $1 AND user_id = $2 AND metadata IS NOT NULL',
);

/** The due times that the database sets, in hours after the creation. */
export interface Deadlines {
  readonly rateGuaranteed: number;
  readonly paymentDue: number;
  readonly expires: number;
}

export type NewOrder = Pick<
  Order,
  | keyof OrderRef
  | 'userId'
  | 'externalOrderId'
  | 'payinReference'
  | 'payinAccount'
  | 'quoteCode'
  | 'amountIn'
  | 'amountOut'
  | 'fee'
  | 'rate'
  | 'midRate'
  | 'marginBasisPoints'
  | 'payee'
  | 'purpose'
  | 'sourceOfFunds'
  | 'relationship'
  | 'metadata'
> & {
  readonly counted: CountedValue | undefined;
  readonly sealedBeneficiary: Buffer;
  readonly sealedSender: Buffer;
};

/** Throws the database's error on the constraint `orders_external_id` when the merchant has an order of that id. */
export async function addOrder(tx: Transaction, order: NewOrder, hours: Deadlines): Promise<Order> {
  const { merchantId, orderId, amountIn, amountOut, fee, payee, counted } = order;
  const [row] = await tx.query(insertOrder, [
    ...[merchantId, orderId, order.userId, order.quoteCode, order.externalOrderId ?? null],
    ...[order.payinReference, amountIn.currency, amountOut.currency, amountIn.minor, amountOut.minor],
    ...[fee.minor, rateToLiteral(order.rate), rateToLiteral(order.midRate), order.marginBasisPoints],
    ...[counted?.usdMinor ?? null, counted?.rateSource ?? null, payee.beneficiaryId ?? null],
    ...[payee.country, payee.method, payee.account ?? null, order.sealedBeneficiary, order.sealedSender],
    ...[order.purpose, order.sourceOfFunds ?? null, order.relationship ?? null],
    ...[JSON.stringify(order.metadata), hours.rateGuaranteed, hours.paymentDue, hours.expires],
    JSON.stringify(order.payinAccount),
  ]);
  if (!row) throw new Error('the order was not inserted');
  return toOrder(merchantId, row);
}

export async function findOrder(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<Order | undefined> {
  const [row] = await database.query(findById, [merchantId, orderId]);
  return row && toOrder(merchantId, row);
}

export async function findOrderByExternalId(
  database: Queryable,
  merchantId: MerchantId,
  externalOrderId: string,
): Promise<Order | undefined> {
  const [row] = await database.query(findByExternalId, [merchantId, externalOrderId]);
  return row && toOrder(merchantId, row);
}

/** The sealed copy of the sender. */
export async function findSealedSender(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<Buffer | undefined> {
  const rows = await queryJoined(database, findSenders, merchantId, [orderId]);
  return rows.find((row) => row.order_id === orderId)?.sealed_sender;
}

/** The time by the merchant's clock, in whole milliseconds. */
export async function merchantTime(database: Queryable, merchantId: MerchantId): Promise<Date> {
  const [row] = await database.query(readClock, [merchantId]);
  if (!row) throw new Error('the clock gave no time');
  return row.now;
}

/** The caller has locked the user. */
export async function lockOrder(
  tx: Transaction,
  { merchantId, orderId }: OrderRef,
): Promise<Order | undefined> {
  const rows = await queryJoined(tx, lockByIds, merchantId, [orderId]);
  const row = rows.find((locked) => locked.order_id === orderId);
  return row && toOrder(merchantId, row);
}

export interface ChangedOrder {
  readonly order: Order;
  /** By the merchant's clock. */
  readonly changedAt: Date;
}

/** Writes the order as `after` says. Returns undefined when it is no longer at that version. */
export async function saveOrder(
  tx: Transaction,
  after: Order,
  { isVisible, isCancellation }: { isVisible: boolean; isCancellation: boolean },
): Promise<ChangedOrder | undefined> {
  const { merchantId, memories } = after;
  const rows = await queryJoined(tx, updateOrders, merchantId, [
    ...[after.orderId, after.version, after.state, memories.review ?? null],
    ...[memories.information ?? null, after.statusReason ?? null, after.amountReceived.minor],
    ...[after.amountRefunded.minor, after.cancellableUntil ?? null, after.actionRequiredBy ?? null],
    ...[after.refundDueBy ?? null, after.estimatedArrivalAt ?? null, isVisible ? 1 : 0, isCancellation],
    ...[
      after.requirements.join(','),
      after.amountKept.minor,
      after.amountReversed.minor,
      after.payoutCharges.minor,
    ],
    ...[JSON.stringify(after.refunds.map(toStoredRefund)), after.retriesPayout],
  ]);
  const row = rows.find((changed) => changed.order_id === after.orderId);
  if (!row) return undefined;
  const order = {
    ...after,
    waitsFor: undefined,
    metadata: row.metadata ?? {},
    version: row.version,
    publicVersion: row.public_version,
    updatedAt: row.updated_at,
    cancellationRequestedAt: row.cancellation_requested_at ?? undefined,
  };
  return { order, changedAt: row.changed_at };
}

export interface CopiedBeneficiary {
  readonly payee: Order['payee'];
  readonly sealedBeneficiary: Buffer;
}

/** Replaces the copy of the beneficiary. Returns undefined when the order is no longer at that version. */
export async function saveBeneficiary(
  tx: Transaction,
  { merchantId, orderId, version }: Order,
  { payee, sealedBeneficiary }: CopiedBeneficiary,
): Promise<ChangedOrder | undefined> {
  const { beneficiaryId, country, method, account } = payee;
  const values = [merchantId, orderId, version, beneficiaryId ?? null, country, method, account ?? null];
  const [row] = await tx.query(replaceCopy, [...values, sealedBeneficiary]);
  return row && { order: toOrder(merchantId, row), changedAt: row.changed_at };
}

/** The sealed copy with the version that it is bound to. */
export async function findSealedBeneficiary(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<{ sealed: Buffer; version: number } | undefined> {
  const [row] = await database.query(findCopy, [merchantId, orderId]);
  return row && { sealed: row.sealed_beneficiary, version: row.beneficiary_version };
}

export async function hasOpenOrder(tx: Transaction, merchant: MerchantId, user: UserId): Promise<boolean> {
  return (await tx.query(findOpen, [merchant, user, openStates])).length > 0;
}

/** Whether money ever came for an order of the user. */
export async function hasPaidOrder(tx: Transaction, merchant: MerchantId, user: UserId): Promise<boolean> {
  return (await tx.query(findPaid, [merchant, user])).length > 0;
}

export async function dropMetadata(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(forgetMetadata, [merchant, user]);
}
