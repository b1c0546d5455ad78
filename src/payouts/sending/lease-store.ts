/** SQL that finds what is due, merchant by merchant, and leases it to one worker. */
import { type TenantId, tenantId } from '../../ids.js';
import { merchantNow, nowByClock } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Attempt, AttemptId, SentMessage } from '../attempt.js';
import { type AttemptRow, attemptColumns, toAttempt } from '../row.js';

/** Nothing new is sent where operators paused it, and a failing rail is not asked. Refunds know no corridor. */
const isPossible = `NOT EXISTS (SELECT FROM payout_rail_failures AS failing
                    WHERE failing.rail = attempt.rail AND failing.resumes_at > statement_timestamp())
   AND (attempt.state <> 'READY' OR NOT EXISTS (
     SELECT FROM payout_pauses AS pause
      WHERE (pause.kind = 'rail' AND pause.name = attempt.rail)
         OR (pause.kind = 'corridor' AND attempt.direction = 'payout' AND pause.name = attempt.corridor)
         OR (pause.kind = 'merchant' AND pause.name = attempt.merchant_id::text)))`;
const isOpen = `(attempt.lease_until IS NULL OR attempt.lease_until <= statement_timestamp()) AND ${isPossible}`;

/** Clocks only move forward, so what is due in real time is due for every merchant. */
const listMerchants = statement<{ merchant_id: bigint }>(
  'lease-store.list-merchants',
  `SELECT DISTINCT merchant_id FROM (
     SELECT attempt.merchant_id FROM payout_attempts AS attempt
      WHERE attempt.rail = ANY($1) AND attempt.due_at <= statement_timestamp() AND ${isOpen}
      ORDER BY attempt.due_at LIMIT $2) AS due
   UNION
   SELECT merchant_id FROM (
     SELECT attempt.merchant_id
       FROM merchant_clocks AS clock JOIN payout_attempts AS attempt ON attempt.merchant_id = clock.merchant_id
      WHERE attempt.rail = ANY($1) AND attempt.due_at <= ${nowByClock} AND ${isOpen}
      ORDER BY attempt.due_at LIMIT $2) AS due_ahead`,
);
const listOfMerchant = statement<AttemptRow>(
  'lease-store.list-of-merchant',
  `SELECT ${attemptColumns} FROM payout_attempts AS attempt
    WHERE attempt.merchant_id = $1 AND attempt.rail = ANY($2) AND attempt.due_at <= ${merchantNow} AND ${isOpen}
    ORDER BY attempt.due_at LIMIT $3`,
);
const startSending = statement<AttemptRow>(
  'lease-store.start-sending',
  `UPDATE payout_attempts
      SET state = 'SENDING', version = version + 1, asked = 0, due_at = ${merchantNow},
          changed_at = date_trunc('milliseconds', statement_timestamp()), message_id = $4,
          message_at = coalesce(message_at, $5), lease_until = statement_timestamp() + make_interval(secs => $6),
          lease_holder = $7
    WHERE merchant_id = $1 AND attempt_id = $2 AND version = $3 AND state IN ('READY', 'UNKNOWN')
      AND (lease_until IS NULL OR lease_until <= statement_timestamp() OR lease_holder = $7)
   RETURNING ${attemptColumns}`,
);
const lease = statement<AttemptRow>(
  'lease-store.lease',
  `UPDATE payout_attempts SET lease_until = statement_timestamp() + make_interval(secs => $4), lease_holder = $5
    WHERE merchant_id = $1 AND attempt_id = $2 AND version = $3
      AND (lease_until IS NULL OR lease_until <= statement_timestamp())
   RETURNING ${attemptColumns}`,
);
const askLater = statement(
  'lease-store.ask-later',
  `UPDATE payout_attempts SET lease_until = NULL, lease_holder = NULL, asked = $4,
          due_at = ${merchantNow} + make_interval(secs => $5::float8)
    WHERE merchant_id = $1 AND attempt_id = $2 AND version = $3 AND lease_holder = $6`,
);
const findNext = statement<{ at: Date | null }>(
  'lease-store.find-next',
  `SELECT date_trunc('milliseconds', min(due_at) + interval '999 microseconds') AS at
     FROM payout_attempts WHERE merchant_id = $1 AND due_at > $2`,
);
const findDue = statement<{ is_due: boolean }>(
  'lease-store.find-due',
  `SELECT EXISTS (SELECT FROM payout_attempts AS attempt
                   WHERE attempt.merchant_id = $1 AND attempt.rail = ANY($2)
                     AND attempt.due_at <= ${merchantNow} AND ${isPossible}) AS is_due`,
);
const findOldest = statement<{ seconds: number }>(
  'lease-store.find-oldest',
  `SELECT coalesce(extract(epoch FROM statement_timestamp() - min(due_at)), 0)::float8 AS seconds
     FROM payout_attempts AS attempt WHERE attempt.due_at <= statement_timestamp() AND ${isOpen}`,
);

export interface Lease {
  /** Names the process, so that nobody ends the lease of another. */
  readonly holder: string;
  readonly seconds: number;
}

/** The merchants that have something due on these rails. */
export async function listMerchantsWithDue(
  database: Queryable,
  rails: readonly string[],
  atMost: number,
): Promise<TenantId[]> {
  return (await database.query(listMerchants, [rails, atMost])).map((row) => tenantId(row.merchant_id));
}

export async function listDueOf(
  database: Queryable,
  merchant: TenantId,
  rails: readonly string[],
  atMost: number,
): Promise<Attempt[]> {
  return (await database.query(listOfMerchant, [merchant, rails, atMost])).map(toAttempt);
}

/**
 * The attempt is about to be sent, in this message, or again in the message it was sent in. Returns undefined when it
 * has changed, or when another worker has it.
 */
export async function leaseToSend(
  tx: Transaction,
  { merchantId: merchant, attemptId, version }: Attempt,
  message: SentMessage,
  { seconds, holder }: Lease,
): Promise<Attempt | undefined> {
  const values = [merchant, attemptId, version, message.messageId, message.createdAt, seconds, holder];
  const [row] = await tx.query(startSending, values);
  return row && toAttempt(row);
}

/** The rail is about to be asked. Returns undefined when the attempt has changed, or when another worker has it. */
export async function leaseToAsk(
  tx: Transaction,
  { merchantId: merchant, attemptId, version }: Attempt,
  { seconds, holder }: Lease,
): Promise<Attempt | undefined> {
  const [row] = await tx.query(lease, [merchant, attemptId, version, seconds, holder]);
  return row && toAttempt(row);
}

/** Ends the lease of this holder. `asked` is how often the rail was asked; `inSeconds` undefined: it is not asked again. */
export async function postpone(
  tx: Transaction,
  { merchantId: merchant, attemptId, version }: Attempt & { readonly attemptId: AttemptId },
  { asked, inSeconds }: { readonly asked: number; readonly inSeconds: number | undefined },
  holder: string,
): Promise<void> {
  await tx.query(askLater, [merchant, attemptId, version, asked, inSeconds ?? null, holder]);
}

/** When an attempt of the merchant falls due next, later than this moment. */
export async function nextDueAttempt(
  database: Queryable,
  merchant: TenantId,
  after: Date,
): Promise<Date | undefined> {
  return (await database.query(findNext, [merchant, after]))[0]?.at ?? undefined;
}

/** Whether an attempt on one of these rails is due now, leased or not. */
export async function hasDueAttempt(
  database: Queryable,
  merchant: TenantId,
  rails: readonly string[],
): Promise<boolean> {
  return (await database.query(findDue, [merchant, rails]))[0]?.is_due ?? false;
}

/** How long the oldest attempt that could be worked on has been due. */
export async function oldestDueSeconds(database: Queryable): Promise<number> {
  const [row] = await database.query(findOldest);
  return row?.seconds ?? 0;
}
