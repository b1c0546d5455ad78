/**
 * Owns prices: corridors, rates and their sources, quotes.
 * Does not own orders, which use a quote through `takeQuote`.
 */
import type { CurrencyCode } from '../../money/currency.js';

/** Sending up to this amount requires this KYC level. The last band has no upper limit. */
export interface KycBand {
  readonly upToMinor: bigint | undefined;
  readonly level: 'LEVEL_1' | 'LEVEL_2' | 'LEVEL_3';
}

export const payoutMethods = ['bank_account', 'cash_pickup', 'mobile_wallet', 'card'] as const;
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

export interface Corridor extends CorridorTerms {
  readonly fiatIn: CurrencyCode;
  readonly fiatOut: CurrencyCode;
  readonly version: number;
}
