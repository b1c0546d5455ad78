/** SQL on batches and their payments. Every machine of a cluster has these tables in full. */
import { randomUUID } from 'node:crypto';
import { storedPublicId } from '../../ids.js';
import { amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { BankAccount } from '../accounts/bank-account.js';
import type { Batch, BatchId, BatchState, PayingAccount } from './batch.js';

interface BatchRow {
  batch_id: string;
  account_id: string;
  currency: CurrencyCode;
  state: BatchState;
  closes_at: Date;
  released_at: Date | null;
  execution_day: string | null;
  file_name: string | null;
  file_hash: string | null;
  paid_from: PayingAccount | null;
  answer: string | null;
  version: number;
  created_at: Date;
  changed_at: Date;
  payments: number;
  sum_minor: bigint;
}

const columns = `batch.batch_id, batch.account_id, batch.currency, batch.state, batch.closes_at, batch.released_at,
  batch.execution_day, batch.file_name, batch.file_hash, batch.paid_from, batch.answer, batch.version, batch.created_at, batch.changed_at,
  (SELECT count(*)::int FROM bank_batch_payments AS payment
    WHERE payment.batch_id = batch.batch_id AND NOT payment.has_left) AS payments,
  (SELECT coalesce(sum(payment.amount_minor), 0)::bigint FROM bank_batch_payments AS payment
    WHERE payment.batch_id = batch.batch_id AND NOT payment.has_left) AS sum_minor`;

const insertBatch = statement(
  'batches.insert',
  `INSERT INTO bank_batches (batch_id, account_id, currency, state, closes_at, version)
   VALUES ($batchId, $accountId, $currency, 'COLLECTING', $closesAt, 1) ON CONFLICT DO NOTHING RETURNING batch_id`,
).rows<{ batch_id: string }>();
const lockCollecting = statement(
  'batches.lock-collecting',
  `SELECT ${columns} FROM bank_batches AS batch WHERE batch.account_id = $accountId AND batch.state = 'COLLECTING' FOR UPDATE`,
).rows<BatchRow>();
const lockById = statement(
  'batches.lock',
  `SELECT ${columns} FROM bank_batches AS batch WHERE batch.batch_id = $batchId FOR UPDATE`,
).rows<BatchRow>();
const findById = statement(
  'batches.find',
  `SELECT ${columns} FROM bank_batches AS batch WHERE batch.batch_id = $batchId`,
).rows<BatchRow>();
const listPage = statement(
  'batches.list',
  `SELECT ${columns} FROM bank_batches AS batch
    WHERE batch.state = ANY ($states) AND ($accountId::text IS NULL OR batch.account_id = $accountId)
      AND (batch.created_at, batch.batch_id) < ($createdAt::timestamptz, $batchId)
    ORDER BY batch.created_at DESC, batch.batch_id DESC LIMIT $limit`,
  { isPlannedEachTime: true },
).rows<BatchRow>();
const listDue = statement(
  'batches.list-due-to-close',
  `SELECT ${columns} FROM bank_batches AS batch
    WHERE batch.state = 'COLLECTING' AND batch.closes_at <= statement_timestamp() ORDER BY batch.closes_at LIMIT 100`,
).rows<BatchRow>();
const listIds = statement(
  'batches.list-ids',
  'SELECT batch_id FROM bank_batches WHERE batch_id > $after ORDER BY batch_id LIMIT $limit',
).rows<{ batch_id: string }>();
const claim = statement(
  'batches.claim',
  `UPDATE bank_batches
      SET lease_token = $token, leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE batch_id = ANY (ARRAY(
      SELECT due.batch_id FROM bank_batches AS due
       WHERE (due.state IN ('RELEASED', 'CHECKED')
          OR (due.state = 'WRITTEN' AND EXISTS (SELECT FROM bank_outgoing_files AS file
                                                 WHERE file.name = due.file_name AND file.sent_at IS NOT NULL)))
         AND (due.leased_until IS NULL OR due.leased_until <= statement_timestamp())
       ORDER BY due.released_at LIMIT 4 FOR UPDATE SKIP LOCKED))
   RETURNING batch_id`,
).rows<{ batch_id: string }>();
const endLease = statement(
  'batches.end-lease',
  `UPDATE bank_batches SET lease_token = NULL, leased_until = NULL
    WHERE batch_id = $batchId AND ($token::text IS NULL OR lease_token = $token)`,
);
/** From the beginning of the day where the account is. */
const sumReleased = statement(
  'batches.sum-released-today',
  `SELECT coalesce(sum(payment.amount_minor), 0)::bigint AS sum_minor
     FROM bank_batches AS batch JOIN bank_batch_payments AS payment ON payment.batch_id = batch.batch_id
    WHERE batch.account_id = $accountId AND NOT payment.has_left
      AND batch.released_at >= date_trunc('day', statement_timestamp() AT TIME ZONE $timeZone) AT TIME ZONE $timeZone`,
).rows<{ sum_minor: bigint }>();
const updateBatch = statement(
  'batches.update',
  `UPDATE bank_batches
      SET state = $state, version = version + 1, changed_at = statement_timestamp(), execution_day = $executionDay,
          file_name = $fileName, file_hash = $fileHash, paid_from = $paidFrom, answer = $answer,
          released_at = CASE WHEN $isReleased THEN clock.at ELSE released_at END
     FROM (SELECT date_trunc('milliseconds', statement_timestamp()) AS at) AS clock
    WHERE batch_id = $batchId AND version = $version`,
);
export type StoredBatch = Batch & {
  readonly releasedAt: Date | undefined;
  /** The account as its payments were checked with; undefined before. */
  readonly paidFrom: PayingAccount | undefined;
};

/** Returns false when the account has a batch that collects. */
export async function addBatch(
  tx: Transaction,
  batch: Pick<Batch, 'batchId' | 'accountId' | 'closesAt'> & { readonly currency: CurrencyCode },
): Promise<boolean> {
  return (await tx.query(insertBatch, batch)).length > 0;
}

export async function lockCollectingBatch(tx: Transaction, accountId: string): Promise<StoredBatch | undefined> {
  const [row] = await tx.query(lockCollecting, { accountId });
  return row && toBatch(row);
}

export async function lockBatch(tx: Transaction, batchId: BatchId): Promise<StoredBatch | undefined> {
  const [row] = await tx.query(lockById, { batchId });
  return row && toBatch(row);
}

export async function findBatch(database: Queryable, batchId: BatchId): Promise<StoredBatch | undefined> {
  const [row] = await database.query(findById, { batchId });
  return row && toBatch(row);
}

export interface BatchPlace {
  readonly createdAt: Date;
  readonly batchId: string;
}

/** The newest first, from after `place` on. */
export async function listBatches(
  database: Queryable,
  { states, accountId }: { readonly states: readonly BatchState[]; readonly accountId: string | undefined },
  place: BatchPlace | undefined,
  limit: number,
): Promise<StoredBatch[]> {
  const { createdAt, batchId } = place ?? { createdAt: new Date('9999-01-01T00:00:00Z'), batchId: '' };
  return (await database.query(listPage, { states, accountId, createdAt, batchId, limit })).map(toBatch);
}

export async function listBatchesToClose(database: Queryable): Promise<StoredBatch[]> {
  return (await database.query(listDue)).map(toBatch);
}

/** The ids after this one, in their order. */
export async function listBatchIdsAfter(database: Queryable, after: string, limit: number): Promise<string[]> {
  return (await database.query(listIds, { after, limit })).map((row) => row.batch_id);
}

/** A batch that one worker has. */
export interface ClaimedBatch {
  readonly batchId: BatchId;
  readonly token: string;
}

/** Those that can go on and that no other worker has. */
export async function claimBatches(database: Database, leaseSeconds: number): Promise<ClaimedBatch[]> {
  const token = randomUUID();
  const rows = await database.write(claim, { token, leaseSeconds });
  return rows.map((row) => ({ batchId: storedPublicId('bat', row.batch_id), token }));
}

/** Changes nothing when another worker has the batch by now. */
export async function endBatchLease(tx: Transaction, { batchId, token }: ClaimedBatch): Promise<void> {
  await tx.query(endLease, { batchId, token });
}

/** Whoever has it: the next worker may take it at once. */
export async function endAnyBatchLease(tx: Transaction, batchId: BatchId): Promise<void> {
  await tx.query(endLease, { batchId, token: undefined });
}

/** What was released from the account on the day that it is there. The caller has locked the account. */
export async function sumReleasedToday(
  tx: Transaction,
  { accountId, timeZone }: Pick<BankAccount, 'accountId' | 'timeZone'>,
): Promise<bigint> {
  return (await tx.query(sumReleased, { accountId, timeZone }))[0]?.sum_minor ?? 0n;
}

/** The caller has locked the batch. */
export async function saveBatch(tx: Transaction, before: StoredBatch, after: StoredBatch): Promise<void> {
  await tx.query(updateBatch, {
    batchId: after.batchId,
    version: before.version,
    state: after.state,
    executionDay: after.executionDay,
    fileName: after.file?.name,
    fileHash: after.file?.hash,
    paidFrom: after.paidFrom && JSON.stringify(after.paidFrom),
    answer: after.answer,
    isReleased: before.state === 'WAITING' && after.state === 'RELEASED',
  });
}

function toBatch(row: BatchRow): StoredBatch {
  return {
    batchId: storedPublicId('bat', row.batch_id),
    accountId: row.account_id,
    state: row.state,
    closesAt: row.closes_at,
    releasedAt: row.released_at ?? undefined,
    version: row.version,
    payments: row.payments,
    sum: amount(row.currency, row.sum_minor),
    executionDay: row.execution_day ?? undefined,
    file: row.file_name !== null && row.file_hash !== null ? { name: row.file_name, hash: row.file_hash } : undefined,
    paidFrom: row.paid_from ?? undefined,
    answer: row.answer ?? undefined,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}
