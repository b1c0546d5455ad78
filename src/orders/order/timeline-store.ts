/** SQL on the timelines of orders: each transition, never changed. */
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { OrderRef, StatusReason } from './order.js';
import type { OrderEvent } from './order-events.js';
import type { OrderState } from './transitions.js';

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
  'timeline-store.insert',
  `INSERT INTO order_timeline (merchant_id, order_id, version, public_version, event, from_state, to_state,
                               status_reason, actor_kind, actor_id, journal_ids, occurred_at)
   VALUES ($merchantId, $orderId, $version, $publicVersion, $event, $from, $to, $statusReason, $actorKind, $actorId,
           $journalIds, $occurredAt)`,
);
const listOfOrder = statement(
  'timeline-store.list',
  `SELECT ${columns} FROM order_timeline WHERE merchant_id = $merchantId AND order_id = $orderId ORDER BY version`,
).rows<TimelineRow>();
const listOfOrders = statement(
  'timeline-store.list-of-orders',
  `SELECT ${columns} FROM order_timeline WHERE merchant_id = $merchantId AND order_id = ANY ($orderIds)
    ORDER BY order_id, version`,
).rows<TimelineRow>();
const findNewest = statement(
  'timeline-store.find-newest',
  `SELECT journal_ids FROM order_timeline
    WHERE merchant_id = $merchantId AND order_id = $orderId AND event = ANY ($events) AND journal_ids <> '{}'
    ORDER BY version DESC LIMIT 1`,
).rows<{ journal_ids: bigint[] }>();

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

export interface NewTimelineEntry extends TimelineEntry {
  readonly version: number;
  readonly actorId: string;
  readonly journalIds: readonly bigint[];
}

export interface StoredEntry extends TimelineEntry {
  readonly journalIds: readonly bigint[];
}

export async function addTimeline(
  tx: Transaction,
  { merchantId, orderId }: OrderRef,
  entry: NewTimelineEntry,
): Promise<void> {
  const { publicVersion = null, statusReason = null } = entry;
  await tx.query(insertTimeline, { ...entry, merchantId, orderId, publicVersion, statusReason });
}

/** The oldest first. */
export async function listTimelineOf(database: Queryable, { merchantId, orderId }: OrderRef): Promise<StoredEntry[]> {
  return (await database.query(listOfOrder, { merchantId, orderId })).map(toEntry);
}

/** The timelines of several orders by their ids, each with the oldest entry first. */
export async function listTimelinesOf(
  database: Queryable,
  merchantId: MerchantId,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredEntry[]>> {
  const timelines = new Map<string, StoredEntry[]>(orderIds.map((orderId) => [orderId, []]));
  for (const row of await database.query(listOfOrders, { merchantId, orderIds }))
    timelines.get(row.order_id)?.push(toEntry(row));
  return timelines;
}

/** The journals of the newest of these events that wrote any. */
export async function listJournalIdsOf(
  database: Queryable,
  { merchantId, orderId }: OrderRef,
  events: readonly OrderEvent[],
): Promise<readonly bigint[]> {
  const [row] = await database.query(findNewest, { merchantId, orderId, events });
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
