import { describe, expect, it } from 'vitest';
import { pdf } from '../documents/pdfs.js';
import { decide, decided, eventTypes, rejection, submitted, useKycService } from '../kyc/kyc-service.js';
import {
  type Applicant,
  faultsOf,
  fieldsOf,
  fillInSteps,
  headingOf,
  look,
  newApplicant,
  newFormAddress,
  photograph,
  plain,
  send,
  titleOf,
} from './visiting.js';

const kyc = useKycService();

async function opened(level: Applicant['level'] = 'LEVEL_1', more: Record<string, string> = {}) {
  const applicant = await newApplicant(kyc, level, 'EEA');
  const address = await newFormAddress(kyc, applicant, more);
  return { applicant, address };
}

const tokenOf = (address: string) => address.split('/').at(-1) ?? '';

async function expire(address: string): Promise<void> {
  await kyc.sql.query(
    `UPDATE kyc_capabilities SET expires_at = clock_timestamp() - interval '1 second'
     WHERE token_hash = sha256(convert_to($1, 'UTF8'))`,
    [tokenOf(address)],
  );
}

describe('a link', () => {
  it('leads to the first step, and uses nothing up however often it is opened', async () => {
    const { address } = await opened();
    const rows = () => kyc.sql.query('SELECT * FROM kyc_capabilities ORDER BY token_hash');
    const before = (await rows()).rows;
    for (let time = 0; time < 10; time += 1) {
      const answer = await look(address);
      expect([answer.status, answer.leadsTo]).toEqual([303, `${address}/person`]);
      expect((await look(answer.leadsTo)).status).toBe(200);
    }
    expect((await fetch(address, { method: 'HEAD', redirect: 'manual' })).status).toBe(303);
    expect((await rows()).rows).toEqual(before);
  });

  it('leads on to the first step that is not done', async () => {
    const { applicant, address } = await opened();
    const [person] = applicant.steps;
    await send(`${address}/person`, fieldsOf(person?.raw ?? {}));
    expect((await look(address)).leadsTo).toBe(`${address}/address`);
    expect((await look(`${address}/check`)).leadsTo).toBe(`${address}/address`);
    expect((await look(`${address}/funds`)).leadsTo).toBe(`${address}/address`);
  });

  it('shows what the merchant registered, and later what was saved', async () => {
    const { applicant, address } = await opened();
    expect((await look(`${address}/person`)).html).toContain('value="Reyes Núñez"');
    const [person] = applicant.steps;
    await send(`${address}/person`, { ...fieldsOf(person?.raw ?? {}), lastName: 'Quezada' });
    const again = await look(`${address}/person`);
    expect(again.html).toContain('value="Quezada"');
    expect(again.html).toContain('value="1990"');
  });

  it('is answered with a page that says so when it was never given out, or is no token at all', async () => {
    for (const token of ['x', 'A'.repeat(43), '%00', '..%2f', '%3Cscript%3Ealert(1)%3C%2Fscript%3E', 'A'.repeat(199)]) {
      for (const path of [`/kyc/form/${token}`, `/kyc/form/${token}/person`]) {
        const answer = await look(`${kyc.service.url}${path}`);
        expect([answer.status, answer.headers.get('content-type')], path).toEqual([
          token === '%00' ? 400 : 404,
          'text/html; charset=utf-8',
        ]);
        expect(answer.html).not.toContain('<script>alert');
      }
    }
  });

  it('says so when it has run out, and that what was saved is kept', async () => {
    const { address } = await opened();
    await expire(address);
    for (const answer of [
      await look(address),
      await look(`${address}/person`),
      await send(`${address}/person`, {}),
      await send(`${address}/check`, { consent: 'yes' }),
      await send(`${address}/extend`, {}),
    ]) {
      expect([answer.status, headingOf(answer.html)]).toEqual([410, 'This link has expired']);
      expect(plain(answer.html)).toContain('What you saved is kept. Go back to The merchant acme for a new link.');
    }
  });

  it('says so to everyone who has it when it was used to the end', async () => {
    const { applicant, address } = await opened();
    const other = await newFormAddress(kyc, applicant);
    await send(await fillInSteps(address, applicant), { consent: 'yes' });
    for (const each of [address, other]) {
      expect([(await look(each)).status, headingOf((await look(each)).html)]).toEqual([
        200,
        'This form has already been sent',
      ]);
      const answer = await send(`${each}/check`, { consent: 'yes' });
      expect([answer.status, headingOf(answer.html)]).toEqual([409, 'This form has already been sent']);
    }
  });

  it('is as one that never was when its user was deleted', async () => {
    const { applicant, address } = await opened();
    await kyc.api.call('DELETE', `/user?userId=${applicant.user.id}`, { token: kyc.acme.token });
    const answer = await look(`${address}/person`);
    expect([answer.status, headingOf(answer.html)]).toEqual([404, 'This link does not work']);
  });
});

describe('a step', () => {
  it('comes back with all of its faults, what was entered, and how to mend it', async () => {
    const { address } = await opened();
    const entered = {
      firstName: '',
      lastName: 'x'.repeat(101),
      'dateOfBirth-day': '31',
      'dateOfBirth-month': '2',
      'dateOfBirth-year': '1990',
      placeOfBirth: 'Graz',
      nationality: 'XX',
    };
    const answer = await send(`${address}/person`, entered);
    expect(answer.status).toBe(422);
    expect(titleOf(answer.html)).toBe('Error: About you – The merchant acme');
    expect(faultsOf(answer.html)).toEqual([
      'firstName: Enter your first name',
      'lastName: Last name: this is too long. Use 100 characters or fewer',
      'dateOfBirth-day: Date of birth: the day must be a number from 1 to 28 in that month',
      'nationality: Nationality: choose one from the list',
      'politicallyExposed: Choose one of the answers',
    ]);
    expect(answer.html).toContain('value="Graz"');
    expect(answer.html).toContain(`value="${'x'.repeat(101)}"`);
    expect(answer.html).toContain('aria-describedby="firstName-fault"');
    expect((await look(address)).leadsTo).toBe(`${address}/person`);
  });

  it('tells a minor that it is too early', async () => {
    const { applicant, address } = await opened();
    const raw = { ...applicant.steps[0]?.raw, dateOfBirth: '2015-01-01' };
    const answer = await send(`${address}/person`, fieldsOf(raw as Record<string, string>));
    expect(faultsOf(answer.html)).toEqual(['dateOfBirth-day: You must be at least 18 years old']);
  });

  it('takes an answer of hundreds of fields for what it is: too large', async () => {
    const { address } = await opened();
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, 'x']));
    const answer = await send(`${address}/person`, many);
    expect([answer.status, headingOf(answer.html)]).toEqual([413, 'That was too large']);
    expect((await send(`${address}/person`, { firstName: 'x'.repeat(70_000) })).status).toBe(413);
  });

  it('is answered in JSON to the script of its page: where to go, or the page with the faults', async () => {
    const { applicant, address } = await opened();
    const accept = { accept: 'application/json' };
    const refused = await send(`${address}/person`, {}, undefined, accept);
    expect(refused.status).toBe(422);
    expect(faultsOf(JSON.parse(refused.html).page)).toContain('firstName: Enter your first name');
    const saved = await send(`${address}/person`, fieldsOf(applicant.steps[0]?.raw ?? {}), undefined, accept);
    expect([saved.status, JSON.parse(saved.html)]).toEqual([
      200,
      { location: `../../form/${tokenOf(address)}/address` },
    ]);
  });
});

describe('a file', () => {
  async function atDocument() {
    const { applicant, address } = await opened('LEVEL_2');
    for (const { step, raw } of applicant.steps.slice(0, -2)) await send(`${address}/${step.id}`, fieldsOf(raw));
    const step = applicant.steps.at(-2);
    return { address: `${address}/document`, raw: fieldsOf(step?.raw ?? {}), form: address };
  }

  it('is asked for by name when it is missing', async () => {
    const { address, raw } = await atDocument();
    const answer = await send(address, raw, {});
    expect([answer.status, faultsOf(answer.html)]).toEqual([
      422,
      ['documentFront: Add a photo of the side of the document with your picture'],
    ]);
  });

  it('is kept although another field of its step is not right', async () => {
    const { address, raw } = await atDocument();
    const photo = await photograph();
    const answer = await send(address, { ...raw, documentNumber: '' }, { documentFront: photo });
    expect(faultsOf(answer.html)).toEqual(['documentNumber: Enter the number of the document']);
    expect(plain(answer.html)).toMatch(/Received: photo, [\d.]+ (kB|byte)/);
    expect((await send(address, raw, {})).status).toBe(303);
  });

  it('says why it is refused and what to do, at its field', async () => {
    const { address, raw } = await atDocument();
    const answer = await send(address, raw, {
      documentFront: Buffer.from('<svg onload=alert(1)>'.repeat(9)),
    });
    expect([answer.status, faultsOf(answer.html)]).toEqual([
      422,
      ['documentFront: Photo of the document: this kind of file is not accepted. Use a JPEG or PNG photo, or a PDF'],
    ]);
  });

  it('is refused with more than 10 MB, and the rest of the form is still read', async () => {
    const { address, raw } = await atDocument();
    const big = Buffer.alloc(11 * 1024 * 1024, 0xff);
    big.set([0xff, 0xd8, 0xff]);
    const answer = await send(address, raw, { documentFront: big });
    expect([answer.status, faultsOf(answer.html)]).toEqual([
      422,
      ['documentFront: Photo of the document: the file is larger than 10 MB. Take a new photo, or save it smaller'],
    ]);
    expect(answer.html).toContain('value="X4RTBPFW4"');
  });

  it('is for the script when it comes alone: kept or refused in one sentence', async () => {
    const { address, raw } = await atDocument();
    const accept = { accept: 'application/json' };
    const alone = { upload: 'alone' };
    const kept = await send(address, alone, { documentFront: await photograph() }, accept);
    expect(kept.status).toBe(200);
    expect(JSON.parse(kept.html).received).toMatch(/^Received: photo/);
    const refused = await send(address, alone, { documentFront: Buffer.from('GIF89a,and so on') }, accept);
    expect([refused.status, JSON.parse(refused.html).fault]).toEqual([
      422,
      'Photo of the document: this kind of file is not accepted. Use a JPEG or PNG photo, or a PDF',
    ]);
    expect((await send(address, raw)).status).toBe(303);
  });

  it('is thrown away when nobody asked for it', async () => {
    const { address, raw } = await atDocument();
    const photo = await photograph();
    const answer = await send(address, raw, { documentFront: photo, selfiePhoto: photo, evil: photo });
    expect(answer.status).toBe(303);
    const { rows } = await kyc.sql.query('SELECT count(*)::int AS n FROM kyc_documents WHERE question <> $1', [
      'documentFront',
    ]);
    expect(rows[0].n).toBe(0);
  });

  it('is a picture, and no PDF, when it shows a face', async () => {
    const { form } = await atDocument();
    const page = await look(`${form}/selfie`);
    expect(page.html).toContain('JPEG or PNG, up to 10 MB.');
    expect(page.html).not.toContain('application/pdf');
    for (const selfiePhoto of [pdf(), Buffer.from('GIF89a,and so on')]) {
      const answer = await send(`${form}/selfie`, {}, { selfiePhoto });
      expect([answer.status, faultsOf(answer.html)]).toEqual([
        422,
        ['selfiePhoto: Photo of your face: this kind of file is not accepted here. Use a JPEG or PNG photo'],
      ]);
    }
    expect((await send(`${form}/selfie`, {}, { selfiePhoto: await photograph() })).status).toBe(303);
  });

  it('is not read from anyone who may not write', async () => {
    const photo = await photograph();
    const answer = await send(`${kyc.service.url}/kyc/form/${'A'.repeat(43)}/document`, {}, { documentFront: photo });
    expect(answer.status).toBe(404);
    const first = await send(`${kyc.service.url}/kyc/form`, { token: 'x', step: 'document' }, { documentFront: photo });
    expect(first.status).toBe(404);
  });
});

describe('the end', () => {
  it('shows all answers, and sends nothing without consent', async () => {
    const { applicant, address } = await opened();
    const check = await fillInSteps(address, applicant);
    const page = await look(check);
    expect(headingOf(page.html)).toBe('Check your answers');
    expect(plain(page.html)).toContain('Austria');
    expect(plain(page.html)).toContain('12 April 1990');
    const refused = await send(check, {});
    expect([refused.status, faultsOf(refused.html)]).toEqual([422, ['consent: Tick the box to say that you agree']]);
    const { rows } = await kyc.sql.query('SELECT state FROM kyc_cases WHERE user_id = $1', [applicant.user.id]);
    expect(rows).toEqual([{ state: 'PENDING' }]);
  });

  it('names the steps that are not done when it is reached around them', async () => {
    const { address } = await opened();
    const answer = await send(`${address}/check`, { consent: 'yes' });
    expect([answer.status, faultsOf(answer.html)]).toEqual([
      422,
      ['step-person: Complete this page first: About you', 'step-address: Complete this page first: Where you live'],
    ]);
  });

  it('keeps which text was agreed to, and in which language', async () => {
    const { applicant, address } = await opened();
    const check = await fillInSteps(address, applicant);
    await send(`${check}?lang=pt`, { consent: 'yes' });
    const { rows } = await kyc.sql.query(
      'SELECT consent_version, locale FROM kyc_submissions JOIN kyc_cases USING (merchant_id, case_id) WHERE user_id = $1',
      [applicant.user.id],
    );
    expect(rows).toEqual([{ consent_version: '2026-11-19', locale: 'pt' }]);
  });

  it('leads back to the merchant by a link, with a status and the case, and says no more', async () => {
    const redirectUrl = 'http://localhost:9/back?order=7';
    const { applicant, address } = await opened('LEVEL_1', { redirectUrl });
    const sent = await send(await fillInSteps(address, applicant), { consent: 'yes' });
    const { html } = await look(sent.leadsTo);
    const back = plain(/<a class="main" href="([^"]+)"/.exec(html)?.[1] ?? '');
    expect(back).toMatch(/^http:\/\/localhost:9\/back\?order=7&status=submitted&caseId=kyc_[0-9A-Z]{26}$/);
    expect(plain(html)).toContain('Back to The merchant acme');
    expect(html).not.toContain('Amélie');
  });

  it.each(['LEVEL_1', 'LEVEL_2'] as const)(
    'is reached once when %s is sent fifty times at once; the others are told; one case, one event of each change',
    async (level) => {
      const { applicant, address } = await opened(level);
      const check = await fillInSteps(address, applicant);
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(check, { consent: 'yes' })));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([303, ...Array.from({ length: 49 }, () => 409)]);
      const told = answers.filter(({ status }) => status === 409).map(({ html }) => headingOf(html));
      expect(new Set(told)).toEqual(new Set(['This form has already been sent']));
      const { rows } = await kyc.sql.query(
        `SELECT c.case_id, count(s.*)::int AS submissions FROM kyc_cases AS c
           LEFT JOIN kyc_submissions AS s USING (merchant_id, case_id) WHERE c.user_id = $1 GROUP BY 1`,
        [applicant.user.id],
      );
      expect(rows).toEqual([{ case_id: expect.any(String), submissions: 1 }]);
      const last = level === 'LEVEL_1' ? 'kyc.approved' : 'kyc.in_review';
      await decided(kyc, rows[0].case_id);
      expect(await eventTypes(kyc, rows[0].case_id)).toEqual(['kyc.pending', 'kyc.submitted', last]);
    },
  );
});

describe('the status page', () => {
  it('shows how the case stands, again and again, and nothing personal', async () => {
    const { caseId, statusToken } = await submitted(kyc, { level: 'LEVEL_2' });
    const address = `${kyc.service.url}/kyc/status/${statusToken}`;
    expect(headingOf((await look(address)).html)).toBe('We have received your answers');
    await decide(kyc, caseId, {
      decision: 'request',
      publicReasons: ['blurry'],
      internalReason: 'A thumb.',
      parts: ['selfie'],
    });
    const { html } = await look(address);
    expect(headingOf(html)).toBe('We need something from you again');
    expect(plain(html)).toContain('The photo was blurred or too dark.');
    expect(html).not.toMatch(/Amélie|thumb|1990/);
  });

  it('tells of a rejection with its public reason only', async () => {
    const { caseId, statusToken } = await submitted(kyc, { level: 'LEVEL_2' });
    expect((await decide(kyc, caseId, rejection)).status).toBe(200);
    const { html } = await look(`${kyc.service.url}/kyc/status/${statusToken}`);
    expect(headingOf(html)).toBe('We could not verify you');
    expect(plain(html)).toContain('This was not the document that we asked for.');
    expect(html).not.toContain('library');
  });

  it('says so when it is unknown', async () => {
    const answer = await look(`${kyc.service.url}/kyc/status/${'B'.repeat(43)}`);
    expect([answer.status, headingOf(answer.html)]).toEqual([404, 'This link does not work']);
  });
});

describe('what was asked for again', () => {
  it('is all that is asked, with the reason', async () => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    await decide(kyc, caseId, {
      decision: 'request',
      publicReasons: ['cropped'],
      internalReason: 'A corner.',
      parts: ['documentFront', 'selfie'],
    });
    const address = await newFormAddress(kyc, { user, level: 'LEVEL_2', zone: 'EEA' });
    const first = await look((await look(address)).leadsTo);
    expect(headingOf(first.html)).toBe('Your identity document');
    expect(plain(first.html)).toContain('Step 1 of 3');
    expect(plain(first.html)).toContain('A part of the document was cut off.');
    expect(first.html).not.toContain('name="documentNumber"');
    expect(first.html).not.toContain('name="documentBack"');
    const [documentFront, selfiePhoto] = [await photograph(), await photograph('selfiePhoto')];
    expect((await send(`${address}/document`, {}, {})).status).toBe(422);
    expect((await send(`${address}/document`, {}, { documentFront })).leadsTo).toBe(`${address}/selfie`);
    expect((await send(`${address}/selfie`, {}, { selfiePhoto })).leadsTo).toBe(`${address}/check`);
    expect((await send(`${address}/check`, { consent: 'yes' })).leadsTo).toContain('/kyc/status/');
  });
});

describe('more time', () => {
  it('is given at one click, an hour from now', async () => {
    const { address } = await opened();
    await kyc.sql.query(
      `UPDATE kyc_capabilities SET expires_at = clock_timestamp() + interval '4 minutes'
       WHERE token_hash = sha256(convert_to($1, 'UTF8'))`,
      [tokenOf(address)],
    );
    const page = await look(`${address}/person`);
    expect(Number(/data-expires-in="(\d+)"/.exec(page.html)?.[1])).toBeLessThanOrEqual(240);
    const answer = await send(`${address}/extend`, {}, undefined, { accept: 'application/json' });
    expect(JSON.parse(answer.html).expiresInSeconds).toBeGreaterThan(3500);
    expect((await send(`${address}/extend`, {})).leadsTo).toBe(address);
  });
});
