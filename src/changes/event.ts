/** What a merchant is told of a change. The rooms that change something say so; the webhooks room sends it. */
import type { PublicId } from '../ids.js';

/** Several endpoints of a merchant are locked in this order. */
export const channels = ['kyc', 'order'] as const;
/** What a merchant registers a url for. */
export type Channel = (typeof channels)[number];

export type EventId = PublicId<'evt'>;

/** Test events have no sequence, so that they leave no gap. */
export const testEventType = 'webhook.test';

/** The subject of the event is the id of what changed. First attempts about the same subject are made in order. */
export interface NewEvent {
  readonly channel: Channel;
  /** `room.state`, for example `kyc.submitted`. */
  readonly type: string;
  /** The object as its `GET` shows it, without personal data, as plain JSON. */
  readonly object: object;
  readonly previousStatus: string | null;
  /** For a room that must know the id. */
  readonly eventId?: EventId;
}

/** An event that has just got its number. */
export interface NumberedEvent {
  readonly eventId: EventId;
  readonly channel: Channel;
  /** The id of the order or the KYC case. */
  readonly subject: string;
  readonly sequence: bigint;
}
