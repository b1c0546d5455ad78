/** Stores documents sealed under the user's key, in the database or in files; the row of each records where. */
import { RemesaError } from '../errors.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { chunkCount, openChunks, sealChunks, sealedLengths } from './chunks.js';
import type { DocumentFiles } from './document-files.js';

export type KeptIn = 'database' | 'files';

/** The tables of one kind of documents: those of cases, or those of orders. */
export interface DocumentShelf<Place> {
  /** What the chunks are bound to: the table, the owner and the document, joined by `|`. */
  ownerOf(place: Place): string;
  addChunk(tx: Transaction, place: Place, number: number, sealed: Buffer): Promise<void>;
  listChunks(database: Queryable, place: Place, from: number, atMost: number): Promise<Buffer[]>;
}

export interface NewDocument<Place> {
  readonly place: Place;
  readonly key: Buffer;
  readonly bytes: Buffer;
  /** Writes the row of the document. */
  readonly addRow: (kept: { readonly chunks: number; readonly keptIn: KeptIn }) => Promise<void>;
}

/** Half a megabyte: few round trips, and little memory for a slow reader. */
const chunksAtOnce = 8;

export class ChunkVault<Place extends { readonly documentId: string }> {
  constructor(
    readonly files: DocumentFiles,
    /** Where new documents are stored. Existing ones stay where they are. */
    readonly keptIn: KeptIn,
    readonly shelf: DocumentShelf<Place>,
  ) {}

  /** Throws `documents_unavailable` when the file cannot be written. */
  async store(tx: Transaction, { place, key, bytes, addRow }: NewDocument<Place>): Promise<void> {
    const { keptIn, shelf } = this;
    const sealed = sealChunks(key, shelf.ownerOf(place), bytes);
    // The file is written first, and the row decides: without the commit, a job removes the file.
    if (keptIn === 'files') await this.files.write(place.documentId, sealed).catch(refuseToKeep);
    await addRow({ chunks: chunkCount(bytes.length), keptIn });
    if (keptIn === 'files') return;
    let number = 0;
    for (const chunk of sealed) {
      await shelf.addChunk(tx, place, number, chunk);
      number += 1;
    }
  }

  /** Returns the chunks in order. Throws at a chunk that was changed, moved, left out or cut off. */
  read(
    database: Queryable,
    place: Place,
    key: Buffer,
    { bytes, keptIn }: { readonly bytes: number; readonly keptIn: KeptIn },
  ): AsyncGenerator<Buffer> {
    const sealed =
      keptIn === 'files'
        ? this.files.read(place.documentId, sealedLengths(bytes))
        : this.#chunksOf(database, place, chunkCount(bytes));
    return openChunks(key, this.shelf.ownerOf(place), bytes, sealed);
  }

  /** Reads with single statements, so that a slow reader keeps no transaction open. */
  async *#chunksOf(database: Queryable, place: Place, count: number): AsyncGenerator<Buffer> {
    for (let from = 0; from < count; from += chunksAtOnce) {
      yield* await this.shelf.listChunks(database, place, from, chunksAtOnce);
    }
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
