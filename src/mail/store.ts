/** SQL on mails. They belong to the instance. */
import { randomUUID } from 'node:crypto';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { Mail, NewMail } from './mail.js';

interface MailRow {
  mail_id: string;
  subject: string;
  content: string;
  created_at: Date;
}

const insertMail = statement(
  'mail.insert',
  `INSERT INTO mails (mail_id, subject, content, due_at, created_at)
   SELECT $mailId, $subject, $content, now, now FROM (SELECT statement_timestamp() AS now) AS clock`,
);
const claimDue = statement(
  'mail.claim-due',
  `UPDATE mails SET due_at = clock.leased_until, attempts = attempts + 1
     FROM (SELECT statement_timestamp() + make_interval(secs => $leaseSeconds) AS leased_until) AS clock
    WHERE mail_id = ANY (ARRAY(
      SELECT mail_id FROM mails WHERE state = 'pending' AND due_at <= statement_timestamp()
       ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED))
   RETURNING mail_id, subject, content, created_at, attempts`,
).rows<MailRow & { attempts: number }>();
const setSent = statement(
  'mail.set-sent',
  `UPDATE mails SET state = 'sent', sent_at = clock.now, last_error = NULL
     FROM (SELECT statement_timestamp() AS now) AS clock
    WHERE mail_id = $mailId AND attempts = $attempts AND state = 'pending'`,
);
const setRetry = statement(
  'mail.set-retry',
  `UPDATE mails SET due_at = clock.again_at, last_error = $error
     FROM (SELECT statement_timestamp() + make_interval(secs => $seconds) AS again_at) AS clock
    WHERE mail_id = $mailId AND attempts = $attempts AND state = 'pending'`,
);
const setFailed = statement(
  'mail.set-failed',
  `UPDATE mails SET state = 'failed', last_error = $error
    WHERE mail_id = $mailId AND attempts = $attempts AND state = 'pending'`,
);
const listNewest = statement(
  'mail.list-newest',
  `SELECT mail_id, subject, content, state, attempts, last_error, created_at, sent_at FROM mails
    ORDER BY created_at DESC, mail_id LIMIT $limit`,
).rows<MailRow & { state: string; attempts: number; last_error: string | null; sent_at: Date | null }>();
const findOldest = statement(
  'mail.find-oldest-due',
  `SELECT extract(epoch FROM statement_timestamp() - min(created_at))::float8 AS seconds FROM mails
    WHERE state = 'pending' AND due_at <= statement_timestamp()`,
).rows<{ seconds: number | null }>();
const deleteOld = statement(
  'mail.delete-old',
  `DELETE FROM mails WHERE created_at < statement_timestamp() - interval '30 days' RETURNING mail_id`,
).rows<{ mail_id: string }>();

export interface ClaimedMail extends Mail {
  readonly attempts: number;
}

/** Writes a mail in the transaction of what it tells of. */
export async function addMail(tx: Transaction, { subject, content }: NewMail): Promise<void> {
  await tx.query(insertMail, { mailId: randomUUID(), subject, content });
}

export async function claimMails(tx: Transaction, limit: number, leaseSeconds: number): Promise<ClaimedMail[]> {
  return (await tx.query(claimDue, { limit, leaseSeconds })).map((row) => ({ ...toMail(row), attempts: row.attempts }));
}

export async function noteSent(tx: Transaction, { mailId, attempts }: ClaimedMail): Promise<void> {
  await tx.query(setSent, { mailId, attempts });
}

/** `againInSeconds` undefined: it has failed for good. */
export async function noteFailure(
  tx: Transaction,
  { mailId, attempts }: ClaimedMail,
  error: string,
  againInSeconds: number | undefined,
): Promise<void> {
  if (againInSeconds === undefined) await tx.query(setFailed, { mailId, attempts, error });
  else await tx.query(setRetry, { mailId, attempts, error, seconds: againInSeconds });
}

export interface StoredMail extends ClaimedMail {
  readonly state: string;
  readonly lastError: string | undefined;
  readonly sentAt: Date | undefined;
}

export async function listMails(database: Queryable, limit: number): Promise<StoredMail[]> {
  return (await database.query(listNewest, { limit })).map((row) => ({
    ...toMail(row),
    state: row.state,
    attempts: row.attempts,
    lastError: row.last_error ?? undefined,
    sentAt: row.sent_at ?? undefined,
  }));
}

export async function oldestDueSeconds(database: Queryable): Promise<number> {
  return (await database.query(findOldest))[0]?.seconds ?? 0;
}

export async function deleteOldMails(tx: Transaction): Promise<number> {
  return (await tx.query(deleteOld)).length;
}

function toMail(row: MailRow): Mail {
  return { mailId: row.mail_id, subject: row.subject, content: row.content, createdAt: row.created_at };
}
