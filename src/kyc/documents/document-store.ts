/** SQL on the documents of cases and their sealed chunks. */

import type { KeptIn } from '../../documents/chunk-vault.js';
import { type MerchantId, merchantId, type PublicId, type UserId, userId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { QuestionId } from '../cases/requirements.js';
import type { DocumentPlace, StoredDocument } from './document-vault.js';

const insertDocument = statement(
  'documents.insert',
  `INSERT INTO kyc_documents (merchant_id, case_id, document_id, question, media_type, bytes, chunks, kept_in, seal)
   VALUES ($merchantId, $caseId, $documentId, $question, $mediaType, $bytes, $chunks, $keptIn, $seal)`,
);
const insertChunk = statement(
  'documents.insert-chunk',
  `INSERT INTO kyc_document_chunks (merchant_id, case_id, document_id, chunk_no, sealed_chunk)
   VALUES ($merchantId, $caseId, $documentId, $number, $sealed)`,
);
interface DocumentRow {
  question: QuestionId;
  media_type: string;
  bytes: number;
  kept_in: KeptIn;
  seal: Buffer;
}
const findDocument = statement(
  'documents.find',
  `SELECT question, media_type, bytes, kept_in, seal FROM kyc_documents
    WHERE merchant_id = $merchantId AND case_id = $caseId AND document_id = $documentId`,
).rows<DocumentRow>();
const listChunks = statement(
  'documents.list-chunks',
  `SELECT sealed_chunk FROM kyc_document_chunks
    WHERE merchant_id = $merchantId AND case_id = $caseId AND document_id = $documentId
      AND chunk_no >= $from AND chunk_no < $to
    ORDER BY chunk_no`,
).rows<{ sealed_chunk: Buffer }>();
const deleteDocument = statement(
  'documents.delete',
  'DELETE FROM kyc_documents WHERE merchant_id = $merchantId AND case_id = $caseId AND document_id = $documentId',
);
const listFiles = statement(
  'documents.list-files',
  `SELECT document_id FROM kyc_documents WHERE document_id = ANY ($names) AND kept_in = 'files'`,
).rows<{ document_id: string }>();
const listClosed = statement(
  'documents.list-closed-cases',
  `SELECT c.merchant_id, c.case_id, c.user_id FROM kyc_cases AS c
    WHERE c.closed_at IS NOT NULL AND (c.merchant_id, c.case_id) > ($merchantId, $caseId)
      AND EXISTS (SELECT 1 FROM kyc_documents AS d WHERE d.merchant_id = c.merchant_id AND d.case_id = c.case_id)
    ORDER BY c.merchant_id, c.case_id LIMIT $limit`,
).rows<{ merchant_id: bigint; case_id: string; user_id: bigint }>();
const deleteOfCase = statement(
  'documents.delete-of-case',
  `WITH attached AS (DELETE FROM kyc_attachments WHERE merchant_id = $merchantId AND case_id = $caseId)
   DELETE FROM kyc_documents WHERE merchant_id = $merchantId AND case_id = $caseId RETURNING document_id`,
).rows<{ document_id: string }>();

export async function addDocument(
  tx: Transaction,
  place: DocumentPlace,
  document: StoredDocument & { readonly chunks: number; readonly keptIn: KeptIn; readonly seal: Buffer },
): Promise<void> {
  await tx.query(insertDocument, { ...place, ...document });
}

export async function addChunk(tx: Transaction, place: DocumentPlace, number: number, sealed: Buffer): Promise<void> {
  await tx.query(insertChunk, { ...place, number, sealed });
}

export async function findStored(
  database: Queryable,
  place: DocumentPlace,
): Promise<(StoredDocument & { keptIn: KeptIn; seal: Buffer }) | undefined> {
  const [row] = await database.query(findDocument, place);
  if (!row) return undefined;
  const { question, media_type: mediaType, bytes, kept_in: keptIn, seal } = row;
  return { documentId: place.documentId, question, mediaType, bytes, keptIn, seal };
}

export async function listSealedChunks(
  database: Queryable,
  place: DocumentPlace,
  from: number,
  atMost: number,
): Promise<Buffer[]> {
  const rows = await database.query(listChunks, { ...place, from, to: from + atMost });
  return rows.map((row) => row.sealed_chunk);
}

export async function removeDocument(tx: Transaction, place: DocumentPlace): Promise<void> {
  await tx.query(deleteDocument, place);
}

/** Which of these files belong to a document. */
export async function filesInUse(database: Queryable, names: readonly string[]): Promise<Set<string>> {
  return new Set((await database.query(listFiles, { names })).map((row) => row.document_id));
}

export interface ClosedCase {
  readonly merchantId: MerchantId;
  readonly caseId: PublicId<'kyc'>;
  readonly userId: UserId;
}

/** Cases of erased users that still have documents, in the order of their keys. */
export async function closedCasesAfter(
  database: Queryable,
  after: ClosedCase | undefined,
  atMost: number,
): Promise<ClosedCase[]> {
  const rows = await database.query(listClosed, {
    merchantId: after?.merchantId ?? 0,
    caseId: after?.caseId ?? '',
    limit: atMost,
  });
  return rows.map((row) => ({
    merchantId: merchantId(row.merchant_id),
    caseId: row.case_id as PublicId<'kyc'>,
    userId: userId(row.user_id),
  }));
}

export async function removeDocumentsOf(tx: Transaction, closed: ClosedCase): Promise<void> {
  await tx.query(deleteOfCase, closed);
}
