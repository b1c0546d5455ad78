/** Every level in every zone can be completed: from its own data, through the verbs that the pages call. */
import { describe, expect, it } from 'vitest';
import { kycLevels, type Zone, zones } from '../../src/kyc/cases/case.js';
import { countriesOf } from '../../src/kyc/cases/zones.js';
import { newUser } from '../harness/users.js';
import { eventsOf, eventTypes, fillIn, newLink, submit, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();
const every = kycLevels.flatMap((level) => zones.map((zone) => ({ level, zone })));

function livingIn(zone: Zone) {
  return { profile: { countryCode: countriesOf(zone)[0] as string } };
}

describe.each(every)('$level in $zone', ({ level, zone }) => {
  it(level === 'LEVEL_1' ? 'is approved at once' : 'waits for a person', async () => {
    const { user, caseId } = await submitted(kyc, { level, zone }, livingIn(zone));
    const isApproved = level === 'LEVEL_1';
    const last = isApproved ? 'kyc.approved' : 'kyc.in_review';
    expect(await eventTypes(kyc, caseId)).toEqual(['kyc.pending', 'kyc.submitted', last]);
    const levels = await kyc.api.get(`/kyc?userId=${user.id}`, { token: kyc.acme.token });
    expect(levels.json).toEqual({ userId: user.id, kycLevels: isApproved ? ['LEVEL_1'] : [] });
  });
});

describe('a submission', () => {
  it('tells each change with the case as its GET shows it, and where it came from', async () => {
    const { user, caseId } = await submitted(kyc);
    const shown = await kyc.api.get(`/kyc/cases/${caseId}`, { token: kyc.acme.token });
    const events = await eventsOf(kyc, caseId);
    expect(events.map(({ previousStatus }) => previousStatus)).toEqual([null, 'PENDING', 'SUBMITTED']);
    expect(events.at(-1)?.object).toEqual(shown.json);
    expect(shown.json).toEqual({
      id: caseId,
      userId: user.id,
      kycLevel: 'LEVEL_1',
      zone: 'EEA',
      status: 'APPROVED',
      reasons: [],
      requestedParts: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      submittedAt: expect.any(String),
      decidedAt: expect.any(String),
      expiresAt: expect.any(String),
      renewal: null,
    });
  });

  it('that lacks something names the steps and changes nothing', async () => {
    const user = await newUser(kyc, kyc.acme);
    const token = await newLink(kyc, user, { level: 'LEVEL_2' });
    expect(await submit(kyc, token)).toEqual({
      kind: 'missing',
      steps: ['person', 'address', 'document', 'selfie'],
    });
    await fillIn(kyc, token);
    expect(await submit(kyc, token)).toEqual({ kind: 'missing', steps: ['document', 'selfie'] });
    const { json } = await kyc.api.get(`/kyc/cases?userId=${user.id}`, { token: kyc.acme.token });
    expect(json).toMatchObject([{ status: 'PENDING', submittedAt: null }]);
    expect(await eventTypes(kyc, json[0].id)).toEqual(['kyc.pending']);
  });

  it('holds the documents that the answers call for, and lets go of the others', async () => {
    const asked = { level: 'LEVEL_2' } as const;
    const user = await newUser(kyc, kyc.acme);
    const token = await newLink(kyc, user, asked);
    await fillIn(kyc, token, asked, { documentType: 'identityCard' });
    await fillIn(kyc, token, asked, { documentType: 'passport' });
    const outcome = await submit(kyc, token);
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    const { rows } = await kyc.sql.query('SELECT question FROM kyc_documents WHERE case_id = $1 ORDER BY question', [
      outcome.frame.caseId,
    ]);
    expect(rows).toEqual([{ question: 'documentFront' }, { question: 'selfiePhoto' }]);
  });

  it('of the same person under another user waits for a person, whoever of them came first', async () => {
    const profile = { firstName: 'Zoë', lastName: 'van der Berg' };
    const twin = { ...profile, dateOfBirth: '1980-02-29' };
    const first = await submitted(kyc, {}, { profile, answers: twin });
    const answers = { ...twin, firstName: 'ZOE', lastName: 'Van  Der BERG' };
    const second = await submitted(kyc, {}, { profile, answers });
    expect((await eventTypes(kyc, first.caseId)).at(-1)).toBe('kyc.approved');
    expect((await eventTypes(kyc, second.caseId)).at(-1)).toBe('kyc.in_review');
    const file = await kyc.api.get(`/operator/kyc/${second.caseId}`, { token: kyc.reviewer });
    expect(file.json.checks).toContainEqual({
      check: 'same_person',
      outcome: 'failed',
      about: [first.caseId],
    });
  });

  it('of the same person at another merchant is nobody’s business', async () => {
    const profile = { firstName: 'Same', lastName: 'Elsewhere' };
    const answers = { ...profile, dateOfBirth: '1980-02-28' };
    await submitted(kyc, {}, { profile, answers });
    const other = await submitted(kyc, {}, { profile, answers, merchant: kyc.rival });
    expect((await eventTypes(kyc, other.caseId)).at(-1)).toBe('kyc.approved');
  });
});
