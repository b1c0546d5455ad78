/**
 * Idempotency keys. The row of a key commits in the transaction of its effect, so neither exists without the other, and
 * no lock can expire too early.
 */
import { createHash, createHmac } from 'node:crypto';
import { RemesaError } from '../errors.js';
import type { MerchantId } from '../ids.js';
import { open, seal } from '../keys/sealing.js';
import type { Database } from '../postgres/database.js';
import { type Statement, statement, type Transaction } from '../postgres/statement.js';
import type { Job } from '../worker/worker.js';

export interface KeyClaim {
  /** 0 when the caller is an operator. */
  readonly merchantId: MerchantId | 0;
  readonly scopeHash: Buffer;
  readonly fingerprint: Buffer;
  readonly keepForHours: number;
  /** Encrypts an answer that contains a secret; undefined: the answer is stored as plain text. */
  readonly sealingKey: Buffer | undefined;
}

interface KeptRow {
  fingerprint: Buffer | null;
  answer: string | null;
  claimed: boolean | null;
}

// A request never waits here for another with the same key: it would occupy a connection of the pool. When two pass
// in the same instant, the primary key lets only one of them commit.
const claimKey = statement<KeptRow>(
  'idempotency.claim-key',
  `SELECT kept.fingerprint, kept.answer,
          CASE WHEN kept.answer IS NULL THEN pg_try_advisory_xact_lock($3) END AS claimed
     FROM (VALUES (1)) AS always
     LEFT JOIN idempotency_keys AS kept
       ON kept.merchant_id = $1 AND kept.scope_hash = $2 AND kept.expires_at > clock_timestamp()`,
);
const waitForClaim = statement('idempotency.wait-for-claim', 'SELECT pg_advisory_xact_lock($1)');
// The lock is written to the log of the server, so this transaction's COMMIT waits until a synchronous standby has the
// row too. Without it, a server that restarted could show an answer that its successor will never have.
const findKept = statement<{ answer: string }>(
  'idempotency.find-kept',
  'SELECT answer FROM idempotency_keys WHERE merchant_id = $1 AND scope_hash = $2 FOR KEY SHARE',
);
// An expired key that has not been deleted yet is overwritten. A valid one means that an equal request was faster.
const keepAnswerOfKey = statement<{ kept: number }>(
  'idempotency.keep-answer',
  `INSERT INTO idempotency_keys AS kept (merchant_id, scope_hash, fingerprint, answer, expires_at)
   VALUES ($1, $2, $3, $4, clock_timestamp() + make_interval(hours => $5))
   ON CONFLICT (merchant_id, scope_hash) DO UPDATE
      SET fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
    WHERE kept.expires_at <= clock_timestamp()
   RETURNING 1 AS kept`,
);
const sweepExpired: Statement<{ swept: number }> = statement(
  'idempotency.sweep-expired',
  `DELETE FROM idempotency_keys WHERE ctid IN (
     SELECT ctid FROM idempotency_keys WHERE expires_at <= clock_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1 AS swept`,
);

/** Another request with the same key committed first. A new attempt finds its answer. */
export class KeyTakenMeanwhile extends Error {
  override readonly name = 'KeyTakenMeanwhile';
}

/**
 * Returns the stored answer of the first request with this key, or undefined: then this transaction owns the key.
 * Throws `idempotency_key_reused` for another body, and `idempotency_in_progress` while the first request runs.
 */
export async function claim(tx: Transaction, key: KeyClaim): Promise<string | undefined> {
  const [row] = await tx.query(claimKey, [key.merchantId, key.scopeHash, lockNumber(key)]);
  if (row?.answer != null && row.fingerprint) {
    await tx.query(findKept, [key.merchantId, key.scopeHash]);
    if (!row.fingerprint.equals(key.fingerprint)) throw keyReused();
    return openAnswer(key, row.answer);
  }
  if (!row?.claimed) throw inProgress();
  return undefined;
}

/** Throws `KeyTakenMeanwhile` when an equal request committed first. */
export async function keepAnswer(tx: Transaction, key: KeyClaim, answer: string): Promise<void> {
  const values = [key.merchantId, key.scopeHash, key.fingerprint, sealAnswer(key, answer), key.keepForHours];
  const kept = await tx.query(keepAnswerOfKey, values);
  if (kept.length === 0) throw new KeyTakenMeanwhile();
}

/** Returns the answer of a transaction whose COMMIT got no answer, once the server has ended it; undefined: rolled back. */
export async function outcomeOf(tx: Transaction, key: KeyClaim): Promise<string | undefined> {
  await tx.query(waitForClaim, [lockNumber(key)]);
  const [row] = await tx.query(findKept, [key.merchantId, key.scopeHash]);
  return row && openAnswer(key, row.answer);
}

export function idempotencySweepJob(database: Database): Job {
  const run = () => database.transaction((tx) => sweepExpiredKeys(tx, 1000));
  return { name: 'idempotency.sweep', everySeconds: 60, run };
}

export async function sweepExpiredKeys(tx: Transaction, atMost: number): Promise<number> {
  return (await tx.query(sweepExpired, [atMost])).length;
}

const keyForm = /^(?:"([\x20-\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e][\x21-\x7e]{0,254}))$/;

/** Accepts the key bare or quoted, as the draft standard writes it. Throws `idempotency_key_invalid`. */
export function readKey(header: string): string {
  const match = keyForm.exec(header);
  const key = match?.[1] ?? match?.[2];
  if (key !== undefined) return key;
  throw new RemesaError(
    'invalid',
    'idempotency_key_invalid',
    'The Idempotency-Key must be 1 to 255 visible ASCII characters, bare or in double quotes.',
  );
}

/** Does not include the token, which may have been renewed between two attempts. */
export function scopeHash(scope: readonly (string | number)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(scope)).digest();
}

/** Keyed, so that nobody can guess a body from its stored fingerprint. */
export function fingerprintOf(key: Buffer, body: Uint8Array | undefined): Buffer {
  return createHmac('sha256', key)
    .update(body ?? '')
    .digest();
}

function sealAnswer(key: KeyClaim, answer: string): string {
  if (!key.sealingKey) return answer;
  return seal(key.sealingKey, Buffer.from(answer), bindingOf(key)).toString('base64');
}

function openAnswer(key: KeyClaim, kept: string): string {
  if (!key.sealingKey) return kept;
  return open(key.sealingKey, Buffer.from(kept, 'base64'), bindingOf(key)).toString();
}

/** Binds an encrypted answer to its row, so that it cannot be decrypted in another one. */
function bindingOf({ merchantId, scopeHash: scope }: KeyClaim): string {
  return `idempotency_keys|${merchantId}|${scope.toString('hex')}`;
}

function lockNumber(key: KeyClaim): bigint {
  return key.scopeHash.readBigInt64BE(0);
}

function keyReused(): RemesaError {
  return new RemesaError(
    'impossible',
    'idempotency_key_reused',
    'This Idempotency-Key was used before for a request with another body.',
  );
}

function inProgress(): RemesaError {
  return new RemesaError(
    'conflict',
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running.',
    { retryAfterSeconds: 1 },
  );
}
