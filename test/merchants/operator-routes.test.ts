import { beforeAll, describe, expect, it } from 'vitest';
import {
  askToken,
  auditRows,
  newMerchant,
  newOperator,
  operatorToken,
  type Running,
  statusOf,
  tokenOf,
  useNodes,
} from '../harness/access.js';
import { eventually } from '../harness/eventually.js';

const { sql, startNode } = useNodes();
let node: Running;
let adminId: number;
let admin: string;
let viewer: string;
let reviewer: string;

beforeAll(async () => {
  node = await startNode();
  adminId = await newOperator(node.service.database, 'ana', 'admin');
  await newOperator(node.service.database, 'vic', 'viewer');
  await newOperator(node.service.database, 'rae', 'reviewer');
  [admin, viewer, reviewer] = (await Promise.all(['ana', 'vic', 'rae'].map((login) => operatorToken(node, login)))) as [
    string,
    string,
    string,
  ];
});

const path = (clientId: string, verb = '') => `/operator/merchants/${clientId}${verb && `/${verb}`}`;
const lastAudit = async (action: string) => (await auditRows(sql, action)).at(-1);
const merchantNumber = async (clientId: string) =>
  Number((await sql.query('SELECT merchant_id FROM merchants WHERE client_id = $1', [clientId])).rows[0].merchant_id);

describe('an admin', () => {
  it('creates a merchant, who can call at once; the secret is only in the answer', async () => {
    const body = { clientId: 'new-one', name: 'New One' };
    const answer = await node.api.post('/operator/merchants', {
      token: admin,
      body,
      headers: { 'x-request-id': 'made-1' },
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      clientId: 'new-one',
      clientSecret: expect.stringMatching(/^rms_[\w-]{43}$/),
    });
    expect(await statusOf(node, await tokenOf(node, answer.json))).toBe(200);
    expect(await lastAudit('merchant.created')).toEqual({
      actor: `operator:${adminId}`,
      action: 'merchant.created',
      subject: `merchant:${await merchantNumber('new-one')}`,
      from_state: null,
      to_state: 'active',
      details: {},
      request_id: 'made-1',
      approver: null,
      approval_id: null,
    });
  });

  it('gets a generated client id when none is sent', async () => {
    const answer = await node.api.post('/operator/merchants', { token: admin, body: { name: 'Nameless' } });
    expect(answer.json.clientId).toMatch(/^client_[0-9a-f]{18}$/);
    expect((await askToken(node, answer.json)).status).toBe(200);
  });

  it('cannot create a second merchant with a client id that is taken, and the first keeps its secret', async () => {
    const first = await newMerchant(node.service.database, 'taken');
    const body = { clientId: 'taken', name: 'Another' };
    const answer = await node.api.post('/operator/merchants', { token: admin, body });
    expect(answer.json).toMatchObject({ status: 409, code: 'client_id_taken' });
    expect((await askToken(node, first)).status).toBe(200);
    const { rows } = await sql.query("SELECT name FROM merchants WHERE client_id = 'taken'");
    expect(rows).toEqual([{ name: 'The merchant taken' }]);
  });

  it.each([
    [{ name: 'x', clientId: 'UPPER' }, 'clientId'],
    [{ name: 'x', clientId: 'a' }, 'clientId'],
    [{ name: '' }, 'name'],
    [{ name: 'x', allowedOrigins: ['https://a.example/path'] }, 'allowedOrigins.0'],
    [{ name: 'x', allowedOrigins: ['javascript:alert(1)'] }, 'allowedOrigins.0'],
    [{ name: 'x', redirectUrls: ['ftp://a.example'] }, 'redirectUrls.0'],
    [{ name: 'x', branding: { color: 'red' } }, 'branding.color'],
    [{ name: 'x', status: 'suspended' }, 'status'],
    [{ name: 'x', merchantId: 1 }, 'merchantId'],
  ])('gets the fault of %j', async (body, field) => {
    const answer = await node.api.post('/operator/merchants', { token: admin, body });
    expect(answer.status).toBe(400);
    expect(answer.json.errors.map((fault: { field: string }) => fault.field)).toEqual([field]);
  });

  it('changes only the fields that are sent; the audit log has their values before and after, without the branding', async () => {
    await newMerchant(node.service.database, 'changed');
    const before = (await node.api.get(path('changed'), { token: admin })).json;
    const change = {
      name: 'Changed Name',
      allowedOrigins: ['https://shop.example'],
      redirectUrls: ['https://shop.example/done'],
      branding: { color: '#123abc', supportEmail: 'help@shop.example' },
    };
    const answer = await node.api.call('PATCH', path('changed'), { token: admin, body: change });
    expect(answer.json).toEqual({ ...before, ...change });
    expect((await node.api.get(path('changed'), { token: viewer })).json).toEqual({ ...before, ...change });
    const audited = await lastAudit('merchant.updated');
    expect(audited).toMatchObject({
      actor: `operator:${adminId}`,
      details: {
        fields: ['allowedOrigins', 'branding', 'name', 'redirectUrls'],
        before: { name: 'The merchant changed', allowedOrigins: [], redirectUrls: [] },
        after: {
          name: 'Changed Name',
          allowedOrigins: ['https://shop.example'],
          redirectUrls: ['https://shop.example/done'],
        },
      },
    });
    expect(JSON.stringify(audited)).not.toContain('help@');
  });

  it('changes nothing by an empty change', async () => {
    await newMerchant(node.service.database, 'unchanged');
    const before = (await node.api.get(path('unchanged'), { token: admin })).json;
    const answer = await node.api.call('PATCH', path('unchanged'), { token: admin, body: {} });
    expect([answer.status, answer.json]).toEqual([200, before]);
  });

  it('suspends and resumes a merchant, with one audit entry each', async () => {
    const acme = await newMerchant(node.service.database, 'on-and-off');
    const token = await tokenOf(node, acme);
    const act = (verb: string) => node.api.post(path('on-and-off', verb), { token: admin });
    expect((await act('suspend')).json.status).toBe('suspended');
    expect((await act('suspend')).json.status).toBe('suspended');
    await eventually(async () => (await statusOf(node, token)) === 401, { withinMs: 5_000 });
    expect((await act('resume')).json.status).toBe('active');
    await eventually(async () => (await statusOf(node, token)) === 200, { withinMs: 5_000 });
    const subject = `merchant:${acme.merchant}`;
    const rows = [...(await auditRows(sql, 'merchant.suspended')), ...(await auditRows(sql, 'merchant.resumed'))];
    expect(rows.filter((row) => row.subject === subject)).toMatchObject([
      {
        actor: `operator:${adminId}`,
        action: 'merchant.suspended',
        from_state: 'active',
        to_state: 'suspended',
      },
      {
        actor: `operator:${adminId}`,
        action: 'merchant.resumed',
        from_state: 'suspended',
        to_state: 'active',
      },
    ]);
  });

  it('rotates a secret: two are valid, or only the new one with endOthers', async () => {
    const acme = await newMerchant(node.service.database, 'rotated');
    const rotate = async (body: object) =>
      (await node.api.post(path('rotated', 'rotate-secret'), { token: admin, body })).json;
    const second = await rotate({});
    expect([(await askToken(node, acme)).status, (await askToken(node, second)).status]).toEqual([200, 200]);
    const third = await rotate({ endOthers: true });
    expect([
      (await askToken(node, acme)).status,
      (await askToken(node, second)).status,
      (await askToken(node, third)).status,
    ]).toEqual([401, 401, 200]);
    expect(await lastAudit('merchant.secret_rotated')).toMatchObject({
      actor: `operator:${adminId}`,
      details: { endOthers: true },
    });
    const written = JSON.stringify((await sql.query('SELECT * FROM changes')).rows) + node.logText();
    for (const { clientSecret } of [acme, second, third]) expect(written).not.toContain(clientSecret);
  });

  it('ends one secret at once, with all tokens, and the merchant is told of it and of each rotation', async () => {
    const acme = await newMerchant(node.service.database, 'leaky');
    const token = await tokenOf(node, acme);
    const second = (await node.api.post(path('leaky', 'rotate-secret'), { token: admin, body: {} })).json;
    const own = (await node.api.get('/merchant/secrets', { token })).json;
    expect(own).toEqual((await node.api.get(path('leaky', 'secrets'), { token: viewer })).json);
    const [newest, oldest] = own.secrets;
    expect(Date.parse(newest.createdAt)).toBeGreaterThan(Date.parse(oldest.createdAt));
    const end = (secretId: string) => node.api.post(path('leaky', `secrets/${secretId}/end`), { token: admin });
    const left = { clientId: 'leaky', secrets: [newest] };
    expect((await end(oldest.secretId)).json).toEqual(left);
    expect([(await askToken(node, acme)).status, (await askToken(node, second)).status]).toEqual([401, 200]);
    await eventually(async () => (await statusOf(node, token)) === 401, { withinMs: 5_000 });
    expect((await end(oldest.secretId)).json).toMatchObject({ status: 404, code: 'merchant_secret_not_found' });
    const fresh = await tokenOf(node, second);
    const events = await eventually(async () => {
      const { json } = await node.api.get('/events?channel=order', { token: fresh });
      return json.length === 2 && json;
    });
    expect(events.map(({ type, data }: { type: string; data: { object: object } }) => [type, data.object])).toEqual([
      ['merchant.secret_rotated', own],
      ['merchant.secret_ended', left],
    ]);
    expect(JSON.stringify(events)).not.toContain(second.clientSecret);
  });

  it('gets the same secret again with the same key, so that a lost answer ends no secret in use', async () => {
    const inUse = await newMerchant(node.service.database, 'lost-answer');
    const rotate = (key?: string) =>
      node.api.post(path('lost-answer', 'rotate-secret'), {
        token: admin,
        body: {},
        ...(key ? { key } : {}),
      });
    const [first, again] = [await rotate('one-key'), await rotate('one-key')];
    expect(again.text).toBe(first.text);
    expect([(await askToken(node, inUse)).status, (await askToken(node, first.json)).status]).toEqual([200, 200]);
    expect((await rotate('another-key')).json.clientSecret).not.toBe(first.json.clientSecret);
    expect((await rotate()).json.clientSecret).not.toBe(first.json.clientSecret);
    const stored = await sql.query('SELECT answer FROM idempotency_keys WHERE merchant_id = $1', [inUse.merchant]);
    expect(stored.rows).toHaveLength(2);
    expect(JSON.stringify(stored.rows)).not.toContain(first.json.clientSecret);
  });

  it('creates one merchant with one key, and gets its secret again', async () => {
    const create = () =>
      node.api.post('/operator/merchants', { token: admin, body: { name: 'Once' }, key: 'create-once' });
    const [first, again] = [await create(), await create()];
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await askToken(node, first.json)).status).toBe(200);
    expect((await sql.query(`SELECT 1 FROM merchants WHERE name = 'Once'`)).rowCount).toBe(1);
  });

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['POST', 'suspend'],
    ['POST', 'resume'],
    ['POST', 'rotate-secret'],
  ])('gets 404 for an unknown merchant: %s %s', async (method, verb) => {
    const takesBody = method === 'PATCH' || verb === 'rotate-secret';
    for (const clientId of ['nobody', 'ab%20c', '..%2f..', 'x'.repeat(150)]) {
      const answer = await node.api.call(method, path(clientId, verb), {
        token: admin,
        ...(takesBody ? { body: {} } : {}),
      });
      expect(answer.json).toMatchObject({ status: 404, code: 'merchant_not_found' });
    }
  });
});

describe('an operator without the role admin', () => {
  it('sees merchants without their secrets', async () => {
    for (const token of [viewer, reviewer]) {
      const all = await node.api.get('/operator/merchants', { token });
      const demo = all.json.find((merchant: { clientId: string }) => merchant.clientId === 'demo');
      expect(Object.keys(demo).sort()).toEqual([
        'allowedOrigins',
        'branding',
        'clientId',
        'createdAt',
        'name',
        'notifySenders',
        'redirectUrls',
        'status',
      ]);
      expect((await node.api.get(path('demo'), { token })).json).toEqual(demo);
      expect(all.text).not.toMatch(/secret|hash/i);
    }
  });

  it.each([
    ['POST', '/operator/merchants', { name: 'Sneaked in', clientId: 'sneaked' }],
    ['PATCH', '/operator/merchants/demo', { name: 'Sneaked' }],
    ['POST', '/operator/merchants/demo/suspend', undefined],
    ['POST', '/operator/merchants/demo/resume', undefined],
    ['POST', '/operator/merchants/demo/rotate-secret', {}],
  ])('changes nothing: %s %s', async (method, address, body) => {
    const before = (await sql.query('SELECT * FROM merchants ORDER BY 1')).rows;
    const audited = (await auditRows(sql, '%')).length;
    for (const token of [viewer, reviewer]) {
      const answer = await node.api.call(method, address, { token, ...(body ? { body } : {}) });
      expect(answer.json).toMatchObject({ status: 403, code: 'role_missing', requiredRole: 'admin' });
    }
    expect((await sql.query('SELECT * FROM merchants ORDER BY 1')).rows).toEqual(before);
    expect((await auditRows(sql, '%')).length).toBe(audited);
  });
});
