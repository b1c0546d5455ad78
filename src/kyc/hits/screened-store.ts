/** SQL on when users were last screened, and against which version of the lists. */
import type { MerchantId, UserId } from '../../ids.js';
import { statement, type Transaction } from '../../postgres/statement.js';

const upsertScreened = statement(
  'screened-store.save',
  `INSERT INTO screened_users (merchant_id, user_id, lists_version, screened_at)
   SELECT $merchantId, person.user_id, $listsVersion, statement_timestamp()
     FROM unnest($users::bigint[]) AS person (user_id)
   ON CONFLICT (merchant_id, user_id) DO UPDATE
     SET lists_version = excluded.lists_version, screened_at = excluded.screened_at`,
);
const deleteScreened = statement(
  'screened-store.delete-of-user',
  'DELETE FROM screened_users WHERE merchant_id = $merchantId AND user_id = $userId',
);

export async function saveScreened(
  tx: Transaction,
  merchant: MerchantId,
  users: readonly UserId[],
  listsVersion: string,
): Promise<void> {
  await tx.query(upsertScreened, { merchantId: merchant, users, listsVersion });
}

export async function deleteScreenedUser(tx: Transaction, merchant: MerchantId, user: UserId): Promise<void> {
  await tx.query(deleteScreened, { merchantId: merchant, userId: user });
}
