/** Stores the documents of cases sealed under the user's key. */
import { randomBytes } from 'node:crypto';
import { ChunkVault, type KeptIn } from '../../documents/chunk-vault.js';
import type { DocumentFiles } from '../../documents/document-files.js';
import type { CleanDocument } from '../../documents/inspect.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { QuestionId } from '../cases/requirements.js';
import * as store from './document-store.js';
import type { DocumentPlace, DocumentVault, StoredDocument } from './document-vault.js';
import { checkDocument, sealDocument } from './sealed.js';

export class SealedDocumentVault implements DocumentVault {
  readonly #chunks: ChunkVault<DocumentPlace>;

  constructor(files: DocumentFiles, keptIn: KeptIn) {
    this.#chunks = new ChunkVault(files, keptIn, {
      ownerOf: ({ merchantId, caseId, documentId }) => `kyc_document_chunks|${merchantId}|${caseId}|${documentId}`,
      addChunk: store.addChunk,
      listChunks: store.listSealedChunks,
    });
  }

  async store(
    tx: Transaction,
    owner: Omit<DocumentPlace, 'documentId'>,
    question: QuestionId,
    key: Buffer,
    { mediaType, bytes }: CleanDocument,
  ): Promise<StoredDocument> {
    const documentId = randomBytes(16).toString('hex');
    const place = { ...owner, documentId };
    const stored = { documentId, question, mediaType, bytes: bytes.length };
    const seal = sealDocument(key, place, stored);
    await this.#chunks.store(tx, {
      place,
      key,
      bytes,
      addRow: (kept) => store.addDocument(tx, place, { ...stored, ...kept, seal }),
    });
    return stored;
  }

  async *read(database: Queryable, place: DocumentPlace, key: Buffer): AsyncGenerator<Buffer> {
    const found = await store.findStored(database, place);
    if (!found) throw new Error('there is no such document');
    checkDocument(key, place, found);
    yield* this.#chunks.read(database, place, key, found);
  }

  /** A file stays until a job finds that no row names it, because this transaction may be rolled back. */
  discard(tx: Transaction, place: DocumentPlace): Promise<void> {
    return store.removeDocument(tx, place);
  }
}
