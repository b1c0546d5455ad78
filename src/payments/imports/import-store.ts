/** SQL on imports and their parts. */
import { type OperatorId, storedPublicId, type TenantId, tenantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { ImportId, ImportPart, ImportProgress, LineOutcome, LineResult, PaymentImport } from './import.js';

const insertImport = statement(
  'import-store.insert',
  `INSERT INTO payment_imports (merchant_id, import_id, account_id, operator_id, lines)
   VALUES ($merchantId, $importId, $accountId, $operator, $lines) RETURNING created_at`,
).rows<{ created_at: Date }>();
const insertParts = statement(
  'import-store.insert-parts',
  `INSERT INTO payment_import_parts (merchant_id, import_id, part, lines, sealed_lines)
   SELECT $merchantId::bigint, $importId, part.number, part.lines, part.sealed
     FROM unnest($numbers::int[], $lines::int[], $sealedLines::bytea[]) AS part (number, lines, sealed)`,
);
const findImport = statement(
  'import-store.find',
  `SELECT account_id, lines, created_at FROM payment_imports
    WHERE merchant_id = $merchantId AND import_id = $importId`,
).rows<{ account_id: string; lines: number; created_at: Date }>();
const countResults = statement(
  'import-store.count-results',
  `SELECT result ->> 'outcome' AS outcome, count(*)::int AS count
     FROM payment_import_parts AS part, jsonb_array_elements(part.results) AS result
    WHERE part.merchant_id = $merchantId AND part.import_id = $importId AND part.results IS NOT NULL GROUP BY 1`,
).rows<{ outcome: LineOutcome; count: number }>();
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

export interface NewPart {
  readonly lines: number;
  readonly sealedLines: Buffer;
}

export async function addImport(
  tx: Transaction,
  started: Omit<PaymentImport, 'createdAt'>,
  operator: OperatorId,
  parts: readonly NewPart[],
): Promise<PaymentImport> {
  const { ownerId: merchantId, importId, accountId, lines } = started;
  const [row] = await tx.query(insertImport, { merchantId, importId, accountId, operator, lines });
  if (!row) throw new Error('the import was not inserted');
  await tx.query(insertParts, {
    merchantId,
    importId,
    numbers: parts.map((_, index) => index + 1),
    lines: parts.map((part) => part.lines),
    sealedLines: parts.map(({ sealedLines }) => sealedLines),
  });
  return { ...started, createdAt: row.created_at };
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
  return { ownerId, importId, accountId, lines, createdAt, counts, isFinished: done === lines };
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
