/** Ends tokens and secrets early, on nodes that are notified and on nodes that are not. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { rotateSecret, setMerchantStatus } from '../../src/merchants/service.js';
import {
  askToken,
  auditRows,
  basic,
  bySystem,
  type Client,
  newMerchant,
  postForm,
  type Running,
  statusOf,
  tokenOf,
  useNodes,
} from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { payloadOf } from '../tokens/forge.js';

const { database, sql, startNode } = useNodes();
let one: Running;
let two: Running;

beforeAll(async () => {
  one = await startNode();
  two = await startNode();
});

const onBoth = (token: string) => Promise.all([statusOf(one, token), statusOf(two, token)]);
const bites = async (token: string) =>
  eventually(async () => (await onBoth(token)).every((status) => status === 401), {
    withinMs: 5_000,
    what: 'the refusal on both nodes',
  });
const revoke = (client: Client, token: string) =>
  postForm(one.api, '/oauth/revoke', { token, token_type_hint: 'access_token' }, basic(client));
const revocations = async () => (await sql.query('SELECT token_id FROM revoked_tokens')).rows;

describe('a revoked token', () => {
  it('is refused within 5 s on every node, also where it was cached', async () => {
    const acme = await newMerchant(one.service.database, 'revoking');
    const [token, sibling] = [await tokenOf(one, acme), await tokenOf(one, acme)];
    expect(await onBoth(token)).toEqual([200, 200]);
    const answer = await revoke(acme, token);
    expect([answer.status, answer.text]).toEqual([200, '']);
    await bites(token);
    expect(await onBoth(sibling)).toEqual([200, 200]);
    expect((await auditRows(sql, 'token.revoked')).at(-1)).toMatchObject({
      actor: `merchant:${acme.merchant}`,
      subject: `token:${payloadOf(token).jti}`,
    });
  });

  it('may be revoked again', async () => {
    const acme = await newMerchant(one.service.database, 'again');
    const token = await tokenOf(one, acme);
    expect((await revoke(acme, token)).status).toBe(200);
    expect((await revoke(acme, token)).status).toBe(200);
  });

  it('is refused also when the nodes were not notified', async () => {
    const acme = await newMerchant(one.service.database, 'untold');
    const token = await tokenOf(one, acme);
    expect(await onBoth(token)).toEqual([200, 200]);
    const expiry = new Date(Number(payloadOf(token).exp) * 1000);
    await sql.query('INSERT INTO revoked_tokens VALUES ($1, $2)', [payloadOf(token).jti, expiry]);
    await bites(token);
  });
});

describe('a revocation of nothing', () => {
  it('answers 200 and does nothing for another merchant’s token', async () => {
    const [owner, thief] = await Promise.all(['owner', 'thief'].map((name) => newMerchant(one.service.database, name)));
    const token = await tokenOf(one, owner as Client);
    const before = await revocations();
    const answer = await revoke(thief as Client, token);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await revocations()).toEqual(before);
    expect(await onBoth(token)).toEqual([200, 200]);
  });

  it.each(['garbage', 'a.b.c', '..', ' ', 'e30.e30.e30', '"', 'x'.repeat(10_000)])(
    'answers 200 and does nothing for what is no token: %.20j',
    async (token) => {
      const acme = await newMerchant(one.service.database, `no-token-${Math.abs(hash(token))}`);
      const before = await revocations();
      const answer = await revoke(acme, token);
      expect([answer.status, answer.text]).toEqual([200, '']);
      expect(await revocations()).toEqual(before);
    },
  );

  it('answers 200 only after it has authenticated the client', async () => {
    const acme = await newMerchant(one.service.database, 'asked-first');
    const token = await tokenOf(one, acme);
    const answer = await revoke({ ...acme, clientSecret: 'wrong' }, token);
    expect([answer.status, answer.json.error]).toEqual([401, 'invalid_client']);
    expect(await onBoth(token)).toEqual([200, 200]);
  });
});

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readInt32BE();
}

describe('a client secret', () => {
  const secretsOf = async (client: Client) =>
    (await sql.query('SELECT secret_hash FROM merchant_secrets WHERE merchant_id = $1', [client.merchant])).rows;
  const rotate = (client: Client, endOthers = false) =>
    one.service.database.transaction((tx) => rotateSecret(tx, bySystem, client.clientId, { endOthers }));
  const works = async (client: Client, clientSecret: string) =>
    (await askToken(two, { ...client, clientSecret })).status;

  it('has 256 random bits after a prefix that can be searched for', async () => {
    const acme = await newMerchant(one.service.database, 'random');
    const { clientSecret } = await rotate(acme);
    expect(clientSecret).toMatch(/^rms_[\w-]{43}$/);
    expect(Buffer.from(clientSecret.slice(4), 'base64url')).toHaveLength(32);
    expect(clientSecret).not.toBe(acme.clientSecret);
  });

  it('is not in the database, only its SHA-256', async () => {
    const acme = await newMerchant(one.service.database, 'hashed');
    const digest = createHash('sha256').update(acme.clientSecret).digest();
    expect(await secretsOf(acme)).toEqual([{ secret_hash: digest }]);
    const { rows: tables } = await sql.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    for (const { name } of tables) {
      const { rows } = await sql.query(`SELECT 1 FROM ${name} AS t WHERE t::text LIKE '%' || $1 || '%'`, [
        acme.clientSecret.slice(4),
      ]);
      expect(rows, name).toEqual([]);
    }
  });

  it('stays valid beside the next one, and ends with the one after that', async () => {
    const acme = await newMerchant(one.service.database, 'rotating');
    const second = (await rotate(acme)).clientSecret;
    expect([await works(acme, acme.clientSecret), await works(acme, second)]).toEqual([200, 200]);
    const third = (await rotate(acme)).clientSecret;
    expect([await works(acme, acme.clientSecret), await works(acme, second), await works(acme, third)]).toEqual([
      401, 200, 200,
    ]);
    expect(await secretsOf(acme)).toHaveLength(2);
  });

  it('ends at once with all other secrets and all tokens when it has leaked', async () => {
    const acme = await newMerchant(one.service.database, 'leaked');
    await rotate(acme);
    const token = await tokenOf(one, acme);
    expect(await onBoth(token)).toEqual([200, 200]);
    const only = (await rotate(acme, true)).clientSecret;
    await bites(token);
    expect([await works(acme, acme.clientSecret), await works(acme, only)]).toEqual([401, 200]);
    expect(await secretsOf(acme)).toHaveLength(1);
  });

  it('gets tokens that work immediately when it replaces a leaked one', async () => {
    for (const name of ['at-once-1', 'at-once-2', 'at-once-3']) {
      const acme = await newMerchant(one.service.database, name);
      const { clientSecret } = await rotate(acme, true);
      const token = await tokenOf(two, { ...acme, clientSecret });
      expect(await onBoth(token), name).toEqual([200, 200]);
      await one.service.database.transaction((tx) => rotateSecret(tx, bySystem, name, { endOthers: true }));
      await bites(token);
    }
  });
});

describe('a suspended merchant', () => {
  const setStatus = (client: Client, status: 'active' | 'suspended') =>
    one.service.database.transaction((tx) => setMerchantStatus(tx, bySystem, client.clientId, status));

  it('is refused within 5 s on every node, and served again with the same token when it is resumed', async () => {
    const acme = await newMerchant(one.service.database, 'suspended');
    const token = await tokenOf(one, acme);
    expect(await onBoth(token)).toEqual([200, 200]);
    await setStatus(acme, 'suspended');
    await bites(token);
    await setStatus(acme, 'active');
    await eventually(async () => (await onBoth(token)).every((status) => status === 200), {
      withinMs: 5_000,
    });
  });

  it('is refused also when the nodes were not notified', async () => {
    const acme = await newMerchant(one.service.database, 'quietly-suspended');
    const token = await tokenOf(one, acme);
    expect(await onBoth(token)).toEqual([200, 200]);
    await database.transaction((tx) => setMerchantStatus(tx, bySystem, acme.clientId, 'suspended'));
    await bites(token);
  });

  it('gets the answer of a wrong secret, for a token and for a revocation', async () => {
    const acme = await newMerchant(one.service.database, 'same-answer');
    const token = await tokenOf(one, acme);
    await setStatus(acme, 'suspended');
    const shown = async (client: Client, path: string) => {
      const fields = { grant_type: 'client_credentials', token };
      const headers = { ...basic(client), 'x-request-id': 'r-1' };
      const { status, text, headers: got } = await postForm(one.api, path, fields, headers);
      return { status, text, headers: [...got].filter(([name]) => name !== 'date') };
    };
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      const right = await shown(acme, path);
      expect(right.status).toBe(401);
      expect(right).toEqual(await shown({ ...acme, clientSecret: 'wrong' }, path));
    }
  });
});
