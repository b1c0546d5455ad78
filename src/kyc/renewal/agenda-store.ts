/** SQL that finds when approvals of a merchant end, or are about to end, by the merchant's clock. */
import type { MerchantId } from '../../ids.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import { earliest } from '../../worker/agenda.js';
import { noticeDays } from '../cases/renewal.js';

const findNextEnd = statement(
  'agenda-store.find-next-end-of-cases',
  `SELECT date_trunc('milliseconds', min(expires_at) + interval '999 microseconds') AS at FROM kyc_cases
    WHERE merchant_id = $merchantId AND state = 'APPROVED' AND closed_at IS NULL AND expires_at > $after`,
).rows<{ at: Date | null }>();
const findNextNotice = statement(
  'agenda-store.find-next-notice-of-cases',
  `SELECT date_trunc('milliseconds',
     min(expires_at) + interval '999 microseconds') - make_interval(days => $days) AS at
     FROM kyc_cases
    WHERE merchant_id = $merchantId AND state = 'APPROVED' AND closed_at IS NULL
      AND (told_days_before IS NULL OR told_days_before > $days)
      AND expires_at > $after::timestamptz + make_interval(days => $days)`,
).rows<{ at: Date | null }>();
const findDue = statement(
  'agenda-store.find-due-cases',
  `SELECT EXISTS (SELECT FROM kyc_cases
     WHERE merchant_id = $merchantId AND state = 'APPROVED' AND closed_at IS NULL
       AND expires_at <= ${merchantNow}) AS is_due`,
).rows<{ is_due: boolean }>();
const findDueNotice = statement(
  'agenda-store.find-due-notices',
  `SELECT EXISTS (SELECT FROM kyc_cases
     WHERE merchant_id = $merchantId AND state = 'APPROVED' AND closed_at IS NULL
       AND (told_days_before IS NULL OR told_days_before > $days)
       AND expires_at <= ${merchantNow} + make_interval(days => $days) AND expires_at > ${merchantNow}) AS is_due`,
).rows<{ is_due: boolean }>();

export async function nextDueOfCases(
  database: Queryable,
  merchant: MerchantId,
  after: Date,
): Promise<Date | undefined> {
  const found = await Promise.all([
    database.query(findNextEnd, { merchantId: merchant, after }),
    ...noticeDays.map((days) => database.query(findNextNotice, { merchantId: merchant, after, days })),
  ]);
  return earliest(found.map(([row]) => row?.at));
}

export async function hasDueCases(database: Queryable, merchant: MerchantId): Promise<boolean> {
  const found = await Promise.all([
    database.query(findDue, { merchantId: merchant }),
    ...noticeDays.map((days) => database.query(findDueNotice, { merchantId: merchant, days })),
  ]);
  return found.some(([row]) => row?.is_due);
}
