import { beforeAll, describe, expect, it } from 'vitest';
import { changeOperator } from '../../src/operators/service.js';
import {
  auditRows,
  bySystem,
  logIn,
  newMerchant,
  newOperator,
  oneInstance,
  operatorToken,
  password,
  type Running,
  startNode,
  stopNodesAfterAll,
  tokenOf,
} from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { useTestDatabase } from '../harness/test-database.js';

stopNodesAfterAll();
const { url, sql } = useTestDatabase();
let one: Running;
let two: Running;
let adminId: number;
let admin: string;

beforeAll(async () => {
  one = await startNode(url, { settings: oneInstance });
  two = await startNode(url, { settings: oneInstance });
  adminId = await newOperator(one.service.database, 'root.admin', 'admin');
  admin = await operatorToken(one, 'root.admin');
});

const create = (body: object) => one.api.post('/operator/operators', { token: admin, body });
const change = (login: string, body: object, token = admin) =>
  one.api.call('PATCH', `/operator/operators/${login}`, { token, body });
const statusesOf = (token: string, path = '/operator/merchants') =>
  Promise.all([one, two].map(async (node) => (await node.api.get(path, { token })).status));
const ends = (token: string) =>
  eventually(async () => (await statusesOf(token)).every((status) => status === 401), {
    withinMs: 5_000,
    what: 'the end of the open token on both nodes',
  });
const operatorNumber = async (login: string) =>
  Number((await sql.query('SELECT operator_id FROM operators WHERE login = $1', [login])).rows[0].operator_id);

describe('an operator account', () => {
  it('is created by an admin and works at once', async () => {
    const answer = await create({ login: 'new.person', password, role: 'reviewer' });
    expect(answer.json).toEqual({
      login: 'new.person',
      role: 'reviewer',
      status: 'active',
      createdAt: expect.any(String),
    });
    const loggedIn = await logIn(one, 'new.person');
    expect(loggedIn.json).toEqual({ accessToken: expect.any(String), expiresIn: 3600, role: 'reviewer' });
    expect((await one.api.get('/notes/operated', { token: loggedIn.json.accessToken })).status).toBe(200);
    expect((await auditRows(sql, 'operator.created')).at(-1)).toMatchObject({
      actor: `operator:${adminId}`,
      subject: `operator:${await operatorNumber('new.person')}`,
      from_state: null,
      to_state: 'active',
      details: { role: 'reviewer' },
    });
  });

  it('stores its password only as a salted Argon2id hash with 19 MiB and two passes', async () => {
    await create({ login: 'twin.one', password, role: 'viewer' });
    await create({ login: 'twin.two', password, role: 'viewer' });
    const { rows } = await sql.query<{ password_hash: string }>(
      `SELECT password_hash FROM operators WHERE login LIKE 'twin.%'`,
    );
    expect(rows).toHaveLength(2);
    for (const { password_hash: hash } of rows)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(new Set(rows.map((row) => row.password_hash)).size).toBe(rows.length);
    const audited = JSON.stringify((await sql.query('SELECT * FROM changes')).rows);
    expect(audited).not.toContain(password);
    expect(one.logText()).not.toContain(password);
  });

  it('is listed without its password hash', async () => {
    const answer = await one.api.get('/operator/operators', { token: admin });
    expect(answer.json.find(({ login }: { login: string }) => login === 'root.admin')).toEqual({
      login: 'root.admin',
      role: 'admin',
      status: 'active',
      createdAt: expect.any(String),
    });
    expect(answer.text).not.toMatch(/argon|hash|password/);
  });

  it('is not created twice with one login, and the first does not change', async () => {
    await create({ login: 'taken', password, role: 'viewer' });
    const answer = await create({ login: 'taken', password: 'another password', role: 'admin' });
    expect(answer.json).toMatchObject({ status: 409, code: 'login_taken' });
    expect((await logIn(one, 'taken')).json.role).toBe('viewer');
  });

  it.each([
    [{ login: 'Upper', password, role: 'viewer' }, 'login'],
    [{ login: 'a', password, role: 'viewer' }, 'login'],
    [{ login: 'with space', password, role: 'viewer' }, 'login'],
    [{ login: 'short', password: 'eleven char', role: 'viewer' }, 'password'],
    [{ login: 'long', password: 'x'.repeat(257), role: 'viewer' }, 'password'],
    [{ login: 'role', password, role: 'root' }, 'role'],
    [{ login: 'more', password, role: 'viewer', operatorId: 1 }, 'operatorId'],
  ])('is refused when a field is invalid: %j', async (body, field) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.json.errors.map((fault: { field: string }) => fault.field)).toEqual([field]);
  });

  it('that does not exist is answered with 404', async () => {
    expect((await change('nobody', { role: 'viewer' })).json).toMatchObject({
      status: 404,
      code: 'operator_not_found',
    });
  });
});

describe('a change ends open tokens within 5 s on every node, and a new login works at once', () => {
  it('of the role, which the next login gets', async () => {
    await newOperator(one.service.database, 'promoted', 'viewer');
    const token = await operatorToken(two, 'promoted');
    expect(await statusesOf(token)).toEqual([200, 200]);
    const answer = await change('promoted', { role: 'admin' });
    expect(answer.json).toMatchObject({ login: 'promoted', role: 'admin', status: 'active' });
    await ends(token);
    const fresh = await operatorToken(one, 'promoted');
    expect(await statusesOf(fresh, '/operator/operators')).toEqual([200, 200]);
    expect((await auditRows(sql, 'operator.changed')).at(-1)).toMatchObject({
      actor: `operator:${adminId}`,
      subject: `operator:${await operatorNumber('promoted')}`,
      from_state: 'active viewer',
      to_state: 'active admin',
    });
  });

  it('of the status: a disabled account cannot log in, and gets the same answer as a wrong password', async () => {
    await newOperator(one.service.database, 'disabled', 'viewer');
    const token = await operatorToken(one, 'disabled');
    expect(await statusesOf(token)).toEqual([200, 200]);
    await change('disabled', { status: 'disabled' });
    await ends(token);
    const refused = await logIn(one, 'disabled');
    const unknown = await logIn(one, 'nobody.here');
    expect(refused.status).toBe(401);
    expect({ ...refused.json, requestId: '' }).toEqual({ ...unknown.json, requestId: '' });
    await change('disabled', { status: 'active' });
    expect(await statusesOf(token)).toEqual([401, 401]);
    const fresh = await operatorToken(one, 'disabled');
    await eventually(async () => (await statusesOf(fresh)).every((status) => status === 200));
  });

  it('of the password: the old one is refused', async () => {
    await newOperator(one.service.database, 'forgetful', 'viewer');
    const token = await operatorToken(one, 'forgetful');
    expect(await statusesOf(token)).toEqual([200, 200]);
    await change('forgetful', { password: 'a whole new password' });
    await ends(token);
    expect((await logIn(one, 'forgetful')).status).toBe(401);
    const fresh = (await logIn(one, 'forgetful', 'a whole new password')).json.accessToken;
    expect(await statusesOf(fresh)).toEqual([200, 200]);
    expect((await auditRows(sql, 'operator.password_set')).at(-1)).toMatchObject({
      actor: `operator:${adminId}`,
      subject: `operator:${await operatorNumber('forgetful')}`,
    });
  });

  it('also several times within one second: each change ends the tokens issued before it', async () => {
    await newOperator(one.service.database, 'restless', 'viewer');
    for (const role of ['reviewer', 'viewer', 'reviewer'] as const) {
      await change('restless', { role });
      const token = await operatorToken(one, 'restless');
      expect((await one.api.get('/operator/merchants', { token })).status).toBe(200);
      await change('restless', { role });
      await ends(token);
    }
  });
});

describe('a logout', () => {
  const logOut = (token: string) => two.api.post('/operator/logout', { token });

  it('ends the token that it was sent with, on every node within 5 s, and no other login', async () => {
    const id = await newOperator(one.service.database, 'leaving', 'viewer');
    const token = await operatorToken(one, 'leaving');
    const other = await operatorToken(one, 'leaving');
    expect(await statusesOf(token)).toEqual([200, 200]);
    const answer = await logOut(token);
    expect([answer.status, answer.text]).toEqual([200, '']);
    await ends(token);
    expect(await statusesOf(other)).toEqual([200, 200]);
    expect((await logOut(token)).status).toBe(401);
    expect(await auditRows(sql, 'operator.logged_out')).toMatchObject([
      { actor: `operator:${id}`, subject: `operator:${id}` },
    ]);
  });
});

describe('the last active admin', () => {
  it.each([{ role: 'viewer' }, { role: 'reviewer' }, { status: 'disabled' }])(
    'can not be taken away: %j',
    async (body) => {
      await sql.query("UPDATE operators SET role = 'viewer' WHERE role = 'admin' AND login <> 'root.admin'");
      const answer = await change('root.admin', body);
      expect(answer.json).toMatchObject({ status: 409, code: 'last_admin' });
      const { rows } = await sql.query("SELECT role, status FROM operators WHERE login = 'root.admin'");
      expect(rows).toEqual([{ role: 'admin', status: 'active' }]);
      expect((await one.api.get('/operator/operators', { token: admin })).status).toBe(200);
    },
  );

  it('cannot be removed when all other admins are disabled', async () => {
    await newOperator(one.service.database, 'spare', 'admin');
    await change('spare', { status: 'disabled' });
    expect((await change('root.admin', { role: 'viewer' })).json.code).toBe('last_admin');
  });

  it('remains when two admins remove each other at the same moment', async () => {
    for (const round of [1, 2, 3, 4, 5]) {
      const [left, right] = [`left.${round}`, `right.${round}`];
      await newOperator(one.service.database, left, 'admin');
      await newOperator(one.service.database, right, 'admin');
      await sql.query("UPDATE operators SET role = 'viewer' WHERE role = 'admin' AND login NOT IN ($1, $2)", [
        left,
        right,
      ]);
      const disable = (node: Running, login: string) =>
        node.service.database.transaction((tx) => changeOperator(tx, bySystem, login, { status: 'disabled' }));
      const outcomes = await Promise.allSettled([disable(one, left), disable(two, right)]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const { rows } = await sql.query("SELECT 1 FROM operators WHERE role = 'admin' AND status = 'active'");
      expect(rows).toHaveLength(1);
    }
    await sql.query("UPDATE operators SET role = 'admin' WHERE login = 'root.admin'");
  });
});

describe('operators and merchants', () => {
  it('have tokens with different audiences: neither works on the routes of the other', async () => {
    const acme = await newMerchant(one.service.database, 'acme');
    const merchant = await tokenOf(one, acme);
    await newOperator(one.service.database, 'watcher', 'viewer');
    const operator = await operatorToken(one, 'watcher');
    expect(await statusesOf(operator)).toEqual([200, 200]);
    expect(await statusesOf(merchant, '/notes/empty')).toEqual([200, 200]);
    expect(await statusesOf(operator, '/notes/empty')).toEqual([401, 401]);
    expect(await statusesOf(merchant)).toEqual([401, 401]);
  });

  it('have one audit entry with the operator’s id for every operator action', async () => {
    const id = await newOperator(one.service.database, 'doer', 'admin');
    const token = await operatorToken(one, 'doer');
    const act = (method: string, path: string, body?: object) =>
      one.api.call(method, path, { token, ...(body ? { body } : {}) });
    const done = [
      await act('POST', '/operator/merchants', { clientId: 'audited', name: 'Audited' }),
      await act('PATCH', '/operator/merchants/audited', { name: 'Audited Ltd' }),
      await act('POST', '/operator/merchants/audited/suspend'),
      await act('POST', '/operator/merchants/audited/resume'),
      await act('POST', '/operator/merchants/audited/rotate-secret', {}),
      await act('POST', '/operator/operators', { login: 'audited', password, role: 'viewer' }),
      await act('PATCH', '/operator/operators/audited', { role: 'reviewer' }),
      await act('POST', '/operator/keys/rotate', {}),
    ];
    expect(done.map(({ status }) => status)).toEqual(done.map(() => 200));
    const rows = (await auditRows(sql, '%')).filter(({ actor }) => actor === `operator:${id}`);
    expect(rows.map(({ action }) => action)).toEqual([
      'operator.logged_in',
      'merchant.created',
      'merchant.updated',
      'merchant.suspended',
      'merchant.resumed',
      'merchant.secret_rotated',
      'operator.created',
      'operator.changed',
      'keys.rotated',
    ]);
  });
});
