/** SQL on the events of a merchant, their deliveries and attempts. */
import type { Channel, EventId } from '../../changes/event.js';
import type { MerchantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { AttemptRecord, DeliveryState, InjectedFault } from '../delivery/delivery.js';
import type { EndpointRef } from '../endpoints/endpoint.js';
import type { Event } from '../event.js';

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

const listNumbered = statement(
  'event-store.list-numbered',
  `SELECT ${eventColumns}, event.object FROM events AS event
    WHERE event.merchant_id = $merchantId AND event.channel = $channel AND event.sequence > $after
    ORDER BY event.sequence LIMIT $limit`,
).rows<EventRow>();
const listOfSubject = statement(
  'event-store.list-of-subject',
  `SELECT ${eventColumns}, NULL AS object, delivery.state, delivery.delivered_at
     FROM events AS event
     LEFT JOIN deliveries AS delivery
       ON delivery.merchant_id = event.merchant_id AND delivery.event_id = event.event_id
    WHERE event.merchant_id = $merchantId AND event.record = $record ORDER BY event.recorded_at LIMIT $limit`,
).rows<EventRow & { state: DeliveryState | null; delivered_at: Date | null }>();
const findDetails = statement(
  'event-store.find-details',
  `SELECT ${eventColumns}, event.object, ${deliveryColumns}
     FROM events AS event
     LEFT JOIN deliveries AS delivery
       ON delivery.merchant_id = event.merchant_id AND delivery.event_id = event.event_id
     LEFT JOIN webhook_endpoints AS endpoint
       ON endpoint.merchant_id = event.merchant_id AND endpoint.channel = event.channel
    WHERE event.merchant_id = $merchantId AND event.event_id = $eventId
      AND (event.sequence IS NOT NULL OR event.type = 'webhook.test')`,
).rows<DetailsRow>();
const listAttempts = statement(
  'event-store.list-attempts',
  `SELECT attempt_no, started_at, duration_ms, url, outcome, status, answer_start FROM delivery_attempts
    WHERE merchant_id = $merchantId AND event_id = $eventId ORDER BY attempt_no DESC LIMIT $limit`,
).rows<AttemptRow>();
const queueAgain = statement(
  'event-store.queue-again',
  `INSERT INTO deliveries AS known (merchant_id, event_id, channel, subject, sequence, state, due_at)
   SELECT merchant_id, event_id, channel, subject, sequence, 'pending', statement_timestamp() FROM events
    WHERE merchant_id = $merchantId AND event_id = $eventId
   ON CONFLICT (merchant_id, event_id) DO UPDATE
      SET state = 'pending', due_at = excluded.due_at, attempts = 0, injected_fault = NULL,
          lease_token = NULL, leased_until = NULL`,
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

/** The events about a record, such as `order:ord_…`, the oldest first. */
export async function listEventsOfSubject(
  database: Queryable,
  merchantId: MerchantId,
  record: string,
  limit: number,
): Promise<SubjectEvent[]> {
  return (await database.query(listOfSubject, { merchantId, record, limit })).map((row) => ({
    eventId: row.event_id,
    type: row.type,
    occurredAt: row.occurred_at,
    delivery: row.state ?? undefined,
    deliveredAt: row.delivered_at ?? undefined,
  }));
}

/** Lists numbered events only, in the order of their numbers. */
export async function listEventsAfter(
  database: Queryable,
  { merchantId, channel }: EndpointRef,
  after: number,
  limit: number,
): Promise<Event[]> {
  return (await database.query(listNumbered, { merchantId, channel, after, limit })).map(toEvent);
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
  merchantId: MerchantId,
  eventId: EventId,
): Promise<EventDetails | undefined> {
  const [row] = await database.query(findDetails, { merchantId, eventId });
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
  merchantId: MerchantId,
  eventId: EventId,
  limit: number,
): Promise<KeptAttempt[]> {
  const rows = await database.query(listAttempts, { merchantId, eventId, limit });
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

/** The result of an attempt that is in flight no longer counts. */
export async function queueEventAgain(tx: Transaction, merchantId: MerchantId, eventId: EventId): Promise<void> {
  await tx.query(queueAgain, { merchantId, eventId });
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
