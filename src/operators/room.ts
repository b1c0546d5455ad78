/** Builds the operators room: logins, and the routes with which admins manage accounts. */
import type { Clock } from '../clock.js';
import type { FindPending } from '../http/four-eyes.js';
import { deriveKey } from '../keys/derive.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { TokenAuthority } from '../tokens/authority.js';
import { failedLoginCounter } from './failed-logins.js';
import { OperatorLogin } from './login.js';
import { ownRoutes } from './own-routes.js';
import { operatorRoutes } from './routes.js';
import { SecondFactors } from './second-factor/second-factors.js';
import { OperatorSessions } from './sessions/service.js';
import { viewRoutes } from './views/routes.js';

export interface OperatorRoomOptions {
  readonly rootKey: Buffer;
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly authority: TokenAuthority;
  /** The audience of operators' tokens, which the merchants' routes refuse. */
  readonly audience: () => string;
  readonly mode: 'sandbox' | 'live';
  readonly findPending: FindPending;
  /** The actions that need a second operator: if there is one, two admins must stay. */
  readonly settings: { readonly actions: ReadonlySet<string> };
}

export function operatorRoom(options: OperatorRoomOptions) {
  const { database, authority, audience, findPending, settings, log, mode } = options;
  const login = new OperatorLogin(database, authority, audience, log);
  const secondFactors = new SecondFactors(deriveKey(options.rootKey, 'second factors'), options.clock);
  const sessions = new OperatorSessions(secondFactors);
  const routes = [
    ...ownRoutes({ login, secondFactors, mode }),
    ...viewRoutes(),
    ...operatorRoutes({ findPending, leastAdmins: settings.actions.size > 0 ? 2 : 1 }),
  ];
  const sweep = {
    name: 'operators.forget-sessions',
    everySeconds: 3600,
    run: async () => {
      await sessions.forgetEnded(database);
      return 0;
    },
  };
  return { routes, login, sessions, secondFactors, jobs: [sweep], counters: [failedLoginCounter] };
}
