/** Builds the users room. `app.ts` registers the rooms that depend on it at its service. */
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

export interface UserRoomOptions {
  readonly database: Database;
  readonly vault: KeyVault;
  readonly clock: Clock;
  readonly log: Log;
  readonly retentionYears: number;
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
  const { database, vault, clock, log, retentionYears } = options;
  const service = new UserService({ vault, clock, retentionYears });
  return {
    service,
    findUser: (merchantId, selector) => findUser(database, merchantId, selector),
    routes: userRoutes(service),
    jobs: [retentionJob({ database, users: service, log })],
    agenda: retentionAgenda({ database, users: service, log }),
  };
}
