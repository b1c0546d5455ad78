/** A stored document of a case, and its owner. */
import type { MerchantId, PublicId, UserId } from '../../ids.js';
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
