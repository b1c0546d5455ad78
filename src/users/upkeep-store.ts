/** SQL of maintenance, merchant by merchant: ending retentions, wrapping keys again, shredding deleted keys. */
import { type MerchantId, merchantId, storedPublicId, type TenantId, type UserId, userId } from '../ids.js';
import { merchantNow, nowByClock } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { KeyPurpose, UserKey } from './personal-data.js';
import type { UserRef } from './user.js';

interface EndedRow {
  merchant_id: bigint;
  user_id: bigint;
  external_client_id: string;
}
interface OldKeyRow {
  external_client_id: string;
  purpose: KeyPurpose;
  master_key_version: number;
  wrapped_key: Buffer;
}

interface DueRow {
  merchant_id: bigint;
  user_id: bigint;
}
const listDue = statement<DueRow>(
  'upkeep-store.list-due-retentions',
  `SELECT erasure.merchant_id, erasure.user_id
     FROM erasures AS erasure LEFT JOIN merchant_clocks AS clock ON clock.merchant_id = erasure.merchant_id
    WHERE erasure.retained_until <= ${nowByClock}
      AND erasure.retention_ended_at IS NULL AND erasure.user_id <> ALL ($1)
      AND ($3::bigint IS NULL OR erasure.merchant_id = $3)
    ORDER BY erasure.retained_until LIMIT $2`,
);
const findNext = statement<{ at: Date | null }>(
  'upkeep-store.find-next-retention',
  `SELECT date_trunc('milliseconds', min(retained_until) + interval '999 microseconds') AS at FROM erasures
    WHERE merchant_id = $1 AND retention_ended_at IS NULL AND retained_until > $2`,
);
const findDue = statement<{ is_due: boolean }>(
  'upkeep-store.find-due-retention',
  `SELECT EXISTS (SELECT FROM erasures
     WHERE merchant_id = $1 AND retention_ended_at IS NULL AND retained_until <= ${merchantNow}) AS is_due`,
);
const lockDueRetention = statement<{ user_id: bigint }>(
  'upkeep-store.lock-due-retention',
  `SELECT user_id FROM erasures
    WHERE merchant_id = $1 AND user_id = $2 AND retained_until <= ${merchantNow} AND retention_ended_at IS NULL
      FOR UPDATE SKIP LOCKED`,
);
const endRetentionOf = statement<EndedRow>(
  'upkeep-store.end-retention',
  `WITH ended AS (
     UPDATE erasures SET retention_ended_at = ${merchantNow}
      WHERE merchant_id = $1 AND user_id = $2 AND retention_ended_at IS NULL
     RETURNING merchant_id, user_id)
   UPDATE users AS u SET retained_profile = NULL FROM ended
    WHERE u.merchant_id = $1 AND u.merchant_id = ended.merchant_id AND u.user_id = ended.user_id
   RETURNING u.merchant_id, u.user_id, u.external_client_id`,
);
export const listMerchantsWithOldKeys = statement<{ merchant_id: bigint }>(
  'upkeep-store.list-merchants-with-old-keys',
  `SELECT DISTINCT merchant_id
     FROM (SELECT merchant_id FROM user_keys WHERE master_key_version < $1 LIMIT $2) AS old_keys`,
);
const lockOldKeys = statement<OldKeyRow>(
  'upkeep-store.lock-old-keys',
  `SELECT external_client_id, purpose, master_key_version, wrapped_key FROM user_keys
    WHERE merchant_id = $1 AND master_key_version < $2 LIMIT $3 FOR UPDATE SKIP LOCKED`,
);
const listOwners = statement<EndedRow>(
  'upkeep-store.list-owners',
  'SELECT merchant_id, user_id, external_client_id FROM users WHERE merchant_id = $1 AND external_client_id = ANY ($2)',
);
const saveRewrapped = statement(
  'upkeep-store.save-rewrapped',
  `UPDATE user_keys AS k SET master_key_version = $2, wrapped_key = rewrapped.wrapped_key
     FROM unnest($3::text[], $4::text[], $5::bytea[]) AS rewrapped (external_client_id, purpose, wrapped_key)
    WHERE k.merchant_id = $1 AND k.external_client_id = rewrapped.external_client_id
      AND k.purpose = rewrapped.purpose`,
);
const findOldKey = statement<{ found: number }>(
  'upkeep-store.find-old-key',
  'SELECT 1 AS found FROM user_keys WHERE master_key_version < $1 LIMIT 1',
);
/**
 * The hour covers erasures that were dated before the last rewrite and committed after it began, and deleted rows that the
 * rewrite had to keep because an older transaction could still see them. A merchant's clock is never behind the real time.
 */
const findRecentErasure = statement<{ found: number }>(
  'upkeep-store.find-recent-erasure',
  `SELECT 1 AS found FROM erasures
    WHERE greatest(erased_at, retention_ended_at)
          > coalesce((SELECT keys_shredded_at - interval '1 hour' FROM instance), '-infinity') LIMIT 1`,
);
const updateShreddedAt = statement(
  'upkeep-store.update-shredded-at',
  'UPDATE instance SET keys_shredded_at = $1',
);
const findNow = statement<{ now: Date }>('upkeep-store.find-now', 'SELECT clock_timestamp() AS now');
/** Deleted rows stay in the file until their space is reused. Rewriting the table removes them. */
export const rewriteUserKeys = statement('upkeep-store.rewrite-user-keys', 'VACUUM (FULL) user_keys');

/** Names an erased user of any merchant. */
export interface DueRetention {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
}

/** Lists the retentions that have ended, without those in `except`. */
export async function listDueRetentions(
  database: Queryable,
  except: readonly DueRetention[],
  atMost: number,
  /** Undefined: of all merchants. */
  merchant: MerchantId | undefined,
): Promise<DueRetention[]> {
  const values = [except.map(({ userId }) => userId), atMost, merchant ?? null];
  const rows = await database.query(listDue, values);
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), userId: userId(row.user_id) }));
}

/** When the retention of an erased user of the merchant ends next, later than this moment. */
export async function nextDueRetention(
  database: Queryable,
  merchant: MerchantId,
  after: Date,
): Promise<Date | undefined> {
  return (await database.query(findNext, [merchant, after]))[0]?.at ?? undefined;
}

export async function hasDueRetention(database: Queryable, merchant: MerchantId): Promise<boolean> {
  return (await database.query(findDue, [merchant]))[0]?.is_due ?? false;
}

/** Undefined when the retention has ended already or another worker is ending it. */
export async function endDueRetention(tx: Transaction, due: DueRetention): Promise<UserRef | undefined> {
  const locked = await tx.query(lockDueRetention, [due.merchantId, due.userId]);
  if (locked.length === 0) return undefined;
  const [row] = await tx.query(endRetentionOf, [due.merchantId, due.userId]);
  return row && toRef(row);
}

/** Keys that are wrapped by an older master key. Leaves out those that another transaction has locked. */
export async function lockKeysBefore(
  tx: Transaction,
  merchant: TenantId,
  version: number,
  atMost: number,
): Promise<(UserRef & UserKey)[]> {
  const keys = await tx.query(lockOldKeys, [merchant, version, atMost]);
  const owners = await tx.query(listOwners, [merchant, keys.map((row) => row.external_client_id)]);
  const ownerOf = new Map(owners.map((row) => [row.external_client_id, toRef(row)]));
  return keys.map((row) => {
    const owner = ownerOf.get(row.external_client_id);
    if (!owner) throw new Error('a key belongs to no user');
    return { ...owner, purpose: row.purpose, version: row.master_key_version, wrapped: row.wrapped_key };
  });
}

export async function saveRewrappedKeys(
  tx: Transaction,
  merchant: TenantId,
  version: number,
  keys: readonly (UserRef & UserKey)[],
): Promise<void> {
  await tx.query(saveRewrapped, [
    merchant,
    version,
    keys.map((key) => key.externalClientId),
    keys.map((key) => key.purpose),
    keys.map((key) => key.wrapped),
  ]);
}

/** Whether a key is still wrapped by an older master key. */
export async function hasKeysBefore(tx: Transaction, version: number): Promise<boolean> {
  return (await tx.query(findOldKey, [version])).length > 0;
}

/** Whether a user was erased since the keys were last shredded. */
export async function wasAnyUserErased(database: Queryable): Promise<boolean> {
  return (await database.query(findRecentErasure)).length > 0;
}

export async function databaseTime(database: Queryable): Promise<Date> {
  const [row] = await database.query(findNow);
  return row?.now ?? new Date(0);
}

export async function recordShredding(tx: Transaction, at: Date): Promise<void> {
  await tx.query(updateShreddedAt, [at]);
}

function toRef(row: EndedRow): UserRef {
  return {
    merchantId: merchantId(row.merchant_id),
    userId: userId(row.user_id),
    externalClientId: storedPublicId('cli', row.external_client_id),
  };
}
