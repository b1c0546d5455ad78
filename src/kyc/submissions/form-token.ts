/** Tokens of form links: whoever has one may fill in a form, or see its status. Only hashes are stored. */
import { createHash, randomBytes } from 'node:crypto';
import { type MerchantId, merchantDigits, merchantOfDigits } from '../../ids.js';

/** What a token says of itself. */
export interface TokenPlace {
  readonly tokenHash: Buffer;
  readonly merchantId: MerchantId;
}

/** The merchant's number, so that one look-up in one place finds the token, and 256 random bits. */
export function newFormToken(merchant: MerchantId): string {
  return `${merchantDigits(merchant)}${randomBytes(32).toString('base64url')}`;
}

/** A plain hash is enough for 256 random bits. */
export function hashFormToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns undefined when the text cannot be a token. */
export function readFormToken(token: string): TokenPlace | undefined {
  const [, digits = ''] = /^([0-9A-Z]{6})[A-Za-z0-9_-]{43}$/.exec(token) ?? [];
  const merchantId = merchantOfDigits(digits);
  return merchantId && { tokenHash: hashFormToken(token), merchantId };
}

/** Counted from the last save. */
export const writeMinutes = 60;
export const writeHoursAtMost = 24;
export const statusDays = 90;
/** How long an expired link is reported as expired instead of unknown. */
export const rememberedDays = 7;
