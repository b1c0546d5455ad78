/** What a service is started with, and what the caller gets. */
import type { Clock } from '../clock.js';
import type { Authenticator } from '../http/authenticator.js';
import type { Route } from '../http/route.js';
import type { Log } from '../log.js';
import type { FindUser } from '../merchants/token-endpoint.js';
import type { Payouts } from '../orders/order/ports.js';
import type { PayoutRoomOptions } from '../payouts/room.js';
import type { Database } from '../postgres/database.js';
import type { Job } from '../worker/worker.js';
import type { OpenOptions } from './open-database.js';
import type { Room } from './room.js';

export interface ServiceOptions extends OpenOptions {
  readonly log: Log;
  readonly clock?: Clock;
  /** How late the event loop may be before requests are refused. Tests share their event loop with the service. */
  readonly eventLoopDelayMs?: number;
  /** Rooms that only tests have. */
  readonly extraRooms?: (database: Database) => ExtraRooms;
  /** Returns the jobs that the worker runs. A test keeps the others and runs them itself. Absent: all. */
  readonly chooseJobs?: (jobs: readonly Job[]) => readonly Job[];
}

export interface ExtraRooms extends Room {
  /** Replaces the one of the service. */
  readonly authenticator?: Authenticator;
  readonly findUser?: FindUser;
  readonly payouts?: Payouts;
  readonly rails?: PayoutRoomOptions['rails'];
}

export interface Service {
  /** The address that it listens on. */
  readonly url: string;
  readonly database: Database;
  readonly routes: readonly Route[];
  stop(): Promise<void>;
}
