/**
 * Owns what merchants are told: events, the urls they are sent to, the signatures, every attempt to deliver one.
 * Does not own what happened: a room that changes something hands in its object as its GET shows it.
 */
import type { MerchantId, PublicId } from '../ids.js';

/** In the order in which several endpoints of a merchant are locked. */
export const channels = ['kyc', 'order'] as const;
/** What a merchant registers a url for. */
export type Channel = (typeof channels)[number];

export type EventId = PublicId<'evt'>;

/** Has no sequence, so that trying an endpoint leaves no number behind. */
export const testEventType = 'webhook.test';

export interface NewEvent {
  readonly merchantId: MerchantId;
  readonly channel: Channel;
  /** As `room.state`: `kyc.submitted`. */
  readonly type: string;
  /** The id of the order or case; first attempts of one subject are made in order. */
  readonly subject: string;
  /** As its GET shows it, without personal data; plain JSON. */
  readonly object: object;
  readonly previousStatus: string | null;
}

/** What an event says, wherever it is said: in the body of a notification and in the list to pull. */
export interface EventContent {
  readonly type: string;
  readonly occurredAt: Date;
  /** The JSON text as it was recorded, so that not one byte of it ever changes; gone once its time is over. */
  readonly objectText: string | undefined;
  readonly previousStatus: string | null;
  /** Undefined for a test. */
  readonly sequence: bigint | undefined;
}

export interface Event extends EventContent {
  readonly eventId: EventId;
  readonly channel: Channel;
  readonly subject: string;
}

/** The same bytes at every attempt. */
export function notificationBody(event: EventContent): string {
  const { type, occurredAt } = event;
  return `{"type":${JSON.stringify(type)},"timestamp":"${occurredAt.toISOString()}","data":${dataJson(event)}}`;
}

/** As `GET /events` shows it: the notification's body, with the id that travels in a header and the channel. */
export function eventJson(event: Event, further = ''): string {
  const { eventId, channel, type, occurredAt } = event;
  const head = `"id":"${eventId}","channel":"${channel}","type":${JSON.stringify(type)}`;
  return `{${head},"timestamp":"${occurredAt.toISOString()}","data":${dataJson(event)}${further}}`;
}

function dataJson({ objectText, previousStatus, sequence }: EventContent): string {
  const object = objectText ?? 'null';
  return `{"object":${object},"previousStatus":${JSON.stringify(previousStatus)},"sequence":${sequence ?? null}}`;
}
