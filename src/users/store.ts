/** SQL on the users and their erasures, always within one merchant. */
import type { SelectedUser } from '../caller.js';
import { type MerchantId, storedPublicId, type UserId, userId } from '../ids.js';
import { merchantNow } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { User, UserRef } from './user.js';
import type { UserKey } from './user-keys.js';

interface FoundRow {
  user_id: bigint;
  external_client_id: string;
}

const findById = statement(
  'users.find-by-id',
  `SELECT user_id, external_client_id FROM users
     WHERE merchant_id = $merchantId AND user_id = $userId AND status = 'active'`,
).rows<FoundRow>();
const findByExternalId = statement(
  'users.find-by-external-id',
  `SELECT user_id, external_client_id FROM users
    WHERE merchant_id = $merchantId AND external_client_id = $externalClientId AND status = 'active'`,
).rows<FoundRow>();
/** Names no index, because two transactions that add the same id at the same moment can collide in any unique index. */
const insertUser = statement(
  'users.insert',
  `WITH added AS (
     INSERT INTO users (merchant_id, user_id, external_client_id, profile)
     VALUES ($merchantId, $userId, $externalClientId, $sealedProfile)
     ON CONFLICT DO NOTHING RETURNING user_id),
   keys AS (
     INSERT INTO user_keys (merchant_id, user_id, purpose, master_key_version, wrapped_key)
     SELECT $merchantId, added.user_id, key.purpose, key.version, key.wrapped
       FROM added, unnest($purposes::text[], $versions::integer[], $wrappedKeys::bytea[]) AS key (purpose,
         version, wrapped))
   SELECT user_id FROM added`,
).rows<{ user_id: bigint }>();
const lockUser = statement(
  'users.lock',
  `SELECT user_id, external_client_id, profile FROM users
    WHERE merchant_id = $merchantId AND user_id = $userId AND status = 'active' FOR UPDATE`,
).rows<FoundRow & { profile: Buffer }>();
const holdUser = statement(
  'users.hold',
  `SELECT user_id FROM users WHERE merchant_id = $merchantId AND user_id = $userId AND status = 'active' FOR SHARE`,
).rows<{ user_id: bigint }>();
const lockUserId = statement(
  'users.lock-id',
  `SELECT user_id, external_client_id FROM users
    WHERE merchant_id = $merchantId AND user_id = $userId AND status = 'active' FOR NO KEY UPDATE`,
).rows<FoundRow>();
const updateProfile = statement(
  'users.update-profile',
  `UPDATE users SET profile = $sealedProfile, updated_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND user_id = $userId`,
);
const eraseUser = statement(
  'users.erase',
  `UPDATE users SET status = 'deleted', profile = NULL, retained_profile = $retainedProfile,
     updated_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND user_id = $userId`,
);
const insertErasure = statement(
  'users.insert-erasure',
  `INSERT INTO erasures (merchant_id, user_id, erased_at, retained_until)
   SELECT $merchantId, $userId, now.at, CASE WHEN $isRetained THEN now.at + make_interval(years => $years) END
     FROM (SELECT ${merchantNow} AS at) AS now`,
);
const listPage = statement(
  'users.list-page',
  `SELECT string_agg('{"id":' || user_id || ',"externalClientId":"' || external_client_id || '"}', ','
     ORDER BY user_id) AS items,
          max(user_id) AS last, count(*)::int AS count
     FROM (SELECT user_id, external_client_id FROM users
            WHERE merchant_id = $merchantId AND user_id > $after AND status = 'active'
              ORDER BY user_id LIMIT $limit) AS page`,
).rows<{ items: string | null; last: bigint | null; count: number }>();

export async function findUser(
  database: Queryable,
  merchant: MerchantId,
  selector: { readonly userId: UserId } | { readonly externalClientId: string },
): Promise<SelectedUser | undefined> {
  const [row] =
    'userId' in selector
      ? await database.query(findById, { merchantId: merchant, userId: selector.userId })
      : await database.query(findByExternalId, {
          merchantId: merchant,
          externalClientId: selector.externalClientId,
        });
  return row && { id: userId(row.user_id), externalClientId: row.external_client_id };
}

/** Returns false, and adds nothing, when the merchant has a user of that id. */
export async function addUser(
  tx: Transaction,
  user: User,
  keys: readonly Pick<UserKey, 'purpose' | 'version' | 'wrapped'>[],
): Promise<boolean> {
  const added = await tx.query(insertUser, {
    ...user,
    purposes: keys.map((key) => key.purpose),
    versions: keys.map((key) => key.version),
    wrappedKeys: keys.map((key) => key.wrapped),
  });
  return added.length > 0;
}

export async function lockActiveUser(tx: Transaction, merchant: MerchantId, id: UserId): Promise<User | undefined> {
  const [row] = await tx.query(lockUser, { merchantId: merchant, userId: id });
  if (!row) return undefined;
  const externalClientId = storedPublicId('cli', row.external_client_id);
  return { merchantId: merchant, userId: id, externalClientId, sealedProfile: row.profile };
}

/** Returns whether the user exists. If so, the user cannot be erased before this transaction ends. */
export async function holdActiveUser(tx: Transaction, merchant: MerchantId, id: UserId): Promise<boolean> {
  return (await tx.query(holdUser, { merchantId: merchant, userId: id })).length > 0;
}

/** As `lockActiveUser`, without the profile; what refers to the user can still be added meanwhile. */
export async function lockUserRef(tx: Transaction, merchant: MerchantId, id: UserId): Promise<UserRef | undefined> {
  const [row] = await tx.query(lockUserId, { merchantId: merchant, userId: id });
  if (!row) return undefined;
  return {
    merchantId: merchant,
    userId: id,
    externalClientId: storedPublicId('cli', row.external_client_id),
  };
}

export async function saveProfile(tx: Transaction, user: UserRef, sealedProfile: Buffer): Promise<void> {
  await tx.query(updateProfile, { merchantId: user.merchantId, userId: user.userId, sealedProfile });
}

export async function eraseActiveUser(tx: Transaction, user: User, retainedProfile: Buffer | undefined): Promise<void> {
  await tx.query(eraseUser, {
    merchantId: user.merchantId,
    userId: user.userId,
    retainedProfile,
  });
}

export async function addErasure(
  tx: Transaction,
  user: User,
  retention: { isRetained: boolean; years: number },
): Promise<void> {
  await tx.query(insertErasure, { ...user, ...retention });
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
  const [row] = await database.query(listPage, { merchantId: merchant, after, limit: atMost });
  const last = row?.last;
  return { items: row?.items ?? '', last: last == null ? undefined : userId(last), count: row?.count ?? 0 };
}
