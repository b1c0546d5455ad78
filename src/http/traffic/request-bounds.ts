/** The limits within which a request must arrive and its answer must be read. */
import type { ArrivalBounds } from './arrivals.js';
import type { ConnectionBounds } from './connections.js';

export interface RequestBounds extends ArrivalBounds, ConnectionBounds {
  /** The time for all header fields to arrive. */
  readonly headersMs: number;
  readonly keepAliveMs: number;
  /** How often Node checks for late headers and idle connections. */
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
  // Each takes at most 64 KiB of memory. Files have a limit of their own (`kyc/documents/intake.ts`).
  arriving: { anonymous: 256, form: 512, api: 512 },
  unreadMs: 10_000,
  connections: 4_096,
  readerStallMs: 60_000,
  streams: 64,
};
