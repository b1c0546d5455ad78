/** The verbs of events: list and read events, send an event again, send a test event. */
import type { By } from '../caller.js';
import { type Channel, channels, type EventId, testEventType } from '../changes/event.js';
import { oldestUnnumberedSeconds, recordChange } from '../changes/service.js';
import { RemesaError } from '../errors.js';
import { type MerchantId, newPublicId } from '../ids.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { oldestDueSeconds } from './delivery/pending-store.js';
import type { EndpointRef } from './endpoints/endpoint.js';
import { listEndpointsOf } from './endpoints/endpoint-store.js';
import type { Event } from './event.js';
import {
  type EventDetails,
  findEventDetails,
  type KeptAttempt,
  listAttemptsOf,
  listEventsAfter,
  queueEventAgain,
} from './events/event-store.js';
import { deliverJobName, lockServing } from './registration.js';

export { listEventsOfSubject, type SubjectEvent } from './events/event-store.js';
export { clearInjectedFaults, injectFault, listInjectedFaults } from './events/injected-fault-store.js';

const attemptsShown = 1000;

/** A page of numbered events, in the order of their numbers. `next` is undefined when the page is the last. */
export async function listEvents(
  database: Queryable,
  endpoint: EndpointRef,
  page: { readonly after: number; readonly limit: number },
): Promise<{ events: Event[]; next: bigint | undefined }> {
  const events = await listEventsAfter(database, endpoint, page.after, page.limit);
  return { events, next: events.length < page.limit ? undefined : events.at(-1)?.sequence };
}

/** How long the oldest event has waited for its number, and the oldest delivery for its attempt. */
export async function notificationBacklog(
  database: Queryable,
): Promise<{ numberingSeconds: number; deliverySeconds: number }> {
  const [numberingSeconds, deliverySeconds] = await Promise.all([
    oldestUnnumberedSeconds(database),
    oldestDueSeconds(database),
  ]);
  return { numberingSeconds, deliverySeconds };
}

/** Throws `event_not_found` when the event is unknown, not numbered yet, or another merchant's. */
export async function findEvent(
  database: Queryable,
  merchantId: MerchantId,
  eventId: EventId | undefined,
): Promise<EventDetails> {
  const event = eventId && (await findEventDetails(database, merchantId, eventId));
  if (!event) throw new RemesaError('not_found', 'event_not_found', 'There is no such event.');
  return event;
}

/** The latest attempts, oldest first. Throws `event_not_found` like `findEvent`. */
export async function findAttempts(
  database: Queryable,
  merchantId: MerchantId,
  eventId: EventId | undefined,
): Promise<KeptAttempt[]> {
  const event = await findEvent(database, merchantId, eventId);
  return listAttemptsOf(database, merchantId, event.eventId, attemptsShown);
}

/**
 * Sends the event again under the same id, to the url that is registered now, with a full schedule of attempts. Throws
 * `event_not_found`, `webhook_not_registered`, `webhook_disabled`, or `event_object_gone` when its object is no longer stored.
 */
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
  await recordChange(tx, by, { merchantId, action: 'webhook.redelivered', subject });
  tx.wake(deliverJobName);
}

/**
 * Sends a test event to the url of one channel, or to every registered url. A test event has no number, so that the
 * sequence has no gap. Throws `webhook_not_registered` or `webhook_disabled`.
 */
export async function sendTestEvents(
  tx: Transaction,
  by: By,
  merchantId: MerchantId,
  only: Channel | undefined,
): Promise<{ channel: Channel; eventId: EventId }[]> {
  const sent: { channel: Channel; eventId: EventId }[] = [];
  for (const channel of only ? [only] : await registeredChannels(tx, merchantId)) {
    await lockServing(tx, { merchantId, channel });
    const eventId = newPublicId('evt');
    const object = { channel, message: 'Your endpoint is reached.' };
    await recordChange(tx, by, {
      merchantId,
      action: 'webhook.tested',
      subject: `event:${eventId}`,
      event: { eventId, channel, type: testEventType, object, previousStatus: null },
    });
    await queueEventAgain(tx, merchantId, eventId);
    sent.push({ channel, eventId });
  }
  tx.wake(deliverJobName);
  return sent;
}

/** If no url is registered, all channels: sending to the first one then fails with `webhook_not_registered`. */
async function registeredChannels(tx: Transaction, merchantId: MerchantId): Promise<readonly Channel[]> {
  const endpoints = await listEndpointsOf(tx, merchantId);
  const registered = channels.filter((channel) => endpoints.some((endpoint) => endpoint.channel === channel));
  return registered.length > 0 ? registered : channels;
}
