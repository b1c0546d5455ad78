/** SQL that finds when something of a merchant's orders falls due, by the merchant's clock. */
import type { MerchantId } from '../../ids.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement } from '../../postgres/statement.js';

const findNext = statement(
  'agenda-store.find-next-of-orders',
  `SELECT date_trunc('milliseconds', min(due.at) + interval '999 microseconds') AS at FROM (
     SELECT min(expires_at) AS at FROM orders
      WHERE merchant_id = $merchantId AND state = 'AWAITING_PAYMENT' AND expires_at > $after
     UNION ALL
     SELECT min(action_required_by) FROM orders
      WHERE merchant_id = $merchantId AND state = 'ACTION_REQUIRED' AND action_required_by > $after
     UNION ALL
     SELECT min(cancellable_until) FROM orders
      WHERE merchant_id = $merchantId AND state = 'PAYMENT_RECEIVED' AND cancellable_until > $after) AS due`,
).rows<{ at: Date | null }>();
/**
 * The orders that the worker would take (see `flow/advance-store.ts`), leased or not. An order that waits for something
 * else than the time is not due: `waits_for` says what for.
 */
const findDue = statement(
  'agenda-store.find-due-orders',
  `SELECT EXISTS (
     SELECT FROM orders WHERE merchant_id = $merchantId AND state = 'AWAITING_PAYMENT'
       AND expires_at <= ${merchantNow}
   ) OR EXISTS (
     SELECT FROM orders WHERE merchant_id = $merchantId AND state = 'ACTION_REQUIRED'
       AND action_required_by <= ${merchantNow}
   ) OR EXISTS (
     SELECT FROM orders WHERE merchant_id = $merchantId AND state IN ('PAYMENT_RECEIVED', 'CONVERTED', 'REJECTED')
        AND waits_for IS NULL
        AND (state <> 'PAYMENT_RECEIVED' OR cancellable_until IS NULL OR cancellable_until <= ${merchantNow})
   ) OR EXISTS (
     SELECT FROM orders WHERE merchant_id = $merchantId AND state = 'ACTION_REQUIRED' AND waits_for IS NULL
        AND cancellation_requested_at IS NOT NULL AND information_resumes_at IS DISTINCT FROM 'IN_REVIEW'
   ) OR EXISTS (
     SELECT FROM orders WHERE merchant_id = $merchantId AND retries_payout AND waits_for IS NULL
   ) AS is_due`,
).rows<{ is_due: boolean }>();

export async function nextDueOfOrders(
  database: Queryable,
  merchant: MerchantId,
  after: Date,
): Promise<Date | undefined> {
  return (await database.query(findNext, { merchantId: merchant, after }))[0]?.at ?? undefined;
}

export async function hasDueOrders(database: Queryable, merchant: MerchantId): Promise<boolean> {
  return (await database.query(findDue, { merchantId: merchant }))[0]?.is_due ?? false;
}
