/**
 * An event tells a merchant of a change. The room that made the change has recorded it (`recordChange`); the webhooks room
 * owns the urls that events are sent to, their signatures and every attempt to deliver them.
 */
import type { Channel, EventId } from '../changes/event.js';

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

/** The event in `GET /events`: the body of the notification with the id, the channel, and `members` such as `,"a":1`. */
export function eventJson(event: Event, members = ''): string {
  const { eventId, channel, type, occurredAt } = event;
  const head = `"id":"${eventId}","channel":"${channel}","type":${JSON.stringify(type)}`;
  return `{${head},"timestamp":"${occurredAt.toISOString()}","data":${dataJson(event)}${members}}`;
}

function dataJson({ objectText, previousStatus, sequence }: EventContent): string {
  const object = objectText ?? 'null';
  return `{"object":${object},"previousStatus":${JSON.stringify(previousStatus)},"sequence":${sequence ?? null}}`;
}
