/** A price of this moment on the wire. */
import { amountToLiteral } from '../money/literal.js';
import { rateToLiteral } from '../money/rate.js';
import { exchangeRateOf } from './exchange-rate.js';
import type { QuoteTerms } from './quote.js';

/** Numbers are written from integers, never from floats. */
export function indicativeJson(terms: QuoteTerms): string {
  const { amountIn, amountOut, rate, fee, midRate, ratePublishedAt } = terms;
  return (
    `{"fiatIn":"${amountIn.currency}","fiatOut":"${amountOut.currency}","amountIn":${amountToLiteral(amountIn)},` +
    `"amountOut":${amountToLiteral(amountOut)},"rate":${rateToLiteral(rate)},` +
    `"exchangeRate":${rateToLiteral(exchangeRateOf(terms))},"fee":${amountToLiteral(fee)},` +
    `"midMarketRate":${rateToLiteral(midRate)},"ratePublishedAt":"${ratePublishedAt.toISOString()}"}`
  );
}
