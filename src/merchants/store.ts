/** SQL on the merchants. */
import { instanceTenant, type MerchantId, merchantId, type TenantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { notBeforeSecond } from '../tokens/not-before.js';
import type { Branding, Merchant, MerchantSettings, NotifySenders } from './merchant.js';

interface MerchantRow {
  merchant_id: bigint;
  client_id: string;
  name: string;
  status: 'active' | 'suspended';
  allowed_origins: string[];
  redirect_urls: string[];
  branding: Branding;
  notify_senders: NotifySenders;
  created_at: Date;
}

const columns =
  'merchant_id, client_id, name, status, allowed_origins, redirect_urls, branding, notify_senders, created_at' as const;

const insertMerchant = statement(
  'merchants.insert',
  `INSERT INTO merchants (client_id, name, allowed_origins, redirect_urls, branding, notify_senders)
   VALUES ($clientId, $name, $allowedOrigins, $redirectUrls, $branding, $notifySenders)
     ON CONFLICT (client_id) DO NOTHING RETURNING merchant_id`,
).rows<{ merchant_id: bigint }>();
const updateMerchant = statement(
  'merchants.update',
  `UPDATE merchants SET name = $name, allowed_origins = $allowedOrigins, redirect_urls = $redirectUrls,
     branding = $branding, notify_senders = $notifySenders
    WHERE merchant_id = $merchantId`,
);
const updateStatus = statement(
  'merchants.update-status',
  'UPDATE merchants SET status = $status WHERE merchant_id = $merchantId',
);
const endTokens = statement(
  'merchants.end-tokens',
  `UPDATE merchants SET tokens_not_before = greatest(statement_timestamp(),
            (tokens_not_before AT TIME ZONE 'UTC' + interval '1 second') AT TIME ZONE 'UTC')
    WHERE merchant_id = $merchantId`,
);
const lockByClientId = statement(
  'merchants.lock-by-client-id',
  `SELECT ${columns}
     FROM merchants WHERE client_id = $clientId FOR UPDATE`,
).rows<MerchantRow>();
const lockById = statement(
  'merchants.lock-by-id',
  `SELECT ${columns}
     FROM merchants WHERE merchant_id = $merchantId FOR UPDATE`,
).rows<MerchantRow>();
const findByClientId = statement(
  'merchants.find-by-client-id',
  `SELECT ${columns}
     FROM merchants WHERE client_id = $clientId`,
).rows<MerchantRow>();
const findById = statement(
  'merchants.find-by-id',
  `SELECT ${columns}
     FROM merchants WHERE merchant_id = $merchantId`,
).rows<MerchantRow>();
const listAll = statement(
  'merchants.list',
  `SELECT ${columns}
     FROM merchants WHERE merchant_id > $after ORDER BY merchant_id LIMIT $limit`,
).rows<MerchantRow>();
const listClientIds = statement(
  'merchants.list-client-ids',
  'SELECT merchant_id, client_id FROM merchants WHERE merchant_id = ANY ($merchants)',
).rows<{ merchant_id: bigint; client_id: string }>();
/** The conditions are those of two partial indexes, so merchants in good standing are not read. */
const listStatuses = statement(
  'merchants.list-statuses',
  `SELECT merchant_id, status = 'suspended' AS is_suspended, extract(epoch
     FROM tokens_not_before)::float8 AS not_before
     FROM merchants
    WHERE status = 'suspended'
       OR (tokens_not_before > '-infinity'
         AND tokens_not_before > statement_timestamp() - make_interval(secs => $recentSeconds))`,
).rows<{ merchant_id: bigint; is_suspended: boolean; not_before: number | null }>();

/** Undefined when the client id is taken. */
export async function addMerchant(
  tx: Transaction,
  clientId: string,
  settings: MerchantSettings,
): Promise<MerchantId | undefined> {
  const [row] = await tx.query(insertMerchant, { clientId, ...valuesOf(settings) });
  return row && merchantId(row.merchant_id);
}

export async function saveMerchant(tx: Transaction, id: MerchantId, settings: MerchantSettings): Promise<void> {
  await tx.query(updateMerchant, { merchantId: id, ...valuesOf(settings) });
}

export async function saveStatus(tx: Transaction, id: MerchantId, status: Merchant['status']): Promise<void> {
  await tx.query(updateStatus, { merchantId: id, status });
}

export async function endMerchantTokens(tx: Transaction, id: MerchantId): Promise<void> {
  await tx.query(endTokens, { merchantId: id });
}

export async function lockMerchant(tx: Transaction, clientId: string): Promise<Merchant | undefined> {
  return toMerchant((await tx.query(lockByClientId, { clientId }))[0]);
}

export async function lockMerchantById(tx: Transaction, id: MerchantId): Promise<Merchant | undefined> {
  return toMerchant((await tx.query(lockById, { merchantId: id }))[0]);
}

export async function findMerchant(database: Queryable, clientId: string): Promise<Merchant | undefined> {
  return toMerchant((await database.query(findByClientId, { clientId }))[0]);
}

export async function findMerchantById(database: Queryable, id: MerchantId): Promise<Merchant | undefined> {
  return toMerchant((await database.query(findById, { merchantId: id }))[0]);
}

export async function listMerchants(database: Queryable, after: number, atMost: number): Promise<Merchant[]> {
  const rows = await database.query(listAll, { after, limit: atMost });
  return rows.flatMap((row) => toMerchant(row) ?? []);
}

/** The client ids of those of these tenants that are merchants. */
export async function clientIdsOf(
  database: Queryable,
  tenants: readonly TenantId[],
): Promise<ReadonlyMap<TenantId, string>> {
  const merchants = [...new Set(tenants)].filter((tenant) => tenant !== instanceTenant);
  const rows = merchants.length === 0 ? [] : await database.query(listClientIds, { merchants });
  return new Map(rows.map((row) => [merchantId(row.merchant_id), row.client_id]));
}

export interface MerchantStatusRow {
  readonly merchantId: MerchantId;
  readonly isSuspended: boolean;
  /** Tokens issued up to this second are refused. */
  readonly notBefore: number;
}

/** The merchants whose tokens may be refused: suspended ones, and those whose tokens were ended recently. */
export async function listMerchantStatuses(database: Queryable, recentSeconds: number): Promise<MerchantStatusRow[]> {
  const rows = await database.query(listStatuses, { recentSeconds });
  return rows.map((row) => ({
    merchantId: merchantId(row.merchant_id),
    isSuspended: row.is_suspended,
    notBefore: notBeforeSecond(row.not_before),
  }));
}

function valuesOf({ name, allowedOrigins, redirectUrls, branding, notifySenders }: MerchantSettings) {
  return { name, allowedOrigins, redirectUrls, branding: JSON.stringify(branding), notifySenders };
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
      notifySenders: row.notify_senders,
      createdAt: row.created_at,
    }
  );
}
