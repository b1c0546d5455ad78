/**
 * A level is renewed in the last 30 days of its approval. It stays valid until its end, whatever becomes of the
 * renewal.
 */
import { describe, expect, it } from 'vitest';
import { auditRows } from '../harness/access.js';
import { type MadeUser, type Merchant, merchantWithToken, told } from '../harness/users.js';
import { look } from '../kyc-form/visiting.js';
import {
  caseOf,
  decide,
  eventsOf,
  eventTypes,
  fillIn,
  moveClock,
  newLink,
  rejection,
  runJob,
  submit,
  submitted,
  uniqueName,
  useKycService,
} from './kyc-service.js';

const kyc = useKycService();
const approved = ['kyc.pending', 'kyc.submitted', 'kyc.approved'];
const approvedByOperator = ['kyc.pending', 'kyc.submitted', 'kyc.in_review', 'kyc.approved'];
let merchants = 0;

interface Holder {
  readonly merchant: Merchant;
  readonly user: MadeUser;
  readonly caseId: string;
}

/** A user whose approval was given so many days ago; it lasts 24 months. */
async function holder(daysAgo: number, level: 'LEVEL_1' | 'LEVEL_2' = 'LEVEL_1'): Promise<Holder> {
  merchants += 1;
  const merchant = await merchantWithToken(kyc, `renewing${merchants}`);
  const { user, caseId } = await submitted(kyc, { level }, { merchant });
  if (level === 'LEVEL_2') expect((await decide(kyc, caseId, { decision: 'approve' })).status).toBe(200);
  await moveClock(kyc, merchant, `${daysAgo} days`);
  return { merchant, user, caseId };
}

const linkAnswer = ({ merchant, user }: Holder, level = 'LEVEL_1') =>
  kyc.api.post(`/kyc/links?userId=${user.id}`, {
    token: merchant.token,
    body: { kycLevel: level, zone: 'EEA' },
  });
const levelsOf = async ({ merchant, user }: Holder) =>
  (await kyc.api.get(`/kyc?userId=${user.id}`, { token: merchant.token })).json.kycLevels;
const shown = ({ caseId, merchant }: Holder) => caseOf(kyc, caseId, merchant);

async function openRenewal({ merchant, user }: Holder, level: 'LEVEL_1' | 'LEVEL_2' = 'LEVEL_1') {
  const token = await newLink(kyc, user, { level }, merchant);
  await fillIn(kyc, token, { level }, uniqueName(user), merchant);
  return token;
}

async function submitRenewal(held: Holder, level: 'LEVEL_1' | 'LEVEL_2' = 'LEVEL_1') {
  const outcome = await submit(kyc, await openRenewal(held, level));
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome;
}

async function pass(merchant: Merchant, time: string): Promise<void> {
  await moveClock(kyc, merchant, time);
  for (const job of ['kyc.tell-expiring', 'kyc.expire']) await runJob(kyc, job);
}

describe('a level that ends within 30 days', () => {
  it('stays held while it is renewed, and gets a new end when the renewal is approved', async () => {
    const held = await holder(710);
    const before = await shown(held);
    const token = await openRenewal(held);
    expect(await shown(held)).toMatchObject({
      status: 'APPROVED',
      expiresAt: before.expiresAt,
      renewal: { status: 'PENDING', reasons: [], requestedParts: [] },
    });
    expect(await levelsOf(held)).toEqual(['LEVEL_1']);
    expect(await submit(kyc, token)).toMatchObject({ kind: 'done' });
    const after = await shown(held);
    expect(after).toMatchObject({ status: 'APPROVED', renewal: null });
    const gained = Date.parse(after.expiresAt ?? '') - Date.parse(before.expiresAt ?? '');
    expect(gained / 86_400_000).toBeGreaterThan(700);
    expect(await levelsOf(held)).toEqual(['LEVEL_1']);
  });

  it('reports each step of the renewal in events, history and the audit log', async () => {
    const held = await holder(710);
    await submitRenewal(held);
    const events = (await eventsOf(kyc, held.caseId)).slice(approved.length);
    expect(
      events.map(({ type, previousStatus, object }) => [
        ...[type, previousStatus, object.status, object.renewal?.status],
      ]),
    ).toEqual([
      ['kyc.renewal_updated', null, 'APPROVED', 'PENDING'],
      ['kyc.renewal_updated', null, 'APPROVED', 'SUBMITTED'],
      ['kyc.approved', 'APPROVED', 'APPROVED', undefined],
    ]);
    const file = await kyc.api.get(`/operator/kyc/${held.caseId}`, { token: kyc.reviewer });
    const renewalSteps = file.json.history.filter((entry: { isRenewal: boolean }) => entry.isRenewal);
    expect(renewalSteps.map(({ from, to }: { from: string; to: string }) => [from, to])).toEqual([
      [null, 'PENDING'],
      ['PENDING', 'SUBMITTED'],
      ['SUBMITTED', 'APPROVED'],
    ]);
    const audited = (await auditRows(kyc.sql, 'kyc.renewal_%')).filter(
      ({ subject }) => subject === `kyc:${held.caseId}`,
    );
    expect(audited.map(({ action }) => action)).toEqual([
      'kyc.renewal_open',
      'kyc.renewal_submit',
      'kyc.renewal_approve_automatically',
    ]);
  });

  it('starts one renewal, however many forms are requested one after the other and at once', async () => {
    const held = await holder(710);
    await newLink(kyc, held.user, {}, held.merchant);
    const answers = await Promise.all(Array.from({ length: 10 }, () => linkAnswer(held)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await eventTypes(kyc, held.caseId)).toEqual([...approved, 'kyc.renewal_updated']);
  });

  it('takes one of several submits at once and ends the other links', async () => {
    const held = await holder(710);
    const token = await openRenewal(held);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => submit(kyc, token)));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['done', ...Array(4).fill('submitted')]);
    const types = await eventTypes(kyc, held.caseId);
    expect(types.filter((type) => type === 'kyc.approved')).toHaveLength(2);
  });

  it('is announced at 30 and 7 days, once each, also during a renewal', async () => {
    const held = await holder(0);
    await pass(held.merchant, '705 days');
    await openRenewal(held);
    await pass(held.merchant, '1 day');
    await pass(held.merchant, '20 days');
    await pass(held.merchant, '1 day');
    expect((await eventTypes(kyc, held.caseId)).slice(approved.length)).toEqual([
      'kyc.expiring',
      'kyc.renewal_updated',
      'kyc.expiring',
    ]);
  });

  it('refuses a second form while the renewal is in review, with 409 and the state of the renewal', async () => {
    const held = await holder(710, 'LEVEL_2');
    await submitRenewal(held, 'LEVEL_2');
    const answer = await linkAnswer(held, 'LEVEL_2');
    expect(told(answer)).toEqual([409, 'kyc_form_not_open']);
    expect(answer.json).toMatchObject({ caseStatus: 'APPROVED', renewalStatus: 'IN_REVIEW' });
  });

  it('tells the user on the status page that the current verification stays valid', async () => {
    const held = await holder(710, 'LEVEL_2');
    const { statusToken } = await submitRenewal(held, 'LEVEL_2');
    const page = await look(`${kyc.service.url}/kyc/status/${statusToken}`);
    expect(page.html).toContain('A person is checking them.');
    expect(page.html).toContain('Your current verification stays valid until');
  });
});

describe('a level that ends later', () => {
  it('cannot be renewed yet: the link is refused with the date, and the document says that the level is held', async () => {
    const held = await holder(690);
    const answer = await linkAnswer(held);
    expect(told(answer)).toEqual([409, 'kyc_form_not_open']);
    const { expiresAt } = await shown(held);
    const from = new Date(Date.parse(expiresAt ?? '') - 30 * 86_400_000).toISOString();
    expect(answer.json).toMatchObject({ caseStatus: 'APPROVED', renewableFrom: from });
    const document = await kyc.api.get(`/kyc/register/LEVEL_1/EEA?userId=${held.user.id}`, {
      token: held.merchant.token,
    });
    expect([document.status, document.text.includes('You are already verified')]).toEqual([200, true]);
    expect(await eventTypes(kyc, held.caseId)).toEqual(approved);
  });

  it('is not renewed for the sake of a lower level that it includes', async () => {
    const held = await holder(715);
    const other = await submitRenewalOfHigherLevel(held);
    expect(other.status).toBe('APPROVED');
    expect(told(await linkAnswer(held))).toEqual([409, 'kyc_form_not_open']);
  });
});

/** LEVEL_2 is approved now, so it lasts, while LEVEL_1 ends soon. */
async function submitRenewalOfHigherLevel(held: Holder) {
  const token = await newLink(kyc, held.user, { level: 'LEVEL_2' }, held.merchant);
  await fillIn(kyc, token, { level: 'LEVEL_2' }, uniqueName(held.user), held.merchant);
  const outcome = await submit(kyc, token);
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return (await decide(kyc, outcome.frame.caseId, { decision: 'approve' })).json;
}

describe('the decision on a renewal', () => {
  it('leaves the level held until its end when it rejects, and another form can follow', async () => {
    const held = await holder(710, 'LEVEL_2');
    const { expiresAt } = await shown(held);
    await submitRenewal(held, 'LEVEL_2');
    expect((await decide(kyc, held.caseId, rejection)).status).toBe(200);
    expect(await shown(held)).toMatchObject({
      status: 'APPROVED',
      expiresAt,
      reasons: [],
      renewal: { status: 'REJECTED', reasons: ['wrong_document'] },
    });
    expect(await levelsOf(held)).toEqual(['LEVEL_1', 'LEVEL_2']);
    await submitRenewal(held, 'LEVEL_2');
    expect((await decide(kyc, held.caseId, { decision: 'approve' })).json).toMatchObject({
      status: 'APPROVED',
      renewal: null,
    });
    expect((await eventTypes(kyc, held.caseId)).slice(approvedByOperator.length)).toEqual([
      ...Array(7).fill('kyc.renewal_updated'),
      'kyc.approved',
    ]);
  });

  it('allows no form any more when it rejects finally, also after the level has ended', async () => {
    const held = await holder(710, 'LEVEL_2');
    await submitRenewal(held, 'LEVEL_2');
    expect((await decide(kyc, held.caseId, { ...rejection, final: true })).status).toBe(200);
    expect(told(await linkAnswer(held, 'LEVEL_2'))).toEqual([409, 'kyc_form_not_open']);
    expect(await levelsOf(held)).toEqual(['LEVEL_1', 'LEVEL_2']);
    await pass(held.merchant, '60 days');
    expect(await shown(held)).toMatchObject({ status: 'EXPIRED', renewal: { status: 'REJECTED' } });
    expect(told(await linkAnswer(held, 'LEVEL_2'))).toEqual([409, 'kyc_form_not_open']);
  });

  it('asks for the requested part only, and the level stays held', async () => {
    const held = await holder(710, 'LEVEL_2');
    await submitRenewal(held, 'LEVEL_2');
    const request = {
      decision: 'request',
      parts: ['selfie'],
      publicReasons: ['blurry'],
      internalReason: 'The face cannot be seen.',
    };
    expect((await decide(kyc, held.caseId, request)).json).toMatchObject({
      status: 'APPROVED',
      requestedParts: [],
      renewal: { status: 'ACTION_REQUIRED', reasons: ['blurry'], requestedParts: ['selfie'] },
    });
    const token = await newLink(kyc, held.user, { level: 'LEVEL_2' }, held.merchant);
    const form = await kyc.forms.open(kyc.service.database, token);
    expect(form.kind === 'open' && form.steps.map(({ id }) => id)).toEqual(['selfie']);
    expect(await levelsOf(held)).toEqual(['LEVEL_1', 'LEVEL_2']);
  });

  it('is made once: of two operators at once, one gets 409', async () => {
    const held = await holder(710, 'LEVEL_2');
    await submitRenewal(held, 'LEVEL_2');
    const answers = await Promise.all([
      decide(kyc, held.caseId, { decision: 'approve' }),
      decide(kyc, held.caseId, rejection),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('is found by operators in the queue of cases in review', async () => {
    const held = await holder(710, 'LEVEL_2');
    await submitRenewal(held, 'LEVEL_2');
    const queue = await kyc.api.get('/operator/kyc?status=IN_REVIEW&limit=200', { token: kyc.viewer });
    const queued = queue.json.filter(({ id }: { id: string }) => id === held.caseId);
    expect(queued).toMatchObject([{ status: 'APPROVED', renewal: { status: 'IN_REVIEW' } }]);
  });
});

describe('an approval that ends during its renewal', () => {
  it('loses nothing that was entered: the form can be submitted, and approval brings the level back', async () => {
    const held = await holder(710);
    const token = await openRenewal(held);
    await pass(held.merchant, '40 days');
    expect(await shown(held)).toMatchObject({ status: 'EXPIRED', renewal: { status: 'PENDING' } });
    expect(await levelsOf(held)).toEqual([]);
    expect(await submit(kyc, token)).toMatchObject({ kind: 'done' });
    expect(await shown(held)).toMatchObject({ status: 'APPROVED', renewal: null });
    expect(await levelsOf(held)).toEqual(['LEVEL_1']);
    const last = (await eventsOf(kyc, held.caseId)).at(-1);
    expect(last).toMatchObject({ type: 'kyc.approved', previousStatus: 'EXPIRED' });
  });

  it('expires on time while it is in review, and the decision still counts', async () => {
    const held = await holder(710, 'LEVEL_2');
    await submitRenewal(held, 'LEVEL_2');
    await pass(held.merchant, '40 days');
    expect(await shown(held)).toMatchObject({ status: 'EXPIRED', renewal: { status: 'IN_REVIEW' } });
    expect(told(await linkAnswer(held, 'LEVEL_2'))).toEqual([409, 'kyc_form_not_open']);
    expect((await decide(kyc, held.caseId, { decision: 'approve' })).json).toMatchObject({
      status: 'APPROVED',
      renewal: null,
    });
  });

  it('continues the same renewal when a link is requested after the end', async () => {
    const held = await holder(710);
    await openRenewal(held);
    await moveClock(kyc, held.merchant, '40 days');
    const token = await newLink(kyc, held.user, {}, held.merchant);
    expect((await eventTypes(kyc, held.caseId)).slice(approved.length)).toEqual(['kyc.renewal_updated', 'kyc.expired']);
    expect(await submit(kyc, token)).toMatchObject({ kind: 'done' });
  });

  it('starts again as an expired case does after its renewal was rejected', async () => {
    const held = await holder(710, 'LEVEL_2');
    await submitRenewal(held, 'LEVEL_2');
    await decide(kyc, held.caseId, rejection);
    await pass(held.merchant, '60 days');
    await newLink(kyc, held.user, { level: 'LEVEL_2' }, held.merchant);
    expect(await shown(held)).toMatchObject({ status: 'PENDING', renewal: null });
  });
});

describe('a renewal ends with its approval', () => {
  it('ends links and drafts when the user is deleted', async () => {
    const held = await holder(710);
    const token = await openRenewal(held);
    const { user, merchant, caseId } = held;
    const deleted = await kyc.api.call('DELETE', `/user?userId=${user.id}`, { token: merchant.token });
    expect(deleted.status).toBe(200);
    expect(await kyc.forms.open(kyc.service.database, token)).toEqual({ kind: 'unknown' });
    expect((await submit(kyc, token)).kind).toBe('unknown');
    const { rows } = await kyc.sql.query('SELECT 1 FROM kyc_answers WHERE case_id = $1', [caseId]);
    expect(rows).toEqual([]);
    await runJob(kyc, 'kyc.expire');
    expect((await eventTypes(kyc, caseId)).slice(approved.length)).toEqual(['kyc.renewal_updated']);
  });

  it('refuses the open form when the approval is revoked', async () => {
    const held = await holder(710);
    const token = await openRenewal(held);
    const revoke = { decision: 'revoke', publicReason: 'COMPLIANCE', internalReason: 'Listed.' };
    expect((await decide(kyc, held.caseId, revoke)).json).toMatchObject({ status: 'REVOKED', renewal: null });
    expect((await submit(kyc, token)).kind).toBe('refused');
  });

  it('asks for everything again when the user’s name changes, because the renewal was unfinished', async () => {
    const held = await holder(710);
    await openRenewal(held);
    const { user, merchant } = held;
    const changed = await kyc.api.call('PATCH', `/user?userId=${user.id}`, {
      token: merchant.token,
      body: { lastName: 'Changed' },
    });
    expect(changed.status).toBe(200);
    expect(await shown(held)).toMatchObject({
      status: 'ACTION_REQUIRED',
      requestedParts: ['person', 'address'],
      renewal: null,
    });
  });
});

describe('the database', () => {
  it.each([
    ['a renewal that begins as submitted', `renewal_state = 'SUBMITTED', renewal_version = version + 1`],
    ['an approval by a renewal that was not submitted', `expires_at = 'infinity'`],
  ])('refuses %s', async (_what, change) => {
    const held = await holder(710);
    const update = `UPDATE kyc_cases SET version = version + 1, ${change} WHERE case_id = $1`;
    await expect(kyc.sql.query(update, [held.caseId])).rejects.toMatchObject({ code: '23001' });
  });
});
