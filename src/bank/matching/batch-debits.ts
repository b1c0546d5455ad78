/** Finds the payments that are in a debit that the bank booked for a batch of ours. */
import type { Database } from '../../postgres/database.js';
import { batchIdOfMessage } from '../batches/batch.js';
import type { BatchedPayments } from '../batches/ports.js';
import type { ReportedPayment } from '../lines/reported.js';
import { collectiveParts, isCollective } from './collective.js';
import { listSentPayments } from './collective-store.js';
import type { ReportedMovement } from './taker.js';

export type BatchDebit = { readonly parts: readonly ReportedPayment[] } | { readonly reason: string };

/**
 * Undefined for what is no batch, and for a batch of which a payment is told. The reason for one that a person must
 * explain: its payments are not known, or do not make its amount.
 */
export async function partsOfBatch(
  database: Database,
  payments: BatchedPayments | undefined,
  movement: ReportedMovement & { readonly amountMinor: bigint },
): Promise<BatchDebit | undefined> {
  const { lineId, messageIds, account, sign, isReturn, amountMinor } = movement;
  if (!isCollective(movement)) return undefined;
  const isOurs = sign === 'debit' && !isReturn && amountMinor > 0n && payments !== undefined;
  const batchIds = isOurs ? [...new Set(messageIds.flatMap((id) => batchIdOfMessage(id) ?? []))] : [];
  const sent =
    batchIds.length === 0 ? [] : await listSentPayments(database, { accountId: account.accountId, lineId }, batchIds);
  // A bank may be faster than we note that it has the file: then the debit is matched again.
  if (batchIds.length > 0 && sent.length === 0) return { reason: 'batch_amount' };
  if (sent.length === 0 || !payments) return isBatch(movement) ? { reason: 'batch_without_payments' } : undefined;
  const undebited = await payments.listUndebited(sent);
  const asked = sent.map(({ reference, amountMinor: minor, attemptId, isByHand, isElsewhere }) => ({
    reference,
    amountMinor: minor,
    mayBeDebited: !isElsewhere && (isByHand || undebited.has(attemptId)),
  }));
  const parts = collectiveParts(movement, asked);
  return parts ? { parts } : { reason: 'batch_amount' };
}

function isBatch({ count = 1 }: Pick<ReportedMovement, 'count'>): boolean {
  return count > 1;
}
