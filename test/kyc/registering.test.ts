/** The two ways to the form: the contract's document, and a link. Either makes the case, and makes it once. */
import { describe, expect, it } from 'vitest';
import { zones } from '../../src/kyc/cases/case.js';
import { auditRows } from '../harness/access.js';
import { newUser, told, userToken } from '../harness/users.js';
import { decide, eventTypes, moveClock, newLink, rejection, runJob, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();
const path = (user: { id: number }, level = 'LEVEL_1', zone = 'EEA') =>
  `/kyc/register/${level}/${zone}?userId=${user.id}`;
const casesOf = async (user: { id: number }) =>
  (await kyc.api.get(`/kyc/cases?userId=${user.id}`, { token: kyc.acme.token })).json;
const tokenIn = (html: string) => /name="token" value="([^"]+)"/.exec(html)?.[1];

describe('GET /kyc/register/{kycLevel}/{zone}', () => {
  it('answers an HTML document with a form, for both kinds of token and both selectors', async () => {
    const user = await newUser(kyc, kyc.acme);
    const { token } = kyc.acme;
    const answers = [
      await kyc.api.get(path(user), { token }),
      await kyc.api.get(`/kyc/register/LEVEL_1/EEA?externalClientId=${user.externalClientId}`, { token }),
      await kyc.api.get('/kyc/register/LEVEL_1/EEA', { token: await userToken(kyc, kyc.acme, user) }),
    ];
    for (const { status, headers, text } of answers) {
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toMatch(/^<!doctype html>/i);
      expect(text).toContain('<form');
    }
    expect(new Set(answers.map(({ text }) => tokenIn(text))).size).toBe(3);
    expect(await casesOf(user)).toHaveLength(1);
  });

  it('makes one case and one event, however many ask at once', async () => {
    const user = await newUser(kyc, kyc.acme);
    const { token } = kyc.acme;
    const answers = await Promise.all(Array.from({ length: 20 }, () => kyc.api.get(path(user), { token })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const [one, ...others] = await casesOf(user);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ kycLevel: 'LEVEL_1', zone: 'EEA', status: 'PENDING' });
    expect(await eventTypes(kyc, one.id)).toEqual(['kyc.pending']);
  });

  it('makes nothing for a HEAD', async () => {
    const user = await newUser(kyc, kyc.acme);
    const answer = await kyc.api.call('HEAD', path(user), { token: kyc.acme.token });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await casesOf(user)).toEqual([]);
    const { rows } = await kyc.sql.query('SELECT 1 FROM kyc_capabilities WHERE user_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });

  it('holds nothing personal, not even what was entered before', async () => {
    const user = await newUser(kyc, kyc.acme, { firstName: 'Markerfirst', city: 'Markercity' });
    const token = await newLink(kyc, user);
    await kyc.service.database.transaction((tx) =>
      kyc.forms.saveStep(tx, token, 'person', {
        firstName: 'Markertyped',
        lastName: 'Markerlast',
        dateOfBirth: '1990-04-12',
        placeOfBirth: 'Markerbirth',
        nationality: 'ES',
      }),
    );
    const { text } = await kyc.api.get(path(user), { token: kyc.acme.token });
    expect(text).not.toContain('Marker');
    const view = await kyc.service.database.transaction((tx) => kyc.forms.blank(tx, token));
    expect(JSON.stringify(view)).not.toContain('Marker');
  });

  it('tells the allowed values of a level or zone that it does not know', async () => {
    const user = await newUser(kyc, kyc.acme);
    const answer = await kyc.api.get(path(user, 'LEVEL_9', 'MOON'), { token: kyc.acme.token });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toEqual([
      expect.objectContaining({ field: 'kycLevel', allowed: ['LEVEL_1', 'LEVEL_2', 'LEVEL_3'] }),
      expect.objectContaining({ field: 'zone', allowed: [...zones] }),
    ]);
  });

  it('refuses a zone that is not the user’s, and makes nothing', async () => {
    const user = await newUser(kyc, kyc.acme);
    const answer = await kyc.api.get(path(user, 'LEVEL_1', 'US'), { token: kyc.acme.token });
    expect(answer.json).toMatchObject({
      status: 422,
      code: 'zone_country_mismatch',
      zone: 'US',
      userZone: 'EEA',
    });
    expect(await casesOf(user)).toEqual([]);
  });

  it('says so where the level is held, by itself or by a higher one, and makes no case', async () => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    await decide(kyc, caseId, { decision: 'approve' });
    for (const level of ['LEVEL_1', 'LEVEL_2']) {
      const { status, text } = await kyc.api.get(path(user, level), { token: kyc.acme.token });
      expect(status).toBe(200);
      expect(tokenIn(text)).toBeUndefined();
    }
    expect(await casesOf(user)).toHaveLength(1);
    const { text } = await kyc.api.get(path(user, 'LEVEL_3'), { token: kyc.acme.token });
    expect(tokenIn(text)).toBeDefined();
  });

  it('says so where a person is looking at it, or refused it for good', async () => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    const look = async () => (await kyc.api.get(path(user, 'LEVEL_2'), { token: kyc.acme.token })).text;
    expect(tokenIn(await look())).toBeUndefined();
    await decide(kyc, caseId, { ...rejection, final: true });
    expect(tokenIn(await look())).toBeUndefined();
    expect(await casesOf(user)).toMatchObject([{ status: 'REJECTED' }]);
  });

  it('begins again after a rejection that was not final, and after an approval ran out', async () => {
    const rejected = await submitted(kyc, { level: 'LEVEL_2' });
    await decide(kyc, rejected.caseId, rejection);
    const again = await kyc.api.get(path(rejected.user, 'LEVEL_2'), { token: kyc.acme.token });
    expect(tokenIn(again.text)).toBeDefined();
    expect(await eventTypes(kyc, rejected.caseId)).toEqual([
      ...['kyc.pending', 'kyc.submitted', 'kyc.in_review', 'kyc.rejected', 'kyc.pending'],
    ]);
    expect(await casesOf(rejected.user)).toMatchObject([{ status: 'PENDING', reasons: [], decidedAt: null }]);

    const { user, caseId } = await submitted(kyc, {}, { merchant: kyc.rival });
    await moveClock(kyc, kyc.rival, '25 months');
    const renewed = await kyc.api.get(path(user), { token: kyc.rival.token });
    expect(tokenIn(renewed.text)).toBeDefined();
    await runJob(kyc, 'kyc.expire');
    expect(await eventTypes(kyc, caseId)).toEqual([
      ...['kyc.pending', 'kyc.submitted', 'kyc.approved', 'kyc.expired', 'kyc.pending'],
    ]);
  });

  it('is a matter of the scope kyc and of the merchant’s own user', async () => {
    const user = await newUser(kyc, kyc.acme);
    const narrow = await userToken(kyc, kyc.acme, user, { scope: 'users' });
    expect(told(await kyc.api.get(path(user), { token: narrow }))).toEqual([403, 'scope_missing']);
    expect(told(await kyc.api.get(path(user), { token: kyc.rival.token }))).toEqual([404, 'user_not_found']);
    expect(told(await kyc.api.get('/kyc/register/LEVEL_1/EEA', { token: kyc.acme.token }))).toEqual([
      ...[400, 'user_not_selected'],
    ]);
    expect((await kyc.api.get(path(user))).status).toBe(401);
  });

  it('is audited as what the caller did', async () => {
    const user = await newUser(kyc, kyc.acme);
    await kyc.api.get(path(user), { token: kyc.acme.token });
    const [{ id }] = await casesOf(user);
    expect((await auditRows(kyc.sql, 'kyc.open')).at(-1)).toMatchObject({
      actor: `merchant:${kyc.acme.merchant}`,
      subject: `kyc:${id}`,
      from_state: null,
      to_state: 'PENDING',
    });
  });
});

describe('POST /kyc/links', () => {
  const ask = (user: { id: number }, body: object, token = kyc.acme.token) =>
    kyc.api.post(`/kyc/links?userId=${user.id}`, { token, body });
  const form = { kycLevel: 'LEVEL_1', zone: 'EEA' };

  it('answers a link of an hour, another one each time, for one case', async () => {
    const user = await newUser(kyc, kyc.acme);
    const links = [await ask(user, form), await ask(user, form)];
    expect(links.map(({ status }) => status)).toEqual([200, 200]);
    expect(Object.keys(links[0]?.json)).toEqual(['url', 'expiresAt']);
    const prefix = `${kyc.service.url}/kyc/form/`;
    for (const { json } of links) expect(json.url.slice(prefix.length)).toMatch(/^[\w-]{49}$/);
    expect(links[0]?.json.url).not.toBe(links[1]?.json.url);
    expect(await casesOf(user)).toHaveLength(1);
    const left = new Date(links[0]?.json.expiresAt).getTime() - Date.now();
    expect(Math.abs(left - 3_600_000)).toBeLessThan(60_000);
  });

  it('takes both kinds of token and both selectors', async () => {
    const user = await newUser(kyc, kyc.acme);
    const { token } = kyc.acme;
    const byName = `/kyc/links?externalClientId=${user.externalClientId}`;
    const ofUser = await userToken(kyc, kyc.acme, user);
    const answers = [
      await kyc.api.post(byName, { token, body: form }),
      await kyc.api.post('/kyc/links', { token: ofUser, body: form }),
      await kyc.api.post('/kyc/links', { token, body: form }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(await casesOf(user)).toHaveLength(1);
  });

  it('returns the same link for a repeated key, and stores it encrypted', async () => {
    const user = await newUser(kyc, kyc.acme);
    const ask = () => kyc.api.post(`/kyc/links?userId=${user.id}`, { token: kyc.acme.token, body: form, key: 'again' });
    const [first, again] = [await ask(), await ask()];
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    const { rows } = await kyc.sql.query('SELECT answer FROM idempotency_keys');
    expect(rows).toHaveLength(1);
    expect(rows[0].answer).not.toContain('/kyc/form/');
    expect(rows[0].answer).not.toContain(first.json.url.split('/').at(-1));
  });

  it('leads back only to where the merchant was registered, or in the sandbox to the developer’s machine', async () => {
    const user = await newUser(kyc, kyc.acme);
    await kyc.sql.query(`UPDATE merchants SET redirect_urls = '{https://acme.example/done}' WHERE client_id = 'acme'`);
    const status = async (redirectUrl: string) => (await ask(user, { ...form, redirectUrl })).status;
    expect(await status('https://acme.example/done')).toBe(200);
    expect(await status('http://localhost:4000/done')).toBe(200);
    for (const elsewhere of [
      'https://acme.example/done/',
      'https://acme.example.evil.example/done',
      'https://evil.example/',
      'http://user@localhost/',
      'javascript:alert(1)',
      'nonsense',
    ]) {
      expect(told(await ask(user, { ...form, redirectUrl: elsewhere }))).toEqual([
        ...[422, 'redirect_url_not_registered'],
      ]);
    }
  });

  it('refuses what the form would refuse, and tells what the case is', async () => {
    const { user, caseId } = await submitted(kyc);
    const held = await ask(user, form);
    expect(held.json).toMatchObject({ caseStatus: 'APPROVED', code: 'kyc_form_not_open', caseId });
    expect(held.status).toBe(409);
    expect(told(await ask(user, { ...form, zone: 'CH' }))).toEqual([422, 'zone_country_mismatch']);
    expect(told(await ask(user, { ...form, locale: 'xx' }))).toEqual([400, 'invalid_fields']);
    expect(told(await ask(user, form, kyc.rival.token))).toEqual([404, 'user_not_found']);
  });
});
