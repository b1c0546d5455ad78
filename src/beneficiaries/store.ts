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

const insertRow = statement<BeneficiaryRow>(
  'beneficiaries.insert',
  `INSERT INTO beneficiaries (merchant_id, user_id, beneficiary_id, account_hash, version, sealed_details,
                              created_at, updated_at)
   SELECT $1::bigint, $2::bigint, $3::text, $4::bytea, $5::integer, $6::bytea, ${merchantNow}, ${merchantNow}
   RETURNING ${columns}`,
);
const updateRow = statement<BeneficiaryRow>(
  'beneficiaries.update',
  `UPDATE beneficiaries SET version = $5, sealed_details = $6, updated_at = ${merchantNow}
    WHERE merchant_id = $1 AND user_id = $2 AND beneficiary_id = $3 AND account_hash = $4 RETURNING ${columns}`,
);
const findRow = statement<BeneficiaryRow>(
  'beneficiaries.find',
  `SELECT ${columns} FROM beneficiaries WHERE merchant_id = $1 AND user_id = $2 AND beneficiary_id = $3`,
);
const lockOfAccount = statement<BeneficiaryRow>(
  'beneficiaries.lock-of-account',
  `SELECT ${columns} FROM beneficiaries WHERE merchant_id = $1 AND user_id = $2 AND account_hash = $3 FOR UPDATE`,
);
const listOfUser = statement<BeneficiaryRow>(
  'beneficiaries.list',
  `SELECT ${columns} FROM beneficiaries WHERE merchant_id = $1 AND user_id = $2
    ORDER BY created_at DESC, beneficiary_id`,
);
const countOfUser = statement<{ count: number }>(
  'beneficiaries.count',
  'SELECT count(*)::int AS count FROM beneficiaries WHERE merchant_id = $1 AND user_id = $2',
);
const deleteRow = statement<{ beneficiary_id: string }>(
  'beneficiaries.delete',
  `DELETE FROM beneficiaries WHERE merchant_id = $1 AND user_id = $2 AND beneficiary_id = $3
   RETURNING beneficiary_id`,
);
const deleteOfUser = statement(
  'beneficiaries.delete-of-user',
  'DELETE FROM beneficiaries WHERE merchant_id = $1 AND user_id = $2',
);

export interface SealedBeneficiary extends BeneficiaryPlace {
  readonly sealedDetails: Buffer;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewBeneficiary = Omit<SealedBeneficiary, 'createdAt' | 'updatedAt'>;

export async function addBeneficiary(tx: Transaction, added: NewBeneficiary): Promise<SealedBeneficiary> {
  const [row] = await tx.query(insertRow, valuesOf(added));
  if (!row) throw new Error('the database returned no beneficiary');
  return toBeneficiary(added, row);
}

/** The row must be locked. */
export async function replaceDetails(tx: Transaction, changed: NewBeneficiary): Promise<SealedBeneficiary> {
  const [row] = await tx.query(updateRow, valuesOf(changed));
  if (!row) throw new Error('the database changed no beneficiary');
  return toBeneficiary(changed, row);
}

export async function findBeneficiary(
  database: Queryable,
  owner: Owner,
  beneficiaryId: BeneficiaryId,
): Promise<SealedBeneficiary | undefined> {
  const [row] = await database.query(findRow, [owner.merchantId, owner.userId, beneficiaryId]);
  return row && toBeneficiary(owner, row);
}

/** The beneficiary with this account. Nobody can change or delete it before the transaction ends. */
export async function lockBeneficiaryOfAccount(
  tx: Transaction,
  owner: Owner,
  accountHash: Buffer,
): Promise<SealedBeneficiary | undefined> {
  const [row] = await tx.query(lockOfAccount, [owner.merchantId, owner.userId, accountHash]);
  return row && toBeneficiary(owner, row);
}

/** The newest first. */
export async function listBeneficiaries(database: Queryable, owner: Owner): Promise<SealedBeneficiary[]> {
  const rows = await database.query(listOfUser, [owner.merchantId, owner.userId]);
  return rows.map((row) => toBeneficiary(owner, row));
}

export async function countBeneficiaries(tx: Transaction, owner: Owner): Promise<number> {
  const [row] = await tx.query(countOfUser, [owner.merchantId, owner.userId]);
  return row?.count ?? 0;
}

/** Returns false when there is none. */
export async function deleteBeneficiary(
  tx: Transaction,
  owner: Owner,
  beneficiaryId: BeneficiaryId,
): Promise<boolean> {
  return (await tx.query(deleteRow, [owner.merchantId, owner.userId, beneficiaryId])).length > 0;
}

export async function deleteBeneficiariesOf(tx: Transaction, owner: Owner): Promise<void> {
  await tx.query(deleteOfUser, [owner.merchantId, owner.userId]);
}

/** The user to whom beneficiaries belong. */
export interface Owner {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
}

function valuesOf({
  merchantId,
  userId,
  beneficiaryId,
  accountHash,
  version,
  sealedDetails,
}: NewBeneficiary) {
  return [merchantId, userId, beneficiaryId, accountHash, version, sealedDetails];
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
