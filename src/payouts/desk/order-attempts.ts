/** What the operators' desk asks of payouts: the attempts of an order, and which orders a text leads to. */
import { listRecordsOfReference } from '../../bank/lines/service.js';
import { publicId, tenantOfPublicId } from '../../ids.js';
import type { OrderRef } from '../../orders/order/order.js';
import type { Queryable } from '../../postgres/statement.js';
import { type AttemptRef, orderOfReference } from '../attempt.js';
import { reportKinds } from '../rail.js';
import { listAttemptsOfReport } from '../reports/report-store.js';
import { findAttempt } from '../store.js';

export { listOrdersWithoutOutcome } from '../operator/payout-listing-store.js';
export { listAttemptsOfOrder as listAttemptsOf } from '../store.js';
export { sumPayoutsAcross, sumPayoutsInFlight, sumPayoutsInstructed } from './payout-booking-store.js';

/**
 * The orders of the attempt with this id or reference, or of those that were reported with this reference of the
 * outside.
 */
export async function listOrdersPaidOutBy(database: Queryable, text: string, atMost: number): Promise<OrderRef[]> {
  const attemptId = publicId('att', text);
  if (attemptId) return ordersOf(database, [{ attemptId, merchantId: tenantOfPublicId(attemptId) }]);
  const named = orderOfReference(text);
  if (named) return [named];
  // What operators record is a line of a bank account, or a report with the kind before the reference of the bank.
  const records = await listRecordsOfReference(database, text, atMost);
  const recorded = records.flatMap((record) => publicId('att', record.split(':')[1] ?? '') ?? []);
  const reportIds = [text, ...reportKinds.map((kind) => `${kind}:${text}`)];
  const refs = [
    ...recorded.map((id) => ({ attemptId: id, merchantId: tenantOfPublicId(id) })),
    ...(await listAttemptsOfReport(database, reportIds, atMost)),
  ];
  return ordersOf(database, refs.slice(0, atMost));
}

/** An attempt to pay money in suspense back has no order. */
async function ordersOf(database: Queryable, refs: readonly AttemptRef[]): Promise<OrderRef[]> {
  const attempts = await Promise.all(refs.map((ref) => findAttempt(database, ref)));
  return attempts.flatMap((attempt) => (attempt?.orderId === undefined ? [] : attempt));
}
