/** SQL for operators: the endpoints of all merchants, and a merchant's events by the state of their deliveries. */
import { type MerchantId, merchantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { ShownState } from '../delivery/delivery.js';
import type { Endpoint, EndpointRef } from '../endpoints/endpoint.js';
import { type EndpointRow, endpointColumns } from '../endpoints/endpoint-store.js';
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

const listEndpoints = statement(
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
    WHERE (endpoint.merchant_id, endpoint.channel) > ($afterMerchant::bigint, $afterChannel::text)
      AND ($status::text IS NULL OR endpoint.status = $status) AND ($ofMerchant::bigint IS NULL
        OR endpoint.merchant_id = $ofMerchant)
    ORDER BY endpoint.merchant_id, endpoint.channel LIMIT $limit`,
).rows<WatchedRow>();
const listEvents = statement(
  'operator.list-events',
  `SELECT ${eventColumns}, NULL AS object, ${deliveryColumns}
     FROM events AS event
     LEFT JOIN deliveries AS delivery
       ON delivery.merchant_id = event.merchant_id AND delivery.event_id = event.event_id
     LEFT JOIN webhook_endpoints AS endpoint
       ON endpoint.merchant_id = event.merchant_id AND endpoint.channel = event.channel
    WHERE event.merchant_id = $merchantId AND event.channel = $channel AND event.sequence > $after
      AND ($state::text IS NULL OR delivery.state = $state)
    ORDER BY event.sequence LIMIT $limit`,
).rows<ReviewedRow>();
/**
 * The states are spelled out so that PostgreSQL uses the partial index of failed deliveries, however many were
 * delivered. A pending delivery to a disabled url is `held`.
 */
const listUndelivered = statement(
  'operator.list-undelivered',
  `WITH undelivered AS (
     SELECT * FROM deliveries
      WHERE merchant_id = $merchantId AND channel = $channel AND sequence > $after
        AND state IN ('exhausted', 'dropped') AND state = $state
     UNION ALL
     SELECT * FROM deliveries
      WHERE merchant_id = $merchantId AND channel = $channel AND sequence > $after AND state = 'pending'
        AND $state IN ('pending', 'held'))
   SELECT ${eventColumns}, NULL AS object, ${deliveryColumns}
     FROM undelivered AS delivery
     JOIN events AS event ON event.merchant_id = delivery.merchant_id AND event.event_id = delivery.event_id
     LEFT JOIN webhook_endpoints AS endpoint
       ON endpoint.merchant_id = event.merchant_id AND endpoint.channel = event.channel
    WHERE event.merchant_id = $merchantId
      AND (delivery.state <> 'pending' OR ($state = 'held') = coalesce(endpoint.status = 'disabled', false))
    ORDER BY delivery.sequence LIMIT $limit`,
).rows<ReviewedRow>();

export interface WatchedEndpoint extends Endpoint {
  /** Counted up to 10,000. */
  readonly pending: number;
  readonly oldestDueAt: Date | undefined;
}

export interface EndpointFilter {
  readonly after: { readonly merchantId: number; readonly channel: string };
  readonly status: 'active' | 'disabled' | undefined;
  readonly merchantId: MerchantId | undefined;
}

export async function listWatchedEndpoints(
  database: Queryable,
  { after, status, merchantId: merchant }: EndpointFilter,
  atMost: number,
): Promise<WatchedEndpoint[]> {
  const place = { afterMerchant: after.merchantId, afterChannel: after.channel };
  const rows = await database.query(listEndpoints, { ...place, status, ofMerchant: merchant, limit: atMost });
  return rows.map((row) => ({
    ...row,
    merchantId: merchantId(row.merchant_id),
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
  const rows = await database.query(list, { merchantId: merchant, channel, after, limit: atMost, state });
  return rows.map((row) => ({ ...toEvent(row), delivery: toDelivery(row) }));
}
