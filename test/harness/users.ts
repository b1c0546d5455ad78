/** Merchants with real tokens, and their users. */
import type { Profile } from '../../src/users/user.js';
import { type Client, newMerchant, tokenOf } from './access.js';
import { type Answer, type Api, done } from './api.js';
import type { TestService } from './service.js';

export const ana: Profile = {
  firstName: 'Ana',
  lastName: 'Reyes Núñez',
  email: 'ana.reyes@example.com',
  address: '12 Calle del Sol',
  city: 'Valencia',
  stateProvince: 'Comunitat Valenciana',
  countryCode: 'ES',
  postalCode: '46001',
};

export interface Merchant extends Client {
  /** A merchant token with every scope. */
  readonly token: string;
}

export interface MadeUser {
  readonly id: number;
  readonly externalClientId: string;
}

export async function merchantWithToken(running: TestService, name: string): Promise<Merchant> {
  const client = await newMerchant(running.service.database, name);
  return { ...client, token: await tokenOf(running, client) };
}

export function userToken(
  running: { readonly api: Api },
  merchant: Client,
  user: MadeUser,
  fields: Record<string, string> = {},
): Promise<string> {
  return tokenOf(running, merchant, { user_id: String(user.id), ...fields });
}

export async function newUser(
  { api }: { readonly api: Api },
  { token }: Pick<Merchant, 'token'>,
  fields: Partial<Profile> = {},
): Promise<MadeUser> {
  return done(await api.post('/user', { token, body: { ...ana, ...fields } }));
}

export async function detailsOf(
  { api }: { readonly api: Api },
  { token }: Pick<Merchant, 'token'>,
  user: MadeUser,
): Promise<Profile> {
  return done(await api.get(`/user/details?userId=${user.id}`, { token }));
}

/** Returns the status and the code of an answer. */
export function told(answer: Answer): [number, string] {
  return [answer.status, answer.text === '' ? '' : answer.json.code];
}

/** Returns a problem document without its request id, which differs in every answer. */
export function withoutRequestId(answer: Answer): unknown {
  const { requestId, ...rest } = answer.json;
  if (typeof requestId !== 'string') throw new Error('there is no request id');
  return { ...rest, httpStatus: answer.status };
}
