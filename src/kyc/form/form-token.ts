/** Tokens of form links: whoever has one may fill in a form, or see its status. Only hashes are stored. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits; the token reveals nothing about its case. */
export function newFormToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A plain hash is enough for 256 random bits. Returns undefined when the text cannot be a token. */
export function hashFormToken(token: string): Buffer | undefined {
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

/** Counted from the last save. */
export const writeMinutes = 60;
export const writeHoursAtMost = 24;
export const statusDays = 90;
/** How long an expired link is reported as expired instead of unknown. */
export const rememberedDays = 7;
