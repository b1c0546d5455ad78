/** SQL that reads the newest change of each subject that remembers its row. */
import type { TenantId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import { type SealedChange, type SealedRow, sealedColumns, toSealedChange } from './chain/sealed-change.js';

const listDigests = statement(
  'row-store.list-newest-digests',
  `SELECT DISTINCT ON (subject) subject, row_digest FROM changes
    WHERE merchant_id = $merchantId AND subject = ANY ($subjects) AND version IS NOT NULL AND row_digest IS NOT NULL
    ORDER BY subject, version DESC`,
).rows<{ subject: string; row_digest: Buffer }>();
const listNewest = statement(
  'row-store.list-newest',
  `SELECT DISTINCT ON (subject) ${sealedColumns} FROM changes
    WHERE merchant_id = $merchantId AND subject = ANY ($subjects) AND version IS NOT NULL AND row_digest IS NOT NULL
    ORDER BY subject, version DESC`,
).rows<SealedRow>();
const listSubjects = statement(
  'row-store.list-subjects',
  `SELECT DISTINCT subject FROM changes
    WHERE merchant_id = $merchantId AND subject > $after AND starts_with(subject, $prefix) AND version IS NOT NULL
      AND row_digest IS NOT NULL
    ORDER BY subject LIMIT $limit`,
).rows<{ subject: string }>();

/** What the newest change of each of these subjects remembers of the row. */
export async function listNewestDigests(
  database: Queryable,
  merchantId: TenantId,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await database.query(listDigests, { merchantId, subjects });
  return new Map(rows.map((row) => [row.subject, row.row_digest]));
}

/** The newest change of each of these subjects that remembers the row. */
export async function listNewestChanges(
  database: Queryable,
  merchantId: TenantId,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, SealedChange>> {
  const rows = await database.query(listNewest, { merchantId, subjects });
  return new Map(rows.map((row) => [row.subject, toSealedChange(row)]));
}

/** The subjects after this one that had a row once. */
export async function listSubjectsWithRows(
  database: Queryable,
  merchantId: TenantId,
  prefix: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await database.query(listSubjects, { merchantId, prefix, after, limit });
  return rows.map((row) => row.subject);
}
