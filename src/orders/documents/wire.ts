/** A document of an order on the wire. */
import type { Static } from 'typebox';
import type { OrderDocument } from './document.js';
import type { DocumentShape } from './schemas.js';

export function encodeDocument(document: OrderDocument): Static<typeof DocumentShape> {
  const { documentId, mediaType, bytes, storedAt } = document;
  return { documentId, mediaType, bytes, storedAt: storedAt.toISOString() };
}
