/** SQL on endpoints: the registered urls and their health. */
import type { MerchantId } from '../../ids.js';
import { type Queryable, type Statement, statement, type Transaction } from '../../postgres/statement.js';
import type { Channel } from '../event.js';
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
export const healthColumns = `endpoint.lanes, endpoint.consecutive_failures, endpoint.failing_since,
          endpoint.failing_attempts, endpoint.last_success_at, endpoint.last_failure_at, endpoint.window_began_at,
          endpoint.window_attempts, endpoint.window_failures, endpoint.circuit_open_until, endpoint.circuit_openings,
          endpoint.disabled_because`;
export const endpointColumns = `endpoint.channel, endpoint.url, endpoint.disabled_at, endpoint.registered_at,
          ${healthColumns}`;

/** Whether attempts are made now. Statements call the table `endpoint`. */
export const isServedNow = `endpoint.status = 'active'
      AND coalesce(endpoint.circuit_open_until, '-infinity') <= statement_timestamp()`;

const insertEndpoint = statement<{ channel: Channel }>(
  'endpoint-store.insert',
  `INSERT INTO webhook_endpoints (merchant_id, channel, url) VALUES ($1, $2, $3)
   ON CONFLICT (merchant_id, channel) DO NOTHING RETURNING channel`,
);
const lockEndpoint = statement<EndpointRow>(
  'endpoint-store.lock',
  `SELECT ${endpointColumns} FROM webhook_endpoints AS endpoint
    WHERE endpoint.merchant_id = $1 AND endpoint.channel = $2 FOR NO KEY UPDATE`,
);
const listOfMerchant = statement<EndpointRow>(
  'endpoint-store.list-of-merchant',
  `SELECT ${endpointColumns} FROM webhook_endpoints AS endpoint
    WHERE endpoint.merchant_id = $1 ORDER BY endpoint.channel DESC`,
);
const renewEndpoint = statement(
  'endpoint-store.renew',
  `WITH withdrawn AS (
     INSERT INTO webhook_withdrawals (merchant_id, channel, claim, worker_id)
     SELECT merchant_id, channel, claim, held_by FROM webhook_endpoints
      WHERE merchant_id = $1 AND channel = $2 AND held_by IS NOT NULL)
   UPDATE webhook_endpoints
      SET url = $3, status = 'active', disabled_because = NULL, disabled_at = NULL, registered_at = statement_timestamp(),
          lanes = DEFAULT, consecutive_failures = 0, failing_since = NULL, failing_attempts = 0,
          last_success_at = NULL, last_failure_at = NULL, window_began_at = NULL, window_attempts = 0,
          window_failures = 0, circuit_open_until = NULL, circuit_openings = 0, held_by = NULL, claim = claim + 1
    WHERE merchant_id = $1 AND channel = $2`,
);
const deleteEndpoint = statement<{ url: string }>(
  'endpoint-store.delete',
  `WITH deleted AS (
     DELETE FROM webhook_endpoints WHERE merchant_id = $1 AND channel = $2
     RETURNING channel, claim, held_by, url),
   withdrawn AS (
     INSERT INTO webhook_withdrawals (merchant_id, channel, claim, worker_id)
     SELECT $1, channel, claim, held_by FROM deleted WHERE held_by IS NOT NULL)
   SELECT url FROM deleted`,
);
const resetRetries = statement<{ reset: number }>(
  'endpoint-store.reset-retries',
  `UPDATE deliveries SET attempts = 0, due_at = statement_timestamp()
    WHERE merchant_id = $1 AND event_id IN (
      SELECT event_id FROM deliveries
       WHERE merchant_id = $1 AND channel = $2 AND state = 'pending' AND attempts > 0 LIMIT $3)
   RETURNING 1 AS reset`,
);
const dropPending = statement<{ dropped: number }>(
  'endpoint-store.drop-pending',
  `UPDATE deliveries SET state = 'dropped'
    WHERE merchant_id = $1 AND event_id IN (
      SELECT event_id FROM deliveries WHERE merchant_id = $1 AND channel = $2 AND state = 'pending' LIMIT $3)
   RETURNING 1 AS dropped`,
);

/** Long queues are changed in steps, because every statement has a time limit. */
const stepRows = 10_000;

/** Returns false when a url is registered already. */
export async function addEndpoint(tx: Transaction, endpoint: EndpointRef, url: string): Promise<boolean> {
  return (await tx.query(insertEndpoint, [endpoint.merchantId, endpoint.channel, url])).length > 0;
}

export async function lockEndpointOf(tx: Transaction, endpoint: EndpointRef): Promise<Endpoint | undefined> {
  const [row] = await tx.query(lockEndpoint, [endpoint.merchantId, endpoint.channel]);
  return row && toEndpoint(endpoint.merchantId, row);
}

export async function listEndpointsOf(database: Queryable, merchant: MerchantId): Promise<Endpoint[]> {
  return (await database.query(listOfMerchant, [merchant])).map((row) => toEndpoint(merchant, row));
}

/**
 * Resets the endpoint as if it had been registered just now, and withdraws it from the worker that holds it. The caller
 * must have locked the endpoint.
 */
export async function renewEndpointOf(tx: Transaction, endpoint: EndpointRef, url: string): Promise<void> {
  await tx.query(renewEndpoint, [endpoint.merchantId, endpoint.channel, url]);
  await inSteps(tx, resetRetries, endpoint);
}

/**
 * Drops pending deliveries and withdraws the endpoint from the worker that holds it. Returns the url, if there was one.
 * The caller must have called `noteUrlDeletion`.
 */
export async function removeEndpoint(tx: Transaction, endpoint: EndpointRef): Promise<string | undefined> {
  const [row] = await tx.query(deleteEndpoint, [endpoint.merchantId, endpoint.channel]);
  if (row) await inSteps(tx, dropPending, endpoint);
  return row?.url;
}

async function inSteps(
  tx: Transaction,
  step: Statement<unknown>,
  { merchantId, channel }: EndpointRef,
): Promise<void> {
  for (;;) {
    const done = await tx.query(step, [merchantId, channel, stepRows]);
    if (done.length < stepRows) return;
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

export function toHealth(row: HealthRow): Health {
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
