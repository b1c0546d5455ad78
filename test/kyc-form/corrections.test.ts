/** What people are told when something has to be corrected, and when a form was rejected. */
import { describe, expect, it } from 'vitest';
import { decide, rejection, submitted, todayOf, uniqueName, useKycService } from '../kyc/kyc-service.js';
import { rightAnswers } from '../kyc/people.js';
import {
  faultsOf,
  fieldsOf,
  filesOf,
  headingOf,
  look,
  newApplicant,
  newFormAddress,
  photograph,
  plain,
  send,
} from './visiting.js';

const kyc = useKycService();

const blurred = 'The photo was blurred or too dark.';
const differs = 'What you entered and what the document says are not the same.';

async function asked(parts: readonly string[], publicReasons: readonly string[]): Promise<string> {
  const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' });
  const decision = { decision: 'request', parts, publicReasons, internalReason: 'See above.' };
  expect((await decide(kyc, caseId, decision)).status).toBe(200);
  return newFormAddress(kyc, { user, level: 'LEVEL_2', zone: 'EEA' });
}

describe('a reason for a correction', () => {
  it('stands on the page that it concerns, beside the question, and on no other', async () => {
    const address = await asked(['documentFront', 'person'], ['blurry', 'mismatch']);
    const person = await look(`${address}/person`);
    expect(plain(person.html)).toContain(differs);
    expect(plain(person.html)).not.toContain(blurred);
    const document = await look(`${address}/document`);
    expect(document.html).toMatch(/id="documentFront-reasons"><p>The photo was blurred/);
    expect(document.html).toMatch(/aria-describedby="documentFront-reasons /);
    expect(plain(document.html)).not.toContain(differs);
  });

  it('is led to from the first page', async () => {
    const address = await asked(['documentFront', 'person'], ['blurry', 'mismatch']);
    const { html } = await look(`${address}/person`);
    const note = /<div class="note attention">.*?<\/ul>/s.exec(html)?.[0] ?? '';
    expect([...note.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.split('/').at(-1))).toEqual([
      'person',
      'document',
    ]);
  });

  it('stands on the page that shows all answers, with a link to change them', async () => {
    const address = await asked(['selfie'], ['blurry']);
    expect((await send(`${address}/selfie`, {}, { selfiePhoto: await photograph('selfie') })).status).toBe(303);
    const { html } = await look(`${address}/check`);
    const section = /<section[^>]*id="step-selfie".*?<\/section>/s.exec(html)?.[0] ?? '';
    expect(plain(section)).toContain(blurred);
    expect(section).toMatch(/href="[^"]*\/selfie"/);
  });
});

describe('when parts are requested again', () => {
  const reopenOf = async (address: string) => {
    const page = await look(address);
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(page.html) ?? [];
    expect([page.status, headingOf(page.html), action]).toEqual([
      ...[200, 'We need something from you again', expect.stringContaining('/reopen')],
    ]);
    return send(new URL(action, address).href, {});
  };

  it.each(['the link of the form that was sent', 'the status page'])(
    '%s leads into these parts, and shows nothing that was entered before',
    async (which) => {
      const { user, caseId, token, statusToken } = await submitted(kyc, { level: 'LEVEL_2' });
      const sentAddress = `${kyc.service.url}/kyc/form/${token}`;
      const old = which === 'the status page' ? `${kyc.service.url}/kyc/status/${statusToken}` : sentAddress;
      expect((await send(`${old}/reopen`, {})).leadsTo).toBe(old);
      const decision = { decision: 'request', parts: ['person'], publicReasons: ['mismatch'], internalReason: 'See.' };
      expect((await decide(kyc, caseId, decision)).status).toBe(200);
      const reopened = await reopenOf(old);
      expect(reopened.status).toBe(303);
      const first = (await look(reopened.leadsTo)).leadsTo;
      expect(first).toMatch(/\/person$/);
      const { html } = await look(first);
      expect(plain(html)).toContain(differs);
      const { firstName } = uniqueName(user);
      expect(html).not.toContain(firstName);
      // The old link itself still writes nothing.
      const [person] = rightAnswers('LEVEL_2', 'EEA', await todayOf(kyc, kyc.acme), uniqueName(user));
      const raw = fieldsOf(person?.raw ?? {});
      expect((await send(`${sentAddress}/person`, raw)).status).toBe(409);
      expect((await send(first, raw)).leadsTo).toMatch(/\/check$/);
      expect((await look(first)).html).toContain(firstName);
    },
  );
});

describe('a rejection', () => {
  it('says that one may try again and how, and whom to ask', async () => {
    const { caseId, statusToken } = await submitted(kyc, { level: 'LEVEL_2' });
    await decide(kyc, caseId, rejection);
    const words = plain((await look(`${kyc.service.url}/kyc/status/${statusToken}`)).html);
    expect(words).toContain('You can try again. Go back to The merchant acme and open the form once more.');
    expect(words).toContain('contact The merchant acme and give the reference below');
  });

  it('says so and promises nothing when it is final', async () => {
    const { caseId, statusToken } = await submitted(kyc, { level: 'LEVEL_2' });
    await decide(kyc, caseId, { ...rejection, final: true });
    const words = plain((await look(`${kyc.service.url}/kyc/status/${statusToken}`)).html);
    expect(words).toContain('This decision is final');
    expect(words).not.toContain('You can try again');
  });

  it('is repeated with its reason on the first page of the form that follows, and only there', async () => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    await decide(kyc, caseId, rejection);
    const address = await newFormAddress(kyc, { user, level: 'LEVEL_2', zone: 'EEA' });
    const reason = 'This was not the document that we asked for.';
    expect(plain((await look(`${address}/person`)).html)).toContain(reason);
    expect(plain((await look(`${address}/address`)).html)).not.toContain(reason);
    const cases = await kyc.api.get(`/kyc/cases/${caseId}`, { token: kyc.acme.token });
    expect(cases.json).toMatchObject({ status: 'PENDING', reasons: [] });
  });
});

describe('a picture', () => {
  async function atDocument() {
    const applicant = await newApplicant(kyc, 'LEVEL_2', 'EEA', { documentType: 'identityCard' });
    const address = `${await newFormAddress(kyc, applicant)}/document`;
    const step = applicant.steps.find(({ step: { id } }) => id === 'document');
    if (!step) throw new Error('no such step');
    return { address, step, raw: fieldsOf(step.raw) };
  }
  const sameFile =
    'Photo of the back: you have sent this same picture already, for another question. Take a photo of what is asked for here';

  it('is not taken as the back when it was sent as the front, with or without a script', async () => {
    const { address, step, raw } = await atDocument();
    const front = await photograph();
    const answer = await send(address, raw, { documentFront: front, documentBack: front });
    expect([answer.status, faultsOf(answer.html)]).toEqual([422, [`documentBack: ${sameFile}`]]);
    const accept = { accept: 'application/json' };
    const alone = await send(address, { upload: 'alone' }, { documentBack: front }, accept);
    expect([alone.status, JSON.parse(alone.html)]).toEqual([422, { fault: sameFile }]);
    expect((await send(address, raw, await filesOf(step))).status).toBe(303);
  });

  it('is taken when it is sent again for the same question', async () => {
    const { address, step, raw } = await atDocument();
    for (let time = 0; time < 2; time += 1) {
      expect((await send(address, raw, await filesOf(step))).status).toBe(303);
    }
  });
});

describe('a form in the United States', () => {
  it('asks for the month first and for a ZIP code, and shows dates so', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_1', 'US', { countryCode: 'US', postalCode: '90210' });
    const address = await newFormAddress(kyc, applicant);
    const person = await look(`${address}/person`);
    expect(person.html.indexOf('dateOfBirth-month')).toBeLessThan(person.html.indexOf('dateOfBirth-day'));
    expect(plain(person.html)).toContain('For example, 3 27 1985.');
    expect(plain((await look(`${address}/address`)).html)).toContain('ZIP code');
    const wrong = await send(`${address}/address`, { countryCode: 'US', postalCode: '1', city: 'x' });
    expect(faultsOf(wrong.html)).toContain(
      'postalCode: ZIP code: this is not one of the country that you chose. There it looks like 95014',
    );
    for (const { step, raw } of applicant.steps) await send(`${address}/${step.id}`, fieldsOf(raw));
    const check = await look(`${address}/check`);
    expect(headingOf(check.html)).toBe('Check your answers');
    expect(plain(check.html)).toContain('April 12, 1990');
  });
});

describe('a name', () => {
  it('wholly unlike the registered one leaves LEVEL_1 to a person, and the user is not told why', async () => {
    const { caseId, statusToken } = await submitted(kyc, {}, { answers: { firstName: 'Bruno', lastName: 'Silva' } });
    const { json } = await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer });
    expect(json.case?.status ?? json.status).toBe('IN_REVIEW');
    expect(JSON.stringify(json)).toContain('{"check":"registration_match","outcome":"failed","about":["name"');
    const words = plain((await look(`${kyc.service.url}/kyc/status/${statusToken}`)).html);
    expect(words).not.toMatch(/name|Ana|Bruno/);
  });
});
