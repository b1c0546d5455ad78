/** Builds the users room. `app.ts` provides what KYC and orders implement: `ErasureGuard` and the notices of changes. */
import type { Clock } from '../clock.js';
import type { Route } from '../http/route.js';
import type { KeyVault } from '../keys/vault.js';
import type { Log } from '../log.js';
import type { FindUser } from '../merchants/token-endpoint.js';
import type { Database } from '../postgres/database.js';
import type { Agenda } from '../worker/agenda.js';
import type { Job } from '../worker/worker.js';
import { userRoutes } from './routes.js';
import { UserService } from './service.js';
import { findUser } from './store.js';
import { retentionAgenda, retentionJob } from './upkeep.js';
import type { ErasureGuard, IdentityChanged, RetentionEnded } from './user.js';

export interface UserRoomOptions {
  readonly database: Database;
  readonly vault: KeyVault;
  readonly clock: Clock;
  readonly log: Log;
  readonly retentionYears: number;
  readonly erasureGuard: ErasureGuard;
  readonly identityChanged: IdentityChanged;
  readonly retentionEnded: RetentionEnded;
}

export interface UserRoom {
  readonly service: UserService;
  /** Finds a user of a merchant, for lower rooms that select one. */
  readonly findUser: FindUser;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly agenda: Agenda;
}

export function userRoom(options: UserRoomOptions): UserRoom {
  const { database, vault, clock, log, retentionYears, erasureGuard, identityChanged, retentionEnded } = options;
  const service = new UserService({ vault, clock, retentionYears, erasureGuard, identityChanged });
  return {
    service,
    findUser: (merchantId, selector) => findUser(database, merchantId, selector),
    routes: userRoutes(service),
    jobs: [retentionJob(database, retentionEnded, log)],
    agenda: retentionAgenda({ database, retentionEnded, log }),
  };
}
