/** By which references the payouts of an order are found: ours, and that of the bank which paid. */
import { findBankReferences } from '../../bank/lines/service.js';
import type { Amount } from '../../money/amount.js';
import type { OrderRef } from '../../orders/order/order.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Attempt } from '../attempt.js';
import { listAttemptsOfOrder } from '../store.js';
import { listReportsOf, type StoredReport } from './report-store.js';

export interface TracedPayout {
  readonly reference: string;
  /** Undefined while no bank has named one. */
  readonly bankReference: string | undefined;
  readonly amount: Amount;
  readonly method: string;
  readonly sentAt: Date;
}

/**
 * The payouts that have left the house, the oldest first. What became of them is the state of the order: an attempt
 * that waits, or was stopped before it left, would tell more than that.
 */
export async function tracePayouts(database: Queryable, order: OrderRef): Promise<TracedPayout[]> {
  const attempts = (await listAttemptsOfOrder(database, order)).filter(hasLeft);
  const traced: TracedPayout[] = [];
  for (const attempt of attempts) {
    const reports = (await listReportsOf(database, attempt)).filter(({ outcome }) => outcome === 'applied');
    const { reference, amount, method, message, changedAt } = attempt;
    const bankReference = await bankReferenceOf(database, reports);
    traced.push({ reference, bankReference, amount, method, sentAt: message?.createdAt ?? changedAt });
  }
  return traced;
}

function hasLeft({ direction, state }: Attempt): boolean {
  return direction === 'payout' && state !== 'READY' && state !== 'RECALLED';
}

/** Of the debit: the line of a bank that reports it, or what an operator read from the statement. */
async function bankReferenceOf(database: Queryable, reports: readonly StoredReport[]): Promise<string | undefined> {
  const paid = reports.findLast(({ kind, bank }) => kind === 'paid' && bank !== undefined);
  const text = paid?.reportId.slice('paid:'.length) ?? '';
  const lineId = text.split('.')[0] ?? '';
  if (lineId.startsWith('bnl_')) return (await findBankReferences(database, [lineId])).get(lineId);
  const recorded = text.slice(0, -`@${paid?.bank}`.length);
  // Without a reference of the bank, the recording is known by ours.
  return recorded === '' || recorded.startsWith(`${paid?.reference}.`) ? undefined : recorded;
}
