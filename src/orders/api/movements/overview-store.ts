/** SQL of the overview of a merchant: orders counted by the state that merchants see. */
import type { MerchantId } from '../../../ids.js';
import type { Amount } from '../../../money/amount.js';
import type { CurrencyCode } from '../../../money/currency.js';
import { merchantNow } from '../../../postgres/merchant-clock.js';
import { type Queryable, statement } from '../../../postgres/statement.js';
import type { PublicState } from '../../order/transitions.js';

interface CountRow {
  status: PublicState;
  currency: CurrencyCode;
  orders: number;
  minor: bigint;
}

const counted = `SELECT public_state AS status, fiat_in AS currency, count(*)::int AS orders,
         sum(amount_in_minor)::bigint AS minor FROM orders`;

const countInStates = statement(
  'overview-store.count-in-states',
  `${counted} WHERE merchant_id = $merchantId AND public_state = ANY ($statuses)
    GROUP BY public_state, fiat_in ORDER BY public_state, fiat_in`,
).rows<CountRow>();
const countOfToday = statement(
  'overview-store.count-of-today',
  `${counted} WHERE merchant_id = $merchantId
      AND created_at >= (SELECT date_trunc('day', ${merchantNow} AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
    GROUP BY public_state, fiat_in ORDER BY public_state, fiat_in`,
).rows<CountRow>();

export interface CountedOrders {
  readonly status: PublicState;
  readonly count: number;
  /** What is to be paid in. */
  readonly total: Amount;
}

export async function countOrdersIn(
  database: Queryable,
  merchantId: MerchantId,
  statuses: readonly PublicState[],
): Promise<CountedOrders[]> {
  return (await database.query(countInStates, { merchantId, statuses })).map(toCounted);
}

/** Of the day in UTC, by the merchant's clock. */
export async function countOrdersOfToday(database: Queryable, merchantId: MerchantId): Promise<CountedOrders[]> {
  return (await database.query(countOfToday, { merchantId })).map(toCounted);
}

function toCounted({ status, currency, orders, minor }: CountRow): CountedOrders {
  return { status, count: orders, total: { currency, minor } };
}
