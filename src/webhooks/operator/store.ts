/** SQL for operators: the endpoints of all merchants, and a merchant's events by the state of their deliveries. */
import { type MerchantId, merchantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { ShownState } from '../delivery/delivery.js';
import type { Endpoint, EndpointRef } from '../endpoints/endpoint.js';
import { type EndpointRow, endpointColumns, toEndpoint } from '../endpoints/endpoint-store.js';
import type { Event } from '../event.js';
import {
  type Delivery,
  type DeliveryColumns,
  deliveryColumns,
  type EventRow,
  eventColumns,
  toDelivery,
  toEvent,
} from '../events/event-store.js';

interface WatchedRow extends EndpointRow {
  merchant_id: bigint;
  pending: number;
  oldest_due_at: Date | null;
}
type ReviewedRow = EventRow & DeliveryColumns;

const listEndpoints = statement<WatchedRow>(
  'operator.list-endpoints',
  `SELECT endpoint.merchant_id, ${endpointColumns},
          (SELECT count(*)::int FROM (
             SELECT 1 FROM deliveries AS delivery
              WHERE delivery.merchant_id = endpoint.merchant_id AND delivery.channel = endpoint.channel
                AND delivery.state = 'pending' LIMIT 10000) AS waiting) AS pending,
          (SELECT min(delivery.due_at) FROM deliveries AS delivery
            WHERE delivery.merchant_id = endpoint.merchant_id AND delivery.channel = endpoint.channel
              AND delivery.state = 'pending') AS oldest_due_at
     FROM webhook_endpoints AS endpoint
    WHERE (endpoint.merchant_id, endpoint.channel) > ($1::bigint, $2::text)
      AND ($3::text IS NULL OR endpoint.status = $3) AND ($4::bigint IS NULL OR endpoint.merchant_id = $4)
    ORDER BY endpoint.merchant_id, endpoint.channel LIMIT $5`,
);
const listEvents = statement<ReviewedRow>(
  'operator.list-events',
  `SELECT ${eventColumns}, NULL AS object, ${deliveryColumns}
     FROM events AS event
     LEFT JOIN deliveries AS delivery
       ON delivery.merchant_id = event.merchant_id AND delivery.event_id = event.event_id
     LEFT JOIN webhook_endpoints AS endpoint
       ON endpoint.merchant_id = event.merchant_id AND endpoint.channel = event.channel
    WHERE event.merchant_id = $1 AND event.channel = $2 AND event.sequence > $3
      AND ($5::text IS NULL OR delivery.state = $5)
    ORDER BY event.sequence LIMIT $4`,
);
/**
 * The states are spelled out so that PostgreSQL uses the partial index of failed deliveries, however many were delivered.
 * A pending delivery to a disabled url is `held`.
 */
const listUndelivered = statement<ReviewedRow>(
  'operator.list-undelivered',
  `WITH undelivered AS (
     SELECT * FROM deliveries
      WHERE merchant_id = $1 AND channel = $2 AND sequence > $3 AND state IN ('exhausted', 'dropped') AND state = $5
     UNION ALL
     SELECT * FROM deliveries
      WHERE merchant_id = $1 AND channel = $2 AND sequence > $3 AND state = 'pending'
        AND $5 IN ('pending', 'held'))
   SELECT ${eventColumns}, NULL AS object, ${deliveryColumns}
     FROM undelivered AS delivery
     JOIN events AS event ON event.merchant_id = delivery.merchant_id AND event.event_id = delivery.event_id
     LEFT JOIN webhook_endpoints AS endpoint
       ON endpoint.merchant_id = event.merchant_id AND endpoint.channel = event.channel
    WHERE event.merchant_id = $1
      AND (delivery.state <> 'pending' OR ($5 = 'held') = coalesce(endpoint.status = 'disabled', false))
    ORDER BY delivery.sequence LIMIT $4`,
);

export interface WatchedEndpoint extends Endpoint {
  /** Counted up to 10,000. */
  readonly pending: number;
  readonly oldestDueAt: Date | undefined;
}

export interface EndpointFilter {
  /** Only endpoints after this one. */
  readonly after: { readonly merchantId: number; readonly channel: string };
  readonly status: 'active' | 'disabled' | undefined;
  readonly merchantId: MerchantId | undefined;
}

export async function listWatchedEndpoints(
  database: Queryable,
  { after, status, merchantId: merchant }: EndpointFilter,
  atMost: number,
): Promise<WatchedEndpoint[]> {
  const values = [after.merchantId, after.channel, status ?? null, merchant ?? null, atMost];
  const rows = await database.query(listEndpoints, values);
  return rows.map((row) => ({
    ...toEndpoint(merchantId(row.merchant_id), row),
    pending: row.pending,
    oldestDueAt: row.oldest_due_at ?? undefined,
  }));
}

export interface ReviewedEvent extends Event {
  readonly delivery: Delivery | undefined;
}

export async function listReviewedEvents(
  database: Queryable,
  { merchantId: merchant, channel }: EndpointRef,
  filter: { readonly after: number; readonly state: ShownState | undefined },
  atMost: number,
): Promise<ReviewedEvent[]> {
  const { after, state } = filter;
  const list = state === undefined || state === 'delivered' ? listEvents : listUndelivered;
  const rows = await database.query(list, [merchant, channel, after, atMost, state ?? null]);
  return rows.map((row) => ({ ...toEvent(row), delivery: toDelivery(row) }));
}
