/** SQL of permits: which claims a worker still holds, and which were withdrawn from it. */
import { merchantId } from '../../../ids.js';
import type { Database } from '../../../postgres/database.js';
import { type Queryable, statement } from '../../../postgres/statement.js';
import type { EndpointRef } from '../../endpoints/endpoint.js';
import type { Channel } from '../../event.js';
import type { Claim } from './claim-store.js';

interface ClaimRow {
  merchant_id: bigint;
  channel: Channel;
  claim: bigint;
}

/**
 * Another worker can claim an endpoint only when its holder is no longer alive. A permit is therefore given only to a
 * worker whose registration outlasts the permit.
 */
const listHeld = statement<ClaimRow>(
  'permit-store.list-held',
  `SELECT endpoint.merchant_id, endpoint.channel, endpoint.claim
     FROM unnest($2::bigint[], $3::text[], $4::bigint[]) AS asked (merchant_id, channel, claim)
     JOIN webhook_endpoints AS endpoint
       ON endpoint.merchant_id = asked.merchant_id AND endpoint.channel = asked.channel
      AND endpoint.claim = asked.claim
     JOIN webhook_workers AS worker ON worker.worker_id = endpoint.held_by
    WHERE worker.worker_id = $1 AND worker.alive_until > clock_timestamp() + make_interval(secs => $5)`,
);
const listWithdrawn = statement<ClaimRow>(
  'permit-store.list-withdrawn',
  'SELECT merchant_id, channel, claim FROM webhook_withdrawals WHERE worker_id = $1',
);
const deleteWithdrawn = statement(
  'permit-store.delete-withdrawn',
  'DELETE FROM webhook_withdrawals WHERE merchant_id = $1 AND channel = $2 AND claim = $3',
);
/** A worker that is no longer alive has no permit left, so it need not confirm. */
const findUnconfirmed = statement<{ found: number }>(
  'permit-store.find-unconfirmed',
  `SELECT 1 AS found FROM webhook_withdrawals AS withdrawal
     JOIN webhook_workers AS worker ON worker.worker_id = withdrawal.worker_id
    WHERE withdrawal.merchant_id = $1 AND withdrawal.channel = $2 AND worker.alive_until > clock_timestamp()
    LIMIT 1`,
);
const listOld = statement<ClaimRow>(
  'permit-store.list-old',
  `SELECT merchant_id, channel, claim FROM webhook_withdrawals
    WHERE withdrawn_at < statement_timestamp() - interval '1 hour' LIMIT 1000`,
);

/** Returns those of the claims that the worker still holds. */
export async function listHeldClaims(
  database: Queryable,
  workerId: string,
  claims: readonly Claim[],
  aliveForSeconds: number,
): Promise<Claim[]> {
  return (await database.query(listHeld, [workerId, ...columnsOf(claims), aliveForSeconds])).map(toClaim);
}

export async function listWithdrawnClaims(database: Queryable, workerId: string): Promise<Claim[]> {
  return (await database.query(listWithdrawn, [workerId])).map(toClaim);
}

/** Confirms that the worker starts no more attempts under this claim. */
export async function confirmWithdrawn(
  database: Database,
  { merchantId: merchant, channel, claimNumber }: Claim,
): Promise<void> {
  await database.writeRelaxed(deleteWithdrawn, [merchant, channel, claimNumber]);
}

/** Whether a worker has not yet confirmed that it stopped sending to this endpoint's former url. */
export async function isWithdrawing(database: Queryable, endpoint: EndpointRef): Promise<boolean> {
  return (await database.query(findUnconfirmed, [endpoint.merchantId, endpoint.channel])).length > 0;
}

/** Deletes the rows of workers that ended before they could confirm. */
export async function deleteOldWithdrawals(database: Database): Promise<void> {
  for (const row of await database.query(listOld)) await confirmWithdrawn(database, toClaim(row));
}

function columnsOf(claims: readonly Claim[]): unknown[] {
  return [
    claims.map((claim) => claim.merchantId),
    claims.map((claim) => claim.channel),
    claims.map((claim) => claim.claimNumber),
  ];
}

function toClaim(row: ClaimRow): Claim {
  return { merchantId: merchantId(row.merchant_id), channel: row.channel, claimNumber: row.claim };
}
