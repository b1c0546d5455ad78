/**
 * The webhooks room owns events, the urls that they are sent to, their signatures and every attempt to deliver them.
 * It does not own the objects that change: a room that changes one passes it in as its `GET` shows it.
 */
import type { MerchantId, PublicId } from '../ids.js';

/** Several endpoints of a merchant are locked in this order. */
export const channels = ['kyc', 'order'] as const;
/** What a merchant registers a url for. */
export type Channel = (typeof channels)[number];

export type EventId = PublicId<'evt'>;

/** Test events have no sequence, so that they leave no gap. */
export const testEventType = 'webhook.test';

export interface NewEvent {
  readonly merchantId: MerchantId;
  readonly channel: Channel;
  /** `room.state`, for example `kyc.submitted`. */
  readonly type: string;
  /** The id of the order or KYC case. First attempts about the same subject are made in order. */
  readonly subject: string;
  /** The object as its `GET` shows it, without personal data, as plain JSON. */
  readonly object: object;
  readonly previousStatus: string | null;
}

/** What a notification and `GET /events` have in common. */
export interface EventContent {
  readonly type: string;
  readonly occurredAt: Date;
  /** The JSON text as it was recorded, byte for byte. Undefined after its retention period. */
  readonly objectText: string | undefined;
  readonly previousStatus: string | null;
  /** Undefined for a test event. */
  readonly sequence: bigint | undefined;
}

export interface Event extends EventContent {
  readonly eventId: EventId;
  readonly channel: Channel;
  readonly subject: string;
}

/** The body of a notification: the same bytes at every attempt. */
export function notificationBody(event: EventContent): string {
  const { type, occurredAt } = event;
  return `{"type":${JSON.stringify(type)},"timestamp":"${occurredAt.toISOString()}","data":${dataJson(event)}}`;
}

/**
 * The event in `GET /events`: the body of the notification with the id, the channel, and `members` such as `,"a":1`.
 */
export function eventJson(event: Event, members = ''): string {
  const { eventId, channel, type, occurredAt } = event;
  const head = `"id":"${eventId}","channel":"${channel}","type":${JSON.stringify(type)}`;
  return `{${head},"timestamp":"${occurredAt.toISOString()}","data":${dataJson(event)}${members}}`;
}

function dataJson({ objectText, previousStatus, sequence }: EventContent): string {
  const object = objectText ?? 'null';
  return `{"object":${object},"previousStatus":${JSON.stringify(previousStatus)},"sequence":${sequence ?? null}}`;
}
