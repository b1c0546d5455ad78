/** What is stored of the documents of a case, and the interface to their storage, which `vault.ts` implements. */
import type { CleanDocument } from '../../documents/inspect.js';
import type { MerchantId, PublicId, UserId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { QuestionId } from '../cases/requirements.js';

/** The owner of a document. Its ciphertext is bound to this and opens nowhere else. */
export interface DocumentPlace {
  readonly merchantId: MerchantId;
  readonly caseId: PublicId<'kyc'>;
  readonly userId: UserId;
  readonly documentId: string;
}

export interface StoredDocument {
  readonly documentId: string;
  readonly question: QuestionId;
  readonly mediaType: string;
  readonly bytes: number;
}

/** `key` is the user's retained key. Without it no document can be opened. */
export interface DocumentVault {
  /** Writes the row of `kyc_documents`, and the sealed chunks into the database or a file. */
  store(
    tx: Transaction,
    place: Omit<DocumentPlace, 'documentId'>,
    question: QuestionId,
    key: Buffer,
    document: CleanDocument,
  ): Promise<StoredDocument>;
  /** Returns the chunks in order. Throws at a chunk that was changed, moved, left out or cut off. */
  read(database: Queryable, place: DocumentPlace, key: Buffer): AsyncIterable<Buffer>;
  /** Deletes the row and its bytes. */
  discard(tx: Transaction, place: DocumentPlace): Promise<void>;
}
