/** SQL on form tokens. They live in real time, not by the merchant's clock. */
import type { TokenPlace } from '../../hosted-pages/link-token.js';
import { type MerchantId, merchantId, type UserId, userId } from '../../ids.js';
import type { Locale } from '../../locale.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { MerchantSweep } from '../../worker/by-merchant.js';
import type { KycCase } from '../cases/case.js';
import { rememberedDays, statusDays, writeHoursAtMost, writeMinutes } from './form-token.js';

export interface FormToken {
  readonly merchantId: MerchantId;
  readonly tokenHash: Buffer;
  readonly purpose: 'write' | 'status';
  readonly caseId: string;
  readonly userId: UserId;
  readonly locale: Locale | undefined;
  readonly redirectUrl: string | undefined;
  /** Shows nothing that was entered before the last request. */
  readonly isBlank: boolean;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
  readonly isConsumed: boolean;
}

interface FormTokenRow {
  merchant_id: bigint;
  purpose: 'write' | 'status';
  case_id: string;
  user_id: bigint;
  locale: Locale | null;
  redirect_url: string | null;
  is_blank: boolean;
  expires_at: Date;
  is_expired: boolean;
  is_consumed: boolean;
}

const insert = statement(
  'form-token-store.insert',
  `INSERT INTO kyc_capabilities (merchant_id, token_hash, purpose, case_id, user_id, locale, redirect_url,
     is_blank, expires_at, ends_at)
   SELECT $merchantId, $tokenHash, $purpose, $caseId, $userId, $locale, $redirectUrl, $isBlank,
     now.at + make_interval(mins => $minutes), now.at + make_interval(mins => $minutesAtMost)
     FROM (SELECT clock_timestamp() AS at) AS now
   RETURNING expires_at`,
).rows<{ expires_at: Date }>();
const columns = `merchant_id, purpose, case_id, user_id, locale, redirect_url, is_blank, expires_at,
  expires_at <= clock_timestamp() AS is_expired, consumed_at IS NOT NULL AS is_consumed`;
const find = statement(
  'form-token-store.find',
  `SELECT ${columns} FROM kyc_capabilities WHERE merchant_id = $merchantId AND token_hash = $tokenHash`,
).rows<FormTokenRow>();
const extend = statement(
  'form-token-store.extend',
  `UPDATE kyc_capabilities SET expires_at = least(statement_timestamp() + make_interval(mins => $writeMinutes),
     ends_at)
    WHERE merchant_id = $merchantId AND token_hash = $tokenHash RETURNING expires_at`,
).rows<{ expires_at: Date }>();
const consumeOfCase = statement(
  'form-token-store.consume-of-case',
  `UPDATE kyc_capabilities SET consumed_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND case_id = $caseId AND purpose = 'write' AND consumed_at IS NULL`,
);
const expireWritesOfUser = statement(
  'form-token-store.expire-writes-of-user',
  `UPDATE kyc_capabilities SET expires_at = least(expires_at, statement_timestamp())
    WHERE merchant_id = $merchantId AND user_id = $userId AND purpose = 'write'`,
);
const deleteOfUser = statement(
  'form-token-store.delete-of-user',
  'DELETE FROM kyc_capabilities WHERE merchant_id = $merchantId AND user_id = $userId',
);
const listMerchantsToSweep = statement(
  'form-token-store.list-merchants-to-sweep',
  `SELECT merchant_id FROM (
     SELECT merchant_id, expires_at FROM kyc_capabilities
      WHERE expires_at < statement_timestamp() - make_interval(days => $rememberedDays)
        ORDER BY expires_at LIMIT $limit) AS due
   GROUP BY merchant_id ORDER BY min(expires_at)`,
).rows<{ merchant_id: bigint }>();
const sweep = statement(
  'form-token-store.sweep',
  `DELETE FROM kyc_capabilities WHERE merchant_id = $merchantId AND token_hash = ANY (ARRAY(
     SELECT token_hash FROM kyc_capabilities
      WHERE merchant_id = $merchantId
        AND expires_at < statement_timestamp() - make_interval(days => $rememberedDays)
      LIMIT $limit FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS swept`,
).rows<{ swept: number }>();

export async function addFormToken(
  tx: Transaction,
  kycCase: KycCase,
  newToken: {
    readonly purpose: 'write' | 'status';
    readonly tokenHash: Buffer;
    readonly locale: Locale | undefined;
    readonly redirectUrl: string | undefined;
    readonly isBlank?: boolean;
  },
): Promise<Date> {
  const { purpose, tokenHash, locale, redirectUrl, isBlank = false } = newToken;
  const [minutes, minutesAtMost] =
    purpose === 'write' ? [writeMinutes, writeHoursAtMost * 60] : [statusDays * 1440, statusDays * 1440];
  const [row] = await tx.query(insert, {
    merchantId: kycCase.merchantId,
    tokenHash,
    purpose,
    caseId: kycCase.caseId,
    userId: kycCase.userId,
    locale: locale ?? null,
    redirectUrl: redirectUrl ?? null,
    isBlank,
    minutes,
    minutesAtMost,
  });
  if (!row) throw new Error('the form token was not written');
  return row.expires_at;
}

/** The token itself identifies the merchant, the case and the user. */
export async function findFormToken(
  database: Queryable,
  { merchantId, tokenHash }: TokenPlace,
  purpose: FormToken['purpose'],
): Promise<FormToken | undefined> {
  const [row] = await database.query(find, { merchantId, tokenHash });
  return row?.purpose === purpose ? toFormToken(tokenHash, row) : undefined;
}

/** Reads the token again, after the case was locked or read. */
export async function refindFormToken(database: Queryable, known: FormToken): Promise<FormToken | undefined> {
  const [row] = await database.query(find, known);
  return toFormToken(known.tokenHash, row);
}

export async function extendFormToken(tx: Transaction, formToken: FormToken): Promise<Date> {
  const [row] = await tx.query(extend, {
    merchantId: formToken.merchantId,
    tokenHash: formToken.tokenHash,
    writeMinutes,
  });
  return row?.expires_at ?? formToken.expiresAt;
}

/** Consumes every write token of the case, so that other open links report that the form was submitted. */
export async function consumeWriteTokens(tx: Transaction, kycCase: KycCase): Promise<void> {
  await tx.query(consumeOfCase, kycCase);
}

export async function expireWriteTokens(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(expireWritesOfUser, { merchantId: merchant, userId: user });
}

export async function deleteFormTokens(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(deleteOfUser, { merchantId: merchant, userId: user });
}

/** Deletes links that ended long ago. */
export function formTokenSweep(atMost: number): MerchantSweep {
  return {
    due: (database) => database.query(listMerchantsToSweep, { rememberedDays, limit: atMost }),
    sweep: async (tx, merchant) =>
      (await tx.query(sweep, { merchantId: merchant, rememberedDays, limit: atMost })).length,
  };
}

function toFormToken(tokenHash: Buffer, row: FormTokenRow | undefined): FormToken | undefined {
  return (
    row && {
      merchantId: merchantId(row.merchant_id),
      tokenHash,
      purpose: row.purpose,
      caseId: row.case_id,
      userId: userId(row.user_id),
      locale: row.locale ?? undefined,
      redirectUrl: row.redirect_url ?? undefined,
      isBlank: row.is_blank,
      expiresAt: row.expires_at,
      isExpired: row.is_expired,
      isConsumed: row.is_consumed,
    }
  );
}
