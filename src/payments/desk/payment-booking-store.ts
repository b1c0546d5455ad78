/** SQL that compares when the bank booked payments with when they were recorded, always within one tenant. */
import type { TenantId } from '../../ids.js';
import type { AcrossMoment } from '../../ledger/balances/place-balances.js';
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement } from '../../postgres/statement.js';

/** Seven days: what is recorded before the bank books it is not recorded much earlier. */
const sumAcross = statement(
  'payment-booking-store.sum-across',
  `SELECT recorded_at >= $at AS recorded_later, count(*)::int AS count, sum(amount_minor)::text AS minor FROM payments
    WHERE merchant_id = $merchantId AND account_id = $accountId AND currency = $currency AND recorded_at >= $at::timestamptz - interval '7 days'
      AND voided_at IS NULL
      AND (recorded_at >= $at) = (booked_at <= $at)
    GROUP BY 1`,
).rows<{ recorded_later: boolean; count: number; minor: string }>();

/** Payments on the account that the bank booked on the other side of the moment than we recorded them. */
export async function sumPaymentsAcross(
  database: Queryable,
  tenant: TenantId,
  account: { readonly accountId: string; readonly currency: CurrencyCode },
  at: Date,
): Promise<AcrossMoment[]> {
  const rows = await database.query(sumAcross, { merchantId: tenant, ...account, at });
  return rows.map((row) => ({
    isRecordedLater: row.recorded_later,
    count: row.count,
    minor: BigInt(row.minor),
  }));
}
