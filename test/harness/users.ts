/** Starts the service with two merchants that have real tokens, and registers users. */
import type pg from 'pg';
import { beforeAll } from 'vitest';
import type { ExtraRooms, ServiceOptions } from '../../src/app.js';
import type { Database } from '../../src/postgres/database.js';
import type { Profile } from '../../src/users/user.js';
import { type Client, newMerchant, tokenOf } from './access.js';
import type { Answer, Api } from './api.js';
import { type TestService, useService } from './service.js';
import { useTestDatabase } from './test-database.js';

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

export interface UsersService extends TestService {
  readonly url: string;
  readonly sql: pg.Pool;
  readonly database: Database;
  readonly acme: Merchant;
  readonly rival: Merchant;
}

export function useUsersService(
  settings: Record<string, string> = {},
  rooms?: (database: Database) => ExtraRooms,
  chooseJobs?: ServiceOptions['chooseJobs'],
): UsersService {
  const { url, sql, database } = useTestDatabase();
  const running = useService(
    { url, sql, database },
    {
      settings: { TOKENS_PER_MINUTE: '1000000', ...settings },
      ...(rooms ? { rooms } : {}),
      ...(chooseJobs ? { chooseJobs } : {}),
    },
  );
  const merchants: Merchant[] = [];
  beforeAll(async () => {
    for (const name of ['acme', 'rival']) merchants.push(await merchantWithToken(running, name));
  });
  return {
    url,
    sql,
    database,
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
    logText: running.logText,
  };
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
  const answer = await api.post('/user', { token, body: { ...ana, ...fields } });
  if (answer.status !== 200) throw new Error(`no user: ${answer.status} ${answer.text}`);
  return answer.json;
}

export async function detailsOf(
  { api }: { readonly api: Api },
  { token }: Pick<Merchant, 'token'>,
  user: MadeUser,
): Promise<Profile> {
  const answer = await api.get(`/user/details?userId=${user.id}`, { token });
  if (answer.status !== 200) throw new Error(`no details: ${answer.status} ${answer.text}`);
  return answer.json;
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
