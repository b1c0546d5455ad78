/** The orders of a day as CSV (RFC 4180), for merchants who compare them with their own books. */
import { csvLine } from '../../../http/answers/csv.js';
import type { MerchantId } from '../../../ids.js';
import type { Queryable } from '../../../postgres/statement.js';
import { listTimelinesOf } from '../../order/history.js';
import type { Order } from '../../order/order.js';
import { viewOfOrder } from '../../order/wire/order-view.js';
import { type Milestones, milestonesOf } from '../../timeline/timeline.js';
import { listOrders, type OrderPlace } from './store.js';

const ordersAtOnce = 500;
const dayMs = 86_400_000;

const columns = [
  'id',
  'externalOrderId',
  'userId',
  'status',
  'statusReason',
  'fiatIn',
  'amountIn',
  'fee',
  'amountReceived',
  'amountRefunded',
  'fiatOut',
  'amountOut',
  'rate',
  'payoutCountry',
  'payoutMethod',
  'createdAt',
  'updatedAt',
  'rateCode',
  'payInReference',
  'paidAt',
  'completedAt',
  'refundedAt',
  'amountKept',
  'amountReversed',
] as const;

/**
 * The newest order first. Each page is read by statements of its own, so that a slow reader keeps no transaction open.
 * The first chunk has the first page, so that a failure of the database is still answered as an error.
 */
export async function* dayReport(database: Queryable, merchantId: MerchantId, day: Date): AsyncGenerator<string> {
  const filter = { from: day, to: new Date(day.getTime() + dayMs) };
  let text = csvLine(columns);
  let after: OrderPlace | undefined;
  do {
    const page = await listOrders(database, merchantId, filter, { after, limit: ordersAtOnce });
    const timelines = await listTimelinesOf(database, merchantId, page);
    const lines = page.map((order) => lineOf(order, milestonesOf(timelines.get(order.orderId) ?? [])));
    yield text + lines.join('');
    text = '';
    const last = page.length < ordersAtOnce ? undefined : page.at(-1);
    after = last && { at: last.createdAt, orderId: last.orderId };
  } while (after);
}

function lineOf(order: Order, { paidAt, completedAt, refundedAt }: Milestones): string {
  const fields = {
    ...viewOfOrder(order),
    payInReference: order.payinReference,
    paidAt: paidAt?.toISOString(),
    completedAt: completedAt?.toISOString(),
    refundedAt: refundedAt?.toISOString(),
  };
  return csvLine(columns.map((column) => String(fields[column] ?? '')));
}
