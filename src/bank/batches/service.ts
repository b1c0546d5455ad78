/** The verbs of operators on batches: see them, close one early, and release it. */
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import { publicId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { sendingJob } from '../transport/outgoing.js';
import { sendAgainNow } from '../transport/outgoing-store.js';
import { type BatchPayment, type BatchState, recordOf } from './batch.js';
import { mayLeaveAlone, moveBatch, raiseBatch } from './changing.js';
import { closeBatch } from './collecting.js';
import { listBatchPayments } from './payment-store.js';
import { releaseJob } from './ports.js';
import { type BatchPlace, endAnyBatchLease, findBatch, listBatches, lockBatch, type StoredBatch } from './store.js';

export interface BatchQuery {
  readonly states: readonly BatchState[];
  readonly accountId: string | undefined;
  readonly after: BatchPlace | undefined;
  readonly limit: number;
}

export class BatchService {
  /** The newest first. `next` is undefined when the page is the last. */
  async list(database: Queryable, { after, limit, ...filter }: BatchQuery) {
    const found = await listBatches(database, filter, after, limit + 1);
    const batches = found.slice(0, limit);
    return { batches, next: found.length > limit ? batches.at(-1) : undefined };
  }

  /** Throws `bank_batch_not_found`. */
  async get(database: Queryable, id: string): Promise<{ batch: StoredBatch; payments: readonly BatchPayment[] }> {
    const batchId = publicId('bat', id);
    const batch = batchId && (await findBatch(database, batchId));
    if (!batch) throw notFound();
    return { batch, payments: await listBatchPayments(database, batch) };
  }

  /** No payment joins any more. Throws `bank_batch_not_found` and `bank_batch_closed`. */
  async close(tx: Transaction, id: string): Promise<StoredBatch> {
    const batch = await lock(tx, id);
    if (batch.state !== 'COLLECTING') throw closed(batch);
    return closeBatch(tx, batch);
  }

  /**
   * What the release is about; undefined when what leaves that day is little enough for one person. Throws
   * `bank_batch_not_found`.
   */
  async review(tx: Transaction, id: string): Promise<ApprovalSubject | undefined> {
    const batch = await lock(tx, id);
    if (await mayLeaveAlone(tx, batch)) return undefined;
    return { subject: recordOf(batch), version: String(batch.version) };
  }

  /**
   * Its payments leave, but for those that are withdrawn until then. Throws `bank_batch_not_found`,
   * `bank_batch_not_waiting` and `version_conflict`.
   */
  async release(tx: Transaction, by: By, id: string, version: number): Promise<StoredBatch> {
    const batch = await lock(tx, id);
    if (batch.version !== version) throw versionConflict(version, batch);
    if (batch.state !== 'WAITING') throw notWaiting(batch);
    const released = await moveBatch(tx, by, batch, 'release');
    tx.wake(releaseJob);
    return released;
  }

  /**
   * What did not go on is tried at once, and not when its time comes: the same steps, the same bytes. Throws
   * `bank_batch_not_found` and `bank_batch_not_under_way`.
   */
  async retry(tx: Transaction, by: By, id: string): Promise<StoredBatch> {
    const batch = await lock(tx, id);
    if (batch.state !== 'RELEASED' && batch.state !== 'CHECKED' && batch.state !== 'WRITTEN') throw notUnderWay(batch);
    await endAnyBatchLease(tx, batch.batchId);
    if (batch.file) await sendAgainNow(tx, batch.file.name);
    const retried = await raiseBatch(tx, by, batch, { action: 'bank_batch.retried', details: {} });
    tx.wake(releaseJob);
    tx.wake(sendingJob);
    return retried;
  }
}

/** Throws `bank_batch_not_found`. */
async function lock(tx: Transaction, id: string): Promise<StoredBatch> {
  const batchId = publicId('bat', id);
  const batch = batchId && (await lockBatch(tx, batchId));
  if (!batch) throw notFound();
  return batch;
}

function notFound(): RemesaError {
  return new RemesaError('not_found', 'bank_batch_not_found', 'There is no such batch.');
}

function closed({ state }: StoredBatch): RemesaError {
  return new RemesaError('conflict', 'bank_batch_closed', `The batch is ${state}.`, { members: { state } });
}

function notWaiting({ state }: StoredBatch): RemesaError {
  return new RemesaError('conflict', 'bank_batch_not_waiting', `The batch is ${state}.`, { members: { state } });
}

function notUnderWay({ state }: StoredBatch): RemesaError {
  return new RemesaError('conflict', 'bank_batch_not_under_way', `The batch is ${state}.`, { members: { state } });
}

function versionConflict(version: number, current: StoredBatch): RemesaError {
  const members = { version, currentVersion: current.version };
  return new RemesaError('conflict', 'version_conflict', 'The batch has changed since you read it.', { members });
}
