/** Proves that the row of a document is the one of its upload, under the user's retained key. */
import { bindingOf, checkBinding, sealBinding } from '../../keys/sealing.js';
import type { OrderDocument, OrderDocumentPlace } from './document.js';

export type SealedColumns = Pick<OrderDocument, 'mediaType' | 'bytes'>;

export function sealDocument(key: Buffer, place: OrderDocumentPlace, columns: SealedColumns): Buffer {
  return sealBinding(key, bindingFor(place, columns));
}

/** Throws `BrokenSeal` when the document belongs to another order, or was uploaded as another type. */
export function checkDocument(
  key: Buffer,
  place: OrderDocumentPlace,
  document: SealedColumns & { readonly seal: Buffer },
): void {
  checkBinding(key, document.seal, bindingFor(place, document));
}

function bindingFor(
  { merchantId, userId, orderId, documentId }: OrderDocumentPlace,
  { mediaType, bytes }: SealedColumns,
): string {
  const owner = [merchantId, userId, orderId, documentId] as const;
  return bindingOf('order_documents', 'seal', ...owner, mediaType, bytes);
}
