/**
 * SQL of who serves which endpoint. The claim is a number that goes up with each new holder and each new url: nothing
 * is recorded under an older one, however late it comes.
 *
 * Nobody waits for the disk here (`relaxed`): a claim that a power cut takes back was held by a process that is named in
 * it, and what is not on record any more is sent again.
 */
import { merchantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { EndpointRef, Health } from '../endpoint.js';
import { type HealthRow, toHealth } from '../endpoint-store.js';
import type { Channel } from '../event.js';
import type { SealedSecret } from '../signing/secret-store.js';

export interface Claim extends EndpointRef {
  readonly claim: bigint;
}

export interface HeldEndpoint {
  readonly url: string;
  readonly health: Health;
  /** By the clock of the database. */
  readonly now: Date;
  readonly hasHeldBack: boolean;
  readonly secrets: readonly SealedSecret[];
  /** Whether nobody else can claim the endpoint for as long as a permit lasts. */
  readonly isLeased: boolean;
}

/** What whoever claims it needs to begin. */
export interface ClaimedEndpoint {
  /** By the clock of `performance`, before the database was asked. */
  readonly askedAtMs: number;
  readonly claim: Claim;
  readonly held: HeldEndpoint;
}

interface ClaimRow {
  merchant_id: bigint;
  channel: Channel;
  claim: bigint;
}
interface HeldRow extends HealthRow {
  url: string;
  now: Date;
  has_held_back: boolean;
  is_leased: boolean;
  secret_ids: string[];
  sealed_secrets: Buffer[];
}

const beat = statement(
  'claim-store.beat',
  `INSERT INTO webhook_workers (worker_id, alive_until) VALUES ($1, clock_timestamp() + make_interval(secs => $2))
   ON CONFLICT (worker_id) DO UPDATE SET alive_until = excluded.alive_until`,
);
/** What a lane must know of its endpoint. It is leased if nobody else can claim it for as long as a permit lasts. */
const heldColumns = `url, lanes, consecutive_failures, failing_since, failing_attempts, last_success_at,
          last_failure_at, window_began_at, window_attempts, window_failures, circuit_open_until, circuit_openings,
          disabled_because, clock_timestamp() AS now,
          EXISTS (SELECT 1 FROM webhook_workers AS holder
                   WHERE holder.worker_id = endpoint.held_by
                     AND holder.alive_until > clock_timestamp() + interval '1 second') AS is_leased,
          EXISTS (SELECT 1 FROM deliveries AS delivery
                   WHERE delivery.merchant_id = endpoint.merchant_id AND delivery.channel = endpoint.channel
                     AND delivery.state = 'pending' AND delivery.injected_fault = 'reorder'
                     AND delivery.last_attempt_no = 0) AS has_held_back,
          ARRAY(SELECT secret.secret_id::text FROM webhook_secrets AS secret
                 WHERE secret.merchant_id = endpoint.merchant_id AND secret.expires_at > clock_timestamp()
                 ORDER BY secret.created_at DESC, secret.secret_id) AS secret_ids,
          ARRAY(SELECT secret.sealed_secret FROM webhook_secrets AS secret
                 WHERE secret.merchant_id = endpoint.merchant_id AND secret.expires_at > clock_timestamp()
                 ORDER BY secret.created_at DESC, secret.secret_id) AS sealed_secrets`;
const relaxed = `relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;
const isFree = `endpoint.status = 'active' AND coalesce(endpoint.circuit_open_until, '-infinity') <= clock_timestamp()
        AND endpoint.held_by IS DISTINCT FROM $1
        AND NOT EXISTS (SELECT 1 FROM webhook_workers AS worker
                         WHERE worker.worker_id = endpoint.held_by AND worker.alive_until > clock_timestamp())`;
const takeFree = `UPDATE webhook_endpoints AS endpoint SET held_by = $1, claim = endpoint.claim + 1 FROM free
    WHERE endpoint.merchant_id = free.merchant_id AND endpoint.channel = free.channel
   RETURNING endpoint.merchant_id, endpoint.channel, endpoint.claim, ${heldColumns}`;

const claimNamed = statement<ClaimRow & HeldRow>(
  'claim-store.claim-named',
  `WITH ${relaxed},
   free AS (
     SELECT endpoint.merchant_id, endpoint.channel FROM relaxed, webhook_endpoints AS endpoint
       JOIN unnest($2::bigint[], $3::text[]) AS named (merchant_id, channel)
         ON named.merchant_id = endpoint.merchant_id AND named.channel = endpoint.channel
      WHERE ${isFree}
        FOR NO KEY UPDATE OF endpoint SKIP LOCKED)
   ${takeFree}`,
);
/**
 * Steps from one endpoint that has something pending to the next, whatever the number of rows between them: neither
 * thousands of idle endpoints nor a long queue of one make it slow.
 */
const claimDue = statement<ClaimRow & HeldRow>(
  'claim-store.claim-due',
  `WITH RECURSIVE queue AS (
     (SELECT merchant_id, channel, due_at FROM deliveries WHERE state = 'pending'
       ORDER BY merchant_id, channel, due_at LIMIT 1)
     UNION ALL
     SELECT next.merchant_id, next.channel, next.due_at FROM queue CROSS JOIN LATERAL (
       SELECT merchant_id, channel, due_at FROM deliveries
        WHERE state = 'pending' AND (merchant_id, channel) > (queue.merchant_id, queue.channel)
        ORDER BY merchant_id, channel, due_at LIMIT 1) AS next),
   ${relaxed},
   free AS (
     SELECT endpoint.merchant_id, endpoint.channel FROM relaxed, queue
       JOIN webhook_endpoints AS endpoint
         ON endpoint.merchant_id = queue.merchant_id AND endpoint.channel = queue.channel
      WHERE queue.due_at <= clock_timestamp() AND ${isFree}
      ORDER BY queue.due_at LIMIT $2
        FOR NO KEY UPDATE OF endpoint SKIP LOCKED)
   ${takeFree}`,
);
const findHeld = statement<HeldRow>(
  'claim-store.find-held',
  `SELECT ${heldColumns} FROM webhook_endpoints AS endpoint
    WHERE merchant_id = $1 AND channel = $2 AND held_by = $3 AND claim = $4`,
);
const letGoOfSome = statement<{ merchant_id: bigint; channel: Channel }>(
  'claim-store.let-go',
  `WITH ${relaxed}
   UPDATE webhook_endpoints AS endpoint SET held_by = NULL
     FROM relaxed, unnest($2::bigint[], $3::text[], $4::bigint[], $5::bool[])
                     AS given (merchant_id, channel, claim, only_if_idle)
    WHERE endpoint.merchant_id = given.merchant_id AND endpoint.channel = given.channel
      AND endpoint.held_by = $1 AND endpoint.claim = given.claim
      AND NOT (given.only_if_idle
               AND EXISTS (SELECT 1 FROM deliveries AS delivery
                            WHERE delivery.merchant_id = given.merchant_id AND delivery.channel = given.channel
                              AND delivery.state = 'pending' AND delivery.due_at <= statement_timestamp()))
   RETURNING endpoint.merchant_id, endpoint.channel`,
);
const letGoOfOthers = statement(
  'claim-store.let-go-of-others',
  `UPDATE webhook_endpoints AS endpoint SET held_by = NULL
    WHERE endpoint.held_by = $1
      AND NOT EXISTS (SELECT 1 FROM unnest($2::bigint[], $3::text[]) AS served (merchant_id, channel)
                       WHERE served.merchant_id = endpoint.merchant_id AND served.channel = endpoint.channel)`,
);
const endWorker = statement('claim-store.end-worker', 'DELETE FROM webhook_workers WHERE worker_id = $1');
const findOldestDue = statement<{ seconds: number | null }>(
  'claim-store.find-oldest-due',
  `WITH RECURSIVE queue AS (
     (SELECT merchant_id, channel, due_at FROM deliveries WHERE state = 'pending'
       ORDER BY merchant_id, channel, due_at LIMIT 1)
     UNION ALL
     SELECT next.merchant_id, next.channel, next.due_at FROM queue CROSS JOIN LATERAL (
       SELECT merchant_id, channel, due_at FROM deliveries
        WHERE state = 'pending' AND (merchant_id, channel) > (queue.merchant_id, queue.channel)
        ORDER BY merchant_id, channel, due_at LIMIT 1) AS next)
   SELECT extract(epoch FROM clock_timestamp() - min(queue.due_at))::float8 AS seconds
     FROM queue JOIN webhook_endpoints AS endpoint
       ON endpoint.merchant_id = queue.merchant_id AND endpoint.channel = queue.channel
    WHERE endpoint.status = 'active' AND coalesce(endpoint.circuit_open_until, '-infinity') <= clock_timestamp()`,
);

export async function beatHeart(database: Database, workerId: string, aliveSeconds: number): Promise<void> {
  await database.write(beat, [workerId, aliveSeconds]);
}

/** Those of the named ones that are to be served and that nobody alive serves. */
export async function claimEndpoints(
  database: Database,
  workerId: string,
  named: readonly EndpointRef[],
): Promise<ClaimedEndpoint[]> {
  const values = [workerId, named.map((one) => one.merchantId), named.map((one) => one.channel)];
  const askedAtMs = performance.now();
  return (await database.write(claimNamed, values)).map((row) => toClaimed(row, askedAtMs));
}

/** Those where something is due, the longest waiting first. */
export async function claimDueEndpoints(
  database: Database,
  workerId: string,
  atMost: number,
): Promise<ClaimedEndpoint[]> {
  const askedAtMs = performance.now();
  const rows = await database.write(claimDue, [workerId, atMost]);
  return rows.map((row) => toClaimed(row, askedAtMs));
}

/** Undefined when it is not ours any more. */
export async function findHeldEndpoint(
  database: Queryable,
  workerId: string,
  { merchantId: merchant, channel, claim }: Claim,
): Promise<HeldEndpoint | undefined> {
  const [row] = await database.query(findHeld, [merchant, channel, workerId, claim]);
  return row && toHeld(row);
}

/** Answers those that are free now; not those that are to be let go only if nothing is due there, and something is. */
export async function letGoOfEndpoints(
  database: Database,
  workerId: string,
  given: readonly { readonly claim: Claim; readonly onlyIfIdle: boolean }[],
): Promise<EndpointRef[]> {
  const rows = await database.write(letGoOfSome, [
    workerId,
    given.map(({ claim }) => claim.merchantId),
    given.map(({ claim }) => claim.channel),
    given.map(({ claim }) => claim.claim),
    given.map(({ onlyIfIdle }) => onlyIfIdle),
  ]);
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), channel: row.channel }));
}

/** After a claim that got no answer: it may have been granted, and nobody would ever know. */
export async function letGoOfUnserved(
  database: Database,
  workerId: string,
  served: readonly EndpointRef[],
): Promise<void> {
  const values = [workerId, served.map((one) => one.merchantId), served.map((one) => one.channel)];
  await database.write(letGoOfOthers, values);
}

/** Whatever it still holds is free at once. */
export async function sayFarewell(database: Database, workerId: string): Promise<void> {
  await database.write(endWorker, [workerId]);
}

export async function oldestDueSeconds(database: Queryable): Promise<number> {
  return Math.max(0, (await database.query(findOldestDue))[0]?.seconds ?? 0);
}

function toClaimed(row: ClaimRow & HeldRow, askedAtMs: number): ClaimedEndpoint {
  const claim = { merchantId: merchantId(row.merchant_id), channel: row.channel, claim: row.claim };
  return { askedAtMs, claim, held: toHeld(row) };
}

function toHeld(row: HeldRow): HeldEndpoint {
  return {
    url: row.url,
    health: toHealth(row),
    now: row.now,
    hasHeldBack: row.has_held_back,
    isLeased: row.is_leased,
    secrets: row.secret_ids.map((secretId, index) => ({
      secretId,
      sealed: row.sealed_secrets[index] as Buffer,
    })),
  };
}
