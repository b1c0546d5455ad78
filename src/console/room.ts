/**
 * Owns the pages of operators: signing in, screens, forms. It shows what the operators' API answers and carries out its
 * commands, through the routes themselves. It owns no data, and no rule of the business: what a page cannot do, the API
 * cannot do either.
 */
import { recordChange } from '../changes/service.js';
import type { Approvals } from '../http/four-eyes.js';
import { OperatorCalls } from '../http/inside/operator-calls.js';
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';
import type { Route } from '../http/route.js';
import { deriveKey } from '../keys/derive.js';
import type { OperatorLogin } from '../operators/login.js';
import type { SecondFactors } from '../operators/second-factor/second-factors.js';
import type { OperatorSessions } from '../operators/sessions/service.js';
import type { Database } from '../postgres/database.js';
import { SessionCookie } from './cookie.js';
import { Desk } from './desk.js';
import { consoleRoutes } from './routes.js';

export interface ConsoleRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly mode: 'sandbox' | 'live';
  /** The routes of all other rooms. */
  readonly routes: readonly Route[];
  readonly approvals: Approvals;
  readonly operators: {
    readonly login: OperatorLogin;
    readonly sessions: OperatorSessions;
    readonly secondFactors: SecondFactors;
  };
  readonly problems: ProblemCatalogue;
  readonly baseUrl: () => string;
  /** BASE_URL, which says whether browsers come by https. They always do in a live instance. */
  readonly configuredUrl: string | undefined;
}

export function consoleRoom(options: ConsoleRoomOptions) {
  const { database, rootKey, mode, routes, approvals, operators, problems } = options;
  const context = {
    database,
    approvals,
    fingerprintKey: deriveKey(rootKey, 'idempotency fingerprint'),
    answerKey: deriveKey(rootKey, 'idempotency answers'),
  };
  const desk = new Desk({
    ...operators,
    calls: new OperatorCalls(context, routes),
    cookie: new SessionCookie(mode === 'live' || options.configuredUrl?.startsWith('https:') === true),
    problems,
    mode,
    publicUrl: options.baseUrl,
    recordChange: (by, change) => database.transaction((tx) => recordChange(tx, by, change)),
  });
  return { routes: consoleRoutes(desk), jobs: [] };
}
