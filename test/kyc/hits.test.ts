/** Hits over HTTP, with the test names of the sandbox: review, dismissal, confirmation, and who sees what. */
import { describe, expect, it } from 'vitest';
import { newMerchantPublicId } from '../../src/ids.js';
import { auditRows } from '../harness/access.js';
import { told } from '../harness/users.js';
import {
  caseOf,
  decide,
  eventsOf,
  eventTypes,
  fillIn,
  newLink,
  submit,
  submitted,
  useKycService,
} from './kyc-service.js';

const kyc = useKycService();
/** In the list of the sandbox. */
const listed = { firstName: 'Iris', lastName: 'Blockwell', dateOfBirth: '1970-01-31' };
const profile = { firstName: 'Iris', lastName: 'Blockwell' };
const hitsOf = async (userId: number, search = '') =>
  (await kyc.api.get(`/operator/screening/hits?userId=${userId}${search}`, { token: kyc.viewer })).json;
const hit = (id: string, token = kyc.reviewer) => kyc.api.get(`/operator/screening/hits/${id}`, { token });
const decideHit = (id: string, verb: 'dismiss' | 'confirm', note = 'Looked at the passport.') =>
  kyc.api.post(`/operator/screening/hits/${id}/${verb}`, { token: kyc.reviewer, body: { note } });
const actions = async (subject: string) =>
  (await kyc.sql.query('SELECT action FROM changes WHERE subject = $1 ORDER BY id', [subject])).rows.map(
    ({ action }) => action,
  );

async function listedPerson() {
  const made = await submitted(kyc, {}, { profile, answers: listed });
  const [found] = await hitsOf(made.user.id);
  return { ...made, hitId: found.id as string };
}

describe('a person who is on a list', () => {
  it('goes to review, and the hit explains why to reviewers only', async () => {
    const { user, caseId, hitId } = await listedPerson();
    expect((await caseOf(kyc, caseId)).status).toBe('IN_REVIEW');
    const [found] = await hitsOf(user.id);
    expect(found).toMatchObject({ merchant: 'acme', list: 'sandbox', entryId: 'TEST-1', state: 'open' });
    expect(JSON.stringify(found)).not.toMatch(/blockwell/i);
    expect((await hit(hitId)).json).toMatchObject({
      explanation: {
        entryName: 'BLOCKWELL, Iris Sanctia',
        subjectName: expect.stringMatching(/Iris.*Blockwell/),
      },
      note: null,
    });
    expect(told(await hit(hitId, kyc.viewer))).toEqual([403, 'role_missing']);
    const file = await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer });
    expect(file.json.checks).toContainEqual({
      ...{ check: 'screening', outcome: 'failed', about: [hitId], listsVersion: expect.any(String) },
    });
    // Once for the hit, once for the case that has it.
    const looked = 'screening.hit_looked_at';
    expect(await actions(`hit:${hitId}`)).toEqual(['screening.hit_found', looked, looked]);
  });

  it('is not cleared by a birth date and a country that nobody has verified', async () => {
    const answers = { ...listed, dateOfBirth: '1985-05-05', nationality: 'ES' };
    const { user, caseId } = await submitted(kyc, {}, { profile, answers });
    expect((await caseOf(kyc, caseId)).status).toBe('IN_REVIEW');
    expect(await hitsOf(user.id)).toMatchObject([{ entryId: 'TEST-1', state: 'open' }]);
  });

  it('goes to review without a hit when a name cannot be compared well, and the check says so', async () => {
    const thai = { firstName: 'สมชาย', lastName: 'ใจดี' };
    const { user, caseId } = await submitted(kyc, {}, { profile: thai, answers: thai });
    expect((await caseOf(kyc, caseId)).status).toBe('IN_REVIEW');
    expect(await hitsOf(user.id)).toEqual([]);
    const { checks } = (await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer })).json;
    expect(checks).toContainEqual({
      check: 'screening',
      outcome: 'failed',
      about: ['a name cannot be compared well as it is written: compare it yourself'],
      listsVersion: expect.any(String),
    });
    await decide(kyc, caseId, { decision: 'approve', internalReason: 'Compared by hand.' });
    expect((await caseOf(kyc, caseId)).status).toBe('APPROVED');
  });

  it('cannot be approved while the hit is open, and can be after it was dismissed', async () => {
    const { caseId, hitId } = await listedPerson();
    const approve = { decision: 'approve', internalReason: 'Another birth place.' };
    expect(told(await decide(kyc, caseId, approve))).toEqual([409, 'kyc_case_has_hits']);
    expect((await decideHit(hitId, 'dismiss')).json).toMatchObject({
      ...{ state: 'dismissed', decidedBy: 'the-reviewer', note: 'Looked at the passport.' },
    });
    expect((await decide(kyc, caseId, approve)).json.status).toBe('APPROVED');
  });

  it('is rejected for good with COMPLIANCE and nothing else when the hit is confirmed', async () => {
    const { user, caseId, hitId } = await listedPerson();
    expect((await decideHit(hitId, 'confirm')).json.state).toBe('confirmed');
    expect(await caseOf(kyc, caseId)).toMatchObject({ status: 'REJECTED', reasons: ['COMPLIANCE'] });
    const link = await kyc.api.post(`/kyc/links?userId=${user.id}`, {
      token: kyc.acme.token,
      body: { kycLevel: 'LEVEL_1', zone: 'EEA' },
    });
    expect(told(link)).toEqual([409, 'kyc_form_not_open']);
    const seen = JSON.stringify([await eventsOf(kyc, caseId), link.json, await caseOf(kyc, caseId)]);
    expect(seen).not.toMatch(/hit_|screening|sandbox"|TEST-1|score/i);
  });

  it('comes back after a dismissal when their data changes; confirmed, it ends every level and rejects later submits', async () => {
    const { user, caseId, hitId } = await listedPerson();
    await decideHit(hitId, 'dismiss');
    await decide(kyc, caseId, { decision: 'approve', internalReason: 'Dismissed.' });
    const submitLevel = async (level: 'LEVEL_2' | 'LEVEL_3') => {
      const token = await newLink(kyc, user, { level });
      await fillIn(kyc, token, { level }, { ...listed, nationality: 'US' });
      const outcome = await submit(kyc, token);
      if (outcome.kind !== 'done') throw new Error(outcome.kind);
      return outcome.frame.caseId;
    };
    const second = await submitLevel('LEVEL_2');
    const [again] = await hitsOf(user.id);
    expect(again).toMatchObject({ entryId: 'TEST-1', state: 'open' });
    expect(again.id).not.toBe(hitId);
    await decideHit(again.id, 'confirm');
    expect(await caseOf(kyc, caseId)).toMatchObject({ status: 'REVOKED', reasons: ['COMPLIANCE'] });
    expect(await caseOf(kyc, second)).toMatchObject({ status: 'REJECTED', reasons: ['COMPLIANCE'] });
    const third = await submitLevel('LEVEL_3');
    expect(await caseOf(kyc, third)).toMatchObject({ status: 'REJECTED', reasons: ['COMPLIANCE'] });
    expect(await eventTypes(kyc, third)).toEqual([
      ...['kyc.pending', 'kyc.submitted', 'kyc.in_review', 'kyc.rejected'],
    ]);
  });
});

describe('deciding a hit', () => {
  it('happens once, also when two operators decide at the same moment', async () => {
    const { caseId, hitId } = await listedPerson();
    const answers = await Promise.all([decideHit(hitId, 'dismiss'), decideHit(hitId, 'confirm')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { state } = (await hit(hitId)).json;
    expect((await caseOf(kyc, caseId)).status).toBe(state === 'confirmed' ? 'REJECTED' : 'IN_REVIEW');
    expect(told(await decideHit(hitId, 'confirm'))).toEqual([409, 'screening_hit_decided']);
    const decided = (await actions(`hit:${hitId}`)).filter((action) => /dismissed|confirmed/.test(action));
    expect(decided).toEqual([`screening.hit_${state}`]);
  });

  it('needs a note, and a hit that exists', async () => {
    const { hitId } = await listedPerson();
    expect(told(await decideHit(hitId, 'dismiss', ' '))).toEqual([400, 'invalid_fields']);
    for (const id of ['x', 'hit_', newMerchantPublicId('hit', kyc.acme.merchant)]) {
      expect(told(await decideHit(id, 'dismiss'))).toEqual([404, 'screening_hit_not_found']);
    }
  });

  it('is refused by the database for a hit that is decided already', async () => {
    const { hitId } = await listedPerson();
    await decideHit(hitId, 'dismiss');
    const change = kyc.sql.query(`UPDATE screening_hits SET state = 'confirmed' WHERE hit_id = $1`, [hitId]);
    await expect(change).rejects.toThrow('a hit is decided once');
  });
});

describe('a deleted user', () => {
  it('stays in the hits, which can still be decided, and the stored rows contain no name', async () => {
    const { user, hitId } = await listedPerson();
    const { rows } = await kyc.sql.query('SELECT * FROM screening_hits WHERE hit_id = $1', [hitId]);
    expect(JSON.stringify(rows[0])).not.toMatch(/iris|blockwell/i);
    expect(rows[0].sealed_explanation.toString('latin1')).not.toMatch(/iris|blockwell/i);
    const deleted = await kyc.api.call('DELETE', `/user?userId=${user.id}`, { token: kyc.acme.token });
    expect(deleted.status, deleted.text).toBe(200);
    expect(await hitsOf(user.id)).toMatchObject([{ id: hitId, state: 'open' }]);
    const tasks = await kyc.api.get('/operator/tasks?kind=screening_hit&limit=200', { token: kyc.reviewer });
    expect(tasks.text).toContain(hitId);
    expect((await hit(hitId)).json.explanation.subjectName).toMatch(/Iris.*Blockwell/);
    expect((await decideHit(hitId, 'confirm')).json).toMatchObject({ state: 'confirmed' });
    expect(told(await decideHit(hitId, 'confirm'))).toEqual([409, 'screening_hit_decided']);
  });
});

it('the merchant of a sandbox cannot approve a person with a hit, and is not told of it', async () => {
  const { caseId } = await listedPerson();
  const answer = await kyc.api.post(`/sandbox/kyc/${caseId}/decision`, {
    token: kyc.acme.token,
    body: { decision: 'approve' },
  });
  expect(told(answer)).toEqual([409, 'kyc_case_not_decidable']);
  expect(answer.text).not.toMatch(/hit|screen/i);
});

it('every audit entry of a hit names its merchant', async () => {
  const rows = await auditRows(kyc.sql, 'screening.hit_found');
  expect(rows.length).toBeGreaterThan(0);
  for (const { subject } of rows) expect(subject).toMatch(/^hit:hit_/);
});
