/**
 * SQL that finds payouts and refunds that a bank or a rail books at another moment than we do, always within one
 * merchant.
 */
import type { TenantId } from '../../ids.js';
import type { AcrossMoment, Counted } from '../../ledger/balances/place-balances.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement } from '../../postgres/statement.js';

/**
 * A charge on a refund is not part of its journal. Of a payout that came back before it was recorded as paid, only the
 * charge was booked.
 */
const sumAcross = statement(
  'payout-booking-store.sum-across',
  `SELECT recorded_later, count(*)::int AS count, sum(minor)::text AS minor
     FROM (SELECT report.received_at >= $at AS recorded_later,
                  CASE WHEN report.kind = 'paid' AND attempt.direction = 'payout'
                         THEN -attempt.amount_minor - coalesce(report.charge_minor, 0)
                       WHEN report.kind = 'paid' THEN -attempt.amount_minor
                       WHEN attempt.direction = 'payout' AND NOT EXISTS (
                         SELECT FROM payout_reports AS paid
                          WHERE paid.merchant_id = $merchantId AND paid.attempt_id = report.attempt_id
                            AND paid.kind = 'paid' AND paid.outcome = 'applied')
                         THEN -coalesce(report.charge_minor, 0)
                       ELSE attempt.amount_minor - coalesce(report.charge_minor, 0) END AS minor
             FROM payout_reports AS report
             JOIN payout_attempts AS attempt
               ON attempt.merchant_id = report.merchant_id AND attempt.attempt_id = report.attempt_id
            WHERE report.merchant_id = $merchantId AND attempt.merchant_id = $merchantId AND report.bank = $bank AND attempt.currency = $currency
              AND report.outcome = 'applied' AND report.kind IN ('paid', 'returned')
              AND report.received_at >= $at::timestamptz - interval '7 days'
              AND (report.received_at >= $at) = (report.occurred_at <= $at)) AS moved
    GROUP BY 1`,
).rows<{ recorded_later: boolean; count: number; minor: string }>();
/** Unfinished ones are read by their own index, all others of a month by time. */
const sumInFlight = statement(
  'payout-booking-store.sum-in-flight',
  `SELECT count(*)::int AS count, coalesce(sum(amount_minor), 0)::text AS minor
     FROM payout_attempts AS attempt
    WHERE merchant_id = $merchantId AND rail = $rail AND currency = $currency AND direction = 'payout' AND created_at < $at
      AND (created_at >= $at::timestamptz - interval '30 days' OR state IN ('READY', 'SENDING', 'ACCEPTED', 'UNKNOWN'))
      AND NOT EXISTS (SELECT FROM payout_reports AS report
                       WHERE report.merchant_id = $merchantId AND report.attempt_id = attempt.attempt_id
                         AND report.outcome = 'applied' AND report.kind IN ('paid', 'rejected', 'returned', 'recalled')
                         AND report.received_at < $at)`,
).rows<{ count: number; minor: string }>();
/** The worker never asks about them, because people carry them out. */
const sumInstructed = statement(
  'payout-booking-store.sum-instructed',
  `SELECT count(*)::int AS count, coalesce(sum(amount_minor), 0)::text AS minor FROM payout_attempts
    WHERE merchant_id = $merchantId AND currency = $currency AND state = 'ACCEPTED' AND due_at IS NULL`,
).rows<{ count: number; minor: string }>();

/** What operators recorded on a bank account, and the bank booked on the other side of the moment. */
export async function sumPayoutsAcross(
  database: Queryable,
  tenant: TenantId,
  account: { readonly bank: string; readonly currency: CurrencyCode },
  at: Date,
): Promise<AcrossMoment[]> {
  const rows = await database.query(sumAcross, { merchantId: tenant, ...account, at });
  return rows.map((row) => ({
    isRecordedLater: row.recorded_later,
    count: row.count,
    minor: BigInt(row.minor),
  }));
}

/** Payouts that the rail had at that moment and had not finished. */
export function sumPayoutsInFlight(
  database: Queryable,
  tenant: TenantId,
  { rail, currency }: { readonly rail: string; readonly currency: CurrencyCode },
  at: Date,
): Promise<Counted> {
  return counted(database.query(sumInFlight, { merchantId: tenant, rail, currency, at }));
}

/** Payouts and refunds by hand that the bank was instructed to make, and that nobody has recorded as paid. */
export function sumPayoutsInstructed(database: Queryable, tenant: TenantId, currency: CurrencyCode): Promise<Counted> {
  return counted(database.query(sumInstructed, { merchantId: tenant, currency }));
}

async function counted(rows: Promise<readonly { count: number; minor: string }[]>): Promise<Counted> {
  const [row] = await rows;
  return { count: row?.count ?? 0, minor: BigInt(row?.minor ?? 0) };
}
