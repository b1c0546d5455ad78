/** Builds the users room. `app.ts` registers the rooms that depend on it at its service. */
import type { Clock } from '../clock.js';
import type { KeyVault } from '../keys/vault.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { type ResidencePolicy, userRoutes } from './routes.js';
import { UserService } from './service.js';
import { findUser } from './store.js';
import { eraseAgainJob, retentionAgenda, retentionJob } from './upkeep.js';

export interface UserRoomOptions {
  readonly database: Database;
  readonly vault: KeyVault;
  readonly clock: Clock;
  readonly log: Log;
  readonly retentionYears: number;
  readonly countries: ResidencePolicy;
}

export function userRoom(options: UserRoomOptions) {
  const { database, vault, clock, log, retentionYears } = options;
  const service = new UserService({ vault, clock, retentionYears });
  return {
    service,
    findUser: findUser.bind(undefined, database),
    routes: userRoutes(service, options.countries),
    jobs: [retentionJob({ database, users: service, log }), eraseAgainJob({ database, users: service, log })],
    agenda: retentionAgenda({ database, users: service, log }),
  };
}
