/** The history of an order: its transitions, as the log of changes has them. */
import type { Change } from '../../changes/change.js';
import { listHistories, listHistory } from '../../changes/service.js';
import type { MerchantId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import { recordOf } from './finding.js';
import type { OrderRef, StatusReason } from './order.js';
import type { OrderActor, OrderEvent } from './order-events.js';
import type { OrderState } from './transitions.js';

export interface TimelineEntry {
  /** What merchants and users see; undefined for what they do not. */
  readonly publicVersion: number | undefined;
  readonly event: OrderEvent;
  readonly from: OrderState | null;
  readonly to: OrderState;
  readonly statusReason: StatusReason | undefined;
  readonly actorKind: OrderActor;
  readonly occurredAt: Date;
}

export interface StoredEntry extends TimelineEntry {
  /** Of the order after it. */
  readonly version: number;
  readonly journalIds: readonly bigint[];
}

/** The action of a transition begins so. */
export const actionPrefix = 'order.';

/** The oldest first. */
export async function listTimelineOf(database: Queryable, order: OrderRef): Promise<StoredEntry[]> {
  return (await listHistory(database, { merchantId: order.merchantId, subject: recordOf(order) })).map(toEntry);
}

/** The timelines of several orders by their ids, each with the oldest entry first. */
export async function listTimelinesOf(
  database: Queryable,
  merchantId: MerchantId,
  orders: readonly Pick<OrderRef, 'orderId'>[],
): Promise<ReadonlyMap<string, readonly StoredEntry[]>> {
  const histories = await listHistories(database, merchantId, orders.map(recordOf));
  return new Map(orders.map((order) => [order.orderId, (histories.get(recordOf(order)) ?? []).map(toEntry)]));
}

function toEntry(change: Change): StoredEntry {
  const { action, actor, fromState, toState, details, version, publicVersion, journalIds, occurredAt } = change;
  return {
    version,
    publicVersion,
    event: action.slice(actionPrefix.length) as OrderEvent,
    from: (fromState ?? null) as OrderState | null,
    to: toState as OrderState,
    statusReason: details.statusReason as StatusReason | undefined,
    actorKind: actor.kind as OrderActor,
    journalIds,
    occurredAt,
  };
}
