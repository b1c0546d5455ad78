/** SQL on imports and their parts. */
import { type OperatorId, operatorId, storedPublicId, type TenantId, tenantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { ImportId, ImportPart, ImportProgress, LineOutcome, LineResult, PaymentImport } from './import.js';
import { countVoidedOf } from './import-listing-store.js';

const insertImport = statement(
  'import-store.insert',
  `INSERT INTO payment_imports (merchant_id, import_id, account_id, operator_id, lines)
   VALUES ($merchantId, $importId, $accountId, $operator, $lines) RETURNING created_at`,
).rows<{ created_at: Date }>();
const insertPart = statement(
  'import-store.insert-part',
  `INSERT INTO payment_import_parts (merchant_id, import_id, part, lines, sealed_lines)
   VALUES ($merchantId, $importId, $part, $lines, $sealedLines)`,
);
const findImport = statement(
  'import-store.find',
  `SELECT account_id, lines, created_at, voiding_by, sealed_note FROM payment_imports
    WHERE merchant_id = $merchantId AND import_id = $importId`,
).rows<{
  account_id: string;
  lines: number;
  created_at: Date;
  voiding_by: bigint | null;
  sealed_note: Buffer | null;
}>();
const countResults = statement(
  'import-store.count-results',
  `SELECT result ->> 'outcome' AS outcome, count(*)::int AS count
     FROM payment_import_parts AS part, jsonb_array_elements(part.results) AS result
    WHERE part.merchant_id = $merchantId AND part.import_id = $importId AND part.results IS NOT NULL GROUP BY 1`,
).rows<{ outcome: LineOutcome; count: number }>();
const countToVoid = statement(
  'import-store.count-to-void',
  `SELECT count(*)::int AS count FROM payment_import_parts
    WHERE merchant_id = $merchantId AND import_id = $importId AND voiding = 'wanted'`,
).rows<{ count: number }>();
const wantVoid = statement(
  'import-store.want-void',
  `UPDATE payment_imports SET voiding_by = $operator, sealed_note = $sealedNote
    WHERE merchant_id = $merchantId AND import_id = $importId AND voiding_by IS NULL RETURNING import_id`,
).rows<{ import_id: string }>();
const wantVoidOfParts = statement(
  'import-store.want-void-of-parts',
  `UPDATE payment_import_parts SET voiding = 'wanted' WHERE merchant_id = $merchantId AND import_id = $importId`,
);
const listOwnersToVoid = statement(
  'import-store.list-owners-to-void',
  `SELECT DISTINCT merchant_id FROM payment_import_parts
    WHERE voiding = 'wanted' AND (leased_until IS NULL OR leased_until <= statement_timestamp())`,
).rows<{ merchant_id: bigint }>();
const claimPartToVoid = statement(
  'import-store.claim-to-void',
  `UPDATE payment_import_parts SET leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE merchant_id = $merchantId
      AND (import_id, part) = (
        SELECT import_id, part FROM payment_import_parts
         WHERE merchant_id = $merchantId AND voiding = 'wanted'
           AND (leased_until IS NULL OR leased_until <= statement_timestamp())
         ORDER BY import_id, part LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING import_id, part, results`,
).rows<{ import_id: string; part: number; results: LineResult[] }>();
const endVoidOfPart = statement(
  'import-store.end-void',
  `UPDATE payment_import_parts SET voiding = 'done', leased_until = NULL
    WHERE merchant_id = $merchantId AND import_id = $importId AND part = $part AND voiding = 'wanted'`,
);
const listOwners = statement(
  'import-store.list-owners',
  `SELECT DISTINCT merchant_id FROM payment_import_parts
    WHERE results IS NULL AND (leased_until IS NULL OR leased_until <= statement_timestamp())`,
).rows<{ merchant_id: bigint }>();
/** One part, because its lines are worked on several at a time. */
const claimPart = statement(
  'import-store.claim',
  `UPDATE payment_import_parts SET leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE merchant_id = $merchantId
      AND (import_id, part) = (
        SELECT import_id, part FROM payment_import_parts
         WHERE merchant_id = $merchantId AND results IS NULL
           AND (leased_until IS NULL OR leased_until <= statement_timestamp())
         ORDER BY import_id, part LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING import_id, part, sealed_lines`,
).rows<{ import_id: string; part: number; sealed_lines: Buffer }>();
const finishPart = statement(
  'import-store.finish-part',
  `UPDATE payment_import_parts SET results = $results, faults = $faults, sealed_lines = NULL, leased_until = NULL
    WHERE merchant_id = $merchantId AND import_id = $importId AND part = $part AND results IS NULL`,
);
const listResults = statement(
  'import-store.list-results',
  `SELECT part, results FROM payment_import_parts
    WHERE merchant_id = $merchantId AND import_id = $importId AND part > $part AND results IS NOT NULL
    ORDER BY part LIMIT $limit`,
).rows<{ part: number; results: LineResult[] }>();

interface NewPart {
  readonly lines: number;
  readonly sealedLines: Buffer;
}

export async function addImport(
  tx: Transaction,
  started: Omit<PaymentImport, 'createdAt'>,
  operator: OperatorId,
): Promise<PaymentImport> {
  const { ownerId: merchantId, importId, accountId, lines } = started;
  const [row] = await tx.query(insertImport, { merchantId, importId, accountId, operator, lines });
  if (!row) throw new Error('the import was not inserted');
  return { ...started, createdAt: row.created_at };
}

export async function addImportPart(
  tx: Transaction,
  { ownerId: merchantId, importId, part }: ImportPart,
  { lines, sealedLines }: NewPart,
): Promise<void> {
  await tx.query(insertPart, { merchantId, importId, part, lines, sealedLines });
}

export async function findAccountOfImport(
  database: Queryable,
  { ownerId, importId }: ImportPart,
): Promise<string | undefined> {
  return (await database.query(findImport, { merchantId: ownerId, importId }))[0]?.account_id;
}

export async function findImportProgress(
  database: Queryable,
  ownerId: TenantId,
  importId: ImportId,
): Promise<ImportProgress | undefined> {
  const [row] = await database.query(findImport, { merchantId: ownerId, importId });
  if (!row) return undefined;
  const found = await database.query(countResults, { merchantId: ownerId, importId });
  const counts = { recorded: 0, suspense: 0, duplicate: 0, fault: 0 };
  for (const { outcome, count } of found) counts[outcome] = count;
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const { account_id: accountId, lines, created_at: createdAt } = row;
  const [toVoid, voided] = await Promise.all([
    row.voiding_by === null ? [] : database.query(countToVoid, { merchantId: ownerId, importId }),
    countVoidedOf(database, ownerId, importId),
  ]);
  const voiding = row.voiding_by === null ? 'no' : toVoid[0]?.count === 0 ? 'done' : 'voiding';
  return { ownerId, importId, accountId, lines, createdAt, counts, isFinished: done === lines, voided, voiding };
}

/** Returns false when somebody has asked for it before. */
export async function requestVoid(
  tx: Transaction,
  { ownerId: merchantId, importId }: Omit<ImportPart, 'part'>,
  asked: { readonly operator: OperatorId; readonly sealedNote: Buffer },
): Promise<boolean> {
  const [row] = await tx.query(wantVoid, { merchantId, importId, ...asked });
  if (row) await tx.query(wantVoidOfParts, { merchantId, importId });
  return row !== undefined;
}

/** Who asked to void the import, and the sealed note. */
export async function findVoidRequest(
  database: Queryable,
  { ownerId, importId }: Omit<ImportPart, 'part'>,
): Promise<{ operator: OperatorId; sealedNote: Buffer } | undefined> {
  const [row] = await database.query(findImport, { merchantId: ownerId, importId });
  if (!row || row.voiding_by === null || !row.sealed_note) return undefined;
  return { operator: operatorId(row.voiding_by), sealedNote: row.sealed_note };
}

/** Whose imports have parts to void that no worker does. */
export async function listOwnersToVoidFor(database: Queryable): Promise<TenantId[]> {
  return (await database.query(listOwnersToVoid)).map((row) => tenantId(row.merchant_id));
}

export interface PartToVoid extends ImportPart {
  readonly results: readonly LineResult[];
}

/** Undefined when other workers have the rest. */
export async function claimNextPartToVoid(
  database: Database,
  ownerId: TenantId,
  leaseSeconds: number,
): Promise<PartToVoid | undefined> {
  const [row] = await database.write(claimPartToVoid, { merchantId: ownerId, leaseSeconds });
  return row && { ownerId, importId: storedPublicId('imp', row.import_id), part: row.part, results: row.results };
}

/** Every payment of the part was tried. */
export async function endVoid(tx: Transaction, { ownerId, importId, part }: ImportPart): Promise<void> {
  await tx.query(endVoidOfPart, { merchantId: ownerId, importId, part });
}

/** Whose imports have parts that no worker does. */
export async function listOwnersWithParts(database: Queryable): Promise<TenantId[]> {
  return (await database.query(listOwners)).map((row) => tenantId(row.merchant_id));
}

export interface ClaimedPart extends ImportPart {
  readonly sealedLines: Buffer;
}

/** Undefined when other workers have the rest. */
export async function claimNextPart(
  database: Database,
  ownerId: TenantId,
  leaseSeconds: number,
): Promise<ClaimedPart | undefined> {
  const [row] = await database.write(claimPart, { merchantId: ownerId, leaseSeconds });
  if (!row) return undefined;
  const importId = storedPublicId('imp', row.import_id);
  return { ownerId, importId, part: row.part, sealedLines: row.sealed_lines };
}

/** The part is done. Changes nothing when another worker has done it, after the lease had ended. */
export async function saveResults(
  tx: Transaction,
  { ownerId, importId, part }: ImportPart,
  results: readonly LineResult[],
): Promise<void> {
  const faults = results.filter(({ outcome }) => outcome === 'fault').length;
  await tx.query(finishPart, { merchantId: ownerId, importId, part, results: JSON.stringify(results), faults });
}

/** The results of the parts after this one, in their order. */
export async function listPartResults(
  database: Queryable,
  { ownerId, importId, part }: ImportPart,
  limit: number,
): Promise<{ part: number; results: readonly LineResult[] }[]> {
  return database.query(listResults, { merchantId: ownerId, importId, part, limit });
}
