/** Starts the service with rates on its board, and requests quotes. */
import { beforeAll } from 'vitest';
import type { ExtraRooms, ServiceOptions } from '../../src/app.js';
import type { Database } from '../../src/postgres/database.js';
import { newOperator, operatorToken } from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { type UsersService, useUsersService } from '../harness/users.js';

export interface RatesService extends UsersService {
  /** An operator who may change corridors. */
  readonly admin: string;
  readonly viewer: string;
}

export const dollarsToPesos = { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 } as const;

export function useRatesService(
  settings: Record<string, string> = {},
  rooms?: (database: Database) => ExtraRooms,
  chooseJobs?: ServiceOptions['chooseJobs'],
): RatesService {
  const usual = { QUOTES_PER_MINUTE: '1000000', REQUESTS_IN_FLIGHT: '1000' };
  const running = useUsersService({ ...usual, ...settings }, rooms, chooseJobs);
  const tokens: string[] = [];
  beforeAll(async () => {
    for (const role of ['admin', 'viewer'] as const) {
      await newOperator(running.database, `the-${role}`, role);
      tokens.push(await operatorToken(running, `the-${role}`));
    }
  });
  return Object.defineProperties({} as RatesService, {
    ...Object.getOwnPropertyDescriptors(running),
    admin: { get: () => tokens[0] },
    viewer: { get: () => tokens[1] },
  });
}

/** Resolves when the rates of the source have arrived on the board. */
export function useRatesOnTheBoard(running: RatesService): void {
  beforeAll(() =>
    eventually(async () => (await quote(running)).status === 200, {
      withinMs: 30_000,
      what: 'a first quote',
    }),
  );
}

export function quote(
  { api, acme }: Pick<RatesService, 'api' | 'acme'>,
  body: Record<string, unknown> = {},
): Promise<Answer> {
  return api.post('/rates', { token: acme.token, body: { ...dollarsToPesos, ...body } });
}

/** Sends the amount as the given text, valid or not. */
export function quoteOfLiteral(
  { api, acme }: Pick<RatesService, 'api' | 'acme'>,
  amountIn: string,
  [fiatIn, fiatOut]: readonly [string, string] = ['USD', 'MXN'],
): Promise<Answer> {
  const text = `{"fiatIn":"${fiatIn}","fiatOut":"${fiatOut}","amountIn":${amountIn}}`;
  return api.post('/rates', { token: acme.token, text });
}

/** The terms of a corridor for tests in which they do not matter. */
export const plainTerms = {
  isOpen: true,
  minAmountIn: 5,
  maxAmountIn: 25_000,
  minAmountOut: 18,
  marginBasisPoints: 120,
  feeFixed: 1,
  feeBasisPoints: 30,
  quoteLifetimeSeconds: 1800,
  kycBands: [{ upTo: 200, level: 'LEVEL_1' }, { upTo: 10_000, level: 'LEVEL_2' }, { level: 'LEVEL_3' }],
  payoutMethods: ['bank_account', 'cash_pickup'],
};

export function saveCorridor(
  { api, admin }: Pick<RatesService, 'api' | 'admin'>,
  path: string,
  terms: Record<string, unknown> = {},
): Promise<Answer> {
  return api.call('PUT', `/operator/corridors/${path}`, { token: admin, body: { ...plainTerms, ...terms } });
}
