/** SQL on documents of rails, in the books of the instance. */
import { instanceTenant } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { ReportResult } from './receiving.js';

interface DocumentRow {
  rail: string;
  digest: string;
  reports: number;
  results: ReportResult[] | null;
  received_at: Date;
}
const columns = 'rail, digest, reports, results, received_at';

/** The same document again is applied again, which changes nothing that it has changed before. */
const insertDocument = statement(
  'document-store.insert',
  `INSERT INTO payout_documents (merchant_id, rail, digest, reports, sealed_content)
   VALUES ($merchantId, $rail, $digest, $reports, $sealedContent)
   ON CONFLICT (merchant_id, rail, digest) DO UPDATE SET results = NULL, leased_until = NULL
   RETURNING ${columns}`,
).rows<DocumentRow>();
const findDocument = statement(
  'document-store.find',
  `SELECT ${columns} FROM payout_documents WHERE merchant_id = $merchantId AND rail = $rail AND digest = $digest`,
).rows<DocumentRow>();
const claimDocument = statement(
  'document-store.claim',
  `UPDATE payout_documents SET leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
    WHERE merchant_id = $merchantId
      AND (rail, digest) = (
        SELECT rail, digest FROM payout_documents
         WHERE merchant_id = $merchantId AND results IS NULL
           AND (leased_until IS NULL OR leased_until <= statement_timestamp())
         ORDER BY received_at, rail, digest LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${columns}, sealed_content`,
).rows<DocumentRow & { sealed_content: Buffer }>();
const finishDocument = statement(
  'document-store.finish',
  `UPDATE payout_documents SET results = $results, leased_until = NULL
    WHERE merchant_id = $merchantId AND rail = $rail AND digest = $digest AND results IS NULL`,
);

/** A file names itself by its digest. */
export interface DocumentRef {
  readonly rail: string;
  readonly digest: string;
}

export interface StoredDocument extends DocumentRef {
  /** How many reports it has. */
  readonly reports: number;
  /** Undefined until all were applied. */
  readonly results: readonly ReportResult[] | undefined;
  readonly receivedAt: Date;
}

export async function addDocument(
  tx: Transaction,
  document: DocumentRef & { readonly reports: number; readonly sealedContent: Buffer },
): Promise<StoredDocument> {
  const [row] = await tx.query(insertDocument, { merchantId: instanceTenant, ...document });
  if (!row) throw new Error('the document was not stored');
  return toDocument(row);
}

export async function findStoredDocument(database: Queryable, ref: DocumentRef): Promise<StoredDocument | undefined> {
  const [row] = await database.query(findDocument, { merchantId: instanceTenant, ...ref });
  return row && toDocument(row);
}

/** The oldest that no worker has. */
export async function claimNextDocument(
  database: Database,
  leaseSeconds: number,
): Promise<(DocumentRef & { readonly sealedContent: Buffer }) | undefined> {
  const [row] = await database.write(claimDocument, { merchantId: instanceTenant, leaseSeconds });
  return row && { ...toDocument(row), sealedContent: row.sealed_content };
}

/** Changes nothing when another worker has done it, after the lease had ended. */
export async function saveDocumentResults(
  tx: Transaction,
  ref: DocumentRef,
  results: readonly ReportResult[],
): Promise<void> {
  await tx.query(finishDocument, { merchantId: instanceTenant, ...ref, results: JSON.stringify(results) });
}

function toDocument({ rail, digest, reports, results, received_at }: DocumentRow): StoredDocument {
  return { rail, digest, reports, results: results ?? undefined, receivedAt: received_at };
}
