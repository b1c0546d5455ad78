import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/caller.js';
import { systemClock } from '../../src/clock.js';
import { RemesaError } from '../../src/errors.js';
import { operatorId } from '../../src/ids.js';
import { MerchantStatusCache } from '../../src/merchants/status-cache.js';
import { OperatorStatusCache, operatorSubject } from '../../src/operators/status-cache.js';
import { confirmInstance } from '../../src/postgres/instance.js';
import { type Queryable, statement } from '../../src/postgres/statement.js';
import { type StatusCache, TokenAuthority } from '../../src/tokens/authority.js';
import { ensureSigningKey, rotateSigningKeys } from '../../src/tokens/service.js';
import {
  type Client,
  newMerchant,
  newOperator,
  oneInstance,
  startNode,
  statusOf,
  stopNodesAfterAll,
  tokenOf,
} from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { FaultProxy } from '../harness/proxy.js';
import { useTestDatabase } from '../harness/test-database.js';
import { goodClaims, goodHeader, ownKey, signed } from './forge.js';

const issuer = 'http://remesa.example';
stopNodesAfterAll();
const { url, database } = useTestDatabase();
const sealingKey = Buffer.alloc(32, 5);
let acme: Client;
let queries = 0;

/** The real database, with a count of the queries. */
const counted: Queryable = {
  query(statement, ...values) {
    queries += 1;
    return database.query(statement, ...values);
  },
};

beforeAll(async () => {
  await confirmInstance(database, 'sandbox');
  await database.transaction((tx) => ensureSigningKey(tx, sealingKey));
  acme = await newMerchant(database, 'acme');
});

async function authority(
  cacheAtMost?: number,
  statusCaches: readonly StatusCache[] = [new MerchantStatusCache(counted, () => issuer)],
): Promise<TokenAuthority> {
  const made = new TokenAuthority({
    database: counted,
    sealingKey,
    clock: systemClock,
    issuer: () => issuer,
    statusCaches,
    ...(cacheAtMost === undefined ? {} : { cacheAtMost }),
  });
  await made.refresh();
  return made;
}

const issue = (from: TokenAuthority) =>
  from.issue({
    audience: issuer,
    subject: `merchant:${acme.merchant}`,
    clientId: 'acme',
    scope: 'users',
    userId: undefined,
    notBefore: -1,
    lifetimeSeconds: 3600,
  });

describe('a verified token', () => {
  it('is cached: the second time it is not verified again', async () => {
    const known = await authority();
    const token = await issue(known);
    const caller = await known.authenticate(token);
    expect(caller).toEqual({ kind: 'merchant', merchantId: acme.merchant, scopes: new Set(['users']) });
    const before = queries;
    expect(await known.authenticate(token)).toBe(caller);
    expect(queries).toBe(before);
  });

  it('is cached within a limit: the oldest one is verified again, and still accepted', async () => {
    const small = await authority(3);
    const tokens = await Promise.all([1, 2, 3, 4].map(() => issue(small)));
    const callers: (Caller | undefined)[] = [];
    for (const token of tokens) callers.push(await small.authenticate(token));
    // Verifying makes a new object. The oldest is asked for last, because it takes the place of another one.
    for (const place of [1, 2, 3]) expect(await small.authenticate(tokens[place] ?? '')).toBe(callers[place]);
    const again = await small.authenticate(tokens[0] ?? '');
    expect(again).toEqual(callers[0]);
    expect(again).not.toBe(callers[0]);
  });
});

async function otherKey() {
  const { generateKeyPairSync } = await import('node:crypto');
  return generateKeyPairSync('ed25519');
}

describe('an unknown signing key', () => {
  it('is loaded when a token names it, without waiting for the next refresh', async () => {
    // Neither of them has a timer: what they learn, they learn by asking.
    const [signer, other] = [await authority(), await authority()];
    await database.transaction((tx) =>
      rotateSigningKeys(tx, { sealingKey, actor: { kind: 'system', name: 'test' }, emergency: true }),
    );
    await signer.refresh();
    const token = await issue(signer);
    expect(await eventually(() => other.authenticate(token))).toMatchObject({ merchantId: acme.merchant });
  });

  it('is loaded a few times a second at most, however many tokens name one', async () => {
    const flooded = await authority();
    const { privateKey } = await otherKey();
    const before = queries;
    const began = performance.now();
    for (let index = 0; index < 300; index += 1) {
      const key = { keyId: `flood-${index}`, privateKey, publicJwk: { x: '' } };
      const token = signed(key, goodHeader(key), goodClaims(issuer, acme.merchant));
      expect(await flooded.authenticate(token)).toBeUndefined();
    }
    const rounds = Math.ceil((performance.now() - began) / 250) + 1;
    expect(queries - before).toBeLessThanOrEqual(3 * rounds);
  });
});

describe('an operator who was created after the last refresh of a node', () => {
  it('is accepted with the first token that another node issued, however recent that refresh was', async () => {
    const operators = () => [new OperatorStatusCache(counted, () => issuer)];
    const [signer, other] = [await authority(undefined, operators()), await authority(undefined, operators())];
    for (const login of ['ana', 'bob', 'eve']) {
      const id = await newOperator(database, login, 'viewer');
      const token = await signer.issue({
        audience: issuer,
        subject: operatorSubject(operatorId(id)),
        clientId: login,
        scope: 'viewer',
        userId: undefined,
        notBefore: 0,
        lifetimeSeconds: 60,
      });
      expect(await other.authenticate(token)).toMatchObject({ kind: 'operator', operatorId: id });
    }
  });
});

describe('while the database is unavailable', () => {
  const proxies: FaultProxy[] = [];
  afterAll(async () => {
    for (const proxy of proxies) await proxy.close();
  });

  it('a token is accepted for 5 s after the last refresh, then answered with 503, and accepted again afterwards', async () => {
    const proxy = new FaultProxy(url);
    proxies.push(proxy);
    const proxied = await proxy.listen();
    // Its own root key would be another one; this file's hand-made signing key is not its.
    await database.transaction((tx) => tx.query(statement('test.no-keys', 'DELETE FROM signing_keys')));
    const node = await startNode(proxied, { settings: oneInstance });
    const token = await tokenOf(node, acme);
    const unseen = await tokenOf(node, acme);
    expect(await statusOf(node, token)).toBe(200);

    proxy.harm = () => 'cut-before';
    proxy.cutAll();
    const cutAt = performance.now();
    let lastGoodAt = cutAt;
    await eventually(
      async () => {
        const answer = await node.api.get('/notes/empty', { token });
        if (answer.status === 200) lastGoodAt = performance.now();
        else expect([answer.status, answer.json.code]).toEqual([503, 'database_unavailable']);
        return answer.status === 503 && answer.headers.get('retry-after');
      },
      { withinMs: 12_000, what: 'the 503' },
    );
    expect(lastGoodAt - cutAt).toBeLessThan(5_500);
    for (const each of [token, unseen, token]) expect(await statusOf(node, each)).toBe(503);

    proxy.harm = () => 'pass';
    await eventually(async () => (await statusOf(node, token)) === 200, { withinMs: 15_000 });
    expect(await statusOf(node, unseen)).toBe(200);
  });

  it('is an error and not a refusal', async () => {
    const away: Queryable = {
      query: () => Promise.reject(new RemesaError('unavailable', 'database_unavailable', '')),
    };
    const blind = new TokenAuthority({
      database: away,
      sealingKey,
      clock: systemClock,
      issuer: () => issuer,
      statusCaches: [],
    });
    const key = await ownKey(database);
    const token = signed(key, goodHeader(key), goodClaims(issuer, acme.merchant));
    await expect(Promise.resolve(blind.authenticate(token))).rejects.toMatchObject({
      code: 'database_unavailable',
    });
  });
});
