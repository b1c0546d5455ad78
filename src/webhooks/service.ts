/** The verbs of events: record one, look at them, send one again, try an endpoint. */
import { recordAudit } from '../audit/service.js';
import type { By } from '../caller.js';
import { RemesaError } from '../errors.js';
import { type MerchantId, newPublicId } from '../ids.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { listEndpointsOf } from './endpoint-store.js';
import { type Channel, channels, type EventId, type NewEvent, testEventType } from './event.js';
import {
  addEvent,
  type EventDetails,
  findEventDetails,
  type KeptAttempt,
  listAttemptsOf,
  queueEventAgain,
} from './event-store.js';
import { numberJobName } from './numbering.js';
import { deliverJobName, lockServing } from './registration.js';

export type { NewEvent } from './event.js';

const attemptsShown = 1000;

/** In the transaction of what it reports; numbered after commit. Answers the event's id. */
export async function recordEvent(tx: Transaction, event: NewEvent): Promise<EventId> {
  const eventId = newPublicId('evt');
  await addEvent(tx, eventId, event);
  tx.wake(numberJobName);
  return eventId;
}

/** Unknown, not numbered yet, another merchant's: one answer for all. */
export async function findEvent(
  database: Queryable,
  merchantId: MerchantId,
  eventId: EventId | undefined,
): Promise<EventDetails> {
  const event = eventId && (await findEventDetails(database, merchantId, eventId));
  if (!event) throw new RemesaError('not_found', 'event_not_found', 'There is no such event.');
  return event;
}

export async function findAttempts(
  database: Queryable,
  merchantId: MerchantId,
  eventId: EventId | undefined,
): Promise<KeptAttempt[]> {
  const event = await findEvent(database, merchantId, eventId);
  return listAttemptsOf(database, merchantId, event.eventId, attemptsShown);
}

/** Under the same id, to the url of now, with all attempts before it. */
export async function redeliver(
  tx: Transaction,
  by: By,
  merchantId: MerchantId,
  eventId: EventId | undefined,
): Promise<void> {
  const event = await findEvent(tx, merchantId, eventId);
  await lockServing(tx, { merchantId, channel: event.channel });
  if (event.objectText === undefined) {
    throw new RemesaError('conflict', 'event_object_gone', 'The object of this event is no longer stored.');
  }
  await queueEventAgain(tx, merchantId, event.eventId);
  const subject = `event:${event.eventId}`;
  await recordAudit(tx, { ...by, action: 'webhook.redelivered', subject, merchantId });
  tx.wake(deliverJobName);
}

/** Sends a test event to one url or to all of them. It has no number, so that no sequence has a gap. */
export async function sendTestEvents(
  tx: Transaction,
  merchantId: MerchantId,
  wanted: Channel | undefined,
): Promise<{ channel: Channel; eventId: EventId }[]> {
  const sent: { channel: Channel; eventId: EventId }[] = [];
  for (const channel of wanted ? [wanted] : await registeredChannels(tx, merchantId)) {
    await lockServing(tx, { merchantId, channel });
    const eventId = newPublicId('evt');
    await addEvent(tx, eventId, {
      merchantId,
      channel,
      type: testEventType,
      subject: eventId,
      object: { channel, message: 'Your endpoint is reached.' },
      previousStatus: null,
    });
    await queueEventAgain(tx, merchantId, eventId);
    sent.push({ channel, eventId });
  }
  tx.wake(deliverJobName);
  return sent;
}

/** Where there are none, all of them: the first will say what is missing. */
async function registeredChannels(tx: Transaction, merchantId: MerchantId): Promise<readonly Channel[]> {
  const endpoints = await listEndpointsOf(tx, merchantId);
  const registered = channels.filter((channel) => endpoints.some((one) => one.channel === channel));
  return registered.length > 0 ? registered : channels;
}
