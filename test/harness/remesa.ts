/**
 * The whole service on a database of its own, with two merchants and three operators. Tests of all rooms use it
 * directly, with the verbs of the rooms that they need: `newUser`, `quote`, `placed`, `record`.
 */
import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { Payouts } from '../../src/orders/order/ports.js';
import type { Database } from '../../src/postgres/database.js';
import { operatorTokens } from './access.js';
import { eventually } from './eventually.js';
import { RunningService, type ServiceStart, type TestService } from './service.js';
import { useTestDatabase } from './test-database.js';
import { type Merchant, merchantWithToken } from './users.js';

export interface Remesa extends TestService {
  readonly url: string;
  readonly sql: pg.Pool;
  readonly database: Database;
  readonly acme: Merchant;
  readonly rival: Merchant;
  /** Tokens of operators, who are called `the-admin`, `the-reviewer` and `the-viewer`. */
  readonly admin: string;
  readonly reviewer: string;
  readonly viewer: string;
}

export interface RemesaStart extends ServiceStart {
  /** The tests begin once the rates of the source have arrived on the board. */
  readonly hasRates?: boolean;
  /** The names of jobs that do not run: the tests do their work. */
  readonly idleJobs?: readonly string[];
  /** Replaces the rails. */
  readonly payouts?: Payouts;
}

const roles = { 'the-admin': 'admin', 'the-reviewer': 'reviewer', 'the-viewer': 'viewer' } as const;

export function useRemesa(options: RemesaStart = {}): Remesa {
  const { hasRates, idleJobs = [], payouts, ...start } = options;
  const { url, sql, database } = useTestDatabase();
  const running = new RunningService(
    { url },
    {
      chooseJobs: (jobs) => jobs.filter(({ name }) => !idleJobs.includes(name)),
      ...(payouts ? { rooms: () => ({ routes: [], jobs: [], payouts }) } : {}),
      ...start,
      settings: {
        TOKENS_PER_MINUTE: '1000000',
        QUOTES_PER_MINUTE: '1000000',
        REQUESTS_IN_FLIGHT: '1000',
        ...start.settings,
      },
    },
  );
  const merchants: Merchant[] = [];
  let operators: Partial<Record<keyof typeof roles, string>> = {};
  beforeAll(async () => {
    await running.start();
    for (const name of ['acme', 'rival']) merchants.push(await merchantWithToken(running, name));
    operators = await operatorTokens(running, roles);
    if (hasRates) await rateOnTheBoard(running, merchants[0] as Merchant);
  });
  afterAll(() => running.stop());
  return {
    url,
    sql,
    database,
    logText: running.logText,
    get service() {
      return running.service;
    },
    get api() {
      return running.api;
    },
    get acme() {
      return merchants[0] as Merchant;
    },
    get rival() {
      return merchants[1] as Merchant;
    },
    get admin() {
      return operators['the-admin'] ?? '';
    },
    get reviewer() {
      return operators['the-reviewer'] ?? '';
    },
    get viewer() {
      return operators['the-viewer'] ?? '';
    },
  };
}

function rateOnTheBoard({ api }: TestService, { token }: Merchant): Promise<unknown> {
  const body = { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 };
  return eventually(async () => (await api.post('/rates', { token, body })).status === 200, {
    withinMs: 30_000,
    what: 'a first quote',
  });
}
