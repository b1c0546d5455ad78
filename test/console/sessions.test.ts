/** Signing in to the console, and everything that must end or refuse a session. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { operatorId } from '../../src/ids.js';
import { hashPassword, newOneTimeCode } from '../../src/operators/password.js';
import { SecondFactors } from '../../src/operators/second-factor/second-factors.js';
import { codeOf, stepAt } from '../../src/operators/second-factor/totp.js';
import { changeOperator, getOperator, inviteOperator, recordLogin, setPassword } from '../../src/operators/service.js';
import { OperatorSessions } from '../../src/operators/sessions/service.js';
import { auditRows, bySystem, newOperator, password } from '../harness/access.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { told } from '../harness/users.js';
import { fromBase32, Visitor } from './pages.js';

const database = useTestDatabase();
const running = useService(database);
const { sql } = database;
const visitor = () => new Visitor(() => running.service.url);
const change = <Result>(verb: Parameters<typeof running.service.database.transaction<Result>>[0]) =>
  running.service.database.transaction(verb);

async function signedIn(login: string, role: 'admin' | 'reviewer' | 'viewer' = 'admin'): Promise<Visitor> {
  await newOperator(running.service.database, login, role);
  const browser = visitor();
  await browser.signIn(login);
  return browser;
}

const times = (count: number, text: string) => Array.from({ length: count }, () => text);
const idOf = async (login: string) =>
  (await sql.query('SELECT operator_id FROM operators WHERE login = $1', [login])).rows[0].operator_id;
const isIn = async (browser: Visitor) => (await browser.open('/console/account')).status === 200;

describe('signing in', () => {
  it('answers a new secret in a cookie that no script and no other site gets, whatever the browser sent before', async () => {
    await newOperator(running.service.database, 'fixed', 'admin');
    const browser = visitor();
    browser.cookie = `remesa-session=${'A'.repeat(43)}`;
    const answer = await browser.signIn('fixed');
    expect([answer.status, answer.location]).toEqual([303, '/console']);
    expect(answer.headers.get('set-cookie')).toMatch(/^remesa-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(browser.cookie).not.toContain('AAAA');
    expect(await isIn(browser)).toBe(true);
  });

  it('leads nowhere but to a page of the console', async () => {
    await newOperator(running.service.database, 'led', 'viewer');
    const send = (next: string) => visitor().send('/console/sign-in', { login: 'led', password, next });
    expect((await send('/console/orders?state=FROZEN')).location).toBe('/console/orders?state=FROZEN');
    for (const next of [
      '//evil.example',
      'https://evil.example',
      '/console//evil.example',
      '/consoles',
      '/console/\\evil',
      '',
    ])
      expect((await send(next)).location).toBe('/console');
  });

  it('refuses a wrong password and a form of another site, and begins no session', async () => {
    await newOperator(running.service.database, 'wrong', 'admin');
    const browser = visitor();
    expect((await browser.signIn('wrong', 'not the password')).status).toBe(401);
    const fields = { login: 'wrong', password };
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }, { origin: 'null' }])
      expect((await browser.send('/console/sign-in', fields, headers)).status).toBe(403);
    expect(browser.cookie).toBe('');
  });

  it('exchanges a one-time code for a password, and opens nothing with the code alone', async () => {
    const { code, codeHash } = await newOneTimeCode();
    await change((tx) => inviteOperator(tx, bySystem, { login: 'new', codeHash, role: 'viewer' }));
    const browser = visitor();
    const asked = await browser.signIn('new', code);
    expect(asked.status).toBe(403);
    expect(asked.html).toContain('New password, again');
    const chosen = {
      login: 'new',
      password: code,
      newPassword: 'a password of my own',
      newPasswordAgain: 'a password of my own',
    };
    expect((await browser.send('/console/sign-in', { ...chosen, newPasswordAgain: 'another one' })).status).toBe(400);
    expect((await browser.send('/console/sign-in', chosen)).status).toBe(303);
    expect(await isIn(browser)).toBe(true);
  });
});

describe('a session', () => {
  it.each([
    [
      'the operator is disabled',
      (login: string) => change((tx) => changeOperator(tx, bySystem, login, { status: 'disabled' }, 0)),
    ],
    ['the role changes', (login: string) => change((tx) => changeOperator(tx, bySystem, login, { role: 'viewer' }, 0))],
    [
      'the password is set',
      async (login: string) => {
        const hash = await hashPassword('quite another password');
        await change((tx) => setPassword(tx, bySystem, login, hash));
      },
    ],
    [
      'nothing was asked for 15 minutes',
      () => sql.query(`UPDATE operator_sessions SET last_seen_at = now() - interval '16 minutes'`),
    ],
    ['12 hours are over', () => sql.query(`UPDATE operator_sessions SET expires_at = now() - interval '1 second'`)],
  ])('ends when %s', async (name, end) => {
    const login = `ends.${name.length}`;
    const browser = await signedIn(login);
    expect(await isIn(browser)).toBe(true);
    await end(login);
    const answer = await browser.open('/console/orders?state=FROZEN');
    expect([answer.status, answer.location]).toEqual([
      303,
      '/console/sign-in?next=%2Fconsole%2Forders%3Fstate%3DFROZEN',
    ]);
  });

  it('ends by signing out, which another site cannot do; its cookie then opens nothing', async () => {
    const browser = await signedIn('leaving');
    const { cookie } = browser;
    const { html } = await browser.open('/console/account');
    const formToken = /name="formToken" value="([^"]+)"/.exec(html)?.[1] ?? '';
    expect((await browser.send('/console/sign-out', {})).status).toBe(403);
    expect((await browser.send('/console/sign-out', { formToken }, { origin: 'https://evil.example' })).status).toBe(
      403,
    );
    expect(await isIn(browser)).toBe(true);
    expect((await browser.send('/console/sign-out', { formToken })).status).toBe(303);
    browser.cookie = cookie;
    expect(await isIn(browser)).toBe(false);
    expect((await auditRows(sql, 'operator.session_ended')).length).toBeGreaterThan(0);
  });

  it('is listed in the account, and can be ended from another browser of the same operator only', async () => {
    const first = await signedIn('two');
    const second = visitor();
    await second.signIn('two');
    const other = await signedIn('somebody.else');
    const { html } = await second.open('/console/account');
    const session = /name="session" value="(\d+)"/.exec(html)?.[1] ?? '';
    const own = (page: string) => /name="formToken" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const theirs = own((await other.open('/console/account')).html);
    expect((await other.send('/console/account/sessions', { formToken: theirs, session })).status).toBe(404);
    expect(await isIn(first)).toBe(true);
    expect((await second.send('/console/account/sessions', { formToken: own(html), session })).status).toBe(303);
    expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
  });
});

describe('a password that was right before it was changed', () => {
  it('opens no session, and gives no token', async () => {
    await newOperator(running.service.database, 'late', 'admin');
    const checked = await change(async (tx) => getOperator(tx, operatorId(BigInt(await idOf('late')))));
    const hash = await hashPassword('quite another password');
    await change((tx) => setPassword(tx, bySystem, 'late', hash));
    const browser = { address: '10.0.0.1', name: 'late' };
    const sessions = new OperatorSessions(new SecondFactors(Buffer.alloc(32), systemClock));
    await expect(change((tx) => sessions.begin(tx, 'r-1', checked, browser))).rejects.toMatchObject({
      code: 'unauthorized',
    });
    await expect(change((tx) => recordLogin(tx, bySystem, checked))).rejects.toMatchObject({ code: 'unauthorized' });
    const { rows } = await sql.query(`SELECT last_login_at FROM operators WHERE login = 'late'`);
    expect(rows).toEqual([{ last_login_at: null }]);
  });
});

describe('the second factor', () => {
  it('is set up with a code, asked for at the next sign-in and by the API, and takes no code twice', async () => {
    const browser = await signedIn('factor');
    const page = await browser.open('/console/account/second-factor');
    const fields = Object.fromEntries(
      [...page.html.matchAll(/name="(formToken|secret)" value="([^"]+)"/g)].map(([, name, value]) => [name, value]),
    );
    const secret = fromBase32(/Key: <code data-copy="([A-Z2-7]+)"/.exec(page.html)?.[1] ?? '');
    const step = stepAt(new Date());
    const set = (code: string) =>
      browser.send('/console/account/second-factor', { ...fields, code, ownPassword: password });
    expect((await set('000000')).status).toBe(400);
    expect((await set(codeOf(secret, step - 1))).location).toBe('/console/account?done=second-factor');
    const next = visitor();
    expect((await next.signIn('factor')).location).toBe('/console/sign-in/code?next=%2Fconsole');
    expect(await isIn(next)).toBe(false);
    const { cookie } = next;
    expect((await next.send('/console/sign-in/code', { code: codeOf(secret, step - 1) })).status).toBe(400);
    expect((await next.send('/console/sign-in/code', { code: codeOf(secret, step) })).status).toBe(303);
    expect(next.cookie).not.toBe(cookie);
    expect(await isIn(next)).toBe(true);
    const logIn = (body: object) =>
      running.api.post('/operator/login', { body: { login: 'factor', password, ...body } });
    expect(told(await logIn({}))).toEqual([403, 'second_factor_required']);
    expect(told(await logIn({ code: codeOf(secret, step) }))).toEqual([400, 'invalid_fields']);
    expect((await logIn({ code: codeOf(secret, step + 1) })).status).toBe(200);
    const { rows } = await sql.query(`SELECT second_factor FROM operators WHERE login = 'factor'`);
    expect(rows[0].second_factor.includes(secret)).toBe(false);
    const wrong = (await auditRows(sql, 'operator.login_failed')).filter(
      ({ details }) => (details as { reason: string }).reason === 'wrong_code',
    );
    // One in the console and one over the API: whoever gets so far knows the password.
    expect(wrong.map(({ subject }) => subject)).toEqual(times(2, `operator:${await idOf('factor')}`));
  });
});
