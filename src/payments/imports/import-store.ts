/** SQL on imports and their parts. */
import { type OperatorId, storedPublicId, type TenantId, tenantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type {
  ImportId,
  ImportPart,
  ImportProgress,
  LineOutcome,
  LineResult,
  PaymentImport,
} from './import.js';

const insertImport = statement<{ created_at: Date }>(
  'import-store.insert',
  `INSERT INTO payment_imports (merchant_id, import_id, account_id, operator_id, lines)
   VALUES ($1, $2, $3, $4, $5) RETURNING created_at`,
);
const insertParts = statement(
  'import-store.insert-parts',
  `INSERT INTO payment_import_parts (merchant_id, import_id, part, lines, sealed_lines)
   SELECT $1::bigint, $2, part.number, part.lines, part.sealed
     FROM unnest($3::int[], $4::int[], $5::bytea[]) AS part (number, lines, sealed)`,
);
const findImport = statement<{ account_id: string; lines: number; created_at: Date }>(
  'import-store.find',
  'SELECT account_id, lines, created_at FROM payment_imports WHERE merchant_id = $1 AND import_id = $2',
);
const countResults = statement<{ outcome: LineOutcome; count: number }>(
  'import-store.count-results',
  `SELECT result ->> 'outcome' AS outcome, count(*)::int AS count
     FROM payment_import_parts AS part, jsonb_array_elements(part.results) AS result
    WHERE part.merchant_id = $1 AND part.import_id = $2 AND part.results IS NOT NULL GROUP BY 1`,
);
const listOwners = statement<{ merchant_id: bigint }>(
  'import-store.list-owners',
  'SELECT DISTINCT merchant_id FROM payment_import_parts WHERE results IS NULL',
);
const lockNext = statement<{ import_id: string; part: number; sealed_lines: Buffer }>(
  'import-store.lock-next',
  `SELECT import_id, part, sealed_lines FROM payment_import_parts
    WHERE merchant_id = $1 AND results IS NULL AND (leased_until IS NULL OR leased_until < statement_timestamp())
    ORDER BY import_id, part LIMIT 1 FOR UPDATE SKIP LOCKED`,
);
const leasePart = statement(
  'import-store.lease',
  `UPDATE payment_import_parts SET leased_until = statement_timestamp() + make_interval(secs => $4)
    WHERE merchant_id = $1 AND import_id = $2 AND part = $3`,
);
const finishPart = statement(
  'import-store.finish-part',
  `UPDATE payment_import_parts SET results = $4, sealed_lines = NULL, leased_until = NULL
    WHERE merchant_id = $1 AND import_id = $2 AND part = $3 AND results IS NULL`,
);
const listResults = statement<{ part: number; results: LineResult[] }>(
  'import-store.list-results',
  `SELECT part, results FROM payment_import_parts
    WHERE merchant_id = $1 AND import_id = $2 AND part > $3 AND results IS NOT NULL ORDER BY part LIMIT $4`,
);

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
  const { ownerId, importId, accountId, lines } = started;
  const [row] = await tx.query(insertImport, [ownerId, importId, accountId, operator, lines]);
  if (!row) throw new Error('the import was not inserted');
  await tx.query(insertParts, [
    ...[ownerId, importId, parts.map((_, index) => index + 1)],
    parts.map((part) => part.lines),
    parts.map(({ sealedLines }) => sealedLines),
  ]);
  return { ...started, createdAt: row.created_at };
}

export async function findAccountOfImport(
  database: Queryable,
  { ownerId, importId }: ImportPart,
): Promise<string | undefined> {
  return (await database.query(findImport, [ownerId, importId]))[0]?.account_id;
}

export async function findImportProgress(
  database: Queryable,
  ownerId: TenantId,
  importId: ImportId,
): Promise<ImportProgress | undefined> {
  const [row] = await database.query(findImport, [ownerId, importId]);
  if (!row) return undefined;
  const found = await database.query(countResults, [ownerId, importId]);
  const counts = { recorded: 0, suspense: 0, duplicate: 0, fault: 0 };
  for (const { outcome, count } of found) counts[outcome] = count;
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const { account_id: accountId, lines, created_at: createdAt } = row;
  return { ownerId, importId, accountId, lines, createdAt, counts, isFinished: done === lines };
}

/** Whose imports have lines to do. */
export async function listOwnersWithParts(database: Queryable): Promise<TenantId[]> {
  return (await database.query(listOwners)).map((row) => tenantId(row.merchant_id));
}

export interface LeasedPart extends ImportPart {
  readonly sealedLines: Buffer;
}

/** Undefined when other workers have the rest. */
export async function leaseNextPart(
  tx: Transaction,
  ownerId: TenantId,
  seconds: number,
): Promise<LeasedPart | undefined> {
  const [row] = await tx.query(lockNext, [ownerId]);
  if (!row) return undefined;
  await tx.query(leasePart, [ownerId, row.import_id, row.part, seconds]);
  const importId = storedPublicId('imp', row.import_id);
  return { ownerId, importId, part: row.part, sealedLines: row.sealed_lines };
}

export async function saveResults(
  tx: Transaction,
  { ownerId, importId, part }: ImportPart,
  results: readonly LineResult[],
): Promise<void> {
  await tx.query(finishPart, [ownerId, importId, part, JSON.stringify(results)]);
}

/** The results of the parts after this one, in their order. */
export async function listPartResults(
  database: Queryable,
  { ownerId, importId, part }: ImportPart,
  atMost: number,
): Promise<{ part: number; results: readonly LineResult[] }[]> {
  return database.query(listResults, [ownerId, importId, part, atMost]);
}
