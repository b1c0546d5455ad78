import { beforeAll, describe, expect, it } from 'vitest';
import { changeOperator } from '../../src/operators/service.js';
import {
  auditRows,
  bySystem,
  logIn,
  newMerchant,
  newOperator,
  operatorToken,
  password,
  type Running,
  tokenOf,
  useNodes,
} from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { told } from '../harness/users.js';

const { sql, startNode } = useNodes();
let one: Running;
let two: Running;
let adminId: number;
let admin: string;

beforeAll(async () => {
  one = await startNode();
  two = await startNode();
  adminId = await newOperator(one.service.database, 'root.admin', 'admin');
  admin = await operatorToken(one, 'root.admin');
});

/** What is shown of an operator. */
const listed = {
  login: 'root.admin',
  role: 'admin',
  status: 'active',
  createdAt: expect.any(String),
  hasChosenPassword: true,
  lastLoginAt: expect.any(String),
  failedLogins: 0,
  lastFailedAt: null,
};
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
  it('is created by an admin and works once its person has exchanged the one-time code for a password', async () => {
    const answer = await create({ login: 'new.person', role: 'reviewer' });
    const { oneTimeCode, codeExpiresAt } = answer.json;
    expect(answer.json).toEqual({
      ...{ ...listed, login: 'new.person', role: 'reviewer', hasChosenPassword: false },
      ...{ lastLoginAt: null, oneTimeCode: expect.stringMatching(/^[\w-]{20}$/), codeExpiresAt: expect.any(String) },
    });
    const left = Date.parse(codeExpiresAt) - Date.now();
    expect(left).toBeGreaterThan(23.9 * 3_600_000);
    expect(left).toBeLessThan(24.1 * 3_600_000);
    expect(told(await logIn(one, 'new.person', oneTimeCode))).toEqual([403, 'password_required']);
    const exchange = (newPassword: string) =>
      one.api.post('/operator/login', { body: { login: 'new.person', password: oneTimeCode, newPassword } });
    expect(told(await exchange(oneTimeCode))).toEqual([400, 'invalid_fields']);
    // Whoever is first has the account.
    const answers = await Promise.all([exchange(password), exchange(`${password}!`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const chosen = answers[0]?.status === 200 ? password : `${password}!`;
    expect(told(await exchange('a third password'))).toEqual([401, 'unauthorized']);
    const loggedIn = await logIn(one, 'new.person', chosen);
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

  it('stores its password and its code only as salted Argon2id hashes with 19 MiB and two passes', async () => {
    const codes = [];
    for (const login of ['twin.one', 'twin.two']) {
      const { oneTimeCode } = (await create({ login, role: 'viewer' })).json;
      codes.push(oneTimeCode);
      if (login === 'twin.one')
        await one.api.post('/operator/login', { body: { login, password: oneTimeCode, newPassword: password } });
    }
    const { rows } = await sql.query<{ password_hash: string }>(
      `SELECT password_hash FROM operators WHERE login LIKE 'twin.%'`,
    );
    expect(rows).toHaveLength(2);
    for (const { password_hash: hash } of rows)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(new Set(rows.map((row) => row.password_hash)).size).toBe(rows.length);
    const audited = JSON.stringify((await sql.query('SELECT * FROM changes')).rows);
    for (const secret of [password, ...codes]) {
      expect(audited).not.toContain(secret);
      expect(one.logText()).not.toContain(secret);
    }
  });

  it('is listed without its password hash', async () => {
    const answer = await one.api.get('/operator/operators', { token: admin });
    expect(answer.json.find(({ login }: { login: string }) => login === 'root.admin')).toEqual(listed);
    expect(answer.text).not.toMatch(/argon|hash|code/);
    expect((await one.api.get('/operator/me', { token: admin })).json).toEqual(listed);
  });

  it('shows when it was last used, and what failed since', async () => {
    await newOperator(one.service.database, 'seen', 'viewer');
    const token = await operatorToken(one, 'seen');
    for (const _ of [1, 2]) await logIn(one, 'seen', 'not the password');
    const { json } = await one.api.get('/operator/me', { token });
    expect(json).toMatchObject({ failedLogins: 2, lastLoginAt: expect.any(String), lastFailedAt: expect.any(String) });
    await operatorToken(one, 'seen');
    expect((await one.api.get('/operator/me', { token })).json).toMatchObject({ failedLogins: 0 });
  });

  it('is not created twice with one login, and the first does not change', async () => {
    const { oneTimeCode } = (await create({ login: 'taken', role: 'viewer' })).json;
    const answer = await create({ login: 'taken', role: 'admin' });
    expect(answer.json).toMatchObject({ status: 409, code: 'login_taken' });
    const body = { login: 'taken', password: oneTimeCode, newPassword: password };
    expect((await one.api.post('/operator/login', { body })).json.role).toBe('viewer');
  });

  it.each([
    [{ login: 'Upper', role: 'viewer' }, 'login'],
    [{ login: 'a', role: 'viewer' }, 'login'],
    [{ login: 'with space', role: 'viewer' }, 'login'],
    [{ login: 'chosen', role: 'viewer', password }, 'password'],
    [{ login: 'role', role: 'root' }, 'role'],
    [{ login: 'more', role: 'viewer', operatorId: 1 }, 'operatorId'],
  ])('is refused when a field is invalid: %j', async (body, field) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.json.errors.map((fault: { field: string }) => fault.field)).toEqual([field]);
  });

  it('is answered with 404 when it does not exist', async () => {
    expect((await change('nobody', { role: 'viewer' })).json).toMatchObject({
      status: 404,
      code: 'operator_not_found',
    });
  });
});

describe('a change of an operator, on every node within 5 s, with a new login at once,', () => {
  it('ends open tokens when the role changes, and the next login gets the new one', async () => {
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

  it('ends open tokens when the status changes: a disabled account cannot log in, and gets the same answer as a wrong password', async () => {
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

  it('ends open tokens when operators change their own passwords: the old one is refused', async () => {
    await newOperator(one.service.database, 'careful', 'viewer');
    const token = await operatorToken(one, 'careful');
    expect(await statusesOf(token)).toEqual([200, 200]);
    const choose = (currentPassword: string, newPassword: string) =>
      one.api.post('/operator/me/password', { token, body: { currentPassword, newPassword } });
    expect(told(await choose('not the password', 'a whole new password'))).toEqual([403, 'password_wrong']);
    expect(told(await choose(password, 'eleven char'))).toEqual([400, 'invalid_fields']);
    expect(told(await choose(password, password))).toEqual([400, 'invalid_fields']);
    expect((await choose(password, 'a whole new password')).status).toBe(200);
    await ends(token);
    expect((await logIn(one, 'careful')).status).toBe(401);
    const fresh = (await logIn(one, 'careful', 'a whole new password')).json.accessToken;
    expect(await statusesOf(fresh)).toEqual([200, 200]);
    const id = await operatorNumber('careful');
    expect((await auditRows(sql, 'operator.password_chosen')).at(-1)).toMatchObject({
      ...{ actor: `operator:${id}`, subject: `operator:${id}` },
    });
  });

  it('guesses the current password as rarely as at the login', async () => {
    await newOperator(one.service.database, 'stolen.token', 'viewer');
    const token = await operatorToken(one, 'stolen.token');
    const guess = async () => {
      const body = { currentPassword: 'not the password', newPassword: 'a whole new password' };
      return told(await one.api.post('/operator/me/password', { token, body }));
    };
    const wrong = await Promise.all([1, 2, 3, 4, 5].map(guess));
    expect(wrong).toEqual(wrong.map(() => [403, 'password_wrong']));
    expect(await guess()).toEqual([429, 'rate_limited']);
  });

  it('ends open tokens when the password is reset: a one-time code takes its place for 24 hours', async () => {
    await newOperator(one.service.database, 'forgetful', 'viewer');
    const token = await operatorToken(one, 'forgetful');
    expect(await statusesOf(token)).toEqual([200, 200]);
    const reset = async (): Promise<string> =>
      (await one.api.post('/operator/operators/forgetful/reset-password', { token: admin })).json.oneTimeCode;
    const first = await reset();
    await ends(token);
    expect((await logIn(one, 'forgetful')).status).toBe(401);
    const exchange = (code: string) =>
      one.api.post('/operator/login', { body: { login: 'forgetful', password: code, newPassword: 'a new password' } });
    await sql.query(`UPDATE operators SET code_expires_at = now() WHERE login = 'forgetful'`);
    expect(told(await exchange(first))).toEqual([403, 'code_expired']);
    const second = await reset();
    expect((await exchange(first)).status).toBe(401);
    expect((await exchange(second)).status).toBe(200);
    expect((await auditRows(sql, 'operator.code_issued')).at(-1)).toMatchObject({
      ...{ actor: `operator:${adminId}`, subject: `operator:${await operatorNumber('forgetful')}` },
    });
  });

  it('ends the tokens issued before it, also several times within one second', async () => {
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
  it.each([{ role: 'viewer' }, { role: 'reviewer' }, { status: 'disabled' }] as const)(
    'cannot be taken away, neither alone nor by the command line: %j',
    async (body) => {
      await sql.query("UPDATE operators SET role = 'viewer' WHERE role = 'admin' AND login <> 'root.admin'");
      expect(told(await change('root.admin', body))).toEqual([409, 'own_account']);
      const { database } = one.service;
      const byCommand = database.transaction((tx) => changeOperator(tx, bySystem, 'root.admin', body));
      await expect(byCommand).rejects.toThrow('last_admin');
      const { rows } = await sql.query("SELECT role, status FROM operators WHERE login = 'root.admin'");
      expect(rows).toEqual([{ role: 'admin', status: 'active' }]);
      expect((await one.api.get('/operator/operators', { token: admin })).status).toBe(200);
    },
  );

  it('is not counted twice: neither disabled admins nor those who have not chosen a password remain instead', async () => {
    await newOperator(one.service.database, 'spare', 'admin');
    await change('spare', { status: 'disabled' });
    await create({ login: 'invited', role: 'admin' });
    const { database } = one.service;
    const demoted = database.transaction((tx) => changeOperator(tx, bySystem, 'root.admin', { role: 'viewer' }));
    await expect(demoted).rejects.toThrow('last_admin');
    expect((await change('invited', { role: 'viewer' })).status).toBe(200);
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
      await act('POST', '/operator/operators', { login: 'audited', role: 'viewer' }),
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
      'operator.code_issued',
      'operator.changed',
      'keys.rotated',
    ]);
  });
});
