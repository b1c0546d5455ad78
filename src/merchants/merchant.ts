/**
 * Owns the merchants: the API clients, their secrets, and what each has agreed with the operator.
 * Does not own tokens or keys (tokens), nor the merchants' users (users).
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MerchantId } from '../ids.js';

export interface Branding {
  readonly displayName?: string;
  /** As `#rrggbb`. */
  readonly color?: string;
  readonly logoUrl?: string;
  readonly supportEmail?: string;
  readonly supportUrl?: string;
}

/** What happens to money that does not match its order. */
export interface PaymentPolicy {
  readonly underpaid: 'wait' | 'requote' | 'refund';
  readonly overpaid: 'refund_difference' | 'requote' | 'refund';
  readonly late: 'requote' | 'refund';
  readonly duplicate: 'refund' | 'suspense';
  readonly unmatched: 'refund' | 'suspense';
}

export const defaultPaymentPolicy: PaymentPolicy = {
  underpaid: 'wait',
  overpaid: 'refund_difference',
  late: 'requote',
  duplicate: 'refund',
  unmatched: 'suspense',
};

export interface MerchantSettings {
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly redirectUrls: readonly string[];
  readonly branding: Branding;
  readonly paymentPolicy: PaymentPolicy;
}

export interface Merchant extends MerchantSettings {
  readonly merchantId: MerchantId;
  readonly clientId: string;
  readonly status: 'active' | 'suspended';
  readonly createdAt: Date;
}

export const secretsAtOnce = 2;

/** 256 random bits behind a prefix that scanners for leaked secrets can look for. */
export function newClientSecret(): string {
  return `rms_${randomBytes(32).toString('base64url')}`;
}

export function newClientId(): string {
  return `client_${randomBytes(9).toString('hex')}`;
}

/** A plain hash is enough for 256 random bits: there is nothing to guess that a slow one would slow down. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares with all, and does as much work for a client that has none. */
export function matchesOneOf(secret: string, hashes: readonly Buffer[]): boolean {
  const given = hashSecret(secret);
  const compared = hashes.length > 0 ? hashes : [nobodysHash];
  return compared.map((hash) => timingSafeEqual(given, hash)).includes(true);
}

const nobodysHash = Buffer.alloc(32);
