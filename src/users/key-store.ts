/** SQL on the keys of users, always within one merchant, except where the next merchant is looked for. */
import { type MerchantId, merchantId, userId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { KeyOwner, KeyPurpose, UserKey } from './user-keys.js';

interface KeyRow {
  user_id: bigint;
  purpose: KeyPurpose;
  master_key_version: number;
  wrapped_key: Buffer;
}

const findKey = statement(
  'key-store.find',
  `SELECT user_id, purpose, master_key_version, wrapped_key FROM user_keys
    WHERE merchant_id = $merchantId AND user_id = $userId AND purpose = $purpose`,
).rows<KeyRow>();
const deleteKeys = statement(
  'key-store.delete',
  'DELETE FROM user_keys WHERE merchant_id = $merchantId AND user_id = $userId AND purpose = ANY ($purposes)',
);
const findMerchant = statement(
  'key-store.find-merchant-with-old-keys',
  'SELECT merchant_id FROM user_keys WHERE master_key_version < $version LIMIT 1',
).rows<{ merchant_id: bigint }>();
const claimOld = statement(
  'key-store.claim-old',
  `SELECT user_id, purpose, master_key_version, wrapped_key FROM user_keys
    WHERE merchant_id = $merchantId AND master_key_version < $version LIMIT $atMost FOR UPDATE SKIP LOCKED`,
).rows<KeyRow>();
const saveKey = statement(
  'key-store.save',
  `UPDATE user_keys SET wrapped_key = $wrapped, master_key_version = $version
    WHERE merchant_id = $merchantId AND user_id = $userId AND purpose = $purpose`,
);

/** Undefined after the key was deleted. */
export async function findUserKey(
  database: Queryable,
  owner: KeyOwner,
  purpose: KeyPurpose,
): Promise<UserKey | undefined> {
  const [row] = await database.query(findKey, {
    merchantId: owner.merchantId,
    userId: owner.userId,
    purpose,
  });
  return row && toUserKey(owner.merchantId, row);
}

/** What these keys sealed cannot be read any more when the transaction has committed. */
export async function deleteUserKeys(
  tx: Transaction,
  { merchantId: merchant, userId: user }: KeyOwner,
  purposes: readonly KeyPurpose[],
): Promise<void> {
  await tx.query(deleteKeys, { merchantId: merchant, userId: user, purposes });
}

export async function findMerchantWithKeysBefore(
  database: Queryable,
  version: number,
): Promise<MerchantId | undefined> {
  const [row] = await database.query(findMerchant, { version });
  return row && merchantId(row.merchant_id);
}

/** Keys that an older version of the master key wraps. Leaves out those that another transaction has locked. */
export async function claimKeysBefore(
  tx: Transaction,
  merchant: MerchantId,
  version: number,
  atMost: number,
): Promise<UserKey[]> {
  const rows = await tx.query(claimOld, { merchantId: merchant, version, atMost });
  return rows.map((row) => toUserKey(merchant, row));
}

export async function saveUserKey(tx: Transaction, userKey: UserKey): Promise<void> {
  const { merchantId: merchant, userId: user, purpose, version, wrapped } = userKey;
  await tx.query(saveKey, { merchantId: merchant, userId: user, purpose, version, wrapped });
}

function toUserKey(merchant: MerchantId, row: KeyRow): UserKey {
  return {
    merchantId: merchant,
    userId: userId(row.user_id),
    purpose: row.purpose,
    version: row.master_key_version,
    wrapped: row.wrapped_key,
  };
}
