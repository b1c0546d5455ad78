/** SQL that gives an order new terms, or those of before again. Nothing else writes what was agreed. */
import { rateToLiteral } from '../../money/rate.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { statement, type Transaction } from '../../postgres/statement.js';
import type { Quote, QuoteTerms } from '../../rates/quote.js';
import type { Order, Requote } from '../order/order.js';
import { type OrderRow, orderColumns, toOrder } from '../order/row.js';
import type { ChangedOrder } from '../order/store.js';

/** The order counts for less in the limits when it is for less, by the rate at its creation. */
const replaceTerms = statement(
  'requote-store.replace-terms',
  `UPDATE orders SET quote_code = $code, amount_in_minor = $amountInMinor::bigint,
     amount_out_minor = $amountOutMinor, fee_minor = $feeMinor, rate = $rate::numeric,
          mid_rate = $midRate::numeric, margin_basis_points = $marginBasisPoints,
          usd_minor = ceil(usd_minor::numeric * $amountInMinor::bigint / amount_in_minor)::bigint,
          requotes = requotes || jsonb_build_array($JSON::jsonb || jsonb_build_object('usdMinorBefore', usd_minor)),
          version = version + 1, public_version = public_version + 1,
          updated_at = clock.at
     FROM (SELECT date_trunc('milliseconds', ${merchantNow}) AS at) AS clock
    WHERE merchant_id = $merchantId AND order_id = $orderId AND version = $version
   RETURNING ${orderColumns}, clock.at AS changed_at`,
).rows<OrderRow & { changed_at: Date }>();

/** The order counts for as much as before the requote. */
const restoreTerms = statement(
  'requote-store.restore-terms',
  `UPDATE orders SET quote_code = $code, amount_in_minor = $amountInMinor, amount_out_minor = $amountOutMinor,
          fee_minor = $feeMinor, rate = $rate::numeric, mid_rate = $midRate::numeric,
          margin_basis_points = $marginBasisPoints, usd_minor = (requotes #>> '{-1,usdMinorBefore}')::bigint,
          requotes = requotes || jsonb_build_array($JSON::jsonb), version = version + 1,
          public_version = public_version + 1, updated_at = clock.at
     FROM (SELECT date_trunc('milliseconds', ${merchantNow}) AS at) AS clock
    WHERE merchant_id = $merchantId AND order_id = $orderId AND version = $version
   RETURNING ${orderColumns}, clock.at AS changed_at`,
).rows<OrderRow & { changed_at: Date }>();

/** Returns undefined when the order is no longer at that version. The quote has been written. */
export async function saveRequote(
  tx: Transaction,
  order: Order,
  terms: QuoteTerms,
  requote: Requote,
): Promise<ChangedOrder | undefined> {
  const [row] = await tx.query(replaceTerms, valuesOf(order, terms, requote));
  return row && { order: toOrder(order.merchantId, row), changedAt: row.changed_at };
}

/** Gives the order the terms of before its last requote, which are those of this quote. */
export async function saveRestoration(
  tx: Transaction,
  order: Order,
  quote: Quote,
  requote: Requote,
): Promise<ChangedOrder | undefined> {
  const [row] = await tx.query(restoreTerms, valuesOf(order, quote, requote));
  return row && { order: toOrder(order.merchantId, row), changedAt: row.changed_at };
}

function valuesOf({ merchantId, orderId, version }: Order, terms: QuoteTerms | Quote, requote: Requote) {
  const { code, amountIn, amountOut, fee, rate, midRate, marginBasisPoints } = terms;
  return {
    merchantId,
    orderId,
    version,
    code,
    amountInMinor: amountIn.minor,
    amountOutMinor: amountOut.minor,
    feeMinor: fee.minor,
    rate: rateToLiteral(rate),
    midRate: rateToLiteral(midRate),
    marginBasisPoints,
    JSON: JSON.stringify(requote),
  };
}
