/** Stores documents sealed under the user's key, in the database or in files; each row records where. */
import { randomBytes } from 'node:crypto';
import { RemesaError } from '../../errors.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { QuestionId } from '../requirements.js';
import { checkDocument, sealDocument } from '../sealed.js';
import { chunkCount, openChunks, sealChunks, sealedLengths } from './chunks.js';
import type { DocumentFiles } from './document-files.js';
import * as store from './document-store.js';
import type { CleanDocument, DocumentPlace, DocumentVault, StoredDocument } from './document-vault.js';

/** Half a megabyte: few round trips, and little memory for a slow reader. */
const chunksAtOnce = 8;

export class SealedDocumentVault implements DocumentVault {
  constructor(
    readonly files: DocumentFiles,
    /** Where new documents are stored. Existing ones stay where they are. */
    readonly keptIn: store.KeptIn,
  ) {}

  async store(
    tx: Transaction,
    place: Omit<DocumentPlace, 'documentId'>,
    question: QuestionId,
    key: Buffer,
    document: CleanDocument,
  ): Promise<StoredDocument> {
    const { mediaType, bytes } = document;
    const { keptIn } = this;
    const documentId = randomBytes(16).toString('hex');
    const at = { ...place, documentId };
    const sealed = sealChunks(key, at, bytes);
    // The file is written first, and the row decides: without the commit, a job removes the file.
    if (keptIn === 'files') await this.files.write(documentId, sealed).catch(refuseToKeep);
    const chunks = chunkCount(bytes.length);
    const stored = { documentId, question, mediaType, bytes: bytes.length };
    await store.addDocument(tx, at, { ...stored, chunks, keptIn, seal: sealDocument(key, at, stored) });
    if (keptIn === 'database') await addChunks(tx, at, sealed);
    return stored;
  }

  async *read(database: Queryable, place: DocumentPlace, key: Buffer): AsyncGenerator<Buffer> {
    const found = await store.findStored(database, place);
    if (!found) throw new Error('there is no such document');
    checkDocument(key, place, found);
    const sealed =
      found.keptIn === 'files'
        ? this.files.read(place.documentId, sealedLengths(found.bytes))
        : chunksIn(database, place, chunkCount(found.bytes));
    yield* openChunks(key, place, found.bytes, sealed);
  }

  /** A file stays until a job finds that no row names it, because this transaction may be rolled back. */
  discard(tx: Transaction, place: DocumentPlace): Promise<void> {
    return store.removeDocument(tx, place);
  }
}

/** Thrown for a full or missing disk. Nothing of the file is left, and the caller can try again. */
function refuseToKeep(cause: unknown): never {
  throw new RemesaError(
    'unavailable',
    'documents_unavailable',
    'The document cannot be stored now. Try again shortly.',
    { retryAfterSeconds: 5, cause },
  );
}

async function addChunks(tx: Transaction, place: DocumentPlace, sealed: Iterable<Buffer>): Promise<void> {
  let number = 0;
  for (const chunk of sealed) {
    await store.addChunk(tx, place, number, chunk);
    number += 1;
  }
}

/** Reads with single statements, so that a slow reader keeps no transaction open. */
async function* chunksIn(database: Queryable, place: DocumentPlace, count: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < count; from += chunksAtOnce) {
    yield* await store.listSealedChunks(database, place, from, chunksAtOnce);
  }
}
