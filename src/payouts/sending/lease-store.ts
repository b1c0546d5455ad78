/** SQL that finds what is due, merchant by merchant, and claims it for one worker: see `worker/claim.ts`. */
import { type TenantId, tenantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { merchantNow, nowByClock } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Attempt, SentMessage } from '../attempt.js';
import { isPausing } from '../pauses/pause-store.js';
import { type AttemptRow, attemptColumns, toAttempt } from '../row.js';

/** Nothing new is sent where operators paused it, and a failing rail is not asked. */
const isPossible = `NOT EXISTS (SELECT FROM payout_rail_failures AS failing
                    WHERE failing.rail = attempt.rail AND failing.resumes_at > statement_timestamp())
   AND (attempt.state <> 'READY' OR NOT EXISTS (SELECT FROM payout_pauses AS pause WHERE ${isPausing}))`;
const isOpen = `(attempt.leased_until IS NULL OR attempt.leased_until <= statement_timestamp()) AND ${isPossible}`;

/** Clocks only move forward, so what is due in real time is due for every merchant. */
const listMerchants = statement(
  'lease-store.list-merchants',
  `SELECT DISTINCT merchant_id FROM (
     SELECT attempt.merchant_id FROM payout_attempts AS attempt
      WHERE attempt.rail = ANY ($rails) AND attempt.due_at <= statement_timestamp() AND ${isOpen}
      ORDER BY attempt.due_at LIMIT $attemptsRead) AS due
   UNION
   SELECT merchant_id FROM (
     SELECT attempt.merchant_id
       FROM merchant_clocks AS clock JOIN payout_attempts AS attempt ON attempt.merchant_id = clock.merchant_id
      WHERE attempt.rail = ANY ($rails) AND attempt.due_at <= ${nowByClock} AND ${isOpen}
      ORDER BY attempt.due_at LIMIT $attemptsRead) AS due_ahead`,
).rows<{ merchant_id: bigint }>();
const claimDue = statement(
  'lease-store.claim',
  `UPDATE payout_attempts
      SET leased_until = statement_timestamp() + make_interval(secs => $seconds), lease_holder = $holder
    WHERE merchant_id = $merchantId
      AND attempt_id = ANY (ARRAY(
        SELECT attempt.attempt_id FROM payout_attempts AS attempt
         WHERE attempt.merchant_id = $merchantId AND attempt.rail = ANY ($rails) AND attempt.due_at <= ${merchantNow}
           AND ${isOpen}
         ORDER BY attempt.due_at LIMIT $atMost FOR UPDATE SKIP LOCKED))
   RETURNING ${attemptColumns}`,
).rows<AttemptRow>();
const endLeases = statement(
  'lease-store.release',
  `UPDATE payout_attempts SET leased_until = NULL, lease_holder = NULL
    WHERE merchant_id = $merchantId AND attempt_id = ANY ($attemptIds) AND lease_holder = $holder`,
);
const startSending = statement(
  'lease-store.start-sending',
  `UPDATE payout_attempts
      SET state = 'SENDING', version = version + 1, asked = 0, due_at = ${merchantNow},
          changed_at = date_trunc('milliseconds', statement_timestamp()), message_id = $messageId,
          message_at = coalesce(message_at, $messageAt)
    WHERE merchant_id = $merchantId AND attempt_id = $attemptId AND version = $version AND state IN ('READY', 'UNKNOWN')
      AND lease_holder = $holder
   RETURNING ${attemptColumns}`,
).rows<AttemptRow>();
const askLater = statement(
  'lease-store.ask-later',
  `UPDATE payout_attempts SET leased_until = NULL, lease_holder = NULL, asked = $asked,
          due_at = ${merchantNow} + make_interval(secs => $inSeconds::float8)
    WHERE merchant_id = $merchantId AND attempt_id = $attemptId AND version = $version AND lease_holder = $holder`,
);
const findNext = statement(
  'lease-store.find-next',
  `SELECT date_trunc('milliseconds', min(due_at) + interval '999 microseconds') AS at
     FROM payout_attempts WHERE merchant_id = $merchantId AND due_at > $after`,
).rows<{ at: Date | null }>();
const findDue = statement(
  'lease-store.find-due',
  `SELECT EXISTS (SELECT FROM payout_attempts AS attempt
                   WHERE attempt.merchant_id = $merchantId AND attempt.rail = ANY ($rails)
                     AND attempt.due_at <= ${merchantNow} AND ${isPossible}) AS is_due`,
).rows<{ is_due: boolean }>();
const findOldest = statement(
  'lease-store.find-oldest',
  `SELECT coalesce(extract(epoch FROM statement_timestamp() - min(due_at)), 0)::float8 AS seconds
     FROM payout_attempts AS attempt
    WHERE attempt.rail = ANY ($rails) AND attempt.due_at <= statement_timestamp() AND ${isOpen}`,
).rows<{ seconds: number }>();

export interface Lease {
  /** Names the process, so that nobody ends the lease of another. */
  readonly holder: string;
  readonly seconds: number;
}

export async function listMerchantsWithDue(
  database: Queryable,
  rails: readonly string[],
  attemptsRead: number,
): Promise<TenantId[]> {
  const rows = await database.query(listMerchants, { rails, attemptsRead });
  return rows.map((row) => tenantId(row.merchant_id));
}

/** Takes what is due of the merchant on these rails and no other worker has, at most so much. */
export async function claimAttempts(
  database: Database,
  merchantId: TenantId,
  { rails, atMost, lease }: { readonly rails: readonly string[]; readonly atMost: number; readonly lease: Lease },
): Promise<Attempt[]> {
  return (await database.write(claimDue, { merchantId, rails, atMost, ...lease })).map(toAttempt);
}

/** Gives attempts of one merchant back that were claimed and not begun. */
export async function releaseAttempts(database: Database, attempts: readonly Attempt[], lease: Lease): Promise<void> {
  const [first] = attempts;
  if (!first) return;
  const attemptIds = attempts.map(({ attemptId }) => attemptId);
  await database.write(endLeases, { ...lease, merchantId: first.merchantId, attemptIds });
}

/**
 * The attempt is about to be sent, in this message, or again in the message it was sent in. Returns undefined when it
 * has changed, or when another worker has it.
 */
export async function markSending(
  tx: Transaction,
  { merchantId, attemptId, version }: Attempt,
  { messageId, createdAt: messageAt }: SentMessage,
  { holder }: Lease,
): Promise<Attempt | undefined> {
  const values = { merchantId, attemptId, version, messageId, messageAt, holder };
  const [row] = await tx.query(startSending, values);
  return row && toAttempt(row);
}

/**
 * Ends the lease of this holder. `asked` is how often the rail was asked; `inSeconds` undefined: it is not asked again.
 */
export async function postpone(
  tx: Transaction,
  attempt: Attempt,
  { asked, inSeconds = null }: { readonly asked: number; readonly inSeconds?: number | null | undefined },
  { holder }: Lease,
): Promise<void> {
  await tx.query(askLater, { ...attempt, asked, inSeconds, holder });
}

/** When an attempt of the merchant falls due next, later than this moment. */
export async function nextDueAttempt(
  database: Queryable,
  merchantId: TenantId,
  after: Date,
): Promise<Date | undefined> {
  return (await database.query(findNext, { merchantId, after }))[0]?.at ?? undefined;
}

/** Whether an attempt on one of these rails is due now, leased or not. */
export async function hasDueAttempt(
  database: Queryable,
  merchantId: TenantId,
  rails: readonly string[],
): Promise<boolean> {
  return (await database.query(findDue, { merchantId, rails }))[0]?.is_due ?? false;
}

/** How long the oldest attempt that could be worked on has been due. */
export async function oldestDueSeconds(database: Queryable, rails: readonly string[]): Promise<number> {
  const [row] = await database.query(findOldest, { rails });
  return row?.seconds ?? 0;
}
