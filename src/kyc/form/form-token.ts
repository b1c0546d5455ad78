/** Links that carry their own right: who holds the token may write in a case, or see its status. Only hashes are kept. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits; nothing of what it opens can be read from it. */
export function newFormToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A plain hash is enough for 256 random bits. Undefined for what can't be a token. */
export function hashFormToken(token: string): Buffer | undefined {
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

/** Counted from the last time it was used to write. */
export const writeMinutes = 60;
export const writeHoursAtMost = 24;
export const statusDays = 90;
/** How long after its end a link still says that it has ended, rather than nothing. */
export const rememberedDays = 7;
