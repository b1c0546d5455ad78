/** SQL on the signing keys and revoked tokens. Both belong to the whole instance. */
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { PublicJwk, SigningKey } from './signing-key.js';

interface KeyRow {
  key_id: string;
  public_key: PublicJwk;
  sealed_key: Buffer;
  activates_at: Date;
  /** The driver reads `infinity` as a number. */
  expires_at: Date | number;
}

const listKeys = statement(
  'tokens.list-keys',
  `SELECT key_id, public_key, sealed_key, activates_at, expires_at FROM signing_keys
    WHERE expires_at > clock_timestamp() ORDER BY activates_at`,
).rows<KeyRow>();
const insertKey = statement(
  'tokens.insert-key',
  `INSERT INTO signing_keys (key_id, public_key, sealed_key, activates_at)
   VALUES ($keyId, $publicKey, $sealedKey, clock_timestamp() + make_interval(secs => $activatesInSeconds))`,
);
const expireOthers = statement(
  'tokens.expire-others',
  `UPDATE signing_keys SET expires_at = least(expires_at, statement_timestamp() + make_interval(secs => $inSeconds))
    WHERE key_id <> $keyId RETURNING key_id`,
).rows<{ key_id: string }>();
const findAge = statement(
  'tokens.find-age-of-newest-key',
  `SELECT max(activates_at) < clock_timestamp() - make_interval(days => $days) AS is_old FROM signing_keys`,
).rows<{ is_old: boolean | null }>();
const sweepKeys = statement(
  'tokens.sweep-keys',
  `DELETE FROM signing_keys WHERE expires_at < statement_timestamp() - interval '1 day' RETURNING 1 AS swept`,
).rows<{ swept: number }>();
const insertRevocation = statement(
  'tokens.insert-revocation',
  'INSERT INTO revoked_tokens (token_id, expires_at) VALUES ($tokenId, $expiresAt) ON CONFLICT DO NOTHING',
);
const listRevoked = statement(
  'tokens.list-revoked',
  'SELECT token_id FROM revoked_tokens WHERE expires_at > clock_timestamp()',
).rows<{ token_id: string }>();
const sweepRevoked = statement(
  'tokens.sweep-revoked',
  'DELETE FROM revoked_tokens WHERE expires_at <= statement_timestamp() RETURNING 1 AS swept',
).rows<{ swept: number }>();

export async function listSigningKeys(database: Queryable): Promise<SigningKey[]> {
  const rows = await database.query(listKeys);
  return rows.map((row) => ({
    keyId: row.key_id,
    publicKey: row.public_key,
    sealedKey: row.sealed_key,
    activatesAt: row.activates_at,
    expiresAt: row.expires_at instanceof Date ? row.expires_at : undefined,
  }));
}

export async function addSigningKey(
  tx: Transaction,
  key: Pick<SigningKey, 'keyId' | 'publicKey' | 'sealedKey'>,
  activatesInSeconds: number,
): Promise<void> {
  await tx.query(insertKey, { ...key, publicKey: JSON.stringify(key.publicKey), activatesInSeconds });
}

export async function expireOtherKeys(tx: Transaction, keyId: string, inSeconds: number): Promise<string[]> {
  return (await tx.query(expireOthers, { keyId, inSeconds })).map((row) => row.key_id);
}

export async function isNewestKeyOlderThan(tx: Transaction, days: number): Promise<boolean> {
  const [row] = await tx.query(findAge, { days });
  return row?.is_old ?? false;
}

export async function addRevocation(tx: Transaction, tokenId: string, expiresAt: Date): Promise<void> {
  await tx.query(insertRevocation, { tokenId, expiresAt });
}

export async function listRevokedTokens(database: Queryable): Promise<ReadonlySet<string>> {
  return new Set((await database.query(listRevoked)).map((row) => row.token_id));
}

export async function sweepTokens(tx: Transaction): Promise<number> {
  const keys = await tx.query(sweepKeys);
  const revoked = await tx.query(sweepRevoked);
  return keys.length + revoked.length;
}
