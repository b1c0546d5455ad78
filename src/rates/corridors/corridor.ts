/**
 * Owns prices: corridors, rates and their sources, quotes.
 * Does not own orders, which use a quote through `takeQuote`.
 */
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, type DigestedRow } from '../../changes/row.js';
import type { KycLevel } from '../../kyc-level.js';
import type { CurrencyCode } from '../../money/currency.js';

/** Sending up to this amount requires this KYC level. The last band has no upper limit. */
export interface KycBand {
  readonly upToMinor: bigint | undefined;
  readonly level: KycLevel;
}

export const payoutMethods = ['bank_account', 'cash_pickup', 'mobile_wallet'] as const;
export type PayoutMethod = (typeof payoutMethods)[number];

/** What a corridor does while its rate is held: it refuses quotes, or quotes the last accepted rate. */
export const holdPolicies = ['close', 'quote'] as const;
export type HoldPolicy = (typeof holdPolicies)[number];

/** No corridor may believe a larger change: beyond it, a figure is more often wrong than right. */
export const largestToleranceBasisPoints = 2000;

/** Which rates of a corridor are believed without a person. */
export interface RateTerms {
  /** A rate may change by so much. Two sources may differ by so much. */
  readonly rateToleranceBasisPoints: number;
  /** A rate that is older is not quoted. */
  readonly rateMaxAgeHours: number;
  readonly onHold: HoldPolicy;
}

/** How long an unpaid order binds us, and what it counts for. */
export interface WaitingTerms {
  /** An order keeps its rate for so long after its creation. */
  readonly rateGuaranteeHours: number;
  /** Its payment is due so long after its creation. */
  readonly paymentDueHours: number;
  /** A user may have so many unpaid orders of this corridor at a time. */
  readonly maxUnpaidOrders: number;
  /** Whether orders that ended unpaid still count in the number of orders of their user. */
  readonly countsUnpaidOrders: boolean;
}

export interface CorridorTerms extends RateTerms, WaitingTerms {
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

/** Terms as an operator sends them. What is absent stays as it is; a new corridor gets the defaults. */
export type EditedTerms = Omit<CorridorTerms, keyof RateTerms | keyof WaitingTerms> & Partial<RateTerms & WaitingTerms>;

/** The terms as the audit log writes them. Amounts in minor units. */
export function auditedTerms({ fiatIn: _, fiatOut: __, version: ___, ...terms }: Corridor) {
  const { minInMinor, maxInMinor, minOutMinor, feeFixedMinor, kycBands, ...others } = terms;
  return {
    ...others,
    minInMinor: String(minInMinor),
    maxInMinor: String(maxInMinor),
    minOutMinor: String(minOutMinor),
    feeFixedMinor: String(feeFixedMinor),
    kycBands: kycBands.map(({ level, upToMinor }) => (upToMinor === undefined ? level : `${level} up to ${upToMinor}`)),
  };
}

export interface NewCorridor extends CorridorTerms {
  readonly fiatIn: CurrencyCode;
  readonly fiatOut: CurrencyCode;
}

export interface Corridor extends NewCorridor {
  readonly version: number;
}

export const corridorPrefix = 'corridor:';

/** What identifies the content of a corridor. */
export function digestedCorridor(corridor: Corridor): DigestedRow {
  const { fiatIn, fiatOut } = corridor;
  return { subject: `${corridorPrefix}${fiatIn}-${fiatOut}`, row: [canonicalJson(corridor)] };
}
