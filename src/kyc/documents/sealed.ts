/** Seals the rows of documents under the user's retained key. */
import { bindingOf, checkBinding, sealBinding } from '../../keys/sealing.js';
import type { CaseRef } from '../cases/sealed.js';
import type { StoredDocument } from './document-vault.js';

export function sealDocument(key: Buffer, kycCase: CaseRef, document: StoredDocument): Buffer {
  return sealBinding(key, documentBinding(kycCase, document));
}

/** Throws when the document was uploaded by another user, for another question, or as another type. */
export function checkDocument(
  key: Buffer,
  kycCase: CaseRef,
  document: StoredDocument & { readonly seal: Buffer },
): void {
  checkBinding(key, document.seal, documentBinding(kycCase, document));
}

function documentBinding({ merchantId, userId, caseId }: CaseRef, document: StoredDocument): string {
  const { documentId, question, mediaType, bytes } = document;
  const owner = [merchantId, userId, caseId] as const;
  return bindingOf('kyc_documents', 'seal', ...owner, documentId, question, mediaType, bytes);
}
