/** A service with real tokens, and as many users as a bench wants. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { testMasterKey } from '../../test/harness/master-key.js';
import { type Child, startChild } from './child.js';
import { requestText } from './load.js';

export const poolSize = '16';

export interface UsersService {
  readonly child: Child;
  readonly databaseUrl: string;
  readonly token: string;
  readonly merchant: number;
}

/** On a database of the given name, which is made. Without a worker, whose share of the machine is not a route's. */
export async function startUsersService(serverUrl: string, name: string): Promise<UsersService> {
  await query(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const child = await startChild('users-service', [], {
    DATABASE_URL: url.href,
    DATA_DIR: join(tmpdir(), 'remesa-bench-data'),
    MASTER_KEY: testMasterKey,
    PORT: '0',
    ROLE: 'api',
    REQUESTS_PER_MINUTE: '10000000',
    DATABASE_POOL_SIZE: poolSize,
  });
  const response = await fetch(`${child.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo',
      client_secret: 'demo-secret',
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  const [row] = await query(url.href, "SELECT merchant_id FROM merchants WHERE client_id = 'demo'");
  return { child, databaseUrl: url.href, token, merchant: Number(row?.merchant_id) };
}

/** Users as the service makes them, but for what they sealed: bytes of the same number. */
export async function fillUsers({ databaseUrl, merchant }: UsersService, number: number): Promise<void> {
  const million = 1_000_000;
  const atOnce = Math.min(number, million / 10);
  for (let made = 0; made < number; made += atOnce) {
    await query(
      databaseUrl,
      `WITH people AS (
         INSERT INTO users (merchant_id, user_id, external_client_id, profile)
         SELECT ${merchant}, n, 'cli_' || upper(substr(md5('a' || n || random()), 1, 26)),
                decode(repeat(md5(n::text), 14), 'hex')
           FROM generate_series(${made + 1}, ${made + atOnce}) AS n RETURNING user_id)
       INSERT INTO user_keys (merchant_id, user_id, purpose, master_key_version, wrapped_key)
       SELECT ${merchant}, user_id, purpose, 1, decode(repeat(md5(user_id::text), 4), 'hex')
         FROM people, (VALUES ('profile'), ('beneficiaries'), ('retained')) AS purposes (purpose)`,
    );
  }
  await query(databaseUrl, 'VACUUM (ANALYZE) users');
  await query(databaseUrl, 'VACUUM (ANALYZE) user_keys');
  await query(databaseUrl, 'CHECKPOINT');
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export async function userIds({ databaseUrl, merchant }: UsersService, number: number): Promise<number[]> {
  const rows = await query(
    databaseUrl,
    `SELECT user_id::float8 AS id FROM users WHERE merchant_id = ${merchant} ORDER BY hashint8(user_id) LIMIT ${number}`,
  );
  return rows.map((row) => Number(row.id));
}

/** GET /user, of one user after the other. */
export function getUser(token: string, ids: readonly number[]): () => string {
  const requests = ids.map((id) => requestText('GET', `/user?userId=${id}`, { authorization: `Bearer ${token}` }));
  let next = 0;
  return () => {
    next = (next + 1) % requests.length;
    return requests[next] as string;
  };
}

export function postUser(token: string): () => string {
  const body = JSON.stringify({
    firstName: 'Ana',
    lastName: 'Reyes Nunez',
    email: 'ana.reyes@example.com',
    address: '12 Calle del Sol',
    city: 'Valencia',
    stateProvince: 'Comunitat Valenciana',
    countryCode: 'ES',
    postalCode: '46001',
  });
  const request = requestText('POST', '/user', { authorization: `Bearer ${token}` }, body);
  return () => request;
}
