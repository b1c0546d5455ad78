/** SQL that reads the sealed copies of people that several orders of a merchant keep. */
import { type MerchantId, storedPublicId } from '../../../ids.js';
import { type Queryable, statement } from '../../../postgres/statement.js';
import type { OrderId } from '../order.js';

interface CopiesRow {
  order_id: string;
  beneficiary_version: number;
  sealed_beneficiary: Buffer;
  sealed_sender: Buffer;
}

const listCopies = statement(
  'copies-store.list',
  `SELECT order_id, beneficiary_version, sealed_beneficiary, sealed_sender FROM orders
    WHERE merchant_id = $merchantId AND order_id = ANY ($orderIds)`,
).rows<CopiesRow>();

export interface SealedCopies {
  /** The version that the copy of the beneficiary is bound to. */
  readonly beneficiaryVersion: number;
  readonly sealedBeneficiary: Buffer;
  readonly sealedSender: Buffer;
}

export async function listSealedCopies(
  database: Queryable,
  merchantId: MerchantId,
  orderIds: readonly OrderId[],
): Promise<ReadonlyMap<OrderId, SealedCopies>> {
  const rows = await database.query(listCopies, { merchantId, orderIds });
  return new Map(rows.map((row) => [storedPublicId('ord', row.order_id), toCopies(row)]));
}

function toCopies(row: CopiesRow): SealedCopies {
  return {
    beneficiaryVersion: row.beneficiary_version,
    sealedBeneficiary: row.sealed_beneficiary,
    sealedSender: row.sealed_sender,
  };
}
