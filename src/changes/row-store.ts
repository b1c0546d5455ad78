/** SQL that reads the newest change of each subject that remembers its row. */
import type { TenantId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import { type SealedChange, type SealedRow, sealedColumns, toSealedChange } from './chain/sealed-change.js';

const findNewest = statement(
  'row-store.find-newest',
  `SELECT ${sealedColumns} FROM changes
    WHERE merchant_id = $merchantId AND subject = $subject AND version IS NOT NULL ORDER BY version DESC LIMIT 1`,
).rows<SealedRow>();
const listNewest = statement(
  'row-store.list-newest',
  `SELECT DISTINCT ON (subject) ${sealedColumns} FROM changes
    WHERE merchant_id = $merchantId AND subject = ANY ($subjects) AND version IS NOT NULL
    ORDER BY subject, version DESC`,
).rows<SealedRow>();
const listSubjects = statement(
  'row-store.list-subjects',
  `SELECT DISTINCT subject FROM changes
    WHERE merchant_id = $merchantId AND subject > $after AND starts_with(subject, $prefix) AND version IS NOT NULL
      AND row_digest IS NOT NULL
    ORDER BY subject LIMIT $limit`,
).rows<{ subject: string }>();

/** The newest change of the subject's history. */
export async function findNewestChange(
  database: Queryable,
  merchantId: TenantId,
  subject: string,
): Promise<SealedChange | undefined> {
  const [row] = await database.query(findNewest, { merchantId, subject });
  return row && toSealedChange(row);
}

/** The newest change of each of these subjects. */
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
