/**
 * SQL of the deliveries of one endpoint: claim what is due, record the results, give back what was not sent. A claim
 * leases its rows under a token of its own. Claiming and recording lock the endpoint first.
 */
import type { EventId } from '../../changes/event.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import { afterAttempt, type EndpointOutcome, type EndpointRef, type Health } from '../endpoints/endpoint.js';
import { lockEndpointOf, lockServedEndpoint, saveHealth } from '../endpoints/endpoint-store.js';
import { listSigningSecrets, type SealedSecret } from '../signing/secret-store.js';
import type { AttemptRecord, DueDelivery, InjectedFault, Settlement } from './delivery.js';

/** Longer than an attempt may take, with its record. What a process that died had claimed is sent after this time. */
const leaseSeconds = 30;

interface ClaimedRow {
  event_id: EventId;
  subject: string;
  sequence: bigint | null;
  due_at: Date;
  attempts: number;
  last_attempt_no: number;
  injected_fault: InjectedFault | null;
  type: string;
  occurred_at: Date;
  object: string | null;
  previous_status: string | null;
  traceparent: string | null;
}

/** Claims nothing while another lease lasts: so at most four attempts are in flight, and subjects keep their order. */
const claim = statement(
  'delivery-store.claim',
  `UPDATE deliveries AS delivery
      SET lease_token = $token, leased_until = statement_timestamp() + make_interval(secs => $leaseSeconds)
     FROM events AS event
    WHERE delivery.merchant_id = $merchantId AND event.merchant_id = $merchantId
      AND event.event_id = delivery.event_id
      AND delivery.event_id = ANY (ARRAY(
        SELECT due.event_id FROM deliveries AS due
         WHERE due.merchant_id = $merchantId AND due.channel = $channel AND due.state = 'pending'
           AND due.due_at <= statement_timestamp()
           AND NOT EXISTS (SELECT 1 FROM deliveries AS leased
                            WHERE leased.merchant_id = $merchantId AND leased.channel = $channel
                              AND leased.lease_token IS NOT NULL AND leased.leased_until > statement_timestamp())
         ORDER BY due.due_at, due.sequence LIMIT $atMost FOR UPDATE SKIP LOCKED))
   RETURNING delivery.event_id, delivery.subject, delivery.sequence, delivery.due_at, delivery.attempts,
             delivery.last_attempt_no, delivery.injected_fault, event.type, event.occurred_at, event.object,
             event.previous_status, event.traceparent`,
).rows<ClaimedRow>();
const findLease = statement(
  'delivery-store.find-lease',
  `SELECT 1 AS leased FROM deliveries
    WHERE merchant_id = $merchantId AND channel = $channel AND lease_token = $token LIMIT 1`,
).rows<{ leased: number }>();
const giveBack = statement(
  'delivery-store.give-back',
  `UPDATE deliveries SET lease_token = NULL, leased_until = NULL
    WHERE merchant_id = $merchantId AND channel = $channel AND lease_token = $token`,
);
/** In the sandbox, events that were held back to be overtaken (`reorder`) are due once a later one was sent. */
const settle = statement(
  'delivery-store.settle',
  `WITH settled AS (
     UPDATE deliveries AS delivery
        SET state = done.state, attempts = delivery.attempts + 1, last_attempt_no = delivery.last_attempt_no + 1,
            due_at = done.due_at, delivered_at = coalesce(done.delivered_at, delivery.delivered_at),
            lease_token = NULL, leased_until = NULL
       FROM jsonb_to_recordset($results::jsonb)
            AS done (event_id text, state text, due_at timestamptz, delivered_at timestamptz, started_at timestamptz,
                     duration_ms int, url text, outcome text, status int, answer_start bytea)
      WHERE delivery.merchant_id = $merchantId AND delivery.event_id = done.event_id
        AND delivery.lease_token = $token
     RETURNING done.event_id, delivery.sequence, delivery.last_attempt_no, done.started_at, done.duration_ms, done.url,
               done.outcome, done.status, done.answer_start),
   kept AS (
     INSERT INTO delivery_attempts (merchant_id, event_id, attempt_no, started_at, duration_ms, url, outcome, status,
                                    answer_start)
     SELECT $merchantId, event_id, last_attempt_no, started_at, duration_ms, url, outcome, status, answer_start
       FROM settled),
   overtaken AS (
     UPDATE deliveries SET due_at = statement_timestamp()
      WHERE merchant_id = $merchantId AND channel = $channel AND state = 'pending' AND injected_fault = 'reorder'
        AND last_attempt_no = 0 AND due_at > statement_timestamp() AND sequence < (SELECT max(sequence) FROM settled))
   SELECT event_id FROM settled`,
).rows<{ event_id: EventId }>();

/** What a turn needs to know of its endpoint. */
export interface Claim {
  readonly url: string;
  readonly sendsTraceparent: boolean;
  readonly health: Health;
  readonly secrets: readonly SealedSecret[];
  /** The clock of the database. */
  readonly now: Date;
  /** In the order in which they are sent. */
  readonly deliveries: readonly DueDelivery[];
}

/** The result of an attempt and what it means for the delivery and the endpoint. */
export interface AttemptEnd {
  readonly eventId: EventId;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly url: string;
  readonly record: AttemptRecord;
  readonly settlement: Settlement;
  readonly endpointOutcome: EndpointOutcome;
}

/** Returns undefined when the endpoint is deleted, disabled or paused. Claims nothing while another lease lasts. */
export async function claimDue(
  database: Database,
  { merchantId, channel }: EndpointRef,
  { token, atMost }: { readonly token: string; readonly atMost: number },
): Promise<Claim | undefined> {
  return database.transaction(async (tx) => {
    const [endpoint, secrets] = await Promise.all([
      lockServedEndpoint(tx, { merchantId, channel }),
      listSigningSecrets(tx, merchantId),
    ]);
    if (!endpoint) return undefined;
    const rows = await tx.query(claim, { merchantId, channel, token, leaseSeconds, atMost });
    return { ...endpoint, secrets, deliveries: rows.sort(byDueTime).map(toDueDelivery) };
  });
}

/** Whether something is still leased under the token. A new url, and the end of the last attempt, end the lease. */
export async function isLeased(database: Queryable, endpoint: EndpointRef, token: string): Promise<boolean> {
  return (await database.query(findLease, { ...endpoint, token })).length > 0;
}

/** Whatever has no result yet is due for the next claim. */
export async function giveBackLeased(database: Database, endpoint: EndpointRef, token: string): Promise<void> {
  await database.write(giveBack, { ...endpoint, token });
}

/**
 * Records attempts and the health of their endpoint. Attempts whose lease has ended count for nothing. Returns the new
 * health, or undefined when no attempt counted.
 */
export function recordAttempts(
  database: Database,
  { merchantId, channel }: EndpointRef,
  token: string,
  attempts: readonly AttemptEnd[],
): Promise<Health | undefined> {
  return database.transaction(async (tx) => {
    const endpoint = await lockEndpointOf(tx, { merchantId, channel });
    const results = JSON.stringify(attempts.map(toResult));
    const settled = await tx.query(settle, { merchantId, channel, token, results });
    const settledIds = new Set(settled.map((row) => row.event_id));
    const counted = attempts.filter(({ eventId }) => settledIds.has(eventId));
    const last = counted.at(-1);
    if (!endpoint || !last) return undefined;
    const health = counted.reduce<Health>(
      (before, { endpointOutcome, endedAt }) => afterAttempt(before, endpointOutcome, endedAt),
      endpoint,
    );
    const disabledAt = health.disabledBecause === null ? null : (endpoint.disabledAt ?? last.endedAt);
    await saveHealth(tx, endpoint, health, disabledAt);
    return health;
  });
}

function toResult({ eventId, startedAt, endedAt, url, record, settlement }: AttemptEnd) {
  return {
    event_id: eventId,
    state: settlement.state,
    due_at: new Date(endedAt.getTime() + 1000 * settlement.delaySeconds),
    delivered_at: record.outcome === 'delivered' ? endedAt : null,
    started_at: startedAt,
    duration_ms: record.durationMs,
    url,
    outcome: record.outcome,
    status: record.status,
    answer_start: record.answerStart && `\\x${record.answerStart.toString('hex')}`,
  };
}

/** First attempts in the order of their numbers, because their due time never runs backwards. */
function byDueTime(left: ClaimedRow, right: ClaimedRow): number {
  const apart = left.due_at.getTime() - right.due_at.getTime();
  return apart || Number((left.sequence ?? 0n) - (right.sequence ?? 0n));
}

function toDueDelivery(row: ClaimedRow): DueDelivery {
  return {
    eventId: row.event_id,
    subject: row.subject,
    sequence: row.sequence ?? undefined,
    attempts: row.attempts,
    isFirst: row.last_attempt_no === 0,
    injectedFault: row.injected_fault ?? undefined,
    type: row.type,
    occurredAt: row.occurred_at,
    objectText: row.object ?? undefined,
    previousStatus: row.previous_status,
    traceparent: row.traceparent ?? undefined,
  };
}
