/**
 * The document of the contract's section 4.2: what it holds, what it must not hold, and what it says when there is no
 * form.
 */
import { describe, expect, it } from 'vitest';
import { type MadeUser, newUser } from '../harness/users.js';
import { decide, rejection, submitted, useKycService } from '../kyc/kyc-service.js';
import {
  type Applicant,
  fieldsOf,
  fillInSteps,
  headingOf,
  look,
  newApplicant,
  newFormAddress,
  plain,
  send,
} from './visiting.js';

const kyc = useKycService();

const register = ({ id }: MadeUser, level = 'LEVEL_1', zone = 'EEA', method = 'GET') =>
  kyc.api.call(method, `/kyc/register/${level}/${zone}?userId=${id}`, { token: kyc.acme.token });
const tokenIn = (html: string) => /name="token" value="([\w-]{49})"/.exec(html)?.[1] ?? '';
const personal = /Ana|Reyes|Calle del Sol|Valencia|\b46001\b|example\.com|Amélie|Nguyễn|\b1990\b/;

describe('the document', () => {
  it('is one piece of HTML: styles inside, no script, nothing relative, nothing from anywhere', async () => {
    const { text, headers } = await register(await newUser(kyc, kyc.acme));
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toMatch(/^<!doctype html><html lang="en" dir="ltr">/);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('rel="stylesheet"');
    const addresses = [...text.matchAll(/(?:href|src|action)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(addresses.filter((address) => !/^(#|data:)/.test(address))).toEqual([
      `${kyc.service.url}/kyc/form`,
      `${kyc.service.url}/kyc/form`,
      'mailto:complaints@sandbox.example',
    ]);
    expect(headers.get('content-security-policy')).toMatch(
      new RegExp(
        `^default-src 'none'; script-src 'none'; connect-src 'none'; style-src 'sha256-[^ ]+'; img-src data:; ` +
          `form-action ${kyc.service.url}; base-uri 'none'; frame-ancestors 'none'$`,
      ),
    );
  });

  it('holds nothing personal, also when something was saved before', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    expect((await register(applicant.user)).text).not.toMatch(personal);
    const address = await newFormAddress(kyc, applicant);
    await send(`${address}/person`, fieldsOf(applicant.steps[0]?.raw ?? {}));
    const { text } = await register(applicant.user);
    expect(headingOf(text)).toBe('Where you live');
    expect(text).not.toMatch(personal);
  });

  it('leads to the answers when everything was answered before', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    await fillInSteps(await newFormAddress(kyc, applicant), applicant);
    const { text } = await register(applicant.user);
    expect(headingOf(text)).toBe('You have answered everything');
    expect(text).not.toMatch(personal);
    const first = await send(`${kyc.service.url}/kyc/form`, { token: tokenIn(text) });
    expect((await look(first.leadsTo)).leadsTo).toMatch(/\/check$/);
  });

  it('takes the whole window where nobody may frame the pages that follow, and stays in its frame otherwise', async () => {
    const user = await newUser(kyc, kyc.acme);
    expect((await register(user)).text).toContain('target="_top"');
    await kyc.sql.query('UPDATE merchants SET allowed_origins = $2 WHERE merchant_id = $1', [
      kyc.acme.merchant,
      ['https://shop.example'],
    ]);
    expect((await register(user)).text).not.toContain('target="_top"');
    await kyc.sql.query(`UPDATE merchants SET allowed_origins = '{}' WHERE merchant_id = $1`, [kyc.acme.merchant]);
  });

  it('is posted from any origin', async () => {
    const { text } = await register(await newUser(kyc, kyc.acme));
    const fields = { token: tokenIn(text), step: 'person' };
    for (const origin of ['https://shop.example', 'null']) {
      const headers = { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
      expect((await send(`${kyc.service.url}/kyc/form`, fields, undefined, headers)).status).toBe(422);
    }
  });

  it('is not made by HEAD', async () => {
    const user = await newUser(kyc, kyc.acme);
    expect((await register(user, 'LEVEL_1', 'EEA', 'HEAD')).status).toBe(200);
    const { rows } = await kyc.sql.query('SELECT FROM kyc_cases WHERE user_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });
});

describe('where there is no form', () => {
  it.each<[string, Applicant['level'], (caseId: string) => Promise<unknown>, string]>([
    ['the level is held', 'LEVEL_1', async () => {}, 'You are already verified'],
    ['it waits for a decision', 'LEVEL_2', async () => {}, 'This form has already been sent'],
    [
      'it was refused for good',
      'LEVEL_2',
      (caseId) => decide(kyc, caseId, { ...rejection, final: true }),
      'We cannot verify you',
    ],
  ])('%s: 200, and a page that says so', async (_, level, happens, heading) => {
    const { user, caseId } = await submitted(kyc, { level });
    await happens(caseId);
    const { status, text } = await register(user, level);
    expect([status, headingOf(text)]).toEqual([200, heading]);
    expect(text).not.toContain('<form');
    expect(text).not.toContain('rel="stylesheet"');
    expect(plain(text)).toContain('The merchant acme');
    expect(text).not.toMatch(personal);
  });
});

describe('the log', () => {
  it('has seen no token and nothing that was entered', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'EEA');
    const address = await newFormAddress(kyc, applicant);
    const sent = await send(await fillInSteps(address, applicant), { consent: 'yes' });
    await look(sent.leadsTo);
    await look(`${address}/person?lang=fr`);
    await send(`${address}/person`, { firstName: 'x'.repeat(70_000) });
    const log = kyc.logText();
    expect(log).toContain('/kyc/form/:token/:step');
    for (const secret of [address, sent.leadsTo].map((each) => each.split('/').at(-1) ?? '')) {
      expect(log).not.toContain(secret);
    }
    expect(log).not.toMatch(personal);
  });
});
