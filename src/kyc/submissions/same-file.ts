/** Finds out whether a file was already sent as another document of its case. */

import type { CleanDocument } from '../../documents/inspect.js';
import type { Transaction } from '../../postgres/statement.js';
import type { QuestionId } from '../cases/requirements.js';
import type { DocumentVault } from '../documents/document-vault.js';
import type { Session } from './session.js';
import { listAttachments } from './store.js';

/**
 * Opens only documents of the same type and length. Images were re-encoded from their pixels, so a changed name, date or
 * place in the file does not hide that it is the same picture. A PDF is the same if every byte is.
 */
export async function isAttachedElsewhere(
  tx: Transaction,
  documents: DocumentVault,
  { kycCase, key }: Pick<Session, 'kycCase' | 'key'>,
  upload: { readonly question: QuestionId; readonly document: CleanDocument },
): Promise<boolean> {
  const { mediaType, bytes } = upload.document;
  const { merchantId, caseId, userId } = kycCase;
  for (const attachment of await listAttachments(tx, kycCase)) {
    if (attachment.question === upload.question) continue;
    if (attachment.mediaType !== mediaType || attachment.bytes !== bytes.length) continue;
    const place = { merchantId, caseId, userId, documentId: attachment.documentId };
    if (await isSame(documents.read(tx, place, key), bytes)) return true;
  }
  return false;
}

async function isSame(chunks: AsyncIterable<Buffer>, bytes: Buffer): Promise<boolean> {
  let at = 0;
  for await (const chunk of chunks) {
    if (!chunk.equals(bytes.subarray(at, at + chunk.length))) return false;
    at += chunk.length;
  }
  return at === bytes.length;
}
