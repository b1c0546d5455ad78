/** Seals a document in chunks, each bound to its position: a chunk that was moved, swapped or cut off does not open. */
import { open, seal } from '../../keys/sealing.js';
import type { DocumentPlace } from './document-vault.js';

const chunkBytes = 64 * 1024;
/** A nonce and a tag. */
const sealBytes = 28;

export function chunkCount(bytes: number): number {
  return Math.ceil(bytes / chunkBytes);
}

/** The lengths of the sealed chunks of a document with so many bytes, in order. */
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

/** Throws at the first chunk that is out of place, and at the end when chunks are missing. */
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

/** The key binds the user, and the seal of the row binds the rest. No part can contain a `|`. */
function chunkPlace(place: DocumentPlace, number: number, isLast: boolean): string {
  const { merchantId, caseId, documentId } = place;
  return `kyc_document_chunks|${merchantId}|${caseId}|${documentId}|${number}|${isLast ? 'last' : 'more'}`;
}
