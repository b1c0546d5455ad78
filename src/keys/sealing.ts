/**
 * AES-256-GCM. The place of a value (table, column, owner, version) is its additional data, so a value that was moved,
 * swapped or put back from an older copy does not open.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** Raised when what is sealed, or its place, changes its form; `upgrade-sealing.ts` brings older databases here. */
export const sealingFormat = 2;

/** As JSON, because no value of one part can then look like two parts. */
export function placeOf(...parts: readonly (string | number | readonly string[])[]): string {
  return JSON.stringify([`remesa ${sealingFormat}`, ...parts]);
}

export function seal(key: Buffer, plaintext: Uint8Array, place: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Names the place of what does not open, never its content. */
export class BrokenSeal extends Error {
  override readonly name = 'BrokenSeal';
}

/** Throws `BrokenSeal` when the key, the place or a bit is not the one it was sealed with. */
export function open(key: Buffer, sealed: Buffer, place: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
  } catch (cause) {
    throw new BrokenSeal(`a sealed value was changed, moved or put back from an older copy: ${place}`, {
      cause,
    });
  }
}

/** Proves that what a row says in clear is what it said when it was written. */
export function sealPlace(key: Buffer, place: string): Buffer {
  return seal(key, Buffer.alloc(0), place);
}

/** Throws `BrokenSeal` like `open`, also when there is no seal. */
export function checkPlace(key: Buffer, sealed: Buffer | null, place: string): void {
  open(key, sealed ?? Buffer.alloc(0), place);
}

/** Stands in a place for bytes that are too long to stand there themselves. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
