/** Whether an order still has the terms of its quote, which nothing changes once it was given. Pure. */
import { hasQuotedRounding } from '../../ledger/postings.js';
import { type Amount, compare } from '../../money/amount.js';
import { convertFloor, isSameRatio, type Rate, ratioOf } from '../../money/rate.js';
import type { TakenQuote } from '../../rates/service.js';
import type { Order } from '../order/order.js';

/** Also false when there is no such quote, and when another order has taken it. */
export function hasTermsOf(order: Order, quote: TakenQuote | undefined): boolean {
  return (
    quote !== undefined &&
    quote.takenBy === order.orderId &&
    quote.code === order.quoteCode &&
    isSameAmount(order.amountIn, quote.amountIn) &&
    isSameAmount(order.amountOut, quote.amountOut) &&
    isSameAmount(order.fee, quote.fee) &&
    isSameRate(order.rate, quote.rate) &&
    isSameRate(order.midRate, quote.midRate) &&
    order.marginBasisPoints === quote.marginBasisPoints &&
    isSameAmount(convertFloor(order.amountIn, order.rate, order.amountOut.currency), order.amountOut) &&
    hasQuotedRounding(order)
  );
}

function isSameAmount(left: Amount, right: Amount): boolean {
  return left.currency === right.currency && compare(left, right) === 0;
}

function isSameRate(left: Rate, right: Rate): boolean {
  return isSameRatio(ratioOf(left), ratioOf(right));
}
