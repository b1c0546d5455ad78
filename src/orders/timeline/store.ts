/** SQL on the timelines of orders: each transition, never changed. */
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { OrderId, OrderRef, StatusReason } from '../order.js';
import type { OrderEvent } from '../order-events.js';
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
const insertTimeline = statement(
  'timeline.insert',
  `INSERT INTO order_timeline (merchant_id, order_id, version, public_version, event, from_state, to_state,
                               status_reason, actor_kind, actor_id, journal_ids, occurred_at)
   SELECT $1::bigint, entry.order_id, entry.version, entry.public_version, $5, $6, $7, $8, $9, $10,
          string_to_array(entry.journal_ids, ',')::bigint[], $12::timestamptz
     FROM unnest($2::text[], $3::int[], $4::int[], $11::text[]) AS entry (order_id, version, public_version, journal_ids)`,
);
const listOfOrder = statement<TimelineRow>(
  'timeline.list',
  `SELECT ${columns} FROM order_timeline WHERE merchant_id = $1 AND order_id = $2 ORDER BY version`,
);
const listOfOrders = statement<TimelineRow>(
  'timeline.list-of-orders',
  `SELECT ${columns} FROM order_timeline WHERE merchant_id = $1 AND order_id = ANY ($2) ORDER BY order_id, version`,
);

const findNewest = statement<{ journal_ids: bigint[] }>(
  'timeline.find-newest',
  `SELECT journal_ids FROM order_timeline
    WHERE merchant_id = $1 AND order_id = $2 AND event = ANY ($3) AND journal_ids <> '{}'
    ORDER BY version DESC LIMIT 1`,
);

export interface TimelineEntry {
  /** What merchants and users see; undefined for what they do not. */
  readonly publicVersion: number | undefined;
  readonly event: OrderEvent;
  readonly from: OrderState | null;
  readonly to: OrderState;
  readonly statusReason: StatusReason | undefined;
  readonly actorKind: 'merchant' | 'user' | 'operator' | 'system';
  readonly occurredAt: Date;
}

/** What the entries of orders that made the same transition together have in common. */
export interface SharedEntry extends Omit<TimelineEntry, 'publicVersion'> {
  readonly actorId: string;
}

export interface OrderOfEntry {
  readonly orderId: OrderId;
  readonly version: number;
  /** Undefined for what merchants and users do not see. */
  readonly publicVersion: number | undefined;
  readonly journalIds: readonly bigint[];
}

export interface StoredEntry extends TimelineEntry {
  readonly journalIds: readonly bigint[];
}

/** Adds the same transition to the timelines of these orders. */
export async function addTimeline(
  tx: Transaction,
  merchantId: MerchantId,
  { event, from, to, statusReason, actorKind, actorId, occurredAt }: SharedEntry,
  orders: readonly OrderOfEntry[],
): Promise<void> {
  await tx.query(insertTimeline, [
    merchantId,
    orders.map(({ orderId }) => orderId),
    orders.map(({ version }) => version),
    orders.map(({ publicVersion }) => publicVersion ?? null),
    ...[event, from, to, statusReason ?? null, actorKind, actorId],
    orders.map(({ journalIds }) => journalIds.join(',')),
    occurredAt,
  ]);
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

/** The journals of the newest of these events that wrote any. */
export async function listJournalIdsOf(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
  events: readonly OrderEvent[],
): Promise<readonly bigint[]> {
  const [row] = await database.query(findNewest, [merchantId, orderId, events]);
  return row?.journal_ids ?? [];
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
