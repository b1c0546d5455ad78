/**
 * Owns the merchants: the API clients, their secrets and their settings.
 * Does not own tokens and keys (tokens), or the merchants' users (users).
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { GrantedScope } from '../caller.js';
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

/** How many secrets with all scopes an operator leaves. */
export const maxSecrets = 2;

/** A client secret that works. Only its hash is stored. */
export interface Secret {
  readonly secretId: string;
  readonly createdAt: Date;
  readonly madeBy: 'operator' | 'merchant';
  /** Set for a restricted secret, which gets tokens of its scopes only. */
  readonly restricted: Restriction | undefined;
}

/** For so long a secret that the merchant replaced works on, and for so long the merchant cannot replace it again. */
export const overlapDays = 7;

export interface StoredSecret extends Secret {
  readonly hash: Buffer;
  /** Made within the last `overlapDays`. */
  readonly isRecent: boolean;
}

export interface Restriction {
  readonly name: string;
  readonly scopes: readonly GrantedScope[];
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

/** Returns the secret that this is. Takes the same time for a client that does not exist. */
export function matchingSecret<Stored extends { readonly hash: Buffer }>(
  secret: string,
  stored: readonly Stored[],
): Stored | undefined {
  const secretHash = hashSecret(secret);
  const candidates = stored.length > 0 ? stored : [{ hash: impossibleHash }];
  const found = candidates.map(({ hash }) => timingSafeEqual(secretHash, hash)).indexOf(true);
  return stored[found];
}

const impossibleHash = Buffer.alloc(32);
