/** How merchants change their own secrets, and what somebody who has stolen one cannot do. */
import { beforeAll, describe, expect, it } from 'vitest';
import { reviewRotation } from '../../src/merchants/service.js';
import {
  askToken,
  auditRows,
  type Client,
  newMerchant,
  newOperator,
  operatorToken,
  type Running,
  statusOf,
  tokenOf,
  useNodes,
} from '../harness/access.js';
import { type Answer, done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';

const { sql, startNode } = useNodes();
let node: Running;
let admin: string;

beforeAll(async () => {
  node = await startNode();
  await newOperator(node.service.database, 'ana', 'admin');
  admin = await operatorToken(node, 'ana');
});

let keys = 0;
const send = async (client: Client, path: string, body: object, key = `key-${++keys}`): Promise<Answer> =>
  node.api.post(`/merchant/secrets${path}`, { token: await tokenOf(node, client), body, key });
const rotate = (client: Client, currentSecret = client.clientSecret) => send(client, '/rotate', { currentSecret });
const restrict = (client: Client, scopes: readonly string[], currentSecret = client.clientSecret) =>
  send(client, '', { currentSecret, name: 'Reports', scopes });
const end = async (client: Client, secretId: string) =>
  node.api.post(`/merchant/secrets/${secretId}/end`, {
    token: await tokenOf(node, client),
    body: { currentSecret: client.clientSecret },
  });
const withSecret = (client: Client, made: Answer): Client => ({ ...client, clientSecret: done(made).clientSecret });
const worksFor = async (...clients: readonly Client[]) =>
  Promise.all(clients.map(async (client) => (await askToken(node, client)).status));
const letDaysPass = (client: Client, days: number) =>
  sql.query('UPDATE merchant_secrets SET created_at = created_at - make_interval(days => $2) WHERE merchant_id = $1', [
    client.merchant,
    days,
  ]);

describe('a merchant that replaces its secret', () => {
  it('has both, is told, and the log has the change without the secret', async () => {
    const old = await newMerchant(node.service.database, 'rotating');
    const made = await rotate(old);
    const renewed = withSecret(old, made);
    expect(made.json).toEqual({
      clientId: 'rotating',
      secretId: expect.stringMatching(/^\d+$/),
      clientSecret: expect.stringMatching(/^rms_[\w-]{43}$/),
    });
    expect(await worksFor(old, renewed)).toEqual([200, 200]);
    const token = await tokenOf(node, renewed);
    const [event] = await eventually(async () => {
      const { json } = await node.api.get('/events?channel=order', { token });
      return json.length === 1 && json;
    });
    const own = (await node.api.get('/merchant/secrets', { token })).json;
    expect([event.type, event.data.object]).toEqual(['merchant.secret_rotated', own]);
    expect(own.secrets.map(({ madeBy }: { madeBy: string }) => madeBy)).toEqual(['merchant', 'operator']);
    const audited = (await auditRows(sql, 'merchant.secret_rotated')).at(-1);
    expect(audited).toMatchObject({ actor: `merchant:${old.merchant}`, details: { secretId: made.json.secretId } });
    const written = JSON.stringify((await sql.query('SELECT * FROM changes')).rows) + node.logText();
    for (const { clientSecret } of [old, renewed]) expect(written).not.toContain(clientSecret);
  });

  it('gets the same secret for the same key, and none without a key', async () => {
    const client = await newMerchant(node.service.database, 'repeating');
    const body = { currentSecret: client.clientSecret };
    const token = await tokenOf(node, client);
    const without = await node.api.post('/merchant/secrets/rotate', { token, body });
    expect([without.status, without.json.code]).toEqual([400, 'idempotency_key_required']);
    const [first, again] = [await send(client, '/rotate', body, 'same'), await send(client, '/rotate', body, 'same')];
    expect(again.json).toEqual(first.json);
    const { rows } = await sql.query('SELECT answer FROM idempotency_keys WHERE merchant_id = $1', [client.merchant]);
    expect(JSON.stringify(rows)).not.toContain(first.json.clientSecret);
  });

  it('makes one in seven days, however many it asks for at once', async () => {
    const client = await newMerchant(node.service.database, 'hasty');
    const answers = await Promise.all([1, 2, 3, 4].map(() => rotate(client)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.json.code).toBe('secret_rotated_recently');
    const daysToWait = (Date.parse(refused?.json.possibleAt) - Date.now()) / 86_400_000;
    expect(daysToWait).toBeGreaterThan(6.9);
    expect(daysToWait).toBeLessThan(7.1);
    await letDaysPass(client, 7);
    expect((await rotate(client)).status).toBe(200);
  });
});

describe('whoever has stolen a secret', () => {
  it('cannot lock the owner out before seven days, and the operator ends what the thief has made', async () => {
    const owner = await newMerchant(node.service.database, 'robbed');
    const made = await rotate(owner);
    const thief = withSecret(owner, made);
    expect((await rotate(thief)).json.code).toBe('secret_rotated_recently');
    const { secrets } = (await node.api.get('/merchant/secrets', { token: await tokenOf(node, thief) })).json;
    for (const { secretId } of secrets) {
      expect((await end(thief, secretId)).json.code).toBe('merchant_secret_not_found');
    }
    await letDaysPass(owner, 6);
    expect((await rotate(thief)).json.code).toBe('secret_rotated_recently');
    expect(await worksFor(owner, thief)).toEqual([200, 200]);
    const path = `/operator/merchants/robbed/secrets/${made.json.secretId}/end`;
    expect((await node.api.post(path, { token: admin })).status).toBe(200);
    expect(await worksFor(owner, thief)).toEqual([200, 401]);
    expect((await rotate(owner)).status).toBe(200);
  });

  it('ends nothing that was in use within seven days, also when the operator has just made another', async () => {
    const first = await newMerchant(node.service.database, 'in-use');
    await letDaysPass(first, 30);
    const byOperator = await node.api.post('/operator/merchants/in-use/rotate-secret', { token: admin, body: {} });
    const second = withSecret(first, byOperator);
    const third = withSecret(first, await rotate(first));
    expect(await worksFor(first, second, third)).toEqual([200, 200, 200]);
    await letDaysPass(first, 8);
    const fourth = withSecret(first, await rotate(third));
    expect(await worksFor(first, second, third, fourth)).toEqual([401, 401, 200, 200]);
  });

  it('cannot make a secret from a token alone, nor from a restricted secret', async () => {
    const client = await newMerchant(node.service.database, 'token-only');
    const narrow = withSecret(client, await restrict(client, ['webhooks', 'orders']));
    for (const currentSecret of ['wrong', narrow.clientSecret]) {
      for (const answer of [await rotate(client, currentSecret), await restrict(narrow, ['users'], currentSecret)]) {
        expect([answer.status, answer.json.code]).toEqual([403, 'client_secret_wrong']);
      }
    }
    const { rows } = await sql.query('SELECT count(*)::int FROM merchant_secrets WHERE merchant_id = $1', [
      client.merchant,
    ]);
    expect(rows).toEqual([{ count: 2 }]);
  });

  it('cannot put off the operator’s rotation by making restricted secrets, of which there are at most ten', async () => {
    const client = await newMerchant(node.service.database, 'crowded');
    const reviewed = () => node.service.database.transaction((tx) => reviewRotation(tx, 'crowded'));
    const before = await reviewed();
    const answers: Answer[] = [];
    for (let made = 0; made < 11; made += 1) answers.push(await restrict(client, ['rates']));
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 409]);
    expect(answers.at(-1)?.json.code).toBe('too_many_secrets');
    expect(await reviewed()).toEqual(before);
    const path = '/operator/merchants/crowded/rotate-secret';
    const renewed = withSecret(client, await node.api.post(path, { token: admin, body: { endOthers: true } }));
    const narrow = withSecret(client, answers[0] as Answer);
    expect(await worksFor(client, narrow, renewed)).toEqual([401, 401, 200]);
  });
});

describe('a restricted secret', () => {
  it('gets tokens of its scopes or less, and never of more', async () => {
    const client = await newMerchant(node.service.database, 'narrow');
    const narrow = withSecret(client, await restrict(client, ['rates', 'orders.read']));
    const scopeOf = async (scope?: string) => {
      const { json } = await askToken(node, narrow, scope === undefined ? {} : { scope });
      return json.scope ?? json.error;
    };
    expect(await scopeOf()).toBe('rates orders.read');
    expect(await scopeOf('rates.read')).toBe('rates.read');
    expect(await scopeOf('orders')).toBe('invalid_scope');
    expect(await scopeOf('rates users')).toBe('invalid_scope');
    expect(await scopeOf('everything')).toBe('invalid_scope');
    expect((await restrict(client, ['orders', 'everything'])).json.code).toBe('invalid_fields');
  });

  it('reads with the scope for reading, and neither orders nor sees a pick-up code nor opens a form', async () => {
    const client = await newMerchant(node.service.database, 'reporting');
    const narrow = withSecret(client, await restrict(client, ['orders.read', 'kyc.read']));
    const token = await tokenOf(node, narrow);
    expect((await node.api.get('/merchant/orders', { token })).status).toBe(200);
    expect((await node.api.get('/merchant/overview', { token })).status).toBe(200);
    const order = `/orders/ord_${'0'.repeat(26)}`;
    const refused = [
      await node.api.post('/orders/preflight', { token, body: {} }),
      await node.api.post(`${order}/cancel`, { token }),
      await node.api.get(`${order}/pickup-code`, { token }),
      await node.api.get('/kyc/register/LEVEL_1/EEA?userId=1', { token }),
      await node.api.get('/merchant/secrets', { token }),
    ];
    expect(refused.map(({ json }) => [json.code, json.requiredScope])).toEqual([
      ['scope_missing', 'orders'],
      ['scope_missing', 'orders'],
      ['scope_missing', 'orders'],
      ['scope_missing', 'kyc'],
      ['scope_missing', 'webhooks'],
    ]);
  });

  it('is ended by its merchant at once, with the tokens that it got', async () => {
    const client = await newMerchant(node.service.database, 'ending');
    const made = await restrict(client, ['users']);
    const narrow = withSecret(client, made);
    const token = await tokenOf(node, narrow);
    const left = done(await end(client, made.json.secretId));
    expect(left.secrets).toHaveLength(1);
    expect(await worksFor(client, narrow)).toEqual([200, 401]);
    await eventually(async () => (await statusOf(node, token)) === 401, { withinMs: 5_000 });
    const events = await eventually(async () => {
      const { json } = await node.api.get('/events?channel=order', { token: await tokenOf(node, client) });
      return json.length === 2 && json;
    });
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'merchant.secret_created',
      'merchant.secret_ended',
    ]);
  });
});
