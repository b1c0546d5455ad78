/** Builds the users room. `app.ts` provides what KYC and orders implement: `ErasureGuard` and the notices of changes. */
import type { Clock } from '../clock.js';
import type { KeyVault } from '../keys/vault.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
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

export function userRoom(options: UserRoomOptions) {
  const { database, vault, clock, log, retentionYears, erasureGuard, identityChanged, retentionEnded } = options;
  const service = new UserService({ vault, clock, retentionYears, erasureGuard, identityChanged });
  return {
    service,
    findUser: findUser.bind(undefined, database),
    routes: userRoutes(service),
    jobs: [retentionJob(database, retentionEnded, log)],
    agenda: retentionAgenda({ database, retentionEnded, log }),
  };
}
