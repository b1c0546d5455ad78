/** Builds the operators room: logins, and the routes with which admins manage accounts. */
import type { FindPending } from '../http/four-eyes.js';
import type { Database } from '../postgres/database.js';
import type { TokenAuthority } from '../tokens/authority.js';
import { OperatorLogin } from './login.js';
import { operatorRoutes } from './routes.js';

export interface OperatorRoomOptions {
  readonly database: Database;
  readonly authority: TokenAuthority;
  /** The audience of operators' tokens, which the merchants' routes refuse. */
  readonly audience: () => string;
  readonly findPending: FindPending;
}

export function operatorRoom(options: OperatorRoomOptions) {
  const { database, authority, audience, findPending } = options;
  return { routes: operatorRoutes(new OperatorLogin(database, authority, audience), findPending), jobs: [] };
}
