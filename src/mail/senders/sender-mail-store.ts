/** SQL on mails to senders. No address and no text is stored. */
import { randomUUID } from 'node:crypto';
import { type MerchantId, merchantId, type TenantId, type UserId, userId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { MerchantSweep } from '../../worker/by-merchant.js';
import type { NewsOfOrder, SenderNews } from './sender-mail.js';

interface SenderMailRow {
  merchant_id: bigint;
  mail_id: string;
  user_id: bigint;
  order_id: string;
  news: SenderNews;
  asked: number;
  attempts: number;
  created_at: Date;
}

const insertMail = statement(
  'sender-mail-store.insert',
  `INSERT INTO sender_mails (merchant_id, mail_id, user_id, order_id, news, asked, due_at, created_at)
   SELECT $merchantId::bigint, $mailId::uuid, $userId::bigint, $orderId::text, $news::text, $asked::integer, now.at, now.at
     FROM (SELECT statement_timestamp() AS at) AS now
    WHERE EXISTS (SELECT FROM merchants WHERE merchants.merchant_id = $merchantId AND notify_senders = 'email')
       ON CONFLICT (merchant_id, order_id, news, asked) DO NOTHING
   RETURNING mail_id`,
).rows<{ mail_id: string }>();
const listMerchantsWithMails = statement(
  'sender-mail-store.list-merchants',
  `SELECT merchant_id FROM sender_mails WHERE state = 'pending' AND due_at <= statement_timestamp()
    GROUP BY merchant_id ORDER BY min(due_at) LIMIT $limit`,
).rows<{ merchant_id: bigint }>();
const claimDue = statement(
  'sender-mail-store.claim-due',
  `UPDATE sender_mails SET due_at = clock.leased_until, attempts = attempts + 1
     FROM (SELECT statement_timestamp() + make_interval(secs => $leaseSeconds) AS leased_until) AS clock
    WHERE merchant_id = $merchantId AND mail_id = ANY (ARRAY(
      SELECT mail_id FROM sender_mails
       WHERE merchant_id = $merchantId AND state = 'pending' AND due_at <= statement_timestamp()
       ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED))
   RETURNING merchant_id, mail_id, user_id, order_id, news, asked, attempts, created_at`,
).rows<SenderMailRow>();
const setDone = statement(
  'sender-mail-store.set-done',
  `UPDATE sender_mails SET state = $state, locale = $locale, sent_at = CASE WHEN $state = 'sent' THEN clock.now END,
          last_error = NULL
     FROM (SELECT statement_timestamp() AS now) AS clock
    WHERE merchant_id = $merchantId AND mail_id = $mailId AND attempts = $attempts AND state = 'pending'`,
);
const setRetry = statement(
  'sender-mail-store.set-retry',
  `UPDATE sender_mails SET due_at = clock.again_at, last_error = $error
     FROM (SELECT statement_timestamp() + make_interval(secs => $seconds) AS again_at) AS clock
    WHERE merchant_id = $merchantId AND mail_id = $mailId AND attempts = $attempts AND state = 'pending'`,
);
const setFailed = statement(
  'sender-mail-store.set-failed',
  `UPDATE sender_mails SET state = 'failed', last_error = $error
    WHERE merchant_id = $merchantId AND mail_id = $mailId AND attempts = $attempts AND state = 'pending'`,
);
const findOldest = statement(
  'sender-mail-store.find-oldest-due',
  `SELECT extract(epoch FROM statement_timestamp() - min(created_at))::float8 AS seconds FROM sender_mails
    WHERE state = 'pending' AND due_at <= statement_timestamp()`,
).rows<{ seconds: number | null }>();
const deleteOfUser = statement(
  'sender-mail-store.delete-of-user',
  'DELETE FROM sender_mails WHERE merchant_id = $merchantId AND user_id = $userId',
);
const listMerchantsToSweep = statement(
  'sender-mail-store.list-merchants-to-sweep',
  `SELECT merchant_id FROM (
     SELECT merchant_id, created_at FROM sender_mails
      WHERE created_at < statement_timestamp() - make_interval(days => $keptDays) ORDER BY created_at LIMIT $limit) AS old
   GROUP BY merchant_id ORDER BY min(created_at)`,
).rows<{ merchant_id: bigint }>();
const sweepOld = statement(
  'sender-mail-store.sweep',
  `DELETE FROM sender_mails WHERE merchant_id = $merchantId AND mail_id = ANY (ARRAY(
     SELECT mail_id FROM sender_mails
      WHERE merchant_id = $merchantId AND created_at < statement_timestamp() - make_interval(days => $keptDays)
      LIMIT $limit FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS swept`,
).rows<{ swept: number }>();

/** Longer than an order is told anything new, so that nothing is told twice. */
const keptDays = 400;

export interface ClaimedSenderMail extends NewsOfOrder {
  readonly mailId: string;
  readonly attempts: number;
  readonly createdAt: Date;
}

/** False when the merchant wants no mails, or this was noted before. */
export async function addSenderMail(
  tx: Transaction,
  { merchantId: merchant, userId: user, orderId, news, asked }: NewsOfOrder,
): Promise<boolean> {
  const values = { merchantId: merchant, mailId: randomUUID(), userId: user, orderId, news, asked };
  return (await tx.query(insertMail, values)).length > 0;
}

/** Those that have waited longest first. */
export async function listMerchantsWithDueMails(database: Queryable, limit: number): Promise<MerchantId[]> {
  return (await database.query(listMerchantsWithMails, { limit })).map((row) => merchantId(row.merchant_id));
}

export async function claimSenderMails(
  tx: Transaction,
  merchant: MerchantId,
  { limit, leaseSeconds }: { readonly limit: number; readonly leaseSeconds: number },
): Promise<ClaimedSenderMail[]> {
  const rows = await tx.query(claimDue, { merchantId: merchant, limit, leaseSeconds });
  return rows.map((row) => ({
    merchantId: merchantId(row.merchant_id),
    mailId: row.mail_id,
    userId: userId(row.user_id),
    orderId: row.order_id,
    news: row.news,
    asked: row.asked,
    attempts: row.attempts,
    createdAt: row.created_at,
  }));
}

/** `locale` undefined: there was nothing to tell any more. */
export async function noteTold(tx: Transaction, mail: ClaimedSenderMail, locale: string | undefined): Promise<void> {
  const { merchantId: merchant, mailId, attempts } = mail;
  const state = locale === undefined ? 'dropped' : 'sent';
  await tx.query(setDone, { merchantId: merchant, mailId, attempts, state, locale: locale ?? null });
}

/** `againInSeconds` undefined: it has failed for good. */
export async function noteNotTold(
  tx: Transaction,
  mail: ClaimedSenderMail,
  error: string,
  againInSeconds: number | undefined,
): Promise<void> {
  const { merchantId: merchant, mailId, attempts } = mail;
  const values = { merchantId: merchant, mailId, attempts, error };
  if (againInSeconds === undefined) await tx.query(setFailed, values);
  else await tx.query(setRetry, { ...values, seconds: againInSeconds });
}

export async function oldestSenderMailSeconds(database: Queryable): Promise<number> {
  return (await database.query(findOldest))[0]?.seconds ?? 0;
}

export async function deleteSenderMailsOf(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(deleteOfUser, { merchantId: merchant, userId: user });
}

export function senderMailSweep(limit: number): MerchantSweep {
  return {
    due: (database) => database.query(listMerchantsToSweep, { keptDays, limit }),
    sweep: async (tx, merchant: TenantId) =>
      (await tx.query(sweepOld, { merchantId: merchant, keptDays, limit })).length,
  };
}
