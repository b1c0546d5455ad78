/**
 * The limits within which a request must arrive and its answer must be read. Needed against attacks 3 (slow bodies) and
 * 7 (silent connections), and against slow readers.
 */
import type { ArrivalBounds } from './arrivals.js';
import type { LiveBounds } from './live-answers.js';
import type { StreamBounds } from './streams.js';

export interface RequestBounds extends ArrivalBounds, StreamBounds, LiveBounds {
  /** The time for all header fields to arrive. */
  readonly headersMs: number;
  readonly keepAliveMs: number;
  /** How often Node checks for late headers and idle connections. */
  readonly checkEveryMs: number;
  readonly connections: number;
  /** A connection on which nothing moves for so long, in either direction, is closed. */
  readonly stallMs: number;
}

export const requestBounds: RequestBounds = {
  headersMs: 10_000,
  requestMs: 30_000,
  progressMs: 15_000,
  keepAliveMs: 72_000,
  checkEveryMs: 2_000,
  unreadMs: 10_000,
  connections: 4_096,
  // Longer than the longest operation works without sending anything.
  stallMs: 120_000,
  streams: 64,
  streamsOfCaller: 16,
  liveAnswers: 1_000,
  liveAnswersOfFeed: 8,
  heartbeatMs: 15_000,
};
