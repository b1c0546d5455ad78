/** Seals a document in chunks, each bound to its position: a chunk that was moved, swapped or cut off does not open. */
import { open, seal } from '../keys/sealing.js';

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

/** `owner` names the table, the owner and the document. No part of it contains a `|` of its own. */
export function* sealChunks(key: Buffer, owner: string, bytes: Buffer): Generator<Buffer> {
  const count = chunkCount(bytes.length);
  for (let number = 0; number < count; number += 1) {
    const chunk = bytes.subarray(number * chunkBytes, (number + 1) * chunkBytes);
    yield seal(key, chunk, chunkPlace(owner, number, number === count - 1));
  }
}

/** Throws at the first chunk that is out of place, and at the end when chunks are missing. */
export async function* openChunks(
  key: Buffer,
  owner: string,
  bytes: number,
  sealed: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const count = chunkCount(bytes);
  let number = 0;
  let left = bytes;
  for await (const chunk of sealed) {
    const opened = open(key, chunk, chunkPlace(owner, number, number === count - 1));
    number += 1;
    left -= opened.length;
    yield opened;
  }
  if (number !== count || left !== 0) throw new Error('a document is not whole');
}

/** The key binds the user, and the seal of the row binds the rest. */
function chunkPlace(owner: string, number: number, isLast: boolean): string {
  return `${owner}|${number}|${isLast ? 'last' : 'more'}`;
}
