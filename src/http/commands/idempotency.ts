/**
 * Idempotency keys. A command inserts the row of its key first, and the row commits with the effect: neither exists
 * without the other. The primary key decides which of two equal requests takes effect.
 */
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import { open, seal } from '../../keys/sealing.js';
import type { Database } from '../../postgres/database.js';
import { statement, type Transaction } from '../../postgres/statement.js';
import { type MerchantSweep, sweepByMerchant } from '../../worker/by-merchant.js';
import type { Job } from '../../worker/worker.js';

export interface KeyClaim {
  /** The merchant whose data the command changes; 0 when it changes no merchant's. */
  readonly merchantId: MerchantId | 0;
  readonly scopeHash: Buffer;
  readonly fingerprint: Buffer;
  readonly keepForHours: number;
  /** Encrypts an answer that contains a secret; undefined: the answer is stored as plain text. */
  readonly sealingKey: Buffer | undefined;
}

/** The encoded answer of a command, with its status: 202 when the command waits for a second person, else 200. */
export interface CommandAnswer {
  readonly status: 200 | 202;
  readonly body: string;
}

interface KeyRow {
  fingerprint: Buffer;
  answer: string;
  status: number;
  is_live: boolean;
}

// The advisory lock only saves waiting: without it, the INSERT waits until the first request has ended.
const insertKey = statement(
  'idempotency.insert-key',
  `INSERT INTO idempotency_keys (merchant_id, scope_hash, fingerprint, answer, expires_at)
   SELECT $merchantId::bigint, $scopeHash::bytea, $fingerprint::bytea, '',
     statement_timestamp() + make_interval(hours => $keepForHours)
    WHERE pg_try_advisory_xact_lock($lock)
   ON CONFLICT (merchant_id, scope_hash) DO NOTHING
   RETURNING 1 AS inserted`,
).rows<{ inserted: number }>();
// The lock is written to the log of the server, so this COMMIT waits until a synchronous standby has the row too.
// Without it, a server that restarted could show an answer that its successor will never have.
const findKey = statement(
  'idempotency.find-key',
  `SELECT fingerprint, answer, status, expires_at > statement_timestamp() AS is_live FROM idempotency_keys
    WHERE merchant_id = $merchantId AND scope_hash = $scopeHash FOR KEY SHARE`,
).rows<KeyRow>();
const tryLock = statement('idempotency.try-lock', 'SELECT pg_try_advisory_xact_lock($lock) AS is_alone').rows<{
  is_alone: boolean;
}>();
const renewExpired = statement(
  'idempotency.renew-expired',
  `UPDATE idempotency_keys
      SET fingerprint = $fingerprint, answer = '',
        expires_at = statement_timestamp() + make_interval(hours => $keepForHours)
    WHERE merchant_id = $merchantId AND scope_hash = $scopeHash AND expires_at <= statement_timestamp()
   RETURNING 1 AS renewed`,
).rows<{ renewed: number }>();
const saveAnswer = statement(
  'idempotency.keep-answer',
  `UPDATE idempotency_keys SET answer = $answer, status = $status
     WHERE merchant_id = $merchantId AND scope_hash = $scopeHash
   RETURNING 1 AS kept`,
).rows<{ kept: number }>();
// Waits for the transaction that holds the row. The inserted row is never committed, and would already be expired.
const probeKey = statement(
  'idempotency.probe-key',
  `INSERT INTO idempotency_keys (merchant_id, scope_hash, fingerprint, answer, expires_at)
   VALUES ($merchantId, $scopeHash, $fingerprint, '', statement_timestamp())
   ON CONFLICT (merchant_id, scope_hash) DO NOTHING
   RETURNING 1 AS inserted`,
).rows<{ inserted: number }>();
// Writes the row again, so that this COMMIT waits for the synchronous standby, which then also has the first one.
const confirmAnswer = statement(
  'idempotency.confirm-answer',
  `UPDATE idempotency_keys SET answer = answer
    WHERE merchant_id = $merchantId AND scope_hash = $scopeHash AND expires_at > statement_timestamp()
   RETURNING fingerprint, answer, status`,
).rows<Omit<KeyRow, 'is_live'>>();
const listMerchantsToSweep = statement(
  'idempotency.list-merchants-to-sweep',
  `SELECT merchant_id FROM (
     SELECT merchant_id, expires_at FROM idempotency_keys
      WHERE expires_at <= statement_timestamp() ORDER BY expires_at LIMIT $limit) AS due
   GROUP BY merchant_id ORDER BY min(expires_at)`,
).rows<{ merchant_id: bigint }>();
const deleteExpired = statement(
  'idempotency.delete-expired',
  `DELETE FROM idempotency_keys WHERE merchant_id = $merchantId AND scope_hash = ANY (ARRAY(
     SELECT scope_hash FROM idempotency_keys
      WHERE merchant_id = $merchantId AND expires_at <= statement_timestamp() ORDER BY expires_at
      LIMIT $limit FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS deleted`,
).rows<{ deleted: number }>();

/** An equal request ended while this one claimed the key. A new attempt finds its answer, or runs the command. */
export class KeyTakenMeanwhile extends RemesaError {
  constructor() {
    super('conflict', 'idempotency_in_progress', stillRunning, { retryAfterSeconds: 1 });
  }
}

/**
 * Returns the stored answer of the first request with this key, or undefined: then this transaction owns the key.
 * Throws `idempotency_key_reused` for another body, and `idempotency_in_progress` while the first request runs.
 */
export async function claim(tx: Transaction, key: KeyClaim): Promise<CommandAnswer | undefined> {
  if (await ownsNewRow(tx, key)) return undefined;
  const answer = await findAnswer(tx, key);
  if (answer !== undefined) return answer;
  const [lock] = await tx.query(tryLock, { lock: lockNumber(key) });
  if (!lock?.is_alone) throw inProgress();
  const renewed = await tx.query(renewExpired, key).catch(refuseWaiting);
  if (renewed.length === 0) throw new KeyTakenMeanwhile();
  return undefined;
}

/** Stores the answer in the row that `claim` has inserted or renewed. */
export async function keepAnswer(tx: Transaction, key: KeyClaim, answer: CommandAnswer): Promise<void> {
  const kept = await tx.query(saveAnswer, { ...key, answer: sealAnswer(key, answer.body), status: answer.status });
  if (kept.length !== 1) throw new Error('the command does not own the row of its key');
}

/**
 * Returns the answer of a command whose COMMIT got no answer; undefined: it was rolled back. COMMIT was sent after the
 * row was written, so the row is there if and only if the command was committed. Throws `database_unavailable` while
 * its transaction has not ended.
 */
export async function outcomeOf(database: Database, key: KeyClaim): Promise<CommandAnswer | undefined> {
  try {
    return await database.transaction(async (tx) => {
      const probe = await tx.query(probeKey, key);
      if (probe.length > 0) throw new NothingCommitted();
      const [row] = await tx.query(confirmAnswer, key);
      if (!row?.fingerprint.equals(key.fingerprint)) throw new NothingCommitted();
      return openAnswer(key, row);
    });
  } catch (error) {
    if (error instanceof NothingCommitted) return undefined;
    throw error;
  }
}

/** Rolls back the transaction of `outcomeOf`, and with it the row that was inserted to find out. */
class NothingCommitted extends Error {}

export function idempotencySweepJob(database: Database): Job {
  return {
    name: 'idempotency.sweep',
    everySeconds: 60,
    run: (signal) => sweepByMerchant(database, expiredKeysSweep(1000), signal),
  };
}

/** Deletes the keys that expired first, at most so many of each merchant. */
export function expiredKeysSweep(atMost: number): MerchantSweep {
  return {
    due: (database) => database.query(listMerchantsToSweep, { limit: atMost }),
    sweep: async (tx, merchant) => (await tx.query(deleteExpired, { merchantId: merchant, limit: atMost })).length,
  };
}

async function ownsNewRow(tx: Transaction, key: KeyClaim): Promise<boolean> {
  const inserted = await tx.query(insertKey, { ...key, lock: lockNumber(key) }).catch(refuseWaiting);
  return inserted.length > 0;
}

/** Throws `idempotency_key_reused` when the row has another body. */
async function findAnswer(tx: Transaction, key: KeyClaim): Promise<CommandAnswer | undefined> {
  const [row] = await tx.query(findKey, key);
  if (!row?.is_live) return undefined;
  if (!row.fingerprint.equals(key.fingerprint)) throw keyReused();
  return openAnswer(key, row);
}

function sealAnswer(key: KeyClaim, answer: string): string {
  if (!key.sealingKey) return answer;
  return seal(key.sealingKey, Buffer.from(answer), bindingOf(key)).toString('base64');
}

function openAnswer(key: KeyClaim, { answer, status }: Pick<KeyRow, 'answer' | 'status'>): CommandAnswer {
  const body = key.sealingKey ? open(key.sealingKey, Buffer.from(answer, 'base64'), bindingOf(key)).toString() : answer;
  return { status: status === 202 ? 202 : 200, body };
}

/** Binds an encrypted answer to its row, so that it cannot be decrypted in another one. */
function bindingOf({ merchantId: owner, scopeHash: scope }: KeyClaim): string {
  return `idempotency_keys|${owner}|${scope.toString('hex')}`;
}

function lockNumber(key: KeyClaim): bigint {
  return key.scopeHash.readBigInt64BE(0);
}

const stillRunning = 'The first request with this Idempotency-Key is still running.';

function inProgress(cause?: unknown): RemesaError {
  return new RemesaError('conflict', 'idempotency_in_progress', stillRunning, {
    retryAfterSeconds: 1,
    cause,
  });
}

/** The row was not released within the time limit of a lock: the first request still runs. */
function refuseWaiting(error: unknown): never {
  const isLockTimeout = (error as { code?: unknown } | undefined)?.code === '55P03';
  throw isLockTimeout ? inProgress(error) : error;
}

function keyReused(): RemesaError {
  return new RemesaError(
    'impossible',
    'idempotency_key_reused',
    'This Idempotency-Key was used before for a request with another body.',
  );
}
