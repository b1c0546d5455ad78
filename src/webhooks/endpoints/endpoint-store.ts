/** SQL on endpoints: the registered urls and their health. */
import type { Channel } from '../../changes/event.js';
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { DisabledBecause, Endpoint, EndpointRef, Health } from './endpoint.js';

export interface HealthRow {
  lanes: number;
  consecutive_failures: number;
  failing_since: Date | null;
  failing_attempts: number;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  window_began_at: Date | null;
  window_attempts: number;
  window_failures: number;
  circuit_open_until: Date | null;
  circuit_openings: number;
  disabled_because: DisabledBecause | null;
}
export interface EndpointRow extends HealthRow {
  channel: Channel;
  url: string;
  disabled_at: Date | null;
  registered_at: Date;
}

/** Statements that read them call the table `endpoint`. */
const healthColumns = `endpoint.lanes, endpoint.consecutive_failures, endpoint.failing_since,
          endpoint.failing_attempts, endpoint.last_success_at, endpoint.last_failure_at, endpoint.window_began_at,
          endpoint.window_attempts, endpoint.window_failures, endpoint.circuit_open_until, endpoint.circuit_openings,
          endpoint.disabled_because`;
export const endpointColumns = `endpoint.channel, endpoint.url, endpoint.disabled_at, endpoint.registered_at,
          ${healthColumns}`;

/** Whether attempts are made now. Statements call the table `endpoint`. */
export const isServedNow = `endpoint.status = 'active'
      AND coalesce(endpoint.circuit_open_until, '-infinity') <= statement_timestamp()`;

const insertEndpoint = statement(
  'endpoint-store.insert',
  `INSERT INTO webhook_endpoints (merchant_id, channel, url) VALUES ($merchantId, $channel, $url)
   ON CONFLICT (merchant_id, channel) DO NOTHING RETURNING channel`,
).rows<{ channel: Channel }>();
const lockEndpoint = statement(
  'endpoint-store.lock',
  `SELECT ${endpointColumns} FROM webhook_endpoints AS endpoint
    WHERE endpoint.merchant_id = $merchantId AND endpoint.channel = $channel FOR NO KEY UPDATE`,
).rows<EndpointRow>();
const lockServed = statement(
  'endpoint-store.lock-served',
  `SELECT endpoint.url, ${healthColumns}, statement_timestamp() AS now FROM webhook_endpoints AS endpoint
    WHERE endpoint.merchant_id = $merchantId AND endpoint.channel = $channel AND ${isServedNow} FOR NO KEY UPDATE`,
).rows<HealthRow & { url: string; now: Date }>();
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
      SET url = $url, status = 'active', disabled_because = NULL, disabled_at = NULL,
          registered_at = statement_timestamp(), lanes = DEFAULT, consecutive_failures = 0, failing_since = NULL,
          failing_attempts = 0, last_success_at = NULL, last_failure_at = NULL, window_began_at = NULL,
          window_attempts = 0, window_failures = 0, circuit_open_until = NULL, circuit_openings = 0
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

/** Returns false when a url is registered already. */
export async function addEndpoint(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
  url: string,
): Promise<boolean> {
  return (await tx.query(insertEndpoint, { merchantId, channel, url })).length > 0;
}

export async function lockEndpointOf(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
): Promise<Endpoint | undefined> {
  const [row] = await tx.query(lockEndpoint, { merchantId, channel });
  return row && toEndpoint(merchantId, row);
}

/** With the time of the database. Returns undefined when no attempt may be made now. */
export async function lockServedEndpoint(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
): Promise<{ url: string; health: Health; now: Date } | undefined> {
  const [row] = await tx.query(lockServed, { merchantId, channel });
  return row && { url: row.url, health: toHealth(row), now: row.now };
}

export async function listEndpointsOf(database: Queryable, merchantId: MerchantId): Promise<Endpoint[]> {
  return (await database.query(listOfMerchant, { merchantId })).map((row) => toEndpoint(merchantId, row));
}

/** Saves the health after an attempt that ended at this time. The caller must have locked the endpoint. */
export async function saveHealth(
  tx: Transaction,
  { merchantId, channel, disabledAt }: Endpoint,
  health: Health,
  at: Date,
): Promise<void> {
  const isDisabled = health.disabledBecause !== undefined;
  await tx.query(updateHealth, {
    merchantId,
    channel,
    lanes: health.lanes,
    consecutiveFailures: health.consecutiveFailures,
    failingSince: health.failingSince ?? null,
    failingAttempts: health.failingAttempts,
    lastSuccessAt: health.lastSuccessAt ?? null,
    lastFailureAt: health.lastFailureAt ?? null,
    windowBeganAt: health.windowBeganAt ?? null,
    windowAttempts: health.windowAttempts,
    windowFailures: health.windowFailures,
    circuitOpenUntil: health.circuitOpenUntil ?? null,
    circuitOpenings: health.circuitOpenings,
    disabledBecause: health.disabledBecause ?? null,
    disabledAt: isDisabled ? (disabledAt ?? at) : null,
    status: isDisabled ? 'disabled' : 'active',
  });
}

/**
 * Resets the endpoint as if it had been registered just now. Results of attempts that are in flight no longer count. The
 * caller must have locked the endpoint.
 */
export async function renewEndpointOf(
  tx: Transaction,
  { merchantId, channel }: EndpointRef,
  url: string,
): Promise<void> {
  await tx.query(renewEndpoint, { merchantId, channel, url });
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

async function inSteps(
  tx: Transaction,
  step: typeof resetRetries,
  { merchantId, channel }: EndpointRef,
): Promise<void> {
  for (;;) {
    const changed = await tx.query(step, { merchantId, channel, atMost: stepRows });
    if (changed.length < stepRows) return;
  }
}

export function toEndpoint(merchantId: MerchantId, row: EndpointRow): Endpoint {
  return {
    merchantId,
    channel: row.channel,
    url: row.url,
    disabledAt: row.disabled_at ?? undefined,
    registeredAt: row.registered_at,
    ...toHealth(row),
  };
}

function toHealth(row: HealthRow): Health {
  return {
    lanes: row.lanes,
    consecutiveFailures: row.consecutive_failures,
    failingSince: row.failing_since ?? undefined,
    failingAttempts: row.failing_attempts,
    lastSuccessAt: row.last_success_at ?? undefined,
    lastFailureAt: row.last_failure_at ?? undefined,
    windowBeganAt: row.window_began_at ?? undefined,
    windowAttempts: row.window_attempts,
    windowFailures: row.window_failures,
    circuitOpenUntil: row.circuit_open_until ?? undefined,
    circuitOpenings: row.circuit_openings,
    disabledBecause: row.disabled_because ?? undefined,
  };
}
