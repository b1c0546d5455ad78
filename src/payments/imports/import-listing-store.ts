/** SQL that lists imports for operators, and what their lines have led to. */
import { type OperatorId, operatorId, storedPublicId, type TenantId, tenantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import { type SuspenseRow, suspenseColumns, toSuspense } from '../suspense/row.js';
import type { SuspenseRecord } from '../suspense/suspense.js';
import type { ImportId } from './import.js';

const page = statement(
  'import-listing-store.page',
  `SELECT merchant_id, import_id, operator_id, (extract(epoch FROM created_at) * 1000000)::bigint::text AS at_micros
     FROM payment_imports
    WHERE ($merchantId::bigint IS NULL OR merchant_id = $merchantId)
      AND ($accountId::text IS NULL OR account_id = $accountId)
      AND ($atMicros::bigint IS NULL
           OR (created_at, import_id) < (to_timestamp(0) + $atMicros::bigint * interval '1 microsecond', $afterId))
    ORDER BY created_at DESC, import_id DESC LIMIT $limit`,
  { isPlannedEachTime: true },
).rows<{ merchant_id: bigint; import_id: string; operator_id: bigint; at_micros: string }>();
const listHandedOver = statement(
  'import-listing-store.list-handed-over',
  `SELECT order_merchant_id, payment_id FROM payments
    WHERE merchant_id = $merchantId AND import_id = $importId AND outcome = 'handed_over' AND order_merchant_id IS NOT NULL`,
).rows<{ order_merchant_id: bigint; payment_id: string }>();
const countVoided = statement(
  'import-listing-store.count-voided',
  `SELECT count(*)::int AS count FROM payments
    WHERE merchant_id = $merchantId AND import_id = $importId AND voided_at IS NOT NULL`,
).rows<{ count: number }>();
const listSuspense = statement(
  'import-listing-store.list-suspense',
  `SELECT ${suspenseColumns} FROM suspense_records WHERE merchant_id = $merchantId AND payment_id = ANY ($paymentIds)`,
).rows<SuspenseRow>();

export interface ImportPlace {
  readonly atMicros: string;
  readonly id: string;
}

export interface PlacedImport {
  readonly ownerId: TenantId;
  readonly importId: ImportId;
  readonly operatorId: OperatorId;
  readonly place: ImportPlace;
}

/** The newest first. */
export async function listImports(
  database: Queryable,
  filter: { readonly merchantId: TenantId | undefined; readonly accountId: string | undefined },
  { after, limit }: { readonly after: ImportPlace | undefined; readonly limit: number },
): Promise<PlacedImport[]> {
  const rows = await database.query(page, {
    merchantId: filter.merchantId ?? null,
    accountId: filter.accountId ?? null,
    atMicros: after?.atMicros ?? null,
    afterId: after?.id ?? '',
    limit,
  });
  return rows.map((row) => ({
    ownerId: tenantId(row.merchant_id),
    importId: storedPublicId('imp', row.import_id),
    operatorId: operatorId(row.operator_id),
    place: { atMicros: row.at_micros, id: row.import_id },
  }));
}

/** The payments of an import that merchants of orders take over, by merchant. */
export async function listHandedOverOf(
  database: Queryable,
  ownerId: TenantId,
  importId: ImportId,
): Promise<ReadonlyMap<TenantId, readonly string[]>> {
  const byMerchant = new Map<TenantId, string[]>();
  for (const row of await database.query(listHandedOver, { merchantId: ownerId, importId })) {
    const merchant = tenantId(row.order_merchant_id);
    byMerchant.set(merchant, [...(byMerchant.get(merchant) ?? []), row.payment_id]);
  }
  return byMerchant;
}

export async function countVoidedOf(database: Queryable, ownerId: TenantId, importId: ImportId): Promise<number> {
  return (await database.query(countVoided, { merchantId: ownerId, importId }))[0]?.count ?? 0;
}

/** What of these payments came into suspense in the books of this tenant. */
export async function listSuspenseOfPayments(
  database: Queryable,
  tenant: TenantId,
  paymentIds: readonly string[],
): Promise<SuspenseRecord[]> {
  return (await database.query(listSuspense, { merchantId: tenant, paymentIds })).map(toSuspense);
}
