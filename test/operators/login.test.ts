import { beforeAll, describe, expect, it } from 'vitest';
import { FailedLogins } from '../../src/operators/failed-logins.js';
import { hashPassword } from '../../src/operators/password.js';
import { auditRows, newOperator, password, type Running, useNodes } from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { silentLog } from '../harness/silent-log.js';
import { headerOf, payloadOf } from '../tokens/forge.js';

const { database, sql, startNode } = useNodes();
let node: Running;

beforeAll(async () => {
  node = await startNode({ settings: { TRUST_PROXY: 'true' } });
});

const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const logInFrom = (address: string, login: string, given = password): Promise<Answer> =>
  node.api.post('/operator/login', {
    body: { login, password: given },
    headers: { 'x-forwarded-for': address, 'x-request-id': 'r-1' },
  });
const shown = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== 'date'),
});

describe('a failed login', () => {
  const failures = async (address: string) =>
    (await auditRows(sql, 'operator.login_failed')).filter(
      ({ details }) => (details as { address?: string }).address === address,
    );

  it('is in the audit log with the operator, the address and the reason, without the password', async () => {
    const id = await newOperator(node.service.database, 'audited', 'viewer');
    await logInFrom('10.8.0.1', 'audited', 'the-wrong-password');
    await logInFrom('10.8.0.1', 'a-password-typed-here', 'the-wrong-password');
    await sql.query("UPDATE operators SET status = 'disabled' WHERE login = 'audited'");
    await logInFrom('10.8.0.1', 'audited');
    const failed = { actor: 'system:login', request_id: 'r-1' };
    expect(await failures('10.8.0.1')).toMatchObject([
      { ...failed, subject: `operator:${id}`, details: { reason: 'wrong_password' } },
      { ...failed, subject: 'operator:unknown', details: { reason: 'unknown_login' } },
      { ...failed, subject: `operator:${id}`, details: { reason: 'account_disabled' } },
    ]);
    const all = JSON.stringify((await sql.query('SELECT * FROM changes')).rows);
    expect(all).not.toMatch(/the-wrong-password|a-password-typed-here/);
  });

  it('is recorded once more after too many from one address, and then not again', async () => {
    for (const _ of times(8)) await logInFrom('10.9.0.1', 'ghost', 'not the password');
    const told = (await failures('10.9.0.1')).map(({ details }) => (details as { reason: string }).reason);
    expect(told).toEqual([...times(5).map(() => 'unknown_login'), 'too_many_attempts']);
  });

  it('is recorded at most twenty times a minute; the next entry contains how many were left out', async () => {
    let nowMs = 0;
    const flood = new FailedLogins(database, silentLog, () => nowMs);
    const attempt = { address: '10.10.0.1', requestId: 'r-1' };
    for (const _ of times(100)) await flood.record(attempt, 'wrong_password', undefined);
    expect(await failures(attempt.address)).toHaveLength(20);
    nowMs += 61_000;
    await flood.record(attempt, 'wrong_password', undefined);
    const rows = await failures(attempt.address);
    expect(rows).toHaveLength(21);
    expect(rows.at(-1)).toMatchObject({ details: { reason: 'wrong_password', unrecorded: 80 } });
  });
});

describe('a login', () => {
  it('returns a token with the audience of operators and the role as its scope', async () => {
    const id = await newOperator(node.service.database, 'rae', 'reviewer');
    const answer = await logInFrom('10.0.0.1', 'rae');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.json).toMatchObject({ expiresIn: 3600, role: 'reviewer' });
    expect(headerOf(answer.json.accessToken)).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' });
    const claims = payloadOf(answer.json.accessToken);
    expect(claims).toEqual({
      iss: 'http://remesa.example',
      aud: 'http://remesa.example/operator',
      sub: `operator:${id}`,
      client_id: 'operator',
      scope: 'reviewer',
      iat: expect.any(Number),
      nbf: claims.iat,
      exp: Number(claims.iat) + 3600,
      jti: expect.any(String),
    });
  });

  it('does not reveal whether the login exists: a wrong password and an unknown login get the same answer', async () => {
    await newOperator(node.service.database, 'known', 'viewer');
    const wrong = shown(await logInFrom('10.1.0.1', 'known', 'not the password'));
    expect(wrong.status).toBe(401);
    expect(JSON.parse(wrong.text)).toMatchObject({ code: 'unauthorized' });
    for (const login of ['unknown', 'KNOWN', 'known ', "known' OR 1=1 --", '', 'x'.repeat(120)])
      expect(shown(await logInFrom('10.1.0.2', login, 'not the password'))).toEqual(wrong);
  });

  it('takes as long for an unknown login, because the same hash is computed', async () => {
    await newOperator(node.service.database, 'timed', 'viewer', hashPassword(password));
    const spent: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (const round of times(12)) {
      for (const kind of ['known', 'unknown'] as const) {
        const login = kind === 'known' ? 'timed' : `nobody-${round}`;
        const began = performance.now();
        await logInFrom(`10.2.0.${round}`, login, 'not the password');
        spent[kind].push(performance.now() - began);
      }
    }
    const ratio = median(spent.unknown) / median(spent.known);
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });

  it.each([
    ['no password', { login: 'rae' }],
    ['a password that is too long', { login: 'rae', password: 'x'.repeat(257) }],
    ['another field', { login: 'rae', password, role: 'admin' }],
    ['a number', { login: 1, password }],
  ])('is refused as malformed with %s', async (_, body) => {
    const answer = await node.api.post('/operator/login', { body });
    expect(answer.json).toMatchObject({ status: 400, code: 'invalid_fields' });
  });
});

describe('wrong passwords, by login and address,', () => {
  it('are limited after five in five minutes: then 429 from this address, also for the right one', async () => {
    await newOperator(node.service.database, 'guessed', 'viewer');
    for (const _ of times(5)) expect((await logInFrom('10.3.0.1', 'guessed', 'not the password')).status).toBe(401);
    for (const given of ['not the password', password]) {
      const answer = await logInFrom('10.3.0.1', 'guessed', given);
      expect([answer.status, answer.json.code]).toEqual([429, 'rate_limited']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(200);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(300);
    }
    // The operator at another address is not locked out, nor are other operators at this address.
    expect((await logInFrom('10.3.0.2', 'guessed')).status).toBe(200);
    await newOperator(node.service.database, 'neighbour', 'viewer');
    expect((await logInFrom('10.3.0.1', 'neighbour')).status).toBe(200);
  });

  it('are limited also when they arrive at once: no more than five are checked', async () => {
    await newOperator(node.service.database, 'stormed', 'viewer');
    const answers = await Promise.all(times(15).map(() => logInFrom('10.4.0.1', 'stormed', 'not the password')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...times(5).map(() => 401), ...times(10).map(() => 429)]);
  });

  it('are counted anew after a right one', async () => {
    await newOperator(node.service.database, 'clumsy', 'viewer');
    for (const _ of times(3)) {
      for (const __ of times(4)) expect((await logInFrom('10.5.0.1', 'clumsy', 'not the password')).status).toBe(401);
      expect((await logInFrom('10.5.0.1', 'clumsy')).status).toBe(200);
    }
  });

  it('are limited also when the caller forges addresses before the one that our proxy adds', async () => {
    for (const index of times(5))
      expect((await logInFrom(`10.6.1.${index}, 10.6.0.1`, 'rae', 'not the password')).status).toBe(401);
    expect((await logInFrom('10.6.1.9, 10.6.0.1', 'rae', 'not the password')).status).toBe(429);
  });

  it('are limited also for a login that does not exist', async () => {
    for (const _ of times(5)) expect((await logInFrom('10.7.0.1', 'ghost', 'not the password')).status).toBe(401);
    expect((await logInFrom('10.7.0.1', 'ghost', 'not the password')).status).toBe(429);
  });
});

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
