/** Stores the documents of cases sealed under the user's key. */
import { randomBytes } from 'node:crypto';
import { ChunkVault, type KeptIn } from '../../documents/chunk-vault.js';
import type { DocumentFiles } from '../../documents/document-files.js';
import type { CleanDocument } from '../../documents/inspect.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { QuestionId } from '../cases/requirements.js';
import type { DocumentPlace, StoredDocument } from './document.js';
import * as store from './document-store.js';
import { checkDocument, sealDocument } from './sealed.js';

/** `key` is the user's retained key. Without it no document can be opened. */
export class DocumentVault {
  readonly #chunks: ChunkVault<DocumentPlace>;

  constructor(files: DocumentFiles, keptIn: KeptIn) {
    this.#chunks = new ChunkVault(files, keptIn, {
      ownerOf: ({ merchantId, caseId, documentId }) => `kyc_document_chunks|${merchantId}|${caseId}|${documentId}`,
      addChunk: store.addChunk,
      listChunks: store.listSealedChunks,
    });
  }

  /** Throws `documents_unavailable` when the file cannot be written. */
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

  /** Returns the chunks in order. Throws at a chunk that was changed, moved, left out or cut off. */
  async *read(database: Queryable, place: DocumentPlace, key: Buffer): AsyncGenerator<Buffer> {
    const found = await store.findStored(database, place);
    if (!found) throw new Error('there is no such document');
    checkDocument(key, place, found);
    yield* this.#chunks.read(database, place, key, found);
  }

  /** Deletes the row and its chunks. A file is left to a job, because this transaction may be rolled back. */
  discard(tx: Transaction, place: DocumentPlace): Promise<void> {
    return store.removeDocument(tx, place);
  }
}
