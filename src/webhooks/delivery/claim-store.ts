/**
 * SQL of which worker serves which endpoint. The number of a claim grows with each new holder and each new url. Results
 * are recorded only under the newest number, so a late result of an earlier holder changes nothing.
 *
 * These statements do not wait for the disk (`relaxed`). A power cut may undo a claim; its holder then finds that it does
 * not hold the endpoint, and an attempt whose record was lost is made again.
 */
import { merchantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { EndpointRef, Health } from '../endpoint.js';
import { type HealthRow, healthColumns, toHealth } from '../endpoint-store.js';
import type { Channel } from '../event.js';
import type { SealedSecret } from '../signing/secret-store.js';

export interface Claim extends EndpointRef {
  /** Grows with each new holder and each new url. */
  readonly claimNumber: bigint;
}

/** What a lane needs to know of its endpoint. */
export interface EndpointSnapshot {
  readonly url: string;
  readonly health: Health;
  /** The clock of the database. */
  readonly now: Date;
  /** In the sandbox: events wait here to be overtaken. */
  readonly hasHeldBack: boolean;
  readonly secrets: readonly SealedSecret[];
  /** No other worker can claim the endpoint for as long as a permit lasts. */
  readonly isLeased: boolean;
}

export interface NewClaim {
  /** When the database was asked, by the clock of `performance`. */
  readonly askedAtMs: number;
  readonly claim: Claim;
  readonly endpoint: EndpointSnapshot;
}

interface ClaimRow {
  merchant_id: bigint;
  channel: Channel;
  claim: bigint;
}
interface SnapshotRow extends HealthRow {
  url: string;
  now: Date;
  has_held_back: boolean;
  is_leased: boolean;
  secret_ids: string[];
  sealed_secrets: Buffer[];
}

const upsertWorker = statement(
  'claim-store.heartbeat',
  `INSERT INTO webhook_workers (worker_id, alive_until) VALUES ($1, clock_timestamp() + make_interval(secs => $2))
   ON CONFLICT (worker_id) DO UPDATE SET alive_until = excluded.alive_until`,
);
/** Both lists of a snapshot have this order. */
const signingSecrets = `FROM webhook_secrets AS secret
                 WHERE secret.merchant_id = endpoint.merchant_id AND secret.expires_at > clock_timestamp()
                 ORDER BY secret.created_at DESC, secret.secret_id`;
const snapshotColumns = `endpoint.url, ${healthColumns}, clock_timestamp() AS now,
          EXISTS (SELECT 1 FROM webhook_workers AS holder
                   WHERE holder.worker_id = endpoint.held_by
                     AND holder.alive_until > clock_timestamp() + interval '1 second') AS is_leased,
          EXISTS (SELECT 1 FROM deliveries AS delivery
                   WHERE delivery.merchant_id = endpoint.merchant_id AND delivery.channel = endpoint.channel
                     AND delivery.state = 'pending' AND delivery.injected_fault = 'reorder'
                     AND delivery.last_attempt_no = 0) AS has_held_back,
          ARRAY(SELECT secret.secret_id::text ${signingSecrets}) AS secret_ids,
          ARRAY(SELECT secret.sealed_secret ${signingSecrets}) AS sealed_secrets`;
export const relaxed = `relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;
/**
 * The first due delivery of each endpoint that has pending ones. The recursion jumps from one endpoint to the next over
 * the index: neither thousands of idle endpoints nor a long queue of one endpoint make it slow.
 */
const queue = `RECURSIVE queue AS (
     (SELECT merchant_id, channel, due_at FROM deliveries WHERE state = 'pending'
       ORDER BY merchant_id, channel, due_at LIMIT 1)
     UNION ALL
     SELECT next.merchant_id, next.channel, next.due_at FROM queue CROSS JOIN LATERAL (
       SELECT merchant_id, channel, due_at FROM deliveries
        WHERE state = 'pending' AND (merchant_id, channel) > (queue.merchant_id, queue.channel)
        ORDER BY merchant_id, channel, due_at LIMIT 1) AS next)`;
const queuedEndpoints = `queue JOIN webhook_endpoints AS endpoint
         ON endpoint.merchant_id = queue.merchant_id AND endpoint.channel = queue.channel`;
const isServed = `endpoint.status = 'active'
        AND coalesce(endpoint.circuit_open_until, '-infinity') <= clock_timestamp()`;
const isFree = `${isServed}
        AND endpoint.held_by IS DISTINCT FROM $1
        AND NOT EXISTS (SELECT 1 FROM webhook_workers AS worker
                         WHERE worker.worker_id = endpoint.held_by AND worker.alive_until > clock_timestamp())`;
const takeFree = `UPDATE webhook_endpoints AS endpoint SET held_by = $1, claim = endpoint.claim + 1 FROM free
    WHERE endpoint.merchant_id = free.merchant_id AND endpoint.channel = free.channel
   RETURNING endpoint.merchant_id, endpoint.channel, endpoint.claim, ${snapshotColumns}`;

const claimNamed = statement<ClaimRow & SnapshotRow>(
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
const claimDue = statement<ClaimRow & SnapshotRow>(
  'claim-store.claim-due',
  `WITH ${queue},
   ${relaxed},
   free AS (
     SELECT endpoint.merchant_id, endpoint.channel FROM relaxed, ${queuedEndpoints}
      WHERE queue.due_at <= clock_timestamp() AND ${isFree}
      ORDER BY queue.due_at LIMIT $2
        FOR NO KEY UPDATE OF endpoint SKIP LOCKED)
   ${takeFree}`,
);
const findHeld = statement<SnapshotRow>(
  'claim-store.find-claimed',
  `SELECT ${snapshotColumns} FROM webhook_endpoints AS endpoint
    WHERE merchant_id = $1 AND channel = $2 AND held_by = $3 AND claim = $4`,
);
const releaseSome = statement<{ merchant_id: bigint; channel: Channel }>(
  'claim-store.release',
  `WITH ${relaxed}
   UPDATE webhook_endpoints AS endpoint SET held_by = NULL
     FROM relaxed, unnest($2::bigint[], $3::text[], $4::bigint[], $5::bool[])
                     AS asked (merchant_id, channel, claim, only_if_idle)
    WHERE endpoint.merchant_id = asked.merchant_id AND endpoint.channel = asked.channel
      AND endpoint.held_by = $1 AND endpoint.claim = asked.claim
      AND NOT (asked.only_if_idle
               AND EXISTS (SELECT 1 FROM deliveries AS delivery
                            WHERE delivery.merchant_id = asked.merchant_id AND delivery.channel = asked.channel
                              AND delivery.state = 'pending' AND delivery.due_at <= statement_timestamp()))
   RETURNING endpoint.merchant_id, endpoint.channel`,
);
const releaseUnservedClaims = statement(
  'claim-store.release-unserved',
  `UPDATE webhook_endpoints AS endpoint SET held_by = NULL
    WHERE endpoint.held_by = $1
      AND NOT EXISTS (SELECT 1 FROM unnest($2::bigint[], $3::text[], $4::bigint[]) AS served (merchant_id, channel, claim)
                       WHERE served.merchant_id = endpoint.merchant_id AND served.channel = endpoint.channel
                         AND served.claim = endpoint.claim)`,
);
const deleteWorker = statement(
  'claim-store.unregister-worker',
  'DELETE FROM webhook_workers WHERE worker_id = $1',
);
const findOldestDue = statement<{ seconds: number | null }>(
  'claim-store.find-oldest-due',
  `WITH ${queue}
   SELECT extract(epoch FROM clock_timestamp() - min(queue.due_at))::float8 AS seconds
     FROM ${queuedEndpoints} WHERE ${isServed}`,
);

/** Registers the worker, or extends its registration. */
export async function heartbeat(database: Database, workerId: string, aliveSeconds: number): Promise<void> {
  await database.write(upsertWorker, [workerId, aliveSeconds]);
}

/** Claims those of the named endpoints that are active and that no living worker holds. */
export async function claimEndpoints(
  database: Database,
  workerId: string,
  named: readonly EndpointRef[],
): Promise<NewClaim[]> {
  const values = [
    workerId,
    named.map(({ merchantId: merchant }) => merchant),
    named.map(({ channel }) => channel),
  ];
  const askedAtMs = performance.now();
  return (await database.write(claimNamed, values)).map((row) => toNewClaim(row, askedAtMs));
}

/** Claims free endpoints with due deliveries, the longest waiting first. */
export async function claimDueEndpoints(
  database: Database,
  workerId: string,
  atMost: number,
): Promise<NewClaim[]> {
  const askedAtMs = performance.now();
  const rows = await database.write(claimDue, [workerId, atMost]);
  return rows.map((row) => toNewClaim(row, askedAtMs));
}

/** Returns undefined when the worker no longer holds the claim. */
export async function findClaimedEndpoint(
  database: Queryable,
  workerId: string,
  { merchantId: merchant, channel, claimNumber }: Claim,
): Promise<EndpointSnapshot | undefined> {
  const [row] = await database.query(findHeld, [merchant, channel, workerId, claimNumber]);
  return row && toSnapshot(row);
}

/** Returns the endpoints that were released: not those with `onlyIfIdle` where something is due. */
export async function releaseEndpoints(
  database: Database,
  workerId: string,
  asked: readonly { readonly claim: Claim; readonly onlyIfIdle: boolean }[],
): Promise<EndpointRef[]> {
  const rows = await database.write(releaseSome, [
    workerId,
    asked.map(({ claim }) => claim.merchantId),
    asked.map(({ claim }) => claim.channel),
    asked.map(({ claim }) => claim.claimNumber),
    asked.map(({ onlyIfIdle }) => onlyIfIdle),
  ]);
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), channel: row.channel }));
}

/** Releases every other claim of the worker. Needed after a claim without an answer, which may have been granted. */
export async function releaseUnserved(
  database: Database,
  workerId: string,
  served: readonly Claim[],
): Promise<void> {
  const values = [
    workerId,
    served.map(({ merchantId: merchant }) => merchant),
    served.map(({ channel }) => channel),
    served.map(({ claimNumber }) => claimNumber),
  ];
  await database.write(releaseUnservedClaims, values);
}

/** All endpoints that the worker still holds are free at once. */
export async function unregisterWorker(database: Database, workerId: string): Promise<void> {
  await database.write(deleteWorker, [workerId]);
}

export async function oldestDueSeconds(database: Queryable): Promise<number> {
  return Math.max(0, (await database.query(findOldestDue))[0]?.seconds ?? 0);
}

function toNewClaim(row: ClaimRow & SnapshotRow, askedAtMs: number): NewClaim {
  const claim = { merchantId: merchantId(row.merchant_id), channel: row.channel, claimNumber: row.claim };
  return { askedAtMs, claim, endpoint: toSnapshot(row) };
}

function toSnapshot(row: SnapshotRow): EndpointSnapshot {
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
