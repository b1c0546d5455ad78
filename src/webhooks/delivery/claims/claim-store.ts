/**
 * SQL of which worker serves which endpoint. The number of a claim grows with each new holder and each new url. Results
 * are recorded only under the newest number, so a late result of an earlier holder changes nothing.
 *
 * Claims and releases do not wait for the disk. A power cut or a failover may undo a claim; its holder then finds that it
 * does not hold the endpoint, and an attempt whose record was lost is made again. It may also undo a release; the worker
 * then finds that it holds an endpoint that it does not serve, and releases it again.
 */
import { merchantId } from '../../../ids.js';
import type { Database } from '../../../postgres/database.js';
import { type Queryable, statement } from '../../../postgres/statement.js';
import type { EndpointRef, Health } from '../../endpoints/endpoint.js';
import { type HealthRow, healthColumns, isServedNow, toHealth } from '../../endpoints/endpoint-store.js';
import type { Channel } from '../../event.js';
import type { SealedSecret } from '../../signing/secret-store.js';

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
                 WHERE secret.merchant_id = $1 AND secret.expires_at > statement_timestamp()
                 ORDER BY secret.created_at DESC, secret.secret_id`;
/** In statements about the endpoint of the merchant $1 and the channel $2. */
const snapshotColumns = `endpoint.url, ${healthColumns}, statement_timestamp() AS now,
          EXISTS (SELECT 1 FROM webhook_workers AS holder
                   WHERE holder.worker_id = endpoint.held_by
                     AND holder.alive_until > statement_timestamp() + interval '1 second') AS is_leased,
          EXISTS (SELECT 1 FROM deliveries AS delivery
                   WHERE delivery.merchant_id = $1 AND delivery.channel = $2
                     AND delivery.state = 'pending' AND delivery.injected_fault = 'reorder'
                     AND delivery.last_attempt_no = 0) AS has_held_back,
          ARRAY(SELECT secret.secret_id::text ${signingSecrets}) AS secret_ids,
          ARRAY(SELECT secret.sealed_secret ${signingSecrets}) AS sealed_secrets`;
/**
 * Granted only if nobody else has claimed the endpoint since the statement began: a worker that registered after that is
 * not seen as alive.
 */
const claim = statement<{ claim: bigint } & SnapshotRow>(
  'claim-store.claim',
  `WITH granted AS (
     UPDATE webhook_endpoints AS endpoint SET held_by = $3, claim = endpoint.claim + 1
       FROM webhook_endpoints AS seen
      WHERE endpoint.merchant_id = $1 AND endpoint.channel = $2
        AND seen.merchant_id = $1 AND seen.channel = $2 AND seen.claim = endpoint.claim
        AND ${isServedNow}
        AND endpoint.held_by IS DISTINCT FROM $3
        AND NOT EXISTS (SELECT 1 FROM webhook_workers AS worker
                         WHERE worker.worker_id = endpoint.held_by AND worker.alive_until > statement_timestamp())
     RETURNING endpoint.*)
   SELECT endpoint.claim, ${snapshotColumns} FROM granted AS endpoint`,
);
const findHeld = statement<SnapshotRow>(
  'claim-store.find-claimed',
  `SELECT ${snapshotColumns} FROM webhook_endpoints AS endpoint
    WHERE merchant_id = $1 AND channel = $2 AND held_by = $3 AND claim = $4`,
);
const release = statement<{ channel: Channel }>(
  'claim-store.release',
  `UPDATE webhook_endpoints SET held_by = NULL
    WHERE merchant_id = $1 AND channel = $2 AND held_by = $3 AND claim = $4
      AND NOT ($5::bool
               AND EXISTS (SELECT 1 FROM deliveries AS delivery
                            WHERE delivery.merchant_id = $1 AND delivery.channel = $2
                              AND delivery.state = 'pending' AND delivery.due_at <= statement_timestamp()))
   RETURNING channel`,
);
const listClaimsOfWorker = statement<{ merchant_id: bigint; channel: Channel; claim: bigint }>(
  'claim-store.list-of-worker',
  'SELECT merchant_id, channel, claim FROM webhook_endpoints WHERE held_by = $1',
);
const deleteWorker = statement(
  'claim-store.unregister-worker',
  'DELETE FROM webhook_workers WHERE worker_id = $1',
);

/** Registers the worker, or extends its registration. */
export async function heartbeat(database: Database, workerId: string, aliveSeconds: number): Promise<void> {
  await database.write(upsertWorker, [workerId, aliveSeconds]);
}

/** Returns undefined when the endpoint is not served now, or when a living worker holds it. */
export async function claimEndpoint(
  database: Database,
  workerId: string,
  endpoint: EndpointRef,
): Promise<NewClaim | undefined> {
  const askedAtMs = performance.now();
  const [row] = await database.writeRelaxed(claim, [endpoint.merchantId, endpoint.channel, workerId]);
  return row && { askedAtMs, claim: { ...endpoint, claimNumber: row.claim }, endpoint: toSnapshot(row) };
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

/** With `onlyIfIdle` the claim is kept when something is due. Returns whether the claim was released. */
export async function releaseEndpoint(
  database: Database,
  workerId: string,
  { merchantId: merchant, channel, claimNumber }: Claim,
  { onlyIfIdle }: { readonly onlyIfIdle: boolean },
): Promise<boolean> {
  const values = [merchant, channel, workerId, claimNumber, onlyIfIdle];
  return (await database.writeRelaxed(release, values)).length > 0;
}

export async function listClaims(database: Queryable, workerId: string): Promise<Claim[]> {
  return (await database.query(listClaimsOfWorker, [workerId])).map((row) => ({
    merchantId: merchantId(row.merchant_id),
    channel: row.channel,
    claimNumber: row.claim,
  }));
}

/** All endpoints that the worker still holds are free at once. */
export async function unregisterWorker(database: Database, workerId: string): Promise<void> {
  await database.write(deleteWorker, [workerId]);
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
