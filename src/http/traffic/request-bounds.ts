/** The times and numbers within which a request has to arrive and its answer has to be taken. */
import type { ArrivalBounds } from './arrivals.js';
import type { ConnectionBounds } from './connections.js';

export interface RequestBounds extends ArrivalBounds, ConnectionBounds {
  /** Until the last header field has arrived. */
  readonly headersMs: number;
  readonly keepAliveMs: number;
  /** How often Node looks for headers that are late and connections that are idle. */
  readonly checkEveryMs: number;
  /** How many streamed answers may be on their way at a time. */
  readonly streams: number;
}

export const requestBounds: RequestBounds = {
  headersMs: 10_000,
  requestMs: 30_000,
  progressMs: 15_000,
  keepAliveMs: 72_000,
  checkEveryMs: 2_000,
  // 64 KiB in memory each, at the most; files have a limit of their own (`kyc/documents/intake.ts`).
  arriving: { anonymous: 256, form: 512, api: 512 },
  unreadMs: 10_000,
  connections: 4_096,
  readerStallMs: 60_000,
  streams: 64,
};
