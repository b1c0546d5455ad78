/** What holds for a corridor about which the operator has decided nothing yet. Data. */
import type { RateTerms, WaitingTerms } from './corridor.js';

interface RateClass {
  readonly currencies: readonly string[];
  readonly toleranceBasisPoints: number;
}

/**
 * The ten most traded currencies (Bank for International Settlements, triennial survey). Between two of them 3 % in a
 * day is rare: the Swiss franc on 15 January 2015, the pound on 24 June 2016.
 */
const mostTraded: RateClass = {
  currencies: ['USD', 'EUR', 'JPY', 'GBP', 'AUD', 'CAD', 'CHF', 'NZD', 'SEK', 'NOK'],
  toleranceBasisPoints: 300,
};
/** Kept at a fixed rate to the dollar or the euro by their central banks: they change as those do. */
const pegged: RateClass = { currencies: ['AED', 'XOF', 'XAF'], toleranceBasisPoints: 300 };
/**
 * All others. Days of more than 10 % are devaluations: the naira on 14 June 2023, the Egyptian pound on 6 March 2024.
 */
const otherToleranceBasisPoints = 1000;

/** The wider of the two currencies decides. */
function defaultToleranceBasisPoints(fiatIn: string, fiatOut: string): number {
  return Math.max(toleranceOf(fiatIn), toleranceOf(fiatOut));
}

/**
 * The rates of the European Central Bank are 120 hours old on the Tuesday after Easter when the next ones appear; four
 * hours more are for a late publication.
 */
const maxAgeHours = 124;

export function defaultRateTerms(fiatIn: string, fiatOut: string): RateTerms {
  return {
    rateToleranceBasisPoints: defaultToleranceBasisPoints(fiatIn, fiatOut),
    rateMaxAgeHours: maxAgeHours,
    onHold: 'close',
  };
}

/** A bank transfer takes a business day (Directive (EU) 2015/2366, Article 83), and some people pay on the next day. */
export const defaultWaitingTerms: WaitingTerms = {
  rateGuaranteeHours: 24,
  paymentDueHours: 72,
  maxUnpaidOrders: 10,
  countsUnpaidOrders: false,
};

function toleranceOf(currency: string): number {
  const found = [mostTraded, pegged].find(({ currencies }) => currencies.includes(currency));
  return found?.toleranceBasisPoints ?? otherToleranceBasisPoints;
}
