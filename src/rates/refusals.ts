/** Why there is no quote, and what callers are told. Pure. */
import { RemesaError } from '../errors.js';
import type { Amount } from '../money/amount.js';
import { amountToLiteral } from '../money/literal.js';
import type { PriceRefusal } from './pricing.js';

/** Why there is no price now. */
export type QuoteRefusal =
  | { readonly refusal: 'corridor_unavailable' }
  /** A person must look at its rate first. */
  | { readonly refusal: 'corridor_held' }
  | { readonly refusal: 'rates_unavailable' }
  | PriceRefusal;

/** The corridor is closed, or there is none. */
export function corridorUnavailable(fiatIn: string, fiatOut: string): RemesaError {
  return new RemesaError('impossible', 'corridor_unavailable', `The corridor ${fiatIn}→${fiatOut} is closed.`, {
    members: { fiatIn, fiatOut },
  });
}

function corridorHeld(fiatIn: string, fiatOut: string): RemesaError {
  const message = `The corridor ${fiatIn}→${fiatOut} is closed for now: its rate is unclear, and the operator looks at it.`;
  return new RemesaError('impossible', 'corridor_unavailable', message, { members: { fiatIn, fiatOut } });
}

function ratesUnavailable(): RemesaError {
  return new RemesaError('unavailable', 'rates_unavailable', 'No rate is recent enough for a quote.', {
    retryAfterSeconds: 60,
  });
}

/** Returns `corridor_unavailable`, `rates_unavailable`, `amount_out_of_range` or `payout_below_minimum`. */
export function quoteRefused(refusal: QuoteRefusal, fiatIn: string, fiatOut: string): RemesaError {
  if (refusal.refusal === 'corridor_unavailable') return corridorUnavailable(fiatIn, fiatOut);
  if (refusal.refusal === 'corridor_held') return corridorHeld(fiatIn, fiatOut);
  if (refusal.refusal === 'rates_unavailable') return ratesUnavailable();
  if (refusal.refusal === 'payout_below_minimum') {
    const { currency } = refusal.min;
    return new RemesaError(
      'impossible',
      'payout_below_minimum',
      'The amount that would arrive is too small to pay out.',
      {
        members: { min: limitOf(refusal.min), currency },
      },
    );
  }
  const { min, max } = refusal;
  const detail = `Send between ${amountToLiteral(min)} and ${amountToLiteral(max)} ${min.currency}.`;
  return new RemesaError('impossible', 'amount_out_of_range', detail, {
    members: { min: limitOf(min), max: limitOf(max), currency: min.currency },
  });
}

/** Exact, because limits have at most fifteen digits. */
function limitOf(limit: Amount): number {
  return Number(amountToLiteral(limit));
}
