/** SQL that reads the timelines of orders. `../store.ts` writes them with the orders. */
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { OrderRef, StatusReason } from '../order.js';
import type { OrderEvent } from '../order-events.js';
import type { TimelineEntry } from '../store.js';
import type { OrderState } from '../transitions.js';

interface TimelineRow {
  order_id: string;
  public_version: number | null;
  event: OrderEvent;
  from_state: OrderState | null;
  to_state: OrderState;
  status_reason: StatusReason | null;
  actor_kind: TimelineEntry['actorKind'];
  journal_ids: bigint[];
  occurred_at: Date;
}

const columns = `order_id, public_version, event, from_state, to_state, status_reason, actor_kind, journal_ids,
          occurred_at`;
const listOfOrder = statement<TimelineRow>(
  'timeline.list',
  `SELECT ${columns} FROM order_timeline WHERE merchant_id = $1 AND order_id = $2 ORDER BY version`,
);
const listOfOrders = statement<TimelineRow>(
  'timeline.list-of-orders',
  `SELECT ${columns} FROM order_timeline WHERE merchant_id = $1 AND order_id = ANY ($2) ORDER BY order_id, version`,
);

export interface StoredEntry extends TimelineEntry {
  readonly journalIds: readonly bigint[];
}

/** The oldest first. */
export async function listTimelineOf(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
): Promise<StoredEntry[]> {
  return (await database.query(listOfOrder, [merchantId, orderId])).map(toEntry);
}

/** The timelines of several orders by their ids, each with the oldest entry first. */
export async function listTimelinesOf(
  database: Queryable,
  merchantId: MerchantId,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredEntry[]>> {
  const timelines = new Map<string, StoredEntry[]>(orderIds.map((orderId) => [orderId, []]));
  for (const row of await database.query(listOfOrders, [merchantId, orderIds]))
    timelines.get(row.order_id)?.push(toEntry(row));
  return timelines;
}

function toEntry(row: TimelineRow): StoredEntry {
  return {
    publicVersion: row.public_version ?? undefined,
    event: row.event,
    from: row.from_state,
    to: row.to_state,
    statusReason: row.status_reason ?? undefined,
    actorKind: row.actor_kind,
    journalIds: row.journal_ids,
    occurredAt: row.occurred_at,
  };
}
