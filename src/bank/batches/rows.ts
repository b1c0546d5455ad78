/** Batches, for the comparison with what their changes remember. They belong to the instance. */
import { canonicalJson, type DigestedRow, type RowSource } from '../../changes/row.js';
import { instanceTenant, publicId } from '../../ids.js';
import { type BatchId, recordOf } from './batch.js';
import { findBatch, listBatchIdsAfter, type StoredBatch } from './store.js';

const prefix = 'bank_batch:';

export function digestedBatch(batch: StoredBatch): DigestedRow {
  const { accountId, sum, state, executionDay, file, version, paidFrom } = batch;
  return {
    subject: recordOf(batch),
    row: [
      accountId,
      sum.currency,
      state,
      executionDay,
      file?.name,
      file?.hash,
      version,
      canonicalJson(paidFrom ?? null),
    ],
  };
}

export const bankBatchRows: RowSource = {
  prefix,
  async list(database, ownerId, after, limit) {
    if (ownerId !== instanceTenant) return [];
    const ids = await listBatchIdsAfter(database, after.slice(prefix.length), limit);
    return ids.map((id) => `${prefix}${id}`);
  },
  async find(database, ownerId, subjects) {
    if (ownerId !== instanceTenant) return [];
    const ids = subjects.map((subject) => publicId('bat', subject.slice(prefix.length)));
    const found = await Promise.all(ids.map((id: BatchId | undefined) => id && findBatch(database, id)));
    return found.flatMap((batch) => (batch ? [digestedBatch(batch)] : []));
  },
};
