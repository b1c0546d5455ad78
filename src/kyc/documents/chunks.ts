/** A document as sealed chunks, each bound to its place: one that was moved, swapped, left out or cut off does not open. */
import { open, seal } from '../../keys/sealing.js';
import type { DocumentPlace } from './document-vault.js';

const chunkBytes = 64 * 1024;
/** A nonce and a tag. */
const sealBytes = 28;

export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / chunkBytes);
}

/** How long each sealed chunk of a document of so many bytes is, in order. */
export function* sealedLengths(bytes: number): Generator<number> {
  for (let left = bytes; left > 0; left -= chunkBytes) yield Math.min(left, chunkBytes) + sealBytes;
}

export function* sealChunks(key: Buffer, place: DocumentPlace, bytes: Buffer): Generator<Buffer> {
  const count = chunkCount(bytes.length);
  for (let number = 0; number < count; number += 1) {
    const chunk = bytes.subarray(number * chunkBytes, (number + 1) * chunkBytes);
    yield seal(key, chunk, chunkPlace(place, number, number === count - 1));
  }
}

/** Throws at the first chunk that is not where it was sealed, and at the end if not all were there. */
export async function* openChunks(
  key: Buffer,
  place: DocumentPlace,
  bytes: number,
  sealed: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const count = chunkCount(bytes);
  let number = 0;
  let left = bytes;
  for await (const chunk of sealed) {
    const opened = open(key, chunk, chunkPlace(place, number, number === count - 1));
    number += 1;
    left -= opened.length;
    yield opened;
  }
  if (number !== count || left !== 0) throw new Error('a document is not whole');
}

/** The user is bound by the key, the rest of the row by its seal; none of the parts can hold a `|`. */
function chunkPlace(place: DocumentPlace, number: number, isLast: boolean): string {
  const { merchantId, caseId, documentId } = place;
  return `kyc_document_chunks|${merchantId}|${caseId}|${documentId}|${number}|${isLast ? 'last' : 'more'}`;
}
