/**
 * Owns prices: corridors, rates and their sources, quotes.
 * Does not own orders, which use a quote through `takeQuote`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { KycLevel } from '../../kyc-level.js';
import type { CurrencyCode } from '../../money/currency.js';

/** Sending up to this amount requires this KYC level. The last band has no upper limit. */
export interface KycBand {
  readonly upToMinor: bigint | undefined;
  readonly level: KycLevel;
}

export const payoutMethods = ['bank_account', 'cash_pickup', 'mobile_wallet'] as const;
export type PayoutMethod = (typeof payoutMethods)[number];

export interface CorridorTerms {
  readonly isOpen: boolean;
  readonly minInMinor: bigint;
  readonly maxInMinor: bigint;
  readonly minOutMinor: bigint;
  readonly marginBasisPoints: number;
  readonly feeFixedMinor: bigint;
  readonly feeBasisPoints: number;
  readonly quoteLifetimeSeconds: number;
  readonly kycBands: readonly KycBand[];
  readonly payoutMethods: readonly PayoutMethod[];
}

/** Whether saving these terms would change nothing. */
export function isSameTerms(terms: CorridorTerms, current: Corridor | undefined): boolean {
  if (!current) return false;
  const { fiatIn: _, fiatOut: __, version: ___, ...currentTerms } = current;
  return isDeepStrictEqual(terms, currentTerms);
}

export interface NewCorridor extends CorridorTerms {
  readonly fiatIn: CurrencyCode;
  readonly fiatOut: CurrencyCode;
}

export interface Corridor extends NewCorridor {
  readonly version: number;
}
