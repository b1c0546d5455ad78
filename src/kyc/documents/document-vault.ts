/** What the cases ask of whoever keeps their documents; `documents/` answers. */
import type { MerchantId, PublicId, UserId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { QuestionId } from '../requirements.js';

/** Checked and, where it is an image, made anew: nothing of the upload's own bytes but its picture. */
export interface CleanDocument {
  readonly mediaType: 'image/jpeg' | 'image/png' | 'application/pdf';
  readonly bytes: Buffer;
}

/** Where a document belongs. Its ciphertext is bound to this and opens nowhere else. */
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

/** The key is the user's retained key; without it nothing here opens again. */
export interface DocumentVault {
  /** Writes the row of `kyc_documents` and the sealed chunks, or the file that is there when the transaction commits. */
  store(
    tx: Transaction,
    place: Omit<DocumentPlace, 'documentId'>,
    question: QuestionId,
    key: Buffer,
    document: CleanDocument,
  ): Promise<StoredDocument>;
  /** In order, chunk by chunk; fails rather than to hand out one that was changed, moved, left out or cut off. */
  read(database: Queryable, place: DocumentPlace, key: Buffer): AsyncIterable<Buffer>;
  /** Takes away the row and all that was kept of it. */
  discard(tx: Transaction, place: DocumentPlace): Promise<void>;
}
