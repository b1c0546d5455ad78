/** SQL on the secrets that sign notifications. */
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';

export interface SealedSecret {
  readonly secretId: string;
  readonly sealed: Buffer;
}

const lockOfMerchant = statement(
  'secret-store.lock',
  'SELECT merchant_id FROM merchants WHERE merchant_id = $merchantId FOR NO KEY UPDATE',
);
const findExpiring = statement(
  'secret-store.find-expiring',
  `SELECT expires_at FROM webhook_secrets
    WHERE merchant_id = $merchantId AND expires_at > clock_timestamp() AND expires_at < 'infinity'
    ORDER BY expires_at DESC LIMIT 1`,
).rows<{ expires_at: Date }>();
const expireAll = statement(
  'secret-store.expire-all',
  `UPDATE webhook_secrets SET expires_at = date_trunc('milliseconds',
     statement_timestamp() + make_interval(hours => $inHours))
    WHERE merchant_id = $merchantId AND expires_at > statement_timestamp() RETURNING expires_at`,
).rows<{ expires_at: Date }>();
const deleteExpired = statement(
  'secret-store.delete-expired',
  'DELETE FROM webhook_secrets WHERE merchant_id = $merchantId AND expires_at <= statement_timestamp()',
);
const insertSecret = statement(
  'secret-store.insert',
  `INSERT INTO webhook_secrets (merchant_id, secret_id, sealed_secret)
     VALUES ($merchantId, $secretId, $sealedSecret)`,
);
const listLive = statement(
  'secret-store.list-live',
  `SELECT created_at, nullif(expires_at, 'infinity') AS expires_at FROM webhook_secrets
    WHERE merchant_id = $merchantId AND expires_at > clock_timestamp() ORDER BY created_at DESC`,
).rows<{ created_at: Date; expires_at: Date | null }>();
const listSigning = statement(
  'secret-store.list-signing',
  `SELECT secret_id, sealed_secret FROM webhook_secrets
    WHERE merchant_id = $merchantId AND expires_at > statement_timestamp() ORDER BY created_at DESC, secret_id`,
).rows<{ secret_id: string; sealed_secret: Buffer }>();

/** Serialises rotations of a merchant until the transaction ends. */
export async function lockSecrets(tx: Transaction, merchant: MerchantId): Promise<void> {
  await tx.query(lockOfMerchant, { merchantId: merchant });
}

/** Returns when the previous secret expires, if it still signs. */
export async function findExpiringSecret(tx: Transaction, merchant: MerchantId): Promise<Date | undefined> {
  return (await tx.query(findExpiring, { merchantId: merchant }))[0]?.expires_at;
}

export async function expireSecrets(tx: Transaction, merchant: MerchantId, inHours: number): Promise<Date | undefined> {
  const [row] = await tx.query(expireAll, { merchantId: merchant, inHours });
  await tx.query(deleteExpired, { merchantId: merchant });
  return row?.expires_at;
}

export async function addSecret(tx: Transaction, merchant: MerchantId, secret: SealedSecret): Promise<void> {
  await tx.query(insertSecret, {
    merchantId: merchant,
    secretId: secret.secretId,
    sealedSecret: secret.sealed,
  });
}

export interface LiveSecret {
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
}

export async function listLiveSecrets(database: Queryable, merchant: MerchantId): Promise<LiveSecret[]> {
  const rows = await database.query(listLive, { merchantId: merchant });
  return rows.map((row) => ({ createdAt: row.created_at, expiresAt: row.expires_at ?? undefined }));
}

/** The secrets that sign now, the newest first. */
export async function listSigningSecrets(database: Queryable, merchantId: MerchantId): Promise<SealedSecret[]> {
  const rows = await database.query(listSigning, { merchantId });
  return rows.map((row) => ({ secretId: row.secret_id, sealed: row.sealed_secret }));
}
