/** SQL on the events of a merchant, their deliveries and attempts. */
import type { MerchantId } from '../../ids.js';
import { isInStep, queryJoined } from '../../postgres/in-step.js';
import { merchantNow } from '../../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { AttemptRecord, DeliveryState, InjectedFault } from '../delivery/delivery.js';
import type { EndpointRef } from '../endpoints/endpoint.js';
import type { Channel, Event, EventId, NewEvent } from '../event.js';

export interface EventRow {
  event_id: EventId;
  channel: Channel;
  type: string;
  subject: string;
  object: string | null;
  previous_status: string | null;
  occurred_at: Date;
  sequence: bigint | null;
}
export interface DeliveryColumns {
  state: DeliveryState | null;
  attempts: number | null;
  due_at: Date | null;
  delivered_at: Date | null;
  injected_fault: InjectedFault | null;
  is_disabled: boolean;
}
type DetailsRow = EventRow & DeliveryColumns;
interface AttemptRow {
  attempt_no: number;
  started_at: Date;
  duration_ms: number;
  url: string;
  outcome: AttemptRecord['outcome'];
  status: number | null;
  answer_start: Buffer | null;
}

/** Without the object, which lists for operators leave out. Statements call the table `event`. */
export const eventColumns = `event.event_id, event.channel, event.type, event.subject, event.previous_status,
          event.occurred_at, event.sequence`;
/** Statements call the tables `delivery` and `endpoint`. */
export const deliveryColumns = `delivery.state, delivery.attempts, delivery.due_at, delivery.delivered_at,
          delivery.injected_fault, coalesce(endpoint.status = 'disabled', false) AS is_disabled`;

const insertEvents = statement(
  'event-store.insert',
  `INSERT INTO events (merchant_id, event_id, channel, type, subject, object, previous_status, occurred_at)
   SELECT $1::bigint, event.event_id, event.channel, event.type, event.subject, event.object, event.previous_status,
          date_trunc('milliseconds', now.at)
     FROM unnest((SELECT $2::text[]), $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
          AS event (event_id, channel, type, subject, object, previous_status),
          (SELECT ${merchantNow} AS at) AS now`,
);
const listNumbered = statement<EventRow>(
  'event-store.list-numbered',
  `SELECT ${eventColumns}, event.object FROM events AS event
    WHERE event.merchant_id = $1 AND event.channel = $2 AND event.sequence > $3 ORDER BY event.sequence LIMIT $4`,
);
const listOfSubject = statement<EventRow & { state: DeliveryState | null; delivered_at: Date | null }>(
  'event-store.list-of-subject',
  `SELECT ${eventColumns}, NULL AS object, delivery.state, delivery.delivered_at
     FROM events AS event
     LEFT JOIN deliveries AS delivery
       ON delivery.merchant_id = event.merchant_id AND delivery.event_id = event.event_id
    WHERE event.merchant_id = $1 AND event.subject = $2 ORDER BY event.recorded_at LIMIT $3`,
);
const findDetails = statement<DetailsRow>(
  'event-store.find-details',
  `SELECT ${eventColumns}, event.object, ${deliveryColumns}
     FROM events AS event
     LEFT JOIN deliveries AS delivery
       ON delivery.merchant_id = event.merchant_id AND delivery.event_id = event.event_id
     LEFT JOIN webhook_endpoints AS endpoint
       ON endpoint.merchant_id = event.merchant_id AND endpoint.channel = event.channel
    WHERE event.merchant_id = $1 AND event.event_id = $2
      AND (event.sequence IS NOT NULL OR event.type = 'webhook.test')`,
);
const listAttempts = statement<AttemptRow>(
  'event-store.list-attempts',
  `SELECT attempt_no, started_at, duration_ms, url, outcome, status, answer_start FROM delivery_attempts
    WHERE merchant_id = $1 AND event_id = $2 ORDER BY attempt_no DESC LIMIT $3`,
);
const queueAgain = statement(
  'event-store.queue-again',
  `INSERT INTO deliveries AS known (merchant_id, event_id, channel, subject, sequence, state, due_at)
   SELECT merchant_id, event_id, channel, subject, sequence, 'pending', statement_timestamp() FROM events
    WHERE merchant_id = $1 AND event_id = $2
   ON CONFLICT (merchant_id, event_id) DO UPDATE
      SET state = 'pending', due_at = excluded.due_at, attempts = 0, injected_fault = NULL`,
);

/** An event about one record, and what became of its delivery. */
export interface SubjectEvent {
  readonly eventId: EventId;
  readonly type: string;
  readonly occurredAt: Date;
  /** Undefined when the merchant had no url. */
  readonly delivery: DeliveryState | undefined;
  readonly deliveredAt: Date | undefined;
}

/** The oldest first. */
export async function listEventsOfSubject(
  database: Queryable,
  merchantId: MerchantId,
  subject: string,
  atMost: number,
): Promise<SubjectEvent[]> {
  return (await database.query(listOfSubject, [merchantId, subject, atMost])).map((row) => ({
    eventId: row.event_id,
    type: row.type,
    occurredAt: row.occurred_at,
    delivery: row.state ?? undefined,
    deliveredAt: row.delivered_at ?? undefined,
  }));
}

export async function addEvent(tx: Transaction, eventId: EventId, event: NewEvent): Promise<void> {
  const { merchantId, channel, type, subject, object, previousStatus } = event;
  const values = [eventId, channel, type, subject, JSON.stringify(object), previousStatus];
  if (isInStep(tx)) await queryJoined(tx, insertEvents, merchantId, values);
  else tx.send(insertEvents, [merchantId, ...values.map((value) => [value])]);
}

/** Lists numbered events only, in the order of their numbers. */
export async function listEventsAfter(
  database: Queryable,
  { merchantId, channel }: EndpointRef,
  sequence: number,
  atMost: number,
): Promise<Event[]> {
  return (await database.query(listNumbered, [merchantId, channel, sequence, atMost])).map(toEvent);
}

/** The delivery of an event to the url of its channel. */
export interface Delivery {
  readonly state: DeliveryState;
  /** Attempts since the event was last queued. */
  readonly attempts: number;
  readonly dueAt: Date;
  readonly deliveredAt: Date | undefined;
  readonly injectedFault: InjectedFault | undefined;
  /** Pending events wait until the url is enabled again. */
  readonly isEndpointDisabled: boolean;
}

export interface EventDetails extends Event {
  /** Undefined when no url was registered when the event was numbered. */
  readonly delivery: Delivery | undefined;
}

export async function findEventDetails(
  database: Queryable,
  merchant: MerchantId,
  eventId: EventId,
): Promise<EventDetails | undefined> {
  const [row] = await database.query(findDetails, [merchant, eventId]);
  return row && { ...toEvent(row), delivery: toDelivery(row) };
}

export interface KeptAttempt extends AttemptRecord {
  readonly attemptNo: number;
  readonly startedAt: Date;
  readonly url: string;
}

/** Lists the latest attempts, oldest first. */
export async function listAttemptsOf(
  database: Queryable,
  merchant: MerchantId,
  eventId: EventId,
  atMost: number,
): Promise<KeptAttempt[]> {
  const rows = await database.query(listAttempts, [merchant, eventId, atMost]);
  return rows.reverse().map((row) => ({
    attemptNo: row.attempt_no,
    startedAt: row.started_at,
    url: row.url,
    outcome: row.outcome,
    status: row.status ?? undefined,
    durationMs: row.duration_ms,
    answerStart: row.answer_start ?? undefined,
  }));
}

export async function queueEventAgain(
  tx: Transaction,
  merchant: MerchantId,
  eventId: EventId,
): Promise<void> {
  await tx.query(queueAgain, [merchant, eventId]);
}

export function toEvent(row: EventRow): Event {
  return {
    eventId: row.event_id,
    channel: row.channel,
    type: row.type,
    subject: row.subject,
    objectText: row.object ?? undefined,
    previousStatus: row.previous_status,
    occurredAt: row.occurred_at,
    sequence: row.sequence ?? undefined,
  };
}

export function toDelivery(row: DeliveryColumns): Delivery | undefined {
  if (row.state === null || row.due_at === null) return undefined;
  return {
    state: row.state,
    attempts: row.attempts ?? 0,
    dueAt: row.due_at,
    deliveredAt: row.delivered_at ?? undefined,
    injectedFault: row.injected_fault ?? undefined,
    isEndpointDisabled: row.is_disabled,
  };
}
