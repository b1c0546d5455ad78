/** Operators' commands take an Idempotency-Key, stored with the merchant whose data they change. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { command } from '../../src/http/route.js';
import {
  auditRows,
  type Client,
  newMerchant,
  newOperator,
  operatorToken,
  type Running,
  tokenOf,
  useNodes,
} from '../harness/access.js';

const { sql, startNode } = useNodes();
let node: Running;
let acme: Client;
let admin: string;
let otherAdmin: string;

beforeAll(async () => {
  node = await startNode();
  const { database } = node.service;
  acme = await newMerchant(database, 'acme');
  await newMerchant(database, 'rival');
  await newOperator(database, 'ana', 'admin');
  await newOperator(database, 'ben', 'admin');
  admin = await operatorToken(node, 'ana');
  otherAdmin = await operatorToken(node, 'ben');
});
beforeEach(() => sql.query('DELETE FROM idempotency_keys'));

const patch = (clientId: string, name: string, token = admin) =>
  node.api.call('PATCH', `/operator/merchants/${clientId}`, { token, key: 'k', body: { name } });

async function ownersOfKeys(): Promise<number[]> {
  const { rows } = await sql.query('SELECT merchant_id::int AS owner FROM idempotency_keys ORDER BY 1');
  return rows.map(({ owner }) => owner);
}

describe('a repeated key of an operator', () => {
  it('gets the first answer, marked as replayed, and has one effect', async () => {
    const before = (await auditRows(sql, 'merchant.updated')).length;
    const [first, again] = [await patch('acme', 'Acme'), await patch('acme', 'Acme')];
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(await auditRows(sql, 'merchant.updated')).toHaveLength(before + 1);
  });

  it('is refused with another body, and changes nothing', async () => {
    await patch('acme', 'Acme');
    expect((await patch('acme', 'Other')).json).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
    const { rows } = await sql.query(`SELECT name FROM merchants WHERE client_id = 'acme'`);
    expect(rows).toEqual([{ name: 'Acme' }]);
  });

  it('is separate for each operator and each path', async () => {
    const answers = [await patch('acme', 'A'), await patch('acme', 'A', otherAdmin), await patch('rival', 'A')];
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, null, null]);
    expect(await ownersOfKeys()).toHaveLength(3);
  });

  it('has one effect in many requests at once, and each answer is that or "still running"', async () => {
    const body = { login: 'crowd', role: 'viewer' };
    const ask = () => node.api.post('/operator/operators', { token: admin, key: 'crowd', body });
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    for (const { json } of refused) expect(json.code).toBe('idempotency_in_progress');
    expect((await ask()).headers.get('idempotent-replayed')).toBe('true');
  });

  it('leaves nothing behind when the merchant is unknown', async () => {
    expect((await patch('nobody', 'A')).json).toMatchObject({ status: 404, code: 'merchant_not_found' });
    expect(await ownersOfKeys()).toEqual([]);
  });
});

describe('the key of an operator', () => {
  it.each([
    ['POST', '/operator/merchants/acme/suspend', undefined],
    ['POST', '/operator/merchants/acme/resume', undefined],
    ['PATCH', '/operator/merchants/acme', { name: 'Acme' }],
    ['POST', '/operator/merchants/acme/rotate-secret', {}],
  ])('is stored with the merchant that it changes: %s %s', async (method, path, body) => {
    const ask = { token: admin, key: 'k', ...(body ? { body } : {}) };
    expect((await node.api.call(method, path, ask)).status).toBe(200);
    expect(await ownersOfKeys()).toEqual([acme.merchant]);
  });

  it.each([
    ['POST', '/operator/merchants', { name: 'New' }],
    ['POST', '/operator/operators', { login: 'new', role: 'viewer' }],
    ['PATCH', '/operator/operators/new', { role: 'reviewer' }],
    ['POST', '/operator/keys/rotate', {}],
  ])('is stored with the instance: %s %s', async (method, path, body) => {
    const ask = { token: admin, key: 'k', body };
    const [first, again] = [await node.api.call(method, path, ask), await node.api.call(method, path, ask)];
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await ownersOfKeys()).toEqual([0]);
  });

  it('is stored with the instance for a corridor, whose second saving would be a version conflict', async () => {
    const [{ fiatIn, fiatOut, ...corridor }] = (await node.api.get('/operator/corridors', { token: admin })).json;
    const save = (key: string) =>
      node.api.call('PUT', `/operator/corridors/${fiatIn}/${fiatOut}`, {
        token: admin,
        key,
        body: { ...corridor, isOpen: !corridor.isOpen },
      });
    const [first, again] = [await save('k'), await save('k')];
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect((await save('other')).json.code).toBe('version_conflict');
    expect(await ownersOfKeys()).toEqual([0]);
  });

  it('is stored with the same merchant as the audit entry of the command', async () => {
    await node.api.post('/operator/merchants', { token: admin, key: 'k', body: { name: 'Created' } });
    const { rows } = await sql.query(
      `SELECT coalesce(merchant_id, 0)::int AS owner FROM changes WHERE action = 'merchant.created'
        ORDER BY id DESC LIMIT 1`,
    );
    expect([rows[0].owner]).toEqual(await ownersOfKeys());
  });
});

describe('a command that takes no key', () => {
  it('refuses one, and does nothing: a merchant’s DELETE', async () => {
    const token = await tokenOf(node, acme);
    const path = '/merchant/webhook/kyc-notification';
    const answer = await node.api.call('DELETE', path, { token, key: 'k' });
    expect(answer.json).toMatchObject({ status: 400, code: 'idempotency_key_not_accepted' });
    expect((await node.api.call('DELETE', path, { token })).status).toBe(200);
  });

  it('refuses one, and does nothing: an operator’s logout', async () => {
    const answer = await node.api.post('/operator/logout', { token: admin, key: 'k' });
    expect(answer.json).toMatchObject({ status: 400, code: 'idempotency_key_not_accepted' });
    expect((await node.api.get('/operator/merchants', { token: admin })).status).toBe(200);
  });

  it('is one of these few', () => {
    const writes = node.service.routes.filter((route) => route.kind === 'command' && route.method !== 'GET');
    const keyless = writes.filter((route) => route.kind === 'command' && !route.idempotency);
    expect(keyless.map(({ operationId }) => operationId).sort()).toEqual([
      'changeOwnPassword',
      'createSandboxMerchant',
      'deleteBeneficiary',
      'deleteKycNotificationUrl',
      'deleteOrderNotificationUrl',
      'deleteUser',
      'deleteView',
      'endWebhookFaults',
      'logIn',
      'logOut',
      'moveClock',
      'moveMerchantClock',
      'revokeToken',
      'withdrawInvitation',
      'withdrawTransferLink',
    ]);
  });

  it('declares its subject otherwise: an operator’s command without one does not compile', () => {
    const described = { operationId: 't', tag: 'T', summary: 'T', method: 'POST', path: '/t' } as const;
    const access = { token: 'operator', role: 'admin' } as const;
    const run = async () => undefined;
    // @ts-expect-error: neither a subject nor `idempotency: false`.
    expect(command({ ...described, access, run }).kind).toBe('command');
  });
});
