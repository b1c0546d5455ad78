/** SQL on the client secrets of merchants. */
import type { GrantedScope } from '../../caller.js';
import { type MerchantId, merchantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { notBeforeSecond } from '../../tokens/not-before.js';
import { overlapDays, type Secret, type StoredSecret } from '../merchant.js';

interface SecretRow {
  secret_id: bigint;
  secret_hash: Buffer;
  made_by: Secret['madeBy'];
  name: string | null;
  scopes: GrantedScope[] | null;
  created_at: Date;
  is_recent: boolean;
}
interface ClientRow {
  merchant_id: bigint;
  status: string;
  not_before: number | null;
  secret_hash: Buffer | null;
  scopes: GrantedScope[] | null;
}

const findClient = statement(
  'merchants.find-credentials',
  `SELECT m.merchant_id, m.status, extract(epoch FROM m.tokens_not_before)::float8 AS not_before, s.secret_hash,
          s.scopes
     FROM merchants AS m LEFT JOIN merchant_secrets AS s ON s.merchant_id = m.merchant_id
    WHERE m.client_id = $clientId`,
).rows<ClientRow>();
const listSecretsOf = statement(
  'merchants.list-secrets',
  `SELECT secret_id, secret_hash, made_by, name, scopes, created_at,
          created_at > statement_timestamp() - make_interval(days => $recentDays) AS is_recent
     FROM merchant_secrets WHERE merchant_id = $merchantId ORDER BY secret_id DESC`,
).rows<SecretRow>();
const deleteSecrets = statement(
  'merchants.delete-secrets',
  `DELETE FROM merchant_secrets WHERE merchant_id = $merchantId AND secret_id = ANY ($secretIds::bigint[])
   RETURNING 1 AS deleted`,
).rows<{ deleted: number }>();
const insertSecret = statement(
  'merchants.insert-secret',
  `INSERT INTO merchant_secrets (merchant_id, secret_hash, made_by, name, scopes)
   VALUES ($merchantId, $secretHash, $madeBy, $name, $scopes) RETURNING secret_id`,
).rows<{ secret_id: bigint }>();

/** A secret by which a client proves who it is. */
export interface ClientSecret {
  readonly hash: Buffer;
  /** Undefined: all. */
  readonly scopes: readonly GrantedScope[] | undefined;
}

export interface Credentials {
  readonly merchantId: MerchantId;
  readonly isSuspended: boolean;
  /** Tokens issued up to this second are refused. */
  readonly notBefore: number;
  readonly secrets: readonly ClientSecret[];
}

export async function findClientCredentials(database: Queryable, clientId: string): Promise<Credentials | undefined> {
  const rows = await database.query(findClient, { clientId });
  const [client] = rows;
  if (!client) return undefined;
  return {
    merchantId: merchantId(client.merchant_id),
    isSuspended: client.status !== 'active',
    notBefore: notBeforeSecond(client.not_before),
    secrets: rows.flatMap(({ secret_hash: hash, scopes }) => (hash ? { hash, scopes: scopes ?? undefined } : [])),
  };
}

/** The live secrets of a merchant, the newest first. */
export async function listSecrets(database: Queryable, id: MerchantId): Promise<StoredSecret[]> {
  const rows = await database.query(listSecretsOf, { merchantId: id, recentDays: overlapDays });
  return rows.map((row) => ({
    secretId: String(row.secret_id),
    createdAt: row.created_at,
    madeBy: row.made_by,
    restricted: row.name === null || !row.scopes ? undefined : { name: row.name, scopes: row.scopes },
    hash: row.secret_hash,
    isRecent: row.is_recent,
  }));
}

/** Returns the id of the new secret. */
export async function addSecret(
  tx: Transaction,
  id: MerchantId,
  { hash, madeBy, restricted }: Pick<StoredSecret, 'hash' | 'madeBy' | 'restricted'>,
): Promise<string> {
  const [row] = await tx.query(insertSecret, {
    merchantId: id,
    secretHash: hash,
    madeBy,
    name: restricted?.name,
    scopes: restricted?.scopes,
  });
  if (!row) throw new Error('the secret was not stored');
  return String(row.secret_id);
}

/** Returns how many of them the merchant had. */
export async function dropSecrets(tx: Transaction, id: MerchantId, secretIds: readonly string[]): Promise<number> {
  return secretIds.length === 0 ? 0 : (await tx.query(deleteSecrets, { merchantId: id, secretIds })).length;
}
