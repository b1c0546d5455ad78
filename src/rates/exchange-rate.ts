/** What a price means: the part that is converted, and what one unit of it buys. Pure. */
import { type Amount, subtract } from '../money/amount.js';
import { minorUnits } from '../money/currency.js';
import { type Rate, roundDownToSignificant } from '../money/rate.js';
import type { QuoteTerms } from './quote.js';

/** The part of the payment that was converted: what was paid less the fee. */
export function transferAmountOf({ amountIn, fee }: Pick<QuoteTerms, 'amountIn' | 'fee'>): Amount {
  return subtract(amountIn, fee);
}

const shownDigits = 6;

/**
 * What one unit of the transfer amount buys, rounded down. The rate of the quote includes the fee; this one does not.
 */
export function exchangeRateOf(terms: Pick<QuoteTerms, 'amountIn' | 'fee' | 'amountOut'>): Rate {
  const { amountOut } = terms;
  const transferred = transferAmountOf(terms);
  return roundDownToSignificant(
    {
      numerator: amountOut.minor * 10n ** BigInt(minorUnits(transferred.currency)),
      denominator: transferred.minor * 10n ** BigInt(minorUnits(amountOut.currency)),
    },
    shownDigits,
  );
}
