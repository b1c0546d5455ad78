/** SQL that lists payments for operators, over all merchants. */
import type { TenantId } from '../../ids.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { Payment, PaymentOutcome, SuspenseReason } from '../payment.js';
import type { PayerDigests } from '../sealed.js';
import { type PaymentRow, paymentColumns, toPayment } from '../store.js';

const filters = `($merchantId::bigint IS NULL OR merchant_id = $merchantId OR order_merchant_id = $merchantId)
   AND ($accountId::text IS NULL OR account_id = $accountId)
   AND ($bankReference::text IS NULL OR bank_reference = $bankReference)
   AND ($importId::text IS NULL OR import_id = $importId)
   AND ($currency::text IS NULL OR currency = $currency)
   AND ($leastMinor::bigint IS NULL OR amount_minor >= $leastMinor)
   AND ($mostMinor::bigint IS NULL OR amount_minor <= $mostMinor)
   AND ($nameDigest::int IS NULL OR name_digest = $nameDigest OR account_digest = $accountDigest)
   AND ($bookedFrom::timestamptz IS NULL OR booked_at >= $bookedFrom)
   AND ($bookedTo::timestamptz IS NULL OR booked_at < $bookedTo)
   AND ($outcome::text IS NULL OR outcome = $outcome) AND ($reason::text IS NULL OR reason = $reason)
   AND ($isVoided::boolean IS NULL OR (voided_at IS NOT NULL) = $isVoided)` as const;
const place = `(to_timestamp(0) + $atMicros::bigint * interval '1 microsecond', $afterId)` as const;
const placed = `${paymentColumns}, (extract(epoch FROM recorded_at) * 1000000)::bigint::text AS at_micros` as const;

const newestFirst = statement(
  'payment-listing-store.newest-first',
  `SELECT ${placed} FROM payments
    WHERE ($atMicros::bigint IS NULL OR (recorded_at, payment_id) < ${place}) AND ${filters}
    ORDER BY recorded_at DESC, payment_id DESC LIMIT $limit`,
  { isPlannedEachTime: true },
).rows<PaymentRow & { at_micros: string }>();
const oldestFirst = statement(
  'payment-listing-store.oldest-first',
  `SELECT ${placed} FROM payments
    WHERE ($atMicros::bigint IS NULL OR (recorded_at, payment_id) > ${place}) AND ${filters}
    ORDER BY recorded_at, payment_id LIMIT $limit`,
  { isPlannedEachTime: true },
).rows<PaymentRow & { at_micros: string }>();

export const paymentSorts = ['newest', 'oldest'] as const;
export type PaymentSort = (typeof paymentSorts)[number];

/** What is absent does not matter. */
export interface PaymentFilter {
  /** The owner of the account, or the merchant of the order. */
  readonly merchantId: TenantId | undefined;
  readonly accountId: string | undefined;
  readonly bankReference: string | undefined;
  readonly importId: string | undefined;
  readonly currency: CurrencyCode | undefined;
  readonly leastMinor: bigint | undefined;
  readonly mostMinor: bigint | undefined;
  /** Of the name or the account. */
  readonly payer: PayerDigests | undefined;
  readonly bookedFrom: Date | undefined;
  readonly bookedTo: Date | undefined;
  readonly outcome: PaymentOutcome | undefined;
  readonly reason: SuspenseReason | undefined;
  readonly isVoided: boolean | undefined;
}

export interface PaymentPage {
  readonly sort: PaymentSort;
  readonly after: PaymentPlace | undefined;
  readonly limit: number;
}

export interface PaymentPlace {
  readonly atMicros: string;
  readonly id: string;
}

export interface PlacedPayment {
  readonly payment: Payment;
  readonly place: PaymentPlace;
}

export async function listPayments(
  database: Queryable,
  filter: PaymentFilter,
  { sort, after, limit }: PaymentPage,
): Promise<PlacedPayment[]> {
  const rows = await database.query(sort === 'newest' ? newestFirst : oldestFirst, {
    merchantId: orNull(filter.merchantId),
    accountId: orNull(filter.accountId),
    bankReference: orNull(filter.bankReference),
    importId: orNull(filter.importId),
    currency: orNull(filter.currency),
    leastMinor: orNull(filter.leastMinor),
    mostMinor: orNull(filter.mostMinor),
    nameDigest: orNull(filter.payer?.name),
    accountDigest: orNull(filter.payer?.account),
    bookedFrom: orNull(filter.bookedFrom),
    bookedTo: orNull(filter.bookedTo),
    outcome: orNull(filter.outcome),
    reason: orNull(filter.reason),
    isVoided: orNull(filter.isVoided),
    atMicros: orNull(after?.atMicros),
    afterId: after?.id ?? '',
    limit,
  });
  return rows.map((row) => ({ payment: toPayment(row), place: { atMicros: row.at_micros, id: row.payment_id } }));
}

function orNull<Value>(value: Value | undefined): Value | null {
  return value ?? null;
}
