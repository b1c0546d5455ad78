/** SQL on endpoints: the registered urls and their health. */
import type { Channel } from '../../changes/event.js';
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { type Endpoint, type EndpointRef, type Health, healthy } from './endpoint.js';

export type EndpointRow = Omit<Endpoint, 'merchantId'>;

/** Statements that read them call the table `endpoint`. */
const healthColumns = `endpoint.lanes, endpoint.consecutive_failures AS "consecutiveFailures",
          endpoint.failing_since AS "failingSince", endpoint.failing_attempts AS "failingAttempts",
          endpoint.last_success_at AS "lastSuccessAt", endpoint.last_failure_at AS "lastFailureAt",
          endpoint.window_began_at AS "windowBeganAt", endpoint.window_attempts AS "windowAttempts",
          endpoint.window_failures AS "windowFailures", endpoint.circuit_open_until AS "circuitOpenUntil",
          endpoint.circuit_openings AS "circuitOpenings", endpoint.disabled_because AS "disabledBecause"`;
export const endpointColumns = `endpoint.channel, endpoint.url, endpoint.disabled_at AS "disabledAt",
          endpoint.registered_at AS "registeredAt", endpoint.sends_traceparent AS "sendsTraceparent", ${healthColumns}`;

/** Whether attempts are made now. Statements call the table `endpoint`. */
export const isServedNow = `endpoint.status = 'active'
      AND coalesce(endpoint.circuit_open_until, '-infinity') <= statement_timestamp()`;

const insertEndpoint = statement(
  'endpoint-store.insert',
  `INSERT INTO webhook_endpoints (merchant_id, channel, url, sends_traceparent)
   VALUES ($merchantId, $channel, $url, $sendsTraceparent)
   ON CONFLICT (merchant_id, channel) DO NOTHING RETURNING channel`,
).rows<{ channel: Channel }>();
const lockEndpoint = statement(
  'endpoint-store.lock',
  `SELECT ${endpointColumns} FROM webhook_endpoints AS endpoint
    WHERE endpoint.merchant_id = $merchantId AND endpoint.channel = $channel FOR NO KEY UPDATE`,
).rows<EndpointRow>();
const lockServed = statement(
  'endpoint-store.lock-served',
  `SELECT endpoint.url, endpoint.sends_traceparent AS "sendsTraceparent", ${healthColumns}, statement_timestamp() AS now
     FROM webhook_endpoints AS endpoint
    WHERE endpoint.merchant_id = $merchantId AND endpoint.channel = $channel AND ${isServedNow} FOR NO KEY UPDATE`,
).rows<Health & ServedEndpoint>();
const listOfMerchant = statement(
  'endpoint-store.list-of-merchant',
  `SELECT ${endpointColumns} FROM webhook_endpoints AS endpoint
    WHERE endpoint.merchant_id = $merchantId ORDER BY endpoint.channel DESC`,
).rows<EndpointRow>();
const updateHealth = statement(
  'endpoint-store.save-health',
  `UPDATE webhook_endpoints
      SET lanes = $lanes, consecutive_failures = $consecutiveFailures, failing_since = $failingSince,
          failing_attempts = $failingAttempts, last_success_at = $lastSuccessAt, last_failure_at = $lastFailureAt,
          window_began_at = $windowBeganAt, window_attempts = $windowAttempts, window_failures = $windowFailures,
          circuit_open_until = $circuitOpenUntil, circuit_openings = $circuitOpenings,
          disabled_because = $disabledBecause, disabled_at = $disabledAt, status = $status
    WHERE merchant_id = $merchantId AND channel = $channel`,
);
const renewEndpoint = statement(
  'endpoint-store.renew',
  `UPDATE webhook_endpoints
      SET url = $url, sends_traceparent = $sendsTraceparent, registered_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND channel = $channel`,
);
const updateTraceparent = statement(
  'endpoint-store.save-traceparent',
  `UPDATE webhook_endpoints SET sends_traceparent = $sendsTraceparent
    WHERE merchant_id = $merchantId AND channel = $channel`,
);
const deleteEndpoint = statement(
  'endpoint-store.delete',
  'DELETE FROM webhook_endpoints WHERE merchant_id = $merchantId AND channel = $channel RETURNING url',
).rows<{ url: string }>();
const endLeases = statement(
  'endpoint-store.end-leases',
  `UPDATE deliveries SET lease_token = NULL, leased_until = NULL
    WHERE merchant_id = $merchantId AND channel = $channel AND lease_token IS NOT NULL`,
);
const resetRetries = statement(
  'endpoint-store.reset-retries',
  `UPDATE deliveries SET attempts = 0, due_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND event_id IN (
      SELECT event_id FROM deliveries
       WHERE merchant_id = $merchantId AND channel = $channel AND state = 'pending' AND attempts > 0 LIMIT $atMost)
   RETURNING 1 AS changed`,
).rows<{ changed: number }>();
const dropPending = statement(
  'endpoint-store.drop-pending',
  `UPDATE deliveries SET state = 'dropped'
    WHERE merchant_id = $merchantId AND event_id IN (
      SELECT event_id FROM deliveries
       WHERE merchant_id = $merchantId AND channel = $channel AND state = 'pending' LIMIT $atMost)
   RETURNING 1 AS changed`,
).rows<{ changed: number }>();

/** Long queues are changed in steps, because every statement has a time limit. */
const stepRows = 10_000;

/** What a merchant registers. */
export type Registered = Pick<Endpoint, 'url' | 'sendsTraceparent'>;

interface ServedEndpoint extends Registered {
  readonly now: Date;
}

export async function addEndpoint(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
  { url, sendsTraceparent }: Registered,
): Promise<boolean> {
  return (await tx.query(insertEndpoint, { merchantId, channel, url, sendsTraceparent })).length > 0;
}

/** The caller must have locked the endpoint. */
export async function saveTraceparent(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
  sendsTraceparent: boolean,
): Promise<void> {
  await tx.query(updateTraceparent, { merchantId, channel, sendsTraceparent });
}

export async function lockEndpointOf(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
): Promise<Endpoint | undefined> {
  const [row] = await tx.query(lockEndpoint, { merchantId, channel });
  return row && { merchantId, ...row };
}

/** With the time of the database. Returns undefined when no attempt may be made now. */
export async function lockServedEndpoint(
  tx: Transaction,
  endpoint: EndpointRef,
): Promise<(ServedEndpoint & { health: Health }) | undefined> {
  const [row] = await tx.query(lockServed, endpoint);
  if (!row) return undefined;
  const { url, sendsTraceparent, now, ...health } = row;
  return { url, sendsTraceparent, health, now };
}

export async function listEndpointsOf(database: Queryable, merchantId: MerchantId): Promise<Endpoint[]> {
  return (await database.query(listOfMerchant, { merchantId })).map((row) => ({ merchantId, ...row }));
}

/** The caller must have locked the endpoint. */
export async function saveHealth(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
  health: Health,
  disabledAt: Date | null,
): Promise<void> {
  const status = disabledAt ? 'disabled' : 'active';
  await tx.query(updateHealth, { ...health, merchantId, channel, disabledAt, status });
}

/**
 * Resets the endpoint as if it had been registered just now. Results of attempts that are in flight no longer count.
 * The caller must have locked the endpoint.
 */
export async function renewEndpointOf(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
  { url, sendsTraceparent }: Registered,
): Promise<void> {
  await tx.query(renewEndpoint, { merchantId, channel, url, sendsTraceparent });
  await saveHealth(tx, { merchantId, channel }, healthy, null);
  await tx.query(endLeases, { merchantId, channel });
  await inSteps(tx, resetRetries, { merchantId, channel });
}

/** Drops pending deliveries. Returns the url, if there was one. The caller must have called `holdNumbering`. */
export async function removeEndpoint(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
): Promise<string | undefined> {
  const [row] = await tx.query(deleteEndpoint, { merchantId, channel });
  if (!row) return undefined;
  await tx.query(endLeases, { merchantId, channel });
  await inSteps(tx, dropPending, { merchantId, channel });
  return row.url;
}

async function inSteps(tx: Transaction, step: typeof resetRetries, endpoint: EndpointRef): Promise<void> {
  for (;;) {
    const changed = await tx.query(step, { ...endpoint, atMost: stepRows });
    if (changed.length < stepRows) return;
  }
}
