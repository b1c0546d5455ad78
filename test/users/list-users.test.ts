/** GET /merchant/users */
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { type MadeUser, type Merchant, merchantWithToken, newUser, told } from '../harness/users.js';
import { type ListingAsk, openListing, readListing } from './listing.js';

const users = useRemesa();
const number = 25_000;
let crowd: Merchant;

/** Users of others before, between and after, and every hundredth deleted. */
beforeAll(async () => {
  crowd = await merchantWithToken(users, 'crowd');
  for (let part = 0; part < 5; part += 1) {
    await newUser(users, users.rival);
    await users.sql.query(
      `INSERT INTO users (merchant_id, user_id, external_client_id, profile)
       SELECT $1, n, 'cli_' || lpad(n::text, 26, '0'), '\\x00' FROM generate_series($2::int, $3::int) AS n`,
      [crowd.merchant, part * 5_000 + 1, (part + 1) * 5_000],
    );
  }
  await users.sql.query(
    `UPDATE users SET status = 'deleted', profile = NULL WHERE merchant_id = $1 AND user_id % 100 = 0`,
    [crowd.merchant],
  );
});

async function expected(merchant: Merchant): Promise<MadeUser[]> {
  const { rows } = await users.sql.query(
    `SELECT user_id::float8 AS id, external_client_id AS "externalClientId" FROM users
      WHERE merchant_id = $1 AND status = 'active' ORDER BY user_id`,
    [merchant.merchant],
  );
  return rows;
}

const open = (ask: Partial<ListingAsk> = {}) => openListing({ url: users.service.url, token: crowd.token, ...ask });
const get = (query: string, token = crowd.token) => users.api.get(`/merchant/users${query}`, { token });

describe('GET /merchant/users 200', () => {
  it('is one bare array of all users, in the order of their ids, each with id and externalClientId alone', async () => {
    const response = await open();
    const { bytes, error } = await readListing(response);
    expect([response.statusCode, error]).toEqual([200, undefined]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers.link).toBeUndefined();
    const listed = JSON.parse(bytes.toString()) as MadeUser[];
    expect(listed.length).toBeGreaterThan(24_700);
    expect(listed.length).toBeLessThan(number);
    expect(listed).toEqual(await expected(crowd));
  });

  it('contains neither users of other merchants nor deleted ones', async () => {
    const made = await newUser(users, users.acme);
    const gone = await newUser(users, users.acme);
    await users.api.call('DELETE', `/user?userId=${gone.id}`, { token: users.acme.token });
    expect((await get('', users.acme.token)).json).toEqual([made]);
  });

  it('is an empty array when there are no users', async () => {
    const nobody = await merchantWithToken(users, 'nobody');
    for (const query of ['', '?limit=5', '?after=7']) {
      const answer = await get(query, nobody.token);
      expect([answer.status, answer.text]).toEqual([200, '[]']);
      expect(answer.headers.get('link')).toBeNull();
    }
  });

  it('is complete, in order and without duplicates while other users are created and deleted', async () => {
    const before = await expected(crowd);
    const deleted = new Set<number>();
    const response = await open();
    const { bytes, error } = await readListing(response, async () => {
      const victims = before.filter(({ id }) => !deleted.has(id) && id % 97 === deleted.size % 97).slice(0, 5);
      for (const { id } of victims) deleted.add(id);
      await users.sql.query("UPDATE users SET status = 'deleted', profile = NULL WHERE user_id = ANY ($1)", [
        victims.map(({ id }) => id),
      ]);
      await newUser(users, crowd);
    });
    expect(error).toBeUndefined();
    const ids = (JSON.parse(bytes.toString()) as MadeUser[]).map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    const listed = new Set(ids);
    const missing = before.filter(({ id }) => !listed.has(id) && !deleted.has(id));
    expect(missing).toEqual([]);
    expect(deleted.size).toBeGreaterThan(10);
  });
});

describe('GET /merchant/users by pages', () => {
  async function walk(first: string): Promise<{ listed: MadeUser[]; pages: number[] }> {
    const listed: MadeUser[] = [];
    const pages: number[] = [];
    for (let next: string | undefined = first; next !== undefined; ) {
      const answer = await users.api.get(next, { token: crowd.token });
      expect(answer.status).toBe(200);
      listed.push(...answer.json);
      pages.push(answer.json.length);
      next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    return { listed, pages };
  }

  it('returns the same users, page after page, by the header Link', async () => {
    const all = await expected(crowd);
    const { listed, pages } = await walk('/merchant/users?limit=1000');
    expect(listed).toEqual(all);
    expect(pages).toEqual([...Array.from({ length: Math.floor(all.length / 1000) }, () => 1000), all.length % 1000]);
  });

  it('links to the next page by the last id, and has no link on the last page', async () => {
    const all = await expected(crowd);
    const answer = await get('?limit=2');
    expect(answer.json).toEqual(all.slice(0, 2));
    expect(answer.headers.get('link')).toBe(`</merchant/users?limit=2&after=${all[1]?.id}>; rel="next"`);
    const last = await get(`?limit=2&after=${all.at(-2)?.id}`);
    expect(last.json).toEqual(all.slice(-1));
    expect(last.headers.get('link')).toBeNull();
  });

  it('begins after the given id also without a limit, whether that user exists or not', async () => {
    const all = await expected(crowd);
    const from = all[24_000]?.id ?? 0;
    expect((await get(`?after=${from}`)).json).toEqual(all.slice(24_001));
    expect((await get('?after=999999999999999')).json).toEqual([]);
  });

  it('accepts limits from 1 to 1000', async () => {
    expect((await get('?limit=1')).json).toHaveLength(1);
    expect((await get('?limit=1000')).json).toHaveLength(1000);
  });
});

describe('GET /merchant/users 400', () => {
  it.each([
    ['limit=0', { field: 'limit', code: 'too_small', min: 1 }],
    ['limit=-1', { field: 'limit', code: 'too_small', min: 1 }],
    ['limit=1001', { field: 'limit', code: 'too_large', max: 1000 }],
    ['limit=', { field: 'limit', code: 'wrong_type' }],
    ['limit=ten', { field: 'limit', code: 'wrong_type' }],
    ['limit=1.5', { field: 'limit', code: 'wrong_type' }],
    ['limit=1e2', { field: 'limit', code: 'wrong_type' }],
    ['limit=5&limit=6', { field: 'limit', code: 'wrong_type' }],
    ['after=-1', { field: 'after', code: 'too_small', min: 0 }],
    ['after=x', { field: 'after', code: 'wrong_type' }],
    ['after=1 OR 1=1', { field: 'after', code: 'wrong_type' }],
    ['after=9999999999999999', { field: 'after', code: 'wrong_type' }],
    ['offset=5', { field: 'offset', code: 'unknown_field' }],
  ])('answers 400 for %s', async (query, fault) => {
    const answer = await get(`?${encodeURI(query)}`);
    expect(told(answer)).toEqual([400, 'invalid_fields']);
    expect(answer.json.errors).toMatchObject([fault]);
  });

  it('names all faults at once', async () => {
    const answer = await get('?limit=0&after=-1&page=2');
    const fields = answer.json.errors.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(['after', 'limit', 'page']);
  });
});

describe('GET /merchant/users 401, 403', () => {
  it('accepts only merchant tokens with the scope users', async () => {
    const user = await newUser(users, users.acme);
    const ofUser = await tokenOf(users, users.acme, { user_id: String(user.id) });
    const ofRates = await tokenOf(users, users.acme, { scope: 'rates' });
    expect(told(await get('', 'nonsense'))).toEqual([401, 'unauthorized']);
    expect(told(await get('', ofUser))).toEqual([403, 'merchant_token_required']);
    expect(told(await get('', ofRates))).toEqual([403, 'scope_missing']);
  });
});

describe('a listing', () => {
  it.each([
    ['gzip', true],
    ['GZIP', true],
    ['gzip;q=1', true],
    ['gzip; q=0.5', true],
    ['deflate, gzip;q=0.001', true],
    ['*', true],
    ['br, *;q=0.1', true],
    ['identity;q=0.5, gzip', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000', false],
    ['gzip;q=0, *', false],
    ['*, gzip;q=0', false],
    ['*;q=0', false],
    ['identity', false],
    ['br, deflate', false],
    ['xgzip', false],
    ['', false],
    [undefined, false],
  ])('is compressed when the caller asks for it, and only then: %s', async (accepted, isCompressed) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const response = await open({ query: '?limit=1000', headers });
    const { bytes } = await readListing(response);
    expect(response.headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect(response.headers.vary).toBe('accept-encoding');
    const text = (isCompressed ? gunzipSync(bytes) : bytes).toString();
    expect(JSON.parse(text)).toHaveLength(1000);
  });

  it('is compressed to the same complete array', async () => {
    const { bytes } = await readListing(await open({ headers: { 'accept-encoding': 'gzip' } }));
    expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(await expected(crowd));
    expect(bytes.length).toBeLessThan(25_000 * 20);
  });
});

describe('HEAD /merchant/users', () => {
  it('answers the headers only, with the link to the next page', async () => {
    const all = await expected(crowd);
    const response = await open({ method: 'HEAD', query: '?limit=3' });
    const { bytes, error } = await readListing(response);
    expect([response.statusCode, bytes.length, error]).toEqual([200, 0, undefined]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers.link).toBe(`</merchant/users?limit=3&after=${all[2]?.id}>; rel="next"`);
    const whole = await open({ method: 'HEAD' });
    expect([whole.statusCode, (await readListing(whole)).bytes.length]).toEqual([200, 0]);
  });
});
