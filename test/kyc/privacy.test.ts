/** What people enter is sealed under their own key and bound to its place; it stands nowhere else. */
import { describe, expect, it } from 'vitest';
import { merchantId, userId } from '../../src/ids.js';
import { openStep, openSubmission } from '../../src/kyc/submissions/sealed.js';
import { PersonIndex } from '../../src/persons/service.js';
import { eventually } from '../harness/eventually.js';
import { newUser, userToken } from '../harness/users.js';
import { decide, fillIn, idsOf, newLink, runJob, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();

/** A different mark in every answer, so that one that leaks tells where it came from. */
const marked = {
  firstName: 'Markerone',
  middleName: 'Markertwo',
  lastName: 'Markerthree',
  placeOfBirth: 'Markerfour',
  address: 'Markerfive 5',
  city: 'Markersix',
  stateProvince: 'Markerseven',
  documentNumber: 'MARKER9X',
  occupation: 'Markerten',
};
const mark = /marker/i;

async function everyTable(): Promise<string[]> {
  const { rows } = await kyc.sql.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  return rows.map(({ name }) => name);
}

describe('what a person entered', () => {
  it('stands in clear in no table, no event, no audit entry, no kept answer and no log line', async () => {
    const asked = { level: 'LEVEL_3' } as const;
    const { user, caseId, token, statusToken } = await submitted(kyc, asked, { answers: marked });
    await decide(kyc, caseId, {
      decision: 'reject',
      publicReason: 'other',
      internalReason: 'Marker inside',
    });
    await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer });
    const again = await newLink(kyc, user, asked);
    await fillIn(kyc, again, asked, marked);
    await kyc.api.get('/kyc/cases', { token: await userToken(kyc, kyc.acme, user) });
    await runJob(kyc, 'kyc.tell-expiring');
    for (const table of await everyTable()) {
      const { rows } = await kyc.sql.query(`SELECT t::text AS text FROM ${table} AS t`);
      const leaks = rows.filter(({ text }) => mark.test(text) || text.includes(Buffer.from('Marker').toString('hex')));
      expect({ table, leaks }).toEqual({ table, leaks: [] });
      const tokens = rows.filter(({ text }) => [token, statusToken, again].some((each) => text.includes(each)));
      expect({ table, tokens }).toEqual({ table, tokens: [] });
    }
    await eventually(() => kyc.logText().includes('/kyc/cases'));
    expect(kyc.logText()).not.toMatch(mark);
    expect(kyc.logText()).not.toContain(again);
  });

  it('is a token in an address, which no log line holds', async () => {
    const token = await newLink(kyc, await newUser(kyc, kyc.acme));
    await fetch(`${kyc.service.url}/kyc/form/${token}`, { redirect: 'manual' });
    await eventually(() => kyc.logText().includes('/kyc/form/:token'));
    expect(kyc.logText()).not.toContain(token);
  });

  it('opens under the user’s key in its own place', async () => {
    const { user, caseId } = await submitted(kyc, {}, { answers: { lastName: 'Placed' } });
    const place = idsOf(kyc.acme, user, caseId);
    const key = await kyc.users.retainedKey(kyc.service.database, place.merchantId, place.userId);
    const { rows } = await kyc.sql.query('SELECT * FROM kyc_submissions WHERE case_id = $1', [caseId]);
    const { version, consent_version: consentVersion, document_ids: documentIds } = rows[0];
    const submission = { version, consentVersion, documentIds, sealedAnswers: rows[0].sealed_answers };
    if (!key) throw new Error('no key');
    expect(openSubmission(key, place, submission).lastName).toBe('Placed');
    const other = await submitted(kyc);
    const others = idsOf(kyc.rival, other.user, other.caseId);
    for (const moved of [{ caseId: others.caseId }, { userId: others.userId }, { merchantId: others.merchantId }]) {
      expect(() => openSubmission(key, { ...place, ...moved }, submission)).toThrow('kyc_submissions');
    }
    for (const changed of [{ version: 3 }, { consentVersion: 'other' }, { documentIds: ['0'] }]) {
      expect(() => openSubmission(key, place, { ...submission, ...changed })).toThrow('kyc_submissions');
    }
  });

  it('does not open when it was moved to another step or another user’s case', async () => {
    const [one, other] = [await newUser(kyc, kyc.acme), await newUser(kyc, kyc.acme)];
    const [token, theirs] = [await newLink(kyc, one), await newLink(kyc, other)];
    await fillIn(kyc, token);
    await fillIn(kyc, theirs);
    const look = (with_: string) => kyc.forms.open(kyc.service.database, with_);
    const [mine, their] = [await look(token), await look(theirs)];
    if (mine.kind !== 'open' || their.kind !== 'open') throw new Error('not open');
    await kyc.sql.query(
      `UPDATE kyc_answers AS a SET sealed_answers = b.sealed_answers FROM kyc_answers AS b
        WHERE a.case_id = $1 AND b.case_id = $2 AND a.step = b.step`,
      [mine.caseId, their.caseId],
    );
    await expect(look(token)).rejects.toThrow();
    const key = await kyc.users.retainedKey(
      kyc.service.database,
      kyc.acme.merchant,
      idsOf(kyc.acme, other, their.caseId).userId,
    );
    const { rows } = await kyc.sql.query(`SELECT * FROM kyc_answers WHERE case_id = $1 AND step = 'person'`, [
      their.caseId,
    ]);
    const place = idsOf(kyc.acme, other, their.caseId);
    if (!key) throw new Error('no key');
    const step = { step: 'person', caseVersion: 1, sealedAnswers: rows[0].sealed_answers } as const;
    expect(openStep(key, place, step).firstName).toBe('Ana Amélie');
    expect(() => openStep(key, place, { ...step, step: 'address' })).toThrow('kyc_answers');
    expect(() => openStep(key, place, { ...step, caseVersion: 2 })).toThrow('kyc_answers');
  });
});

describe('the hash of a person', () => {
  it('is another at each merchant, and says nothing without the key', async () => {
    const twin = { firstName: 'Hash', lastName: 'Twin', dateOfBirth: '1981-01-01' };
    const [one, other] = [
      await submitted(kyc, {}, { answers: twin }),
      await submitted(kyc, {}, { answers: twin, merchant: kyc.rival }),
    ];
    const { rows } = await kyc.sql.query('SELECT person_hash FROM kyc_persons WHERE case_id = ANY ($1)', [
      [one.caseId, other.caseId],
    ]);
    expect(rows).toHaveLength(2);
    expect(rows[0].person_hash.equals(rows[1].person_hash)).toBe(false);
  });

  it('is also an index of the instance, in which operators recognise the person at another merchant', async () => {
    const twin = { firstName: 'Índex', lastName: 'Twin', dateOfBirth: '1982-02-02' };
    const { user } = await submitted(kyc, {}, { answers: twin });
    const answers = { ...twin, firstName: 'index' };
    const { user: other } = await submitted(kyc, {}, { answers, merchant: kyc.rival });
    const persons = new PersonIndex(Buffer.alloc(32));
    const found = await persons.accountsOf(kyc.service.database, merchantId(kyc.acme.merchant), [userId(user.id)]);
    expect(found.get(userId(user.id))).toEqual([
      { merchantId: kyc.acme.merchant, userId: user.id },
      { merchantId: kyc.rival.merchant, userId: other.id },
    ]);
    await kyc.api.call('DELETE', `/user?userId=${other.id}`, { token: kyc.rival.token });
    const kept = await kyc.sql.query('SELECT count(*)::int AS n FROM person_identifiers WHERE user_id = $1', [
      other.id,
    ]);
    expect(kept.rows[0].n).toBeGreaterThan(0);
  });
});

describe('the form that a person sees', () => {
  it('begins with what the merchant registered, so that it need not be typed again', async () => {
    const user = await newUser(kyc, kyc.acme, { firstName: 'Registered', city: 'Valencia' });
    const view = await kyc.forms.open(kyc.service.database, await newLink(kyc, user));
    if (view.kind !== 'open') throw new Error(view.kind);
    expect(view.steps).toMatchObject([
      { id: 'person', isDone: false, answers: { firstName: 'Registered' } },
      { id: 'address', isDone: false, answers: { city: 'Valencia', countryCode: 'ES' } },
    ]);
    expect(JSON.stringify(view)).not.toContain('@example.com');
  });

  it('has nothing of what was sent for another level: who makes the link is not who answered', async () => {
    const { user } = await submitted(kyc, { level: 'LEVEL_1' }, { answers: { placeOfBirth: 'Teruel' } });
    const link = await newLink(kyc, user, { level: 'LEVEL_2' });
    const view = await kyc.forms.open(kyc.service.database, link);
    expect(view.kind).toBe('open');
    expect(JSON.stringify(view)).not.toContain('Teruel');
  });
});
