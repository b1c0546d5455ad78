/** New terms for an order that was paid late, and what they are compared with. Pure. */
import { rateToLiteral, ratioOf } from '../../money/rate.js';
import type { QuoteTerms } from '../../rates/quote.js';
import type { QuoteRefusal } from '../../rates/service.js';
import type { Order, Requote, RequotedTerms } from '../order/order.js';

/** The terms of today for what has been paid in all. */
export interface RequoteOffer {
  readonly terms: QuoteTerms;
  /** They are so much worse that the sender must accept them. */
  readonly needsAcceptance: boolean;
}

/** Why there are no terms today. */
export const requoteRefusals = ['rates_unavailable', 'corridor_unavailable', 'amount_out_of_range'] as const;
export type RequoteRefusal = (typeof requoteRefusals)[number];

type Terms = Pick<QuoteTerms, 'amountIn' | 'amountOut' | 'fee' | 'rate'>;

/** Worse by up to this share, an order goes on by itself. */
const toleratedPercent = 1n;

export function offerOf(order: Order, terms: QuoteTerms): RequoteOffer {
  return { terms, needsAcceptance: isMuchWorse(order, terms) };
}

/** Less than 99 % arrives, or less than 99 % for each unit that was paid. */
export function isMuchWorse(agreed: Terms, offered: Terms): boolean {
  const left = 100n - toleratedPercent;
  const [before, after] = [ratioOf(agreed.rate), ratioOf(offered.rate)];
  const arrivesLess = offered.amountOut.minor * 100n < agreed.amountOut.minor * left;
  const buysLess = after.numerator * before.denominator * 100n < before.numerator * after.denominator * left;
  return arrivesLess || buysLess;
}

export function refusalOf({ refusal }: QuoteRefusal): RequoteRefusal {
  if (refusal === 'corridor_held') return 'corridor_unavailable';
  return refusal === 'payout_below_minimum' ? 'amount_out_of_range' : refusal;
}

/** New terms, because of this late payment, or of money in suspense. */
export function requoteOf(
  order: Order,
  { terms, needsAcceptance }: RequoteOffer,
  { at, paymentId }: { readonly at: Date; readonly paymentId: string | undefined },
): Requote {
  return {
    requotedAt: at.toISOString(),
    needsAcceptance,
    ...(paymentId === undefined ? {} : { paymentId }),
    before: storedTerms(order.quoteCode, order),
    after: storedTerms(terms.code, terms),
  };
}

/** The terms of before the last requote, if this payment was the reason for it. */
export function termsBefore({ requotes }: Order, paymentId: string): RequotedTerms | undefined {
  const last = requotes.at(-1);
  return last?.paymentId === paymentId ? last.before : undefined;
}

/** The terms of before again. */
export function restorationOf(order: Order, after: RequotedTerms, at: Date): Requote {
  const before = storedTerms(order.quoteCode, order);
  return { requotedAt: at.toISOString(), needsAcceptance: false, before, after };
}

function storedTerms(rateCode: string, { amountIn, amountOut, fee, rate }: Terms): RequotedTerms {
  return {
    rateCode,
    amountInMinor: Number(amountIn.minor),
    amountOutMinor: Number(amountOut.minor),
    feeMinor: Number(fee.minor),
    rate: rateToLiteral(rate),
  };
}
