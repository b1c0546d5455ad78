/** SQL on the merchants and their secrets. */
import { type MerchantId, merchantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { notBeforeSecond } from '../tokens/not-before.js';
import type { Branding, Merchant, MerchantSettings } from './merchant.js';

interface MerchantRow {
  merchant_id: bigint;
  client_id: string;
  name: string;
  status: 'active' | 'suspended';
  allowed_origins: string[];
  redirect_urls: string[];
  branding: Branding;
  created_at: Date;
}

const columns = `merchant_id, client_id, name, status, allowed_origins, redirect_urls, branding, created_at`;

const insertMerchant = statement<{ merchant_id: bigint }>(
  'merchants.insert',
  `INSERT INTO merchants (client_id, name, allowed_origins, redirect_urls, branding)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT (client_id) DO NOTHING RETURNING merchant_id`,
);
const updateMerchant = statement(
  'merchants.update',
  `UPDATE merchants SET name = $2, allowed_origins = $3, redirect_urls = $4, branding = $5
    WHERE merchant_id = $1`,
);
const updateStatus = statement(
  'merchants.update-status',
  'UPDATE merchants SET status = $2 WHERE merchant_id = $1',
);
const endTokens = statement(
  'merchants.end-tokens',
  `UPDATE merchants SET tokens_not_before = greatest(statement_timestamp(),
            (tokens_not_before AT TIME ZONE 'UTC' + interval '1 second') AT TIME ZONE 'UTC')
    WHERE merchant_id = $1`,
);
const lockByClientId = statement<MerchantRow>(
  'merchants.lock-by-client-id',
  `SELECT ${columns}
     FROM merchants WHERE client_id = $1 FOR UPDATE`,
);
const findByClientId = statement<MerchantRow>(
  'merchants.find-by-client-id',
  `SELECT ${columns}
     FROM merchants WHERE client_id = $1`,
);
const findById = statement<MerchantRow>(
  'merchants.find-by-id',
  `SELECT ${columns}
     FROM merchants WHERE merchant_id = $1`,
);
const listAll = statement<MerchantRow>(
  'merchants.list',
  `SELECT ${columns}
     FROM merchants WHERE merchant_id > $1 ORDER BY merchant_id LIMIT $2`,
);
const listClientIds = statement<{ merchant_id: bigint; client_id: string }>(
  'merchants.list-client-ids',
  'SELECT merchant_id, client_id FROM merchants WHERE merchant_id = ANY ($1)',
);
interface CredentialsRow {
  merchant_id: bigint;
  status: string;
  not_before: number | null;
  hashes: Buffer[];
}

const findCredentials = statement<CredentialsRow>(
  'merchants.find-credentials',
  `SELECT m.merchant_id, m.status, extract(epoch FROM m.tokens_not_before)::float8 AS not_before,
          coalesce(array_agg(s.secret_hash) FILTER (WHERE s.secret_hash IS NOT NULL), '{}') AS hashes
     FROM merchants AS m LEFT JOIN merchant_secrets AS s ON s.merchant_id = m.merchant_id
    WHERE m.client_id = $1 GROUP BY m.merchant_id, m.status`,
);
const insertSecret = statement(
  'merchants.insert-secret',
  'INSERT INTO merchant_secrets (merchant_id, secret_hash) VALUES ($1, $2)',
);
const keepNewestSecrets = statement(
  'merchants.keep-newest-secrets',
  `DELETE FROM merchant_secrets WHERE merchant_id = $1 AND secret_id NOT IN (
     SELECT secret_id FROM merchant_secrets WHERE merchant_id = $1 ORDER BY secret_id DESC LIMIT $2)`,
);
/** The conditions are those of two partial indexes, so merchants in good standing are not read. */
const listStatuses = statement<{ merchant_id: bigint; is_suspended: boolean; not_before: number | null }>(
  'merchants.list-statuses',
  `SELECT merchant_id, status = 'suspended' AS is_suspended, extract(epoch FROM tokens_not_before)::float8 AS not_before
     FROM merchants
    WHERE status = 'suspended'
       OR (tokens_not_before > '-infinity' AND tokens_not_before > statement_timestamp() - make_interval(secs => $1))`,
);

/** Undefined when the client id is taken. */
export async function addMerchant(
  tx: Transaction,
  clientId: string,
  settings: MerchantSettings,
): Promise<MerchantId | undefined> {
  const [row] = await tx.query(insertMerchant, [clientId, ...valuesOf(settings)]);
  return row && merchantId(row.merchant_id);
}

export async function saveMerchant(
  tx: Transaction,
  id: MerchantId,
  settings: MerchantSettings,
): Promise<void> {
  await tx.query(updateMerchant, [id, ...valuesOf(settings)]);
}

export async function saveStatus(tx: Transaction, id: MerchantId, status: Merchant['status']): Promise<void> {
  await tx.query(updateStatus, [id, status]);
}

export async function endMerchantTokens(tx: Transaction, id: MerchantId): Promise<void> {
  await tx.query(endTokens, [id]);
}

export async function lockMerchant(tx: Transaction, clientId: string): Promise<Merchant | undefined> {
  return toMerchant((await tx.query(lockByClientId, [clientId]))[0]);
}

export async function findMerchant(database: Queryable, clientId: string): Promise<Merchant | undefined> {
  return toMerchant((await database.query(findByClientId, [clientId]))[0]);
}

export async function findMerchantById(database: Queryable, id: MerchantId): Promise<Merchant | undefined> {
  return toMerchant((await database.query(findById, [id]))[0]);
}

export async function listMerchants(database: Queryable, after: number, atMost: number): Promise<Merchant[]> {
  const rows = await database.query(listAll, [after, atMost]);
  return rows.flatMap((row) => toMerchant(row) ?? []);
}

/** The client ids of these merchants. */
export async function listClientIdsOf(
  database: Queryable,
  merchants: readonly MerchantId[],
): Promise<{ merchantId: MerchantId; clientId: string }[]> {
  const rows = await database.query(listClientIds, [merchants]);
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), clientId: row.client_id }));
}

export interface Credentials {
  readonly merchantId: MerchantId;
  readonly isSuspended: boolean;
  /** Tokens issued up to this second are refused. */
  readonly notBefore: number;
  readonly secretHashes: readonly Buffer[];
}

export async function findClientCredentials(
  database: Queryable,
  clientId: string,
): Promise<Credentials | undefined> {
  const [row] = await database.query(findCredentials, [clientId]);
  if (!row) return undefined;
  return {
    merchantId: merchantId(row.merchant_id),
    isSuspended: row.status !== 'active',
    notBefore: notBeforeSecond(row.not_before),
    secretHashes: row.hashes,
  };
}

/** Adds a secret and deletes all but the newest `keepAtMost`. */
export async function addSecret(
  tx: Transaction,
  id: MerchantId,
  secretHash: Buffer,
  keepAtMost: number,
): Promise<void> {
  await tx.query(insertSecret, [id, secretHash]);
  await tx.query(keepNewestSecrets, [id, keepAtMost]);
}

export interface MerchantStatusRow {
  readonly merchantId: MerchantId;
  readonly isSuspended: boolean;
  /** Tokens issued up to this second are refused. */
  readonly notBefore: number;
}

/** The merchants whose tokens may be refused: suspended ones, and those whose tokens were ended recently. */
export async function listMerchantStatuses(
  database: Queryable,
  recentSeconds: number,
): Promise<MerchantStatusRow[]> {
  const rows = await database.query(listStatuses, [recentSeconds]);
  return rows.map((row) => ({
    merchantId: merchantId(row.merchant_id),
    isSuspended: row.is_suspended,
    notBefore: notBeforeSecond(row.not_before),
  }));
}

function valuesOf(settings: MerchantSettings): unknown[] {
  const { name, allowedOrigins, redirectUrls, branding } = settings;
  return [name, allowedOrigins, redirectUrls, JSON.stringify(branding)];
}

function toMerchant(row: MerchantRow | undefined): Merchant | undefined {
  return (
    row && {
      merchantId: merchantId(row.merchant_id),
      clientId: row.client_id,
      name: row.name,
      status: row.status,
      allowedOrigins: row.allowed_origins,
      redirectUrls: row.redirect_urls,
      branding: row.branding,
      createdAt: row.created_at,
    }
  );
}
