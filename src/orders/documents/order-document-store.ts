/** SQL on the documents of orders and their sealed chunks, always within one merchant. */
import type { MerchantId, UserId } from '../../ids.js';
import type { KeptIn } from '../../kyc/documents/chunk-vault.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { OrderRef } from '../order.js';
import type { OrderDocument, OrderDocumentPlace } from './document.js';

interface DocumentRow {
  document_id: string;
  media_type: OrderDocument['mediaType'];
  bytes: number;
  kept_in: KeptIn;
  seal: Buffer;
  stored_at: Date;
}
const columns = 'document_id, media_type, bytes, kept_in, seal, stored_at';

const insertDocument = statement<DocumentRow>(
  'order-document-store.insert',
  `INSERT INTO order_documents (merchant_id, order_id, document_id, user_id, media_type, bytes, chunks, kept_in, seal)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${columns}`,
);
const insertChunk = statement(
  'order-document-store.insert-chunk',
  `INSERT INTO order_document_chunks (merchant_id, order_id, document_id, chunk_no, sealed_chunk)
   VALUES ($1, $2, $3, $4, $5)`,
);
const listOfOrder = statement<DocumentRow>(
  'order-document-store.list',
  `SELECT ${columns} FROM order_documents WHERE merchant_id = $1 AND order_id = $2 ORDER BY stored_at, document_id`,
);
const listChunks = statement<{ sealed_chunk: Buffer }>(
  'order-document-store.list-chunks',
  `SELECT sealed_chunk FROM order_document_chunks
    WHERE merchant_id = $1 AND order_id = $2 AND document_id = $3 AND chunk_no >= $4 AND chunk_no < $5
    ORDER BY chunk_no`,
);
const deleteOfUser = statement(
  'order-document-store.delete-of-user',
  'DELETE FROM order_documents WHERE merchant_id = $1 AND user_id = $2',
);
const listFiles = statement<{ document_id: string }>(
  'order-document-store.list-files',
  `SELECT document_id FROM order_documents WHERE document_id = ANY ($1) AND kept_in = 'files'`,
);

export interface StoredDocument extends OrderDocument {
  readonly keptIn: KeptIn;
  readonly seal: Buffer;
}

export async function addDocument(
  tx: Transaction,
  { merchantId, orderId, userId, documentId }: OrderDocumentPlace,
  row: Pick<StoredDocument, 'mediaType' | 'bytes' | 'keptIn' | 'seal'> & { readonly chunks: number },
): Promise<StoredDocument> {
  const { mediaType, bytes, chunks, keptIn, seal } = row;
  const values = [merchantId, orderId, documentId, userId, mediaType, bytes, chunks, keptIn, seal];
  const [added] = await tx.query(insertDocument, values);
  if (!added) throw new Error('the database returned no document');
  return toDocument(added);
}

export async function addChunk(
  tx: Transaction,
  { merchantId, orderId, documentId }: OrderDocumentPlace,
  number: number,
  sealed: Buffer,
): Promise<void> {
  await tx.query(insertChunk, [merchantId, orderId, documentId, number, sealed]);
}

/** The oldest first. */
export async function listDocumentsOf(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<StoredDocument[]> {
  return (await database.query(listOfOrder, [merchantId, orderId])).map(toDocument);
}

export async function listSealedChunks(
  database: Queryable,
  { merchantId, orderId, documentId }: OrderDocumentPlace,
  from: number,
  atMost: number,
): Promise<Buffer[]> {
  const rows = await database.query(listChunks, [merchantId, orderId, documentId, from, from + atMost]);
  return rows.map((row) => row.sealed_chunk);
}

export async function deleteDocumentsOf(
  tx: Transaction,
  merchantId: MerchantId,
  userId: UserId,
): Promise<void> {
  await tx.query(deleteOfUser, [merchantId, userId]);
}

/** Which of these files belong to a document. */
export async function orderFilesInUse(database: Queryable, names: readonly string[]): Promise<Set<string>> {
  return new Set((await database.query(listFiles, [names])).map((row) => row.document_id));
}

function toDocument(row: DocumentRow): StoredDocument {
  return {
    documentId: row.document_id,
    mediaType: row.media_type,
    bytes: row.bytes,
    keptIn: row.kept_in,
    seal: row.seal,
    storedAt: row.stored_at,
  };
}
