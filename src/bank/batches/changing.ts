/** Changes batches: the row, and the change that remembers it. */
import type { By } from '../../caller.js';
import type { Details } from '../../changes/change.js';
import { recordChange, requireUntouched } from '../../changes/service.js';
import { instanceTenant } from '../../ids.js';
import type { Transaction } from '../../postgres/statement.js';
import { lockBankAccount } from '../accounts/bank-account-store.js';
import { type Batch, type BatchEvent, type BatchId, batchStateAfter, leavesAlone } from './batch.js';
import { digestedBatch } from './rows.js';
import { lockBatch, type StoredBatch, saveBatch, sumReleasedToday } from './store.js';

export const byBank: By = { actor: { kind: 'system', name: 'bank' } };

/** A batch that was just added. */
export async function recordNewBatch(tx: Transaction, batch: StoredBatch): Promise<void> {
  const { version } = batch;
  const { accountId, state } = batch;
  await recordChange(tx, byBank, {
    ...digestedBatch(batch),
    merchantId: instanceTenant,
    action: 'bank_batch.created',
    toState: state,
    details: { accountId },
    version,
  });
}

/** Payments joined or left, or the bank answered: the state stays. Returns the batch as it is now. */
export async function raiseBatch(
  tx: Transaction,
  by: By,
  before: StoredBatch,
  { action, details }: { readonly action: string; readonly details: Details },
  fields: Partial<Pick<StoredBatch, 'answer'>> = {},
): Promise<StoredBatch> {
  return save(tx, by, before, { ...before, ...fields }, { action, details });
}

/**
 * The caller has locked the batch, which is in a state for the event. Throws `ledger_fault` when somebody else has
 * changed its row.
 */
export async function moveBatch(
  tx: Transaction,
  by: By,
  before: StoredBatch,
  event: BatchEvent,
  fields: Partial<Pick<StoredBatch, 'executionDay' | 'file' | 'paidFrom'>> = {},
): Promise<StoredBatch> {
  const state = batchStateAfter(before.state, event);
  if (!state) throw new Error(`the batch ${before.batchId} is ${before.state}: ${event} is impossible`);
  const details: Details = { payments: before.payments, sumMinor: String(before.sum.minor) };
  return save(tx, by, before, { ...before, ...fields, state }, { action: `bank_batch.${event}`, details });
}

async function save(
  tx: Transaction,
  by: By,
  before: StoredBatch,
  after: StoredBatch,
  { action, details }: { readonly action: string; readonly details: Details },
): Promise<StoredBatch> {
  await saveBatch(tx, before, after);
  const saved = await lockBatch(tx, before.batchId);
  if (saved?.version !== before.version + 1) throw new Error(`the batch ${before.batchId} changed under its lock`);
  await recordChange(tx, by, {
    ...digestedBatch(saved),
    rowBefore: digestedBatch(before).row,
    merchantId: instanceTenant,
    action,
    fromState: before.state,
    toState: saved.state,
    details,
    version: saved.version,
  });
  return saved;
}

/** Throws `ledger_fault` when somebody else has changed the row: its file is not sent. */
export function requireUntouchedBatch(tx: Transaction, batch: StoredBatch): Promise<void> {
  return requireUntouched(tx, instanceTenant, digestedBatch(batch));
}

/** Undefined when the batch is in another state meanwhile: another worker has done it. */
export async function lockInState(
  tx: Transaction,
  batchId: BatchId,
  state: StoredBatch['state'],
): Promise<StoredBatch | undefined> {
  const batch = await lockBatch(tx, batchId);
  return batch?.state === state ? batch : undefined;
}

/** Whether the batch may leave without a second person. Two batches of an account are asked one after the other. */
export async function mayLeaveAlone(tx: Transaction, batch: Pick<Batch, 'accountId' | 'sum'>): Promise<boolean> {
  const account = await lockBankAccount(tx, batch.accountId);
  return account !== undefined && leavesAlone(batch, account, await sumReleasedToday(tx, account));
}
