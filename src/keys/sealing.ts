/**
 * Sealing is AES-256-GCM encryption with a binding (table, column, owner, version) as additional authenticated data. A
 * value that was moved to another row, swapped, or restored from an older copy does not open.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { freshBytes } from '../random.js';

const nonceBytes = 12;
const tagBytes = 16;

/** Encodes a binding as JSON, so that different lists of values never give the same text. */
export function bindingOf(...values: readonly (string | number | readonly string[])[]): string {
  return JSON.stringify(['remesa', ...values]);
}

export function seal(key: Buffer, plaintext: Uint8Array, binding: string): Buffer {
  const nonce = freshBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(binding));
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** A sealed value does not open. The message contains its binding, never its content. */
export class BrokenSeal extends Error {
  override readonly name = 'BrokenSeal';
}

/** Throws `BrokenSeal` when the key, the binding or any bit differs from what the value was sealed with. */
export function open(key: Buffer, sealed: Buffer, binding: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(binding)).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
  } catch (cause) {
    throw new BrokenSeal(`a sealed value was changed, moved or restored from an older copy: ${binding}`, {
      cause,
    });
  }
}

/** Seals a binding without content. `checkBinding` then proves that the unencrypted columns in it were not changed. */
export function sealBinding(key: Buffer, binding: string): Buffer {
  return seal(key, Buffer.alloc(0), binding);
}

/** Throws `BrokenSeal` when the binding differs from the sealed one, or when there is no seal. */
export function checkBinding(key: Buffer, sealed: Buffer | null, binding: string): void {
  open(key, sealed ?? Buffer.alloc(0), binding);
}

/** Represents bytes in a binding when they are too long to be part of it. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
