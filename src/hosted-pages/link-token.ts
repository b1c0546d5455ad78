/** Tokens of links to hosted pages: whoever has one may use the page. Only hashes are stored. */
import { createHash, randomBytes } from 'node:crypto';
import { type MerchantId, merchantDigits, merchantOfDigits } from '../ids.js';

/** Where a token is stored. */
export interface TokenPlace {
  readonly tokenHash: Buffer;
  readonly merchantId: MerchantId;
}

/** The merchant's number, so that one look-up in one place finds the token, and 256 random bits. */
export function newLinkToken(merchant: MerchantId): string {
  return `${merchantDigits(merchant)}${randomBytes(32).toString('base64url')}`;
}

/** A plain hash is enough for 256 random bits. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns undefined when the text cannot be a token. */
export function readLinkToken(token: string): TokenPlace | undefined {
  const [, digits = ''] = /^([0-9A-Z]{6})[A-Za-z0-9_-]{43}$/.exec(token) ?? [];
  const merchantId = merchantOfDigits(digits);
  return merchantId && { tokenHash: hashLinkToken(token), merchantId };
}
