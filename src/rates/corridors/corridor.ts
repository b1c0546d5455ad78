/**
 * Owns what a transfer costs: corridors, rates from their sources, quotes.
 * Does not own what is done with a quote: an order takes it, through `takeQuote`.
 */
import type { KycLevel } from '../../kyc-level.js';
import type { CurrencyCode } from '../../money/currency.js';

/** Up to this amount sent, this KYC level is needed; the last band has no end. */
export interface KycBand {
  readonly upToMinor: bigint | undefined;
  readonly level: KycLevel;
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
