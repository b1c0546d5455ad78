/** SQL that writes and finds orders, always within one merchant. */
import type { MerchantId } from '../../ids.js';
import { rateToLiteral } from '../../money/rate.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { CountedValue, Order, OrderRef } from './order.js';
import { toStoredRefund } from './refund.js';
import { type OrderRow, orderColumns, toOrder } from './row.js';

/** Times are whole milliseconds, so that none is lost on the way to a caller and back. */
const now = `date_trunc('milliseconds', ${merchantNow})` as const;
/** Selected, because a distributed schema allows no time in CASE, coalesce and RETURNING. */
const clock = `(SELECT ${now} AS at) AS clock` as const;

const insertOrder = statement(
  'orders.insert',
  `INSERT INTO orders (merchant_id, order_id, user_id, quote_code, external_order_id, payin_reference, state, fiat_in,
     fiat_out, amount_in_minor, amount_out_minor, fee_minor, rate, mid_rate, margin_basis_points, usd_minor,
     usd_rate_source, beneficiary_id, payout_country, payout_method, payout_account, sealed_beneficiary, sealed_sender,
     purpose, source_of_funds, relationship, metadata, version, public_version, created_at, updated_at,
     rate_guaranteed_until, payment_due_at, expires_at, estimated_arrival_at, payin_account)
   SELECT $merchantId::bigint, $orderId, $userId::bigint, $quoteCode, $externalOrderId, $payinReference,
          'AWAITING_PAYMENT', $fiatIn, $fiatOut, $amountInMinor::bigint, $amountOutMinor::bigint, $feeMinor::bigint,
          $rate::numeric, $midRate::numeric, $marginBasisPoints::int, $usdMinor::bigint, $usdRateSource, $beneficiaryId,
          $payoutCountry, $payoutMethod, $payoutAccount, $sealedBeneficiary::bytea, $sealedSender::bytea, $purpose,
          $sourceOfFunds, $relationship, $metadata::jsonb, 1, 1, clock.at, clock.at,
          clock.at + make_interval(hours => $rateGuaranteedHours), clock.at + make_interval(hours => $paymentDueHours),
          clock.at + make_interval(hours => $expiresHours), $estimatedArrivalAt::timestamptz, $payinAccount::jsonb
     FROM ${clock}
   RETURNING ${orderColumns}`,
).rows<OrderRow>();
const findById = statement(
  'orders.find',
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = $merchantId AND order_id = $orderId`,
).rows<OrderRow>();
const findByExternalId = statement(
  'orders.find-by-external-id',
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = $merchantId AND external_order_id = $externalOrderId`,
).rows<OrderRow>();
const listToBeneficiary = statement(
  'orders.list-to-beneficiary',
  `SELECT ${orderColumns} FROM orders
    WHERE merchant_id = $merchantId AND user_id = $userId AND beneficiary_id = $beneficiaryId
      AND created_at > $after::timestamptz
    ORDER BY created_at DESC, order_id LIMIT $atMost`,
).rows<OrderRow>();
const listVersions = statement(
  'orders.list-public-versions',
  `SELECT order_id, public_version FROM orders WHERE merchant_id = $merchantId AND order_id = ANY ($orderIds::text[])`,
).rows<Pick<OrderRow, 'order_id' | 'public_version'>>();
const findSender = statement(
  'orders.find-sender',
  'SELECT sealed_sender FROM orders WHERE merchant_id = $merchantId AND order_id = $orderId',
).rows<{ sealed_sender: Buffer }>();
const lockById = statement(
  'orders.lock',
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = $merchantId AND order_id = $orderId FOR UPDATE`,
).rows<OrderRow>();
/** Returns what the caller cannot know: all else is as it was at the version that was read. */
const updateOrder = statement(
  'orders.update',
  `UPDATE orders SET state = $state, review_resumes_at = $reviewResumesAt,
          information_resumes_at = $informationResumesAt, status_reason = $statusReason,
          amount_received_minor = $amountReceivedMinor::bigint, amount_refunded_minor = $amountRefundedMinor,
          amount_kept_minor = $amountKeptMinor, amount_reversed_minor = $amountReversedMinor,
          payout_charges_minor = $payoutChargesMinor, refunds = $refunds, requirements = $requirements,
          has_unread_answers = $hasUnreadAnswers,
          cancellable_until = $cancellableUntil, action_required_by = $actionRequiredBy, refund_due_by = $refundDueBy,
          estimated_arrival_at = $estimatedArrivalAt, retries_payout = $retriesPayout, waits_for = NULL, try_at = NULL,
          version = version + 1, public_version = public_version + $publicSteps::int,
          first_paid_at = CASE WHEN $amountReceivedMinor::bigint > 0 THEN coalesce(first_paid_at, clock.at) END,
          updated_at = CASE WHEN $publicSteps::int = 1 THEN clock.at ELSE updated_at END,
          cancellation_requested_at = CASE WHEN $isCancellation::boolean
            THEN coalesce(cancellation_requested_at, clock.at) ELSE cancellation_requested_at END
     FROM ${clock}
    WHERE merchant_id = $merchantId AND order_id = $orderId AND version = $version
   RETURNING metadata, version, public_version, updated_at, cancellation_requested_at, clock.at AS changed_at`,
).rows<
  Pick<OrderRow, 'metadata' | 'version' | 'public_version' | 'updated_at' | 'cancellation_requested_at'> & {
    changed_at: Date;
  }
>();
const replaceCopy = statement(
  'orders.replace-beneficiary',
  `UPDATE orders SET beneficiary_id = $beneficiaryId, payout_country = $country, payout_method = $method,
          payout_account = $account, sealed_beneficiary = $sealedBeneficiary,
          beneficiary_version = beneficiary_version + 1, version = version + 1, public_version = public_version + 1,
          updated_at = clock.at
     FROM ${clock}
    WHERE merchant_id = $merchantId AND order_id = $orderId AND version = $version
   RETURNING ${orderColumns}, clock.at AS changed_at`,
).rows<OrderRow & { changed_at: Date }>();
const findCopy = statement(
  'orders.find-beneficiary',
  `SELECT sealed_beneficiary, beneficiary_version FROM orders
    WHERE merchant_id = $merchantId AND order_id = $orderId`,
).rows<{ sealed_beneficiary: Buffer; beneficiary_version: number }>();
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
  | 'estimatedArrivalAt'
> & {
  readonly counted: CountedValue | undefined;
  readonly sealedBeneficiary: Buffer;
  readonly sealedSender: Buffer;
};

/** Throws the database's error on the constraint `orders_external_id` when the merchant has an order of that id. */
export async function addOrder(tx: Transaction, order: NewOrder, hours: Deadlines): Promise<Order> {
  const { merchantId, orderId, amountIn, amountOut, fee, payee, counted } = order;
  const [row] = await tx.query(insertOrder, {
    merchantId,
    orderId,
    userId: order.userId,
    quoteCode: order.quoteCode,
    externalOrderId: order.externalOrderId ?? null,
    payinReference: order.payinReference,
    payinAccount: JSON.stringify(order.payinAccount),
    fiatIn: amountIn.currency,
    fiatOut: amountOut.currency,
    amountInMinor: amountIn.minor,
    amountOutMinor: amountOut.minor,
    feeMinor: fee.minor,
    rate: rateToLiteral(order.rate),
    midRate: rateToLiteral(order.midRate),
    marginBasisPoints: order.marginBasisPoints,
    usdMinor: counted?.usdMinor ?? null,
    usdRateSource: counted?.rateSource ?? null,
    beneficiaryId: payee.beneficiaryId ?? null,
    payoutCountry: payee.country,
    payoutMethod: payee.method,
    payoutAccount: payee.account ?? null,
    sealedBeneficiary: order.sealedBeneficiary,
    sealedSender: order.sealedSender,
    purpose: order.purpose,
    sourceOfFunds: order.sourceOfFunds ?? null,
    relationship: order.relationship ?? null,
    metadata: JSON.stringify(order.metadata),
    rateGuaranteedHours: hours.rateGuaranteed,
    paymentDueHours: hours.paymentDue,
    expiresHours: hours.expires,
    estimatedArrivalAt: order.estimatedArrivalAt ?? null,
  });
  if (!row) throw new Error('the order was not inserted');
  return toOrder(merchantId, row);
}

export async function findOrder(database: Queryable, { merchantId, orderId }: OrderRef): Promise<Order | undefined> {
  const [row] = await database.query(findById, { merchantId, orderId });
  return row && toOrder(merchantId, row);
}

export async function listOrdersTo(
  database: Queryable,
  to: Pick<Order, 'merchantId' | 'userId'> & Readonly<{ beneficiaryId: string; after: Date; atMost: number }>,
): Promise<Order[]> {
  return (await database.query(listToBeneficiary, to)).map((row) => toOrder(to.merchantId, row));
}

/** Orders that do not exist are missing. */
export async function listPublicVersions(
  database: Queryable,
  merchantId: MerchantId,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query(listVersions, { merchantId, orderIds });
  return new Map(rows.map((row) => [row.order_id, row.public_version]));
}

export async function findOrderByExternalId(
  database: Queryable,
  merchantId: MerchantId,
  externalOrderId: string,
): Promise<Order | undefined> {
  const [row] = await database.query(findByExternalId, { merchantId, externalOrderId });
  return row && toOrder(merchantId, row);
}

/** The sealed copy of the sender. */
export async function findSealedSender(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<Buffer | undefined> {
  const [row] = await database.query(findSender, { merchantId, orderId });
  return row?.sealed_sender;
}

/** For `lockOrder` only, which locks the user first. */
export async function lockOrderRow(tx: Transaction, { merchantId, orderId }: OrderRef): Promise<Order | undefined> {
  const [row] = await tx.query(lockById, { merchantId, orderId });
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
  const { merchantId, orderId, version, state, memories, requirements, retriesPayout } = after;
  const [row] = await tx.query(updateOrder, {
    merchantId,
    orderId,
    version,
    state,
    reviewResumesAt: memories.review ?? null,
    informationResumesAt: memories.information ?? null,
    statusReason: after.statusReason ?? null,
    amountReceivedMinor: after.amountReceived.minor,
    amountRefundedMinor: after.amountRefunded.minor,
    amountKeptMinor: after.amountKept.minor,
    amountReversedMinor: after.amountReversed.minor,
    payoutChargesMinor: after.payoutCharges.minor,
    refunds: JSON.stringify(after.refunds.map(toStoredRefund)),
    requirements,
    hasUnreadAnswers: after.hasUnreadAnswers,
    cancellableUntil: after.cancellableUntil ?? null,
    actionRequiredBy: after.actionRequiredBy ?? null,
    refundDueBy: after.refundDueBy ?? null,
    estimatedArrivalAt: after.estimatedArrivalAt ?? null,
    retriesPayout,
    publicSteps: isVisible ? 1 : 0,
    isCancellation,
  });
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
  const { beneficiaryId = null, country, method, account = null } = payee;
  const [row] = await tx.query(replaceCopy, {
    merchantId,
    orderId,
    version,
    beneficiaryId,
    country,
    method,
    account,
    sealedBeneficiary,
  });
  return row && { order: toOrder(merchantId, row), changedAt: row.changed_at };
}

/** The sealed copy with the version that it is bound to. */
export async function findSealedBeneficiary(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<{ sealed: Buffer; version: number } | undefined> {
  const [row] = await database.query(findCopy, { merchantId, orderId });
  return row && { sealed: row.sealed_beneficiary, version: row.beneficiary_version };
}
