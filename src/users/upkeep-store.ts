/** SQL that ends retentions, merchant by merchant. */
import { type MerchantId, merchantId, userId } from '../ids.js';
import { merchantNow, nowByClock } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { KeyOwner } from './user-keys.js';

interface DueRow {
  merchant_id: bigint;
  user_id: bigint;
}
const listDue = statement(
  'upkeep-store.list-due-retentions',
  `SELECT erasure.merchant_id, erasure.user_id
     FROM erasures AS erasure LEFT JOIN merchant_clocks AS clock ON clock.merchant_id = erasure.merchant_id
    WHERE erasure.retained_until <= ${nowByClock}
      AND erasure.retention_ended_at IS NULL AND erasure.user_id <> ALL ($userIds)
      AND ($merchantId::bigint IS NULL OR erasure.merchant_id = $merchantId)
    ORDER BY erasure.retained_until LIMIT $limit`,
).rows<DueRow>();
const findNext = statement(
  'upkeep-store.find-next-retention',
  `SELECT date_trunc('milliseconds', min(retained_until) + interval '999 microseconds') AS at FROM erasures
    WHERE merchant_id = $merchantId AND retention_ended_at IS NULL AND retained_until > $after`,
).rows<{ at: Date | null }>();
const findDue = statement(
  'upkeep-store.find-due-retention',
  `SELECT EXISTS (SELECT FROM erasures
     WHERE merchant_id = $merchantId AND retention_ended_at IS NULL AND retained_until <= ${merchantNow}) AS is_due`,
).rows<{ is_due: boolean }>();
const lockDueRetention = statement(
  'upkeep-store.lock-due-retention',
  `SELECT user_id FROM erasures
    WHERE merchant_id = $merchantId AND user_id = $userId AND retained_until <= ${merchantNow}
      AND retention_ended_at IS NULL FOR UPDATE SKIP LOCKED`,
).rows<{ user_id: bigint }>();
const endRetentionOf = statement(
  'upkeep-store.end-retention',
  `WITH ended AS (
     UPDATE erasures SET retention_ended_at = ${merchantNow}
      WHERE merchant_id = $merchantId AND user_id = $userId AND retention_ended_at IS NULL
     RETURNING merchant_id, user_id)
   UPDATE users AS u SET retained_profile = NULL FROM ended
    WHERE u.merchant_id = $merchantId AND u.merchant_id = ended.merchant_id AND u.user_id = ended.user_id`,
);

/** Names an erased user of any merchant. */
export type DueRetention = KeyOwner;

export async function listDueRetentions(
  database: Queryable,
  except: readonly DueRetention[],
  atMost: number,
  /** Undefined: of all merchants. */
  merchant: MerchantId | undefined,
): Promise<DueRetention[]> {
  const rows = await database.query(listDue, {
    userIds: except.map(({ userId }) => userId),
    limit: atMost,
    merchantId: merchant ?? null,
  });
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), userId: userId(row.user_id) }));
}

/** When the retention of an erased user of the merchant ends next, later than this moment. */
export async function nextDueRetention(
  database: Queryable,
  merchant: MerchantId,
  after: Date,
): Promise<Date | undefined> {
  return (await database.query(findNext, { merchantId: merchant, after }))[0]?.at ?? undefined;
}

export async function hasDueRetention(database: Queryable, merchant: MerchantId): Promise<boolean> {
  return (await database.query(findDue, { merchantId: merchant }))[0]?.is_due ?? false;
}

/** Returns false when the retention has ended already or another worker is ending it. */
export async function endDueRetention(
  tx: Transaction,
  { merchantId: merchant, userId: user }: DueRetention,
): Promise<boolean> {
  const due = { merchantId: merchant, userId: user };
  if ((await tx.query(lockDueRetention, due)).length === 0) return false;
  await tx.query(endRetentionOf, due);
  return true;
}

const listErasures = statement(
  'upkeep-store.list-erasures',
  `SELECT merchant_id, user_id, erased_at FROM erasures
    WHERE (merchant_id, user_id) > ($afterMerchant::bigint, $afterUser::bigint) ORDER BY merchant_id, user_id LIMIT $limit`,
).rows<DueRow & { erased_at: Date }>();
const addRestored = statement(
  'upkeep-store.add-restored-erasure',
  `INSERT INTO restored_erasures (merchant_id, user_id, erased_at)
   SELECT merchant_id, user_id, $erasedAt::timestamptz FROM users
    WHERE merchant_id = $merchantId AND user_id = $userId AND status = 'active'
       ON CONFLICT (merchant_id, user_id) DO NOTHING`,
);
const listRestored = statement(
  'upkeep-store.list-restored-erasures',
  `SELECT merchant_id, user_id FROM restored_erasures WHERE user_id <> ALL ($userIds) ORDER BY merchant_id, user_id LIMIT $limit`,
).rows<DueRow>();
const takeRestored = statement(
  'upkeep-store.take-restored-erasure',
  'DELETE FROM restored_erasures WHERE merchant_id = $merchantId AND user_id = $userId RETURNING user_id',
).rows<{ user_id: bigint }>();

export interface Erasure extends KeyOwner {
  readonly erasedAt: Date;
}

/** All erased users of the instance, in pages. */
export async function* allErasures(database: Queryable, pageSize = 1000): AsyncGenerator<Erasure> {
  let [afterMerchant, afterUser] = [0n, 0n];
  for (;;) {
    const rows = await database.query(listErasures, { afterMerchant, afterUser, limit: pageSize });
    for (const row of rows)
      yield { merchantId: merchantId(row.merchant_id), userId: userId(row.user_id), erasedAt: row.erased_at };
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    [afterMerchant, afterUser] = [last.merchant_id, last.user_id];
  }
}

/** The job erases the user again, if it is there and active. */
export async function addRestoredErasure(tx: Transaction, erasure: Erasure): Promise<void> {
  const { merchantId: merchant, userId: user, erasedAt } = erasure;
  await tx.query(addRestored, { merchantId: merchant, userId: user, erasedAt });
}

export async function listRestoredErasures(
  database: Queryable,
  except: readonly KeyOwner[],
  atMost: number,
): Promise<KeyOwner[]> {
  const rows = await database.query(listRestored, { userIds: except.map(({ userId }) => userId), limit: atMost });
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), userId: userId(row.user_id) }));
}

/** Returns false when another worker has it. */
export async function takeRestoredErasure(tx: Transaction, owner: KeyOwner): Promise<boolean> {
  return (await tx.query(takeRestored, { merchantId: owner.merchantId, userId: owner.userId })).length > 0;
}
