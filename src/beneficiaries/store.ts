/** SQL on beneficiaries, always within one user of one merchant. */
import { type MerchantId, storedPublicId, type UserId } from '../ids.js';
import { merchantNow } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { BeneficiaryId } from './beneficiary.js';
import type { BeneficiaryPlace } from './sealed.js';

interface BeneficiaryRow {
  beneficiary_id: string;
  account_hash: Buffer;
  version: number;
  sealed_details: Buffer;
  created_at: Date;
  updated_at: Date;
}

const columns = 'beneficiary_id, account_hash, version, sealed_details, created_at, updated_at';

const insertRow = statement(
  'beneficiaries.insert',
  `INSERT INTO beneficiaries (merchant_id, user_id, beneficiary_id, account_hash, version, sealed_details,
                              created_at, updated_at)
   SELECT $merchantId::bigint, $userId::bigint, $beneficiaryId::text, $accountHash::bytea, $version::integer,
     $sealedDetails::bytea, ${merchantNow}, ${merchantNow}
   RETURNING ${columns}`,
).rows<BeneficiaryRow>();
const updateRow = statement(
  'beneficiaries.update',
  `UPDATE beneficiaries SET version = $version, sealed_details = $sealedDetails, updated_at = ${merchantNow}
    WHERE merchant_id = $merchantId AND user_id = $userId AND beneficiary_id = $beneficiaryId
      AND account_hash = $accountHash RETURNING ${columns}`,
).rows<BeneficiaryRow>();
const findRow = statement(
  'beneficiaries.find',
  `SELECT ${columns} FROM beneficiaries
     WHERE merchant_id = $merchantId AND user_id = $userId AND beneficiary_id = $beneficiaryId`,
).rows<BeneficiaryRow>();
const lockOfAccount = statement(
  'beneficiaries.lock-of-account',
  `SELECT ${columns} FROM beneficiaries
     WHERE merchant_id = $merchantId AND user_id = $userId AND account_hash = $accountHash FOR UPDATE`,
).rows<BeneficiaryRow>();
const listOfUser = statement(
  'beneficiaries.list',
  `SELECT ${columns} FROM beneficiaries WHERE merchant_id = $merchantId AND user_id = $userId
    ORDER BY created_at DESC, beneficiary_id`,
).rows<BeneficiaryRow>();
const countOfUser = statement(
  'beneficiaries.count',
  'SELECT count(*)::int AS count FROM beneficiaries WHERE merchant_id = $merchantId AND user_id = $userId',
).rows<{ count: number }>();
const deleteRow = statement(
  'beneficiaries.delete',
  `DELETE FROM beneficiaries WHERE merchant_id = $merchantId AND user_id = $userId
     AND beneficiary_id = $beneficiaryId
   RETURNING beneficiary_id`,
).rows<{ beneficiary_id: string }>();
const deleteOfUser = statement(
  'beneficiaries.delete-of-user',
  'DELETE FROM beneficiaries WHERE merchant_id = $merchantId AND user_id = $userId',
);

export interface SealedBeneficiary extends BeneficiaryPlace {
  readonly sealedDetails: Buffer;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewBeneficiary = Omit<SealedBeneficiary, 'createdAt' | 'updatedAt'>;

export async function addBeneficiary(tx: Transaction, added: NewBeneficiary): Promise<SealedBeneficiary> {
  const [row] = await tx.query(insertRow, added);
  if (!row) throw new Error('the database returned no beneficiary');
  return toBeneficiary(added, row);
}

/** The row must be locked. */
export async function replaceDetails(tx: Transaction, changed: NewBeneficiary): Promise<SealedBeneficiary> {
  const [row] = await tx.query(updateRow, changed);
  if (!row) throw new Error('the database changed no beneficiary');
  return toBeneficiary(changed, row);
}

export async function findBeneficiary(
  database: Queryable,
  owner: Owner,
  beneficiaryId: BeneficiaryId,
): Promise<SealedBeneficiary | undefined> {
  const [row] = await database.query(findRow, {
    merchantId: owner.merchantId,
    userId: owner.userId,
    beneficiaryId,
  });
  return row && toBeneficiary(owner, row);
}

/** The beneficiary with this account. Nobody can change or delete it before the transaction ends. */
export async function lockBeneficiaryOfAccount(
  tx: Transaction,
  owner: Owner,
  accountHash: Buffer,
): Promise<SealedBeneficiary | undefined> {
  const [row] = await tx.query(lockOfAccount, {
    merchantId: owner.merchantId,
    userId: owner.userId,
    accountHash,
  });
  return row && toBeneficiary(owner, row);
}

/** The newest first. */
export async function listBeneficiaries(database: Queryable, owner: Owner): Promise<SealedBeneficiary[]> {
  const rows = await database.query(listOfUser, owner);
  return rows.map((row) => toBeneficiary(owner, row));
}

export async function countBeneficiaries(tx: Transaction, owner: Owner): Promise<number> {
  const [row] = await tx.query(countOfUser, owner);
  return row?.count ?? 0;
}

/** Returns false when there is none. */
export async function deleteBeneficiary(tx: Transaction, owner: Owner, beneficiaryId: BeneficiaryId): Promise<boolean> {
  return (await tx.query(deleteRow, { merchantId: owner.merchantId, userId: owner.userId, beneficiaryId })).length > 0;
}

export async function deleteBeneficiariesOf(tx: Transaction, owner: Owner): Promise<void> {
  await tx.query(deleteOfUser, owner);
}

/** The user to whom beneficiaries belong. */
export interface Owner {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
}

function toBeneficiary({ merchantId, userId }: Owner, row: BeneficiaryRow): SealedBeneficiary {
  return {
    merchantId,
    userId,
    beneficiaryId: storedPublicId('ben', row.beneficiary_id),
    accountHash: row.account_hash,
    version: row.version,
    sealedDetails: row.sealed_details,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
