/** What moved on a day for all orders of a merchant, whenever they were created: as CSV (RFC 4180), and summed. */
import { csvLine } from '../../../http/answers/csv.js';
import type { MerchantId } from '../../../ids.js';
import type { Amount } from '../../../money/amount.js';
import { amountToText } from '../../../money/literal.js';
import type { Queryable } from '../../../postgres/statement.js';
import type { Order } from '../../order/order.js';
import { type MovementKind, movementsOf, type OrderMovement } from '../../timeline/movements.js';
import type { TimelineService } from '../../timeline/service.js';
import { listOrders, type OrderPlace } from '../listing/store.js';

const ordersAtOnce = 200;
const dayMs = 86_400_000;

const columns = ['at', 'kind', 'event', 'currency', 'amount', 'orderId', 'externalOrderId', 'userId'] as const;

interface MovementOfOrder extends OrderMovement {
  readonly order: Order;
}

/**
 * Each page of orders is read by statements of its own, so that a slow reader keeps no transaction open. An order that
 * changed on the day has not changed before it.
 */
async function* movementsOfDay(
  database: Queryable,
  timelines: TimelineService,
  merchantId: MerchantId,
  day: Date,
): AsyncGenerator<MovementOfOrder[]> {
  const period = { from: day, to: new Date(day.getTime() + dayMs) };
  const filter = { updatedSince: period.from, to: period.to };
  // An order that changes while this runs moves to the end of the list.
  const seen = new Set<string>();
  let after: OrderPlace | undefined;
  do {
    const page = await listOrders(database, merchantId, filter, { after, limit: ordersAtOnce });
    const orders = page.filter(({ orderId }) => !seen.has(orderId));
    for (const { orderId } of orders) seen.add(orderId);
    const entries = await timelines.ofOrders(database, merchantId, orders);
    yield orders.flatMap((order) =>
      movementsOf(entries.get(order.orderId) ?? [], period).map((movement) => ({ ...movement, order })),
    );
    const last = page.length < ordersAtOnce ? undefined : page.at(-1);
    after = last && { at: last.updatedAt, orderId: last.orderId };
  } while (after);
}

/** The first chunk has the first page, so that a failure of the database is still answered as an error. */
export async function* movementsCsv(...asked: Parameters<typeof movementsOfDay>): AsyncGenerator<string> {
  let text = csvLine(columns);
  for await (const page of movementsOfDay(...asked)) {
    yield text + page.map(lineOf).join('');
    text = '';
  }
}

function lineOf({ at, kind, event, amount, order }: MovementOfOrder): string {
  const { orderId, externalOrderId = '', userId } = order;
  const money = [amount.currency, amountToText(amount)];
  return csvLine([at.toISOString(), kind, event, ...money, orderId, externalOrderId, String(userId)]);
}

export interface MovementTotal {
  readonly kind: MovementKind;
  readonly count: number;
  readonly total: Amount;
}

/** Sorted by kind and currency. */
export async function movementTotals(...asked: Parameters<typeof movementsOfDay>): Promise<MovementTotal[]> {
  const totals = new Map<string, MovementTotal>();
  for await (const page of movementsOfDay(...asked))
    for (const { kind, amount } of page) {
      const key = `${kind} ${amount.currency}`;
      const { count, total } = totals.get(key) ?? { count: 0, total: { currency: amount.currency, minor: 0n } };
      const sum = { currency: amount.currency, minor: total.minor + amount.minor };
      totals.set(key, { kind, count: count + 1, total: sum });
    }
  return [...totals].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, total]) => total);
}
