/** SQL that finds when approvals of a merchant end, or are about to end, by the merchant's clock. */
import type { MerchantId } from '../../ids.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import { earliest } from '../../worker/agenda.js';
import { noticeDays } from './renewal.js';

const findNextEnd = statement<{ at: Date | null }>(
  'agenda-store.find-next-end-of-cases',
  `SELECT date_trunc('milliseconds', min(expires_at) + interval '999 microseconds') AS at FROM kyc_cases
    WHERE merchant_id = $1 AND state = 'APPROVED' AND closed_at IS NULL AND expires_at > $2`,
);
const findNextNotice = statement<{ at: Date | null }>(
  'agenda-store.find-next-notice-of-cases',
  `SELECT date_trunc('milliseconds', min(expires_at) + interval '999 microseconds') - make_interval(days => $3) AS at
     FROM kyc_cases
    WHERE merchant_id = $1 AND state = 'APPROVED' AND closed_at IS NULL
      AND (told_days_before IS NULL OR told_days_before > $3)
      AND expires_at > $2::timestamptz + make_interval(days => $3)`,
);
const findDue = statement<{ is_due: boolean }>(
  'agenda-store.find-due-cases',
  `SELECT EXISTS (SELECT FROM kyc_cases
     WHERE merchant_id = $1 AND state = 'APPROVED' AND closed_at IS NULL AND expires_at <= ${merchantNow}) AS is_due`,
);
const findDueNotice = statement<{ is_due: boolean }>(
  'agenda-store.find-due-notices',
  `SELECT EXISTS (SELECT FROM kyc_cases
     WHERE merchant_id = $1 AND state = 'APPROVED' AND closed_at IS NULL
       AND (told_days_before IS NULL OR told_days_before > $2)
       AND expires_at <= ${merchantNow} + make_interval(days => $2) AND expires_at > ${merchantNow}) AS is_due`,
);

export async function nextDueOfCases(
  database: Queryable,
  merchant: MerchantId,
  after: Date,
): Promise<Date | undefined> {
  const found = await Promise.all([
    database.query(findNextEnd, [merchant, after]),
    ...noticeDays.map((days) => database.query(findNextNotice, [merchant, after, days])),
  ]);
  return earliest(found.map(([row]) => row?.at));
}

export async function hasDueCases(database: Queryable, merchant: MerchantId): Promise<boolean> {
  const found = await Promise.all([
    database.query(findDue, [merchant]),
    ...noticeDays.map((days) => database.query(findDueNotice, [merchant, days])),
  ]);
  return found.some(([row]) => row?.is_due);
}
