/** SQL that finds the endpoints with pending deliveries, of all merchants. */
import type { Channel } from '../../changes/event.js';
import { merchantId } from '../../ids.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { EndpointRef } from '../endpoints/endpoint.js';
import { isServedNow } from '../endpoints/endpoint-store.js';

/** The pending deliveries of an endpoint. */
export interface Queue extends EndpointRef {
  /** For how long the first of them has been due. Negative when nothing is due yet. */
  readonly dueSeconds: number;
  /** The endpoint is neither disabled nor paused. */
  readonly isServed: boolean;
  /** Some of them are being sent. */
  readonly isLeased: boolean;
}

interface QueueRow {
  merchant_id: bigint;
  channel: Channel;
  deliveries: number;
  due_seconds: number;
  is_served: boolean;
  is_leased: boolean;
}

/**
 * A page reads at most this many deliveries, and the next page begins with the next endpoint: neither thousands of idle
 * endpoints nor a long queue of one endpoint make it slow. In the statement it is a literal, so that the planner can see it.
 */
const deliveriesPerPage = 500;

/** Pages are in the order of the index, so the first delivery of an endpoint on a page is the first that is due. */
const listQueues = statement(
  'pending-store.list-queues',
  `SELECT queue.merchant_id, queue.channel, queue.deliveries, queue.is_leased,
          extract(epoch FROM statement_timestamp() - queue.due_at)::float8 AS due_seconds,
          coalesce(${isServedNow}, false) AS is_served
     FROM (SELECT merchant_id, channel, min(due_at) AS due_at, count(*)::int AS deliveries,
                  bool_or(coalesce(leased_until > statement_timestamp(), false)) AS is_leased
             FROM (SELECT merchant_id, channel, due_at, leased_until FROM deliveries
                    WHERE state = 'pending' AND (merchant_id, channel) > ($afterMerchant, $afterChannel)
                    ORDER BY merchant_id, channel, due_at LIMIT 500) AS pending
            GROUP BY merchant_id, channel) AS queue
     LEFT JOIN webhook_endpoints AS endpoint
       ON endpoint.merchant_id = queue.merchant_id AND endpoint.channel = queue.channel
    ORDER BY queue.merchant_id, queue.channel`,
).rows<QueueRow>();

export interface QueuePage {
  readonly queues: readonly Queue[];
  /** The endpoint that the next page begins after. Undefined when this page is the last. */
  readonly next: EndpointRef | undefined;
}

/** The next queues in a fixed order, beginning after an endpoint. */
export async function listQueuesAfter(database: Queryable, after: EndpointRef | undefined): Promise<QueuePage> {
  const rows = await database.query(listQueues, {
    afterMerchant: after?.merchantId ?? 0,
    afterChannel: after?.channel ?? '',
  });
  const queues = rows.map((row) => ({
    merchantId: merchantId(row.merchant_id),
    channel: row.channel,
    dueSeconds: row.due_seconds,
    isServed: row.is_served,
    isLeased: row.is_leased,
  }));
  const deliveries = rows.reduce((sum, row) => sum + row.deliveries, 0);
  return { queues, next: deliveries === deliveriesPerPage ? queues.at(-1) : undefined };
}

/** How long the oldest delivery to a served endpoint has been due. */
export async function oldestDueSeconds(database: Queryable): Promise<number> {
  let oldest = 0;
  let after: EndpointRef | undefined;
  do {
    const page = await listQueuesAfter(database, after);
    for (const queue of page.queues) if (queue.isServed) oldest = Math.max(oldest, queue.dueSeconds);
    after = page.next;
  } while (after);
  return oldest;
}
