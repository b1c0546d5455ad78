/** SQL of due deliveries and of the results of attempts. */
import { merchantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import type { EndpointRef, Health } from '../endpoint.js';
import type { Channel, EventId } from '../event.js';
import { type Claim, relaxed } from './claim-store.js';
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
 * Records the results of several endpoints with one statement. A result counts only while its claim is the newest, and
 * only if it is the next attempt of its delivery: a late result of an earlier holder changes nothing (fencing). The
 * statement does not wait for the disk: an attempt whose record a power cut undoes is made again, under the same id.
 */
const recordOutcomes = statement<{ merchant_id: bigint; channel: Channel }>(
  'delivery-store.record-outcomes',
  `WITH ${relaxed},
   health AS MATERIALIZED (
     SELECT * FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::int[], $6::int[], $7::timestamptz[], $8::int[],
                          $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::int[], $13::int[],
                          $14::timestamptz[], $15::int[], $16::text[])
       AS asked (merchant_id, channel, claim, lanes, consecutive_failures, failing_since, failing_attempts,
                 last_success_at, last_failure_at, window_began_at, window_attempts, window_failures,
                 circuit_open_until, circuit_openings, disabled_because)),
   held AS MATERIALIZED (
     SELECT endpoint.merchant_id, endpoint.channel FROM relaxed, webhook_endpoints AS endpoint
       JOIN health ON health.merchant_id = endpoint.merchant_id AND health.channel = endpoint.channel
      WHERE endpoint.held_by = $1 AND endpoint.claim = health.claim
      ORDER BY endpoint.merchant_id, endpoint.channel
        FOR NO KEY UPDATE OF endpoint),
   judged AS (
     UPDATE webhook_endpoints AS endpoint
        SET lanes = health.lanes, consecutive_failures = health.consecutive_failures,
            failing_since = health.failing_since, failing_attempts = health.failing_attempts,
            last_success_at = health.last_success_at, last_failure_at = health.last_failure_at,
            window_began_at = health.window_began_at, window_attempts = health.window_attempts,
            window_failures = health.window_failures, circuit_open_until = health.circuit_open_until,
            circuit_openings = health.circuit_openings, disabled_because = health.disabled_because,
            status = CASE WHEN health.disabled_because IS NULL THEN 'active' ELSE 'disabled' END,
            disabled_at = CASE WHEN health.disabled_because IS NULL THEN NULL
                               ELSE coalesce(endpoint.disabled_at, clock_timestamp()) END
       FROM health JOIN held ON held.merchant_id = health.merchant_id AND held.channel = health.channel
      WHERE endpoint.merchant_id = health.merchant_id AND endpoint.channel = health.channel),
   settled AS (
     UPDATE deliveries AS delivery
        SET state = done.state, attempts = delivery.attempts + 1, last_attempt_no = done.attempt_no,
            due_at = clock_timestamp() + make_interval(secs => done.delay_seconds),
            delivered_at = CASE WHEN done.outcome = 'delivered' THEN clock_timestamp() ELSE delivery.delivered_at END
       FROM unnest($17::bigint[], $18::text[], $19::text[], $20::int[], $21::text[], $22::float8[], $23::timestamptz[],
                   $24::int[], $25::text[], $26::text[], $27::int[], $28::bytea[])
            AS done (merchant_id, channel, event_id, attempt_no, state, delay_seconds, started_at, duration_ms, url,
                     outcome, status, answer_start)
       JOIN held ON held.merchant_id = done.merchant_id AND held.channel = done.channel
      WHERE delivery.merchant_id = done.merchant_id AND delivery.event_id = done.event_id
        AND delivery.state = 'pending' AND delivery.last_attempt_no = done.attempt_no - 1
     RETURNING done.merchant_id, done.event_id, done.attempt_no, done.started_at, done.duration_ms, done.url,
               done.outcome, done.status, done.answer_start),
   kept AS (
     INSERT INTO delivery_attempts (merchant_id, event_id, attempt_no, started_at, duration_ms, url, outcome, status,
                                    answer_start)
     SELECT merchant_id, event_id, attempt_no, started_at, duration_ms, url, outcome, status, answer_start FROM settled)
   SELECT merchant_id, channel FROM held`,
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

/** The health of an endpoint after its last attempt. */
export interface EndpointHealth {
  readonly claim: Claim;
  readonly health: Health;
}

/** The result of an attempt and what it means for the delivery. */
export interface Outcome {
  readonly claim: Claim;
  readonly eventId: EventId;
  readonly attemptNo: number;
  readonly startedAt: Date;
  readonly url: string;
  readonly record: AttemptRecord;
  readonly settlement: Settlement;
}

/** Returns the endpoints whose claims were still the newest. Nothing is recorded for the others. */
export async function saveOutcomes(
  database: Database,
  workerId: string,
  endpoints: readonly EndpointHealth[],
  outcomes: readonly Outcome[],
): Promise<EndpointRef[]> {
  const values = [workerId, ...healthValues(endpoints), ...outcomeValues(outcomes)];
  const rows = await database.write(recordOutcomes, values);
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), channel: row.channel }));
}

/** Events that were held back to be overtaken are due once a later event was sent. */
export async function releaseHeldBack(
  database: Database,
  endpoint: EndpointRef,
  sentSequence: bigint,
): Promise<void> {
  await database.write(releaseOvertaken, [endpoint.merchantId, endpoint.channel, sentSequence]);
}

function healthValues(endpoints: readonly EndpointHealth[]): unknown[] {
  const column = <Value>(pick: (health: Health) => Value) =>
    endpoints.map(({ health }) => pick(health) ?? null);
  return [
    endpoints.map(({ claim }) => claim.merchantId),
    endpoints.map(({ claim }) => claim.channel),
    endpoints.map(({ claim }) => claim.claimNumber),
    column((health) => health.lanes),
    column((health) => health.consecutiveFailures),
    column((health) => health.failingSince),
    column((health) => health.failingAttempts),
    column((health) => health.lastSuccessAt),
    column((health) => health.lastFailureAt),
    column((health) => health.windowBeganAt),
    column((health) => health.windowAttempts),
    column((health) => health.windowFailures),
    column((health) => health.circuitOpenUntil),
    column((health) => health.circuitOpenings),
    column((health) => health.disabledBecause),
  ];
}

function outcomeValues(outcomes: readonly Outcome[]): unknown[] {
  const column = <Value>(pick: (outcome: Outcome) => Value) =>
    outcomes.map((outcome) => pick(outcome) ?? null);
  return [
    column(({ claim }) => claim.merchantId),
    column(({ claim }) => claim.channel),
    column(({ eventId }) => eventId),
    column(({ attemptNo }) => attemptNo),
    column(({ settlement }) => settlement.state),
    column(({ settlement }) => settlement.delaySeconds),
    column(({ startedAt }) => startedAt),
    column(({ record }) => record.durationMs),
    column(({ url }) => url),
    column(({ record }) => record.outcome),
    column(({ record }) => record.status),
    column(({ record }) => record.answerStart),
  ];
}
