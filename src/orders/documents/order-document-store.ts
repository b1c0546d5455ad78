/** SQL on the documents of orders and their sealed chunks, always within one merchant. */

import type { KeptIn } from '../../documents/chunk-vault.js';
import type { MerchantId, UserId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { OrderRef } from '../order/order.js';
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

const insertDocument = statement(
  'order-document-store.insert',
  `INSERT INTO order_documents (merchant_id, order_id, document_id, user_id, media_type, bytes, chunks,
     kept_in, seal)
   VALUES ($merchantId, $orderId, $documentId, $userId, $mediaType, $bytes, $chunks, $keptIn, $seal)
     RETURNING ${columns}`,
).rows<DocumentRow>();
const insertChunk = statement(
  'order-document-store.insert-chunk',
  `INSERT INTO order_document_chunks (merchant_id, order_id, document_id, chunk_no, sealed_chunk)
   VALUES ($merchantId, $orderId, $documentId, $chunkNo, $sealed)`,
);
const listOfOrder = statement(
  'order-document-store.list',
  `SELECT ${columns} FROM order_documents WHERE merchant_id = $merchantId AND order_id = $orderId
     ORDER BY stored_at, document_id`,
).rows<DocumentRow>();
const listChunks = statement(
  'order-document-store.list-chunks',
  `SELECT sealed_chunk FROM order_document_chunks
    WHERE merchant_id = $merchantId AND order_id = $orderId AND document_id = $documentId
      AND chunk_no >= $from AND chunk_no < $to
    ORDER BY chunk_no`,
).rows<{ sealed_chunk: Buffer }>();
const deleteOfUser = statement(
  'order-document-store.delete-of-user',
  'DELETE FROM order_documents WHERE merchant_id = $merchantId AND user_id = $userId',
);
const listFiles = statement(
  'order-document-store.list-files',
  `SELECT document_id FROM order_documents WHERE document_id = ANY ($names) AND kept_in = 'files'`,
).rows<{ document_id: string }>();

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
  const [added] = await tx.query(insertDocument, {
    merchantId,
    orderId,
    documentId,
    userId,
    mediaType,
    bytes,
    chunks,
    keptIn,
    seal,
  });
  if (!added) throw new Error('the database returned no document');
  return toDocument(added);
}

export async function addChunk(
  tx: Transaction,
  { merchantId, orderId, documentId }: OrderDocumentPlace,
  number: number,
  sealed: Buffer,
): Promise<void> {
  await tx.query(insertChunk, { merchantId, orderId, documentId, chunkNo: number, sealed });
}

/** The oldest first. */
export async function listDocumentsOf(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<StoredDocument[]> {
  return (await database.query(listOfOrder, { merchantId, orderId })).map(toDocument);
}

export async function listSealedChunks(
  database: Queryable,
  { merchantId, orderId, documentId }: OrderDocumentPlace,
  from: number,
  atMost: number,
): Promise<Buffer[]> {
  const rows = await database.query(listChunks, { merchantId, orderId, documentId, from, to: from + atMost });
  return rows.map((row) => row.sealed_chunk);
}

export async function deleteDocumentsOf(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
  await tx.query(deleteOfUser, { merchantId, userId });
}

/** Which of these files belong to a document. */
export async function orderFilesInUse(database: Queryable, names: readonly string[]): Promise<Set<string>> {
  return new Set((await database.query(listFiles, { names })).map((row) => row.document_id));
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
