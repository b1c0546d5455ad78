/** Requests quotes, and sets the terms of corridors. */
import type { Answer } from '../harness/api.js';
import type { Remesa } from '../harness/remesa.js';

export const dollarsToPesos = { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 } as const;

export function quote(
  { api, acme }: Pick<Remesa, 'api' | 'acme'>,
  body: Record<string, unknown> = {},
): Promise<Answer> {
  return api.post('/rates', { token: acme.token, body: { ...dollarsToPesos, ...body } });
}

/** Sends the amount as the given text, valid or not. */
export function quoteOfLiteral(
  { api, acme }: Pick<Remesa, 'api' | 'acme'>,
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
  { api, admin }: Pick<Remesa, 'api' | 'admin'>,
  path: string,
  terms: Record<string, unknown> = {},
): Promise<Answer> {
  return api.call('PUT', `/operator/corridors/${path}`, { token: admin, body: { ...plainTerms, ...terms } });
}
