/**
 * Owns the merchants: the API clients, their secrets and their settings.
 * Does not own tokens and keys (tokens), or the merchants' users (users).
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MerchantId } from '../ids.js';
import type { Locale } from '../locale.js';

export interface Branding {
  readonly displayName?: string;
  /** As `#rrggbb`. */
  readonly color?: string;
  readonly logoUrl?: string;
  readonly supportEmail?: string;
  readonly supportUrl?: string;
  /** Of the hosted pages, the usual one first. Absent: all that we have. */
  readonly languages?: Locale[];
}

/** Whether we tell senders by mail how their transfers stand. */
export const notifySenders = ['none', 'email'] as const;
export type NotifySenders = (typeof notifySenders)[number];

/** What operators decide about a merchant. */
export interface MerchantSettings {
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly redirectUrls: readonly string[];
  readonly branding: Branding;
  readonly notifySenders: NotifySenders;
}

export interface Merchant extends MerchantSettings {
  readonly merchantId: MerchantId;
  readonly clientId: string;
  readonly status: 'active' | 'suspended';
  readonly createdAt: Date;
}

export const maxSecrets = 2;

/** A client secret that works. Only its hash is stored. */
export interface Secret {
  readonly secretId: string;
  readonly createdAt: Date;
}

/** Has 256 random bits, after a prefix that scanners for leaked secrets can find. */
export function newClientSecret(): string {
  return `rms_${randomBytes(32).toString('base64url')}`;
}

export function newClientId(): string {
  return `client_${randomBytes(9).toString('hex')}`;
}

/** A fast hash is enough, because 256 random bits cannot be guessed. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Takes the same time for a client that does not exist. */
export function matchesAny(secret: string, hashes: readonly Buffer[]): boolean {
  const secretHash = hashSecret(secret);
  const candidates = hashes.length > 0 ? hashes : [impossibleHash];
  return candidates.map((hash) => timingSafeEqual(secretHash, hash)).includes(true);
}

const impossibleHash = Buffer.alloc(32);
