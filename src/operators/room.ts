/** Builds the operators room: logins, and the routes with which admins manage accounts. */
import type { FindPending } from '../http/four-eyes.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { TokenAuthority } from '../tokens/authority.js';
import { OperatorLogin } from './login.js';
import { ownRoutes } from './own-routes.js';
import { operatorRoutes } from './routes.js';

export interface OperatorRoomOptions {
  readonly log: Log;
  readonly database: Database;
  readonly authority: TokenAuthority;
  /** The audience of operators' tokens, which the merchants' routes refuse. */
  readonly audience: () => string;
  readonly findPending: FindPending;
  /** Whether any action needs a second operator: then two admins must stay. */
  readonly needsTwo: boolean;
}

export function operatorRoom(options: OperatorRoomOptions) {
  const { database, authority, audience, findPending, needsTwo, log } = options;
  const login = new OperatorLogin(database, authority, audience, log);
  const routes = [...ownRoutes(login), ...operatorRoutes({ findPending, leastAdmins: needsTwo ? 2 : 1 })];
  return { routes, jobs: [] };
}
