/** SQL of due deliveries and of the results of attempts. */
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { EndpointRef, Health } from '../endpoints/endpoint.js';
import type { Channel, EventId } from '../event.js';
import type { Claim } from './claims/claim-store.js';
import type { AttemptRecord, DueDelivery, InjectedFault, Settlement } from './delivery.js';

interface DueRow {
  event_id: EventId;
  subject: string;
  sequence: bigint | null;
  attempts: number;
  last_attempt_no: number;
  injected_fault: InjectedFault | null;
  type: string;
  occurred_at: Date;
  object: string | null;
  previous_status: string | null;
}

const listDue = statement<DueRow>(
  'delivery-store.list-due',
  `SELECT delivery.event_id, delivery.subject, delivery.sequence, delivery.attempts, delivery.last_attempt_no,
          delivery.injected_fault, event.type, event.occurred_at, event.object, event.previous_status
     FROM deliveries AS delivery
     JOIN events AS event ON event.merchant_id = delivery.merchant_id AND event.event_id = delivery.event_id
    WHERE delivery.merchant_id = $1 AND delivery.channel = $2 AND delivery.state = 'pending'
      AND delivery.due_at <= statement_timestamp()
    ORDER BY delivery.due_at, delivery.sequence LIMIT $3`,
);
/**
 * Records results of one endpoint. A result counts only while its claim is the newest, and only if it is the next attempt
 * of its delivery: a late result of an earlier holder changes nothing (fencing). An attempt whose record a power cut
 * undoes is made again, under the same id. Times are parameters, because a distributed schema refuses functions of time
 * inside of CASE. `state || ''` hides the state from the planner: where nothing was pending when it last counted, it would
 * read all pending deliveries for every batch of results, instead of looking each delivery up by its id.
 */
const recordOutcomes = statement<{ channel: Channel }>(
  'delivery-store.record-outcomes',
  `WITH judged AS (
     UPDATE webhook_endpoints
        SET lanes = $5, consecutive_failures = $6, failing_since = $7, failing_attempts = $8, last_success_at = $9,
            last_failure_at = $10, window_began_at = $11, window_attempts = $12, window_failures = $13,
            circuit_open_until = $14, circuit_openings = $15, disabled_because = $16,
            status = CASE WHEN $16::text IS NULL THEN 'active' ELSE 'disabled' END,
            disabled_at = CASE WHEN $16::text IS NOT NULL THEN coalesce(disabled_at, $17) END
      WHERE merchant_id = $1 AND channel = $2 AND held_by = $3 AND claim = $4
     RETURNING channel),
   settled AS (
     UPDATE deliveries AS delivery
        SET state = done.state, attempts = delivery.attempts + 1, last_attempt_no = done.attempt_no,
            due_at = done.due_at,
            delivered_at = CASE WHEN done.outcome = 'delivered' THEN done.ended_at ELSE delivery.delivered_at END
       FROM judged,
            unnest($18::text[], $19::int[], $20::text[], $21::timestamptz[], $22::timestamptz[], $23::timestamptz[],
                   $24::int[], $25::text[], $26::text[], $27::int[], $28::bytea[])
            AS done (event_id, attempt_no, state, due_at, started_at, ended_at, duration_ms, url, outcome, status,
                     answer_start)
      WHERE delivery.merchant_id = $1 AND delivery.event_id = done.event_id
        AND delivery.state || '' = 'pending' AND delivery.last_attempt_no = done.attempt_no - 1
     RETURNING done.event_id, done.attempt_no, done.started_at, done.duration_ms, done.url, done.outcome, done.status,
               done.answer_start),
   kept AS (
     INSERT INTO delivery_attempts (merchant_id, event_id, attempt_no, started_at, duration_ms, url, outcome, status,
                                    answer_start)
     SELECT $1, event_id, attempt_no, started_at, duration_ms, url, outcome, status, answer_start FROM settled)
   SELECT channel FROM judged`,
);
const releaseOvertaken = statement(
  'delivery-store.release-overtaken',
  `UPDATE deliveries SET due_at = statement_timestamp()
    WHERE merchant_id = $1 AND channel = $2 AND sequence < $3 AND state = 'pending' AND injected_fault = 'reorder'
      AND last_attempt_no = 0 AND due_at > statement_timestamp()`,
);

export async function listDueDeliveries(
  database: Queryable,
  endpoint: EndpointRef,
  atMost: number,
): Promise<DueDelivery[]> {
  const rows = await database.query(listDue, [endpoint.merchantId, endpoint.channel, atMost]);
  return rows.map((row) => ({
    eventId: row.event_id,
    subject: row.subject,
    sequence: row.sequence ?? undefined,
    attempts: row.attempts,
    lastAttemptNo: row.last_attempt_no,
    injectedFault: row.injected_fault ?? undefined,
    type: row.type,
    occurredAt: row.occurred_at,
    objectText: row.object ?? undefined,
    previousStatus: row.previous_status,
  }));
}

/** The result of an attempt and what it means for the delivery. */
export interface Outcome {
  readonly eventId: EventId;
  readonly attemptNo: number;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly url: string;
  readonly record: AttemptRecord;
  readonly settlement: Settlement;
}

/** Saves results with the health of the endpoint after the last of them. Returns false when the claim was lost. */
export async function saveOutcomes(
  database: Database,
  workerId: string,
  { merchantId, channel, claimNumber }: Claim,
  { outcomes, health }: { readonly outcomes: readonly Outcome[]; readonly health: Health },
): Promise<boolean> {
  const claim = [merchantId, channel, workerId, claimNumber];
  const lastEndedAt = outcomes.at(-1)?.endedAt;
  const values = [...claim, ...healthValues(health), lastEndedAt, ...outcomeValues(outcomes)];
  return (await database.writeRelaxed(recordOutcomes, values)).length > 0;
}

/** Events that were held back to be overtaken are due once a later event was sent. */
export async function releaseHeldBack(
  database: Database,
  endpoint: EndpointRef,
  sentSequence: bigint,
): Promise<void> {
  await database.write(releaseOvertaken, [endpoint.merchantId, endpoint.channel, sentSequence]);
}

function healthValues(health: Health): unknown[] {
  return [
    health.lanes,
    health.consecutiveFailures,
    health.failingSince,
    health.failingAttempts,
    health.lastSuccessAt,
    health.lastFailureAt,
    health.windowBeganAt,
    health.windowAttempts,
    health.windowFailures,
    health.circuitOpenUntil,
    health.circuitOpenings,
    health.disabledBecause,
  ];
}

function outcomeValues(outcomes: readonly Outcome[]): unknown[] {
  const column = <Value>(pick: (outcome: Outcome) => Value) =>
    outcomes.map((outcome) => pick(outcome) ?? null);
  return [
    column(({ eventId }) => eventId),
    column(({ attemptNo }) => attemptNo),
    column(({ settlement }) => settlement.state),
    column(({ settlement, endedAt }) => new Date(endedAt.getTime() + 1000 * settlement.delaySeconds)),
    column(({ startedAt }) => startedAt),
    column(({ endedAt }) => endedAt),
    column(({ record }) => record.durationMs),
    column(({ url }) => url),
    column(({ record }) => record.outcome),
    column(({ record }) => record.status),
    column(({ record }) => record.answerStart),
  ];
}
