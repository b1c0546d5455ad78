/**
 * What a sender is told before paying: what it costs, what arrives and when, and which rights there are. By the rules
 * of the sender's country: 12 CFR 1005.31(b)(1) in the United States, PSD2 art. 45 to 48 and Regulation (EU) 2021/1230
 * art. 4 in Europe. Pure.
 */
import { eeaCountries } from '../../countries/lists.js';
import type { PageMerchant } from '../../hosted-pages/frame.js';
import type { Licensee, Supervisor } from '../../licensee/licensee.js';
import { type Amount, amount, subtract } from '../../money/amount.js';
import { minorUnits } from '../../money/currency.js';
import { divideCeil, divideFloor } from '../../money/division.js';
import { type Rate, type Ratio, ratioOf } from '../../money/rate.js';
import { isEcb } from '../../rates/board/mid-rate.js';
import { exchangeRateOf, transferAmountOf } from '../../rates/exchange-rate.js';
import { cancellationRightMinutes, type OrderTerms, type Payee } from '../order/order.js';
import { availableOn } from '../receipt/availability.js';

export type PricedTerms = Pick<OrderTerms, 'amountIn' | 'amountOut' | 'fee' | 'midRate'>;

/** Whose rules hold. */
export type Regime = 'us' | 'eu' | 'other';

export interface ReferenceRate {
  readonly ratio: Ratio;
  readonly source: string;
}

export interface DisclosureFacts {
  readonly terms: PricedTerms;
  readonly payee: Pick<Payee, 'country' | 'method'>;
  /** Where the sender lives. */
  readonly residence: string;
  /** The rate that the cost of the conversion is measured by. */
  readonly reference: ReferenceRate;
  /** When the rail would deliver. */
  readonly arrivesAt: Date;
  readonly merchant: PageMerchant;
  readonly licensee: Licensee;
  readonly supervisor: Supervisor | undefined;
}

export interface Disclosure extends DisclosureFacts {
  readonly regime: Regime;
  readonly transferAmount: Amount;
  readonly exchangeRate: Rate;
  /** What the rate costs against the reference rate, in the currency that is paid. */
  readonly conversionCost: Amount;
  /** The fee and what the rate costs. */
  readonly totalCost: Amount;
  /** How much the rate is worse than the reference rate, in hundredths of a percent, rounded up. */
  readonly markupBasisPoints: bigint;
  /** As `2026-11-16`, by the calendar of the country of the payout. */
  readonly availableOn: string;
  readonly cancellationRightMinutes: number | undefined;
}

export function discloseTerms(facts: DisclosureFacts): Disclosure {
  const { terms, payee, residence, arrivesAt, reference } = facts;
  const conversionCost = conversionCostOf(terms, reference);
  return {
    ...facts,
    regime: regimeOf(residence),
    transferAmount: transferAmountOf(terms),
    exchangeRate: exchangeRateOf(terms),
    conversionCost,
    totalCost: amount(terms.fee.currency, terms.fee.minor + conversionCost.minor),
    markupBasisPoints: divideCeil(conversionCost.minor * 10_000n, transferAmountOf(terms).minor),
    availableOn: availableOn(arrivesAt, payee.country),
    cancellationRightMinutes: cancellationRightMinutes(residence),
  };
}

/**
 * The ECB's where it publishes one: Regulation (EU) 2021/1230 art. 4. A quote that was made of it keeps that of its
 * moment. Else the rate that the quote was made of.
 */
export function referenceOf(
  { rateSource: source, midRate }: { readonly rateSource: string; readonly midRate: Rate },
  ecb: Ratio | undefined,
): ReferenceRate {
  return ecb && !isEcb(source) ? { ratio: ecb, source: 'ecb' } : { ratio: ratioOf(midRate), source };
}

/** The transfer amount less what the amount that arrives is worth at the reference rate, rounded up to a minor unit. */
function conversionCostOf(terms: PricedTerms, { ratio }: ReferenceRate): Amount {
  const { amountOut } = terms;
  const transferred = transferAmountOf(terms);
  const { numerator, denominator } = ratio;
  const scaleIn = 10n ** BigInt(minorUnits(transferred.currency));
  const scaleOut = 10n ** BigInt(minorUnits(amountOut.currency));
  // What arrived is worth amountOut / reference rate, here over one common denominator.
  const divisor = numerator * scaleOut;
  const worth = amountOut.minor * denominator * scaleIn;
  return subtract(transferred, amount(transferred.currency, divideFloor(worth, divisor)));
}

function regimeOf(residence: string): Regime {
  if (residence === 'US') return 'us';
  return eeaCountries.includes(residence) ? 'eu' : 'other';
}
