/** SQL on the users, their keys and their erasures, always within one merchant. */
import type { SelectedUser } from '../caller.js';
import { type MerchantId, storedPublicId, type UserId, userId } from '../ids.js';
import { merchantNow } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { markGroupKeys } from './keys/group-key-store.js';
import { columnsOf, type KeyRow, keyColumns, toUserKey, withGroupKey } from './keys/key-rows.js';
import { groupOf, type KeyPurpose, type UserKey, type WrappedUserKey } from './keys/user-key.js';
import type { User, UserRef } from './user.js';

interface FoundRow {
  user_id: bigint;
  external_client_id: string;
}

const findById = statement<FoundRow>(
  'users.find-by-id',
  `SELECT user_id, external_client_id FROM users WHERE merchant_id = $1 AND user_id = $2 AND status = 'active'`,
);
const findByExternalId = statement<FoundRow>(
  'users.find-by-external-id',
  `SELECT user_id, external_client_id FROM users
    WHERE merchant_id = $1 AND external_client_id = $2 AND status = 'active'`,
);
const findProfile = statement(
  'users.find-profile',
  `SELECT u.user_id, u.profile, u.external_client_id, ${keyColumns}
     FROM users AS u JOIN user_keys AS k
       ON k.merchant_id = u.merchant_id AND k.external_client_id = u.external_client_id AND k.purpose = 'profile'
     ${withGroupKey}
    WHERE u.merchant_id = $merchantId AND u.user_id = $userId AND u.status = 'active'`,
).rows<{ profile: Buffer } & FoundRow & KeyRow>();
const lockUser = statement<FoundRow & { profile: Buffer }>(
  'users.lock',
  `SELECT user_id, external_client_id, profile FROM users
    WHERE merchant_id = $1 AND user_id = $2 AND status = 'active' FOR UPDATE`,
);
const listKeys = statement<KeyRow>(
  'users.list-keys',
  `SELECT ${keyColumns} FROM user_keys AS k ${withGroupKey}
    WHERE k.merchant_id = $1 AND k.external_client_id = $2`,
);
const holdUser = statement<{ user_id: bigint }>(
  'users.hold',
  `SELECT user_id FROM users WHERE merchant_id = $1 AND user_id = $2 AND status = 'active' FOR SHARE`,
);
const lockUserId = statement<FoundRow>(
  'users.lock-id',
  `SELECT user_id, external_client_id FROM users
    WHERE merchant_id = $1 AND user_id = $2 AND status = 'active' FOR NO KEY UPDATE`,
);
const findKey = statement(
  'users.find-key',
  `SELECT u.user_id, u.external_client_id, ${keyColumns}
     FROM users AS u JOIN user_keys AS k
       ON k.merchant_id = u.merchant_id AND k.external_client_id = u.external_client_id AND k.purpose = $purpose
     ${withGroupKey}
    WHERE u.merchant_id = $merchantId AND u.user_id = $userId`,
).rows<KeyRow & FoundRow>();
const insertBeneficiaryKey = statement(
  'users.insert-beneficiary-key',
  `INSERT INTO user_keys (merchant_id, external_client_id, purpose, wrapped_key, master_key_version, key_group, generation,
                          destroyed_with)
   VALUES ($1, $2, 'beneficiaries', $3, $4, $5, $6, 'profile')`,
);
const updateProfile = statement(
  'users.update-profile',
  `WITH key AS (
     UPDATE user_keys SET wrapped_key = $5, master_key_version = $6, key_group = $7, generation = $8
      WHERE merchant_id = $1 AND external_client_id = $4 AND purpose = 'profile')
   UPDATE users SET profile = $3, updated_at = statement_timestamp() WHERE merchant_id = $1 AND user_id = $2`,
);
const eraseUser = statement(
  'users.erase',
  `UPDATE users SET status = 'deleted', profile = NULL, retained_profile = $3, updated_at = statement_timestamp()
    WHERE merchant_id = $1 AND user_id = $2`,
);
const destroyKeys = statement(
  'users.destroy-keys',
  'DELETE FROM user_keys WHERE merchant_id = $1 AND external_client_id = $2 AND purpose = ANY ($3)',
);
const insertErasure = statement(
  'users.insert-erasure',
  `INSERT INTO erasures (merchant_id, user_id, erased_at, retained_until)
   SELECT $1, $2, now.at, CASE WHEN $3 THEN now.at + make_interval(years => $4) END
     FROM (SELECT ${merchantNow} AS at) AS now`,
);
const listPage = statement<{ items: string | null; last: bigint | null; count: number }>(
  'users.list-page',
  `SELECT string_agg('{"id":' || user_id || ',"externalClientId":"' || external_client_id || '"}', ',' ORDER BY user_id) AS items,
          max(user_id) AS last, count(*)::int AS count
     FROM (SELECT user_id, external_client_id FROM users
            WHERE merchant_id = $1 AND user_id > $2 AND status = 'active' ORDER BY user_id LIMIT $3) AS page`,
);

export async function findUser(
  database: Queryable,
  merchant: MerchantId,
  selector: { readonly userId: UserId } | { readonly externalClientId: string },
): Promise<SelectedUser | undefined> {
  const [row] =
    'userId' in selector
      ? await database.query(findById, [merchant, selector.userId])
      : await database.query(findByExternalId, [merchant, selector.externalClientId]);
  return row && { id: userId(row.user_id), externalClientId: row.external_client_id };
}

export async function findSealedProfile(
  database: Queryable,
  merchant: MerchantId,
  id: UserId,
): Promise<(UserRef & { sealedProfile: Buffer; key: UserKey }) | undefined> {
  const [row] = await database.query(findProfile, { merchantId: merchant, userId: id });
  if (!row) return undefined;
  const externalClientId = storedPublicId('cli', row.external_client_id);
  return {
    merchantId: merchant,
    userId: id,
    externalClientId,
    sealedProfile: row.profile,
    key: toUserKey(row),
  };
}

export async function lockActiveUser(
  tx: Transaction,
  merchant: MerchantId,
  id: UserId,
): Promise<User | undefined> {
  const [row] = await tx.query(lockUser, [merchant, id]);
  if (!row) return undefined;
  const externalClientId = storedPublicId('cli', row.external_client_id);
  return { merchantId: merchant, userId: id, externalClientId, sealedProfile: row.profile };
}

/** Returns whether the user exists. If so, the user cannot be erased before this transaction ends. */
export async function holdActiveUser(tx: Transaction, merchant: MerchantId, id: UserId): Promise<boolean> {
  return (await tx.query(holdUser, [merchant, id])).length > 0;
}

/** As `lockActiveUser`, without the profile; what refers to the user can still be added meanwhile. */
export async function lockUserRef(
  tx: Transaction,
  merchant: MerchantId,
  id: UserId,
): Promise<UserRef | undefined> {
  const [row] = await tx.query(lockUserId, [merchant, id]);
  if (!row) return undefined;
  return {
    merchantId: merchant,
    userId: id,
    externalClientId: storedPublicId('cli', row.external_client_id),
  };
}

/** Also finds the retained key of an erased user, as long as the law requires it. */
export async function findUserKey(
  database: Queryable,
  merchant: MerchantId,
  id: UserId,
  purpose: KeyPurpose,
): Promise<(UserRef & UserKey) | undefined> {
  const [row] = await database.query(findKey, { merchantId: merchant, userId: id, purpose });
  if (!row) return undefined;
  const externalClientId = storedPublicId('cli', row.external_client_id);
  return { merchantId: merchant, userId: id, externalClientId, ...toUserKey(row) };
}

/** The user must be locked. */
export async function addBeneficiaryKey(
  tx: Transaction,
  user: UserRef,
  { wrapped, by }: WrappedUserKey,
): Promise<void> {
  const values = [user.merchantId, user.externalClientId, wrapped, ...columnsOf(by)];
  await tx.query(insertBeneficiaryKey, values);
}

export async function listUserKeys(database: Queryable, user: UserRef): Promise<UserKey[]> {
  return (await database.query(listKeys, [user.merchantId, user.externalClientId])).map(toUserKey);
}

/** Saves the profile together with the key that it is sealed under, which replaces the previous key. */
export async function saveProfile(
  tx: Transaction,
  user: User,
  sealedProfile: Buffer,
  { wrapped, by }: WrappedUserKey,
): Promise<void> {
  const { merchantId: merchant, userId: id, externalClientId } = user;
  const values = [merchant, id, sealedProfile, externalClientId, wrapped, ...columnsOf(by)];
  await tx.query(updateProfile, values);
}

export async function eraseActiveUser(
  tx: Transaction,
  user: User,
  retainedProfile: Buffer | undefined,
): Promise<void> {
  await tx.query(eraseUser, [user.merchantId, user.userId, retainedProfile ?? null]);
}

/** Their bytes stay in the file for a while; a job then destroys the key that they are wrapped by. */
export async function destroyUserKeys(
  tx: Transaction,
  user: UserRef,
  purposes: readonly KeyPurpose[],
): Promise<void> {
  await tx.query(destroyKeys, [user.merchantId, user.externalClientId, purposes]);
  await markGroupKeys(tx, { merchant: user.merchantId, group: groupOf(user.userId) });
}

export async function addErasure(
  tx: Transaction,
  user: User,
  retention: { isRetained: boolean; years: number },
): Promise<void> {
  await tx.query(insertErasure, [user.merchantId, user.userId, retention.isRetained, retention.years]);
}

export interface UserPage {
  /** The users of the page as JSON, with commas between them. */
  readonly items: string;
  readonly last: UserId | undefined;
  readonly count: number;
}

/** PostgreSQL writes the JSON, so that a million users do not become a million objects here. */
export async function listUserPage(
  database: Queryable,
  merchant: MerchantId,
  after: number,
  atMost: number,
): Promise<UserPage> {
  const [row] = await database.query(listPage, [merchant, after, atMost]);
  const last = row?.last;
  return { items: row?.items ?? '', last: last == null ? undefined : userId(last), count: row?.count ?? 0 };
}
