/** Politically exposed people: what they declare, who is on a list of them, and that management accepts them. */
import { describe, expect, it } from 'vitest';
import { merchantId, userId } from '../../src/ids.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { type MadeUser, told } from '../harness/users.js';
import { get, placed } from '../orders/orders.js';
import { caseOf, change, decide, eventsOf, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();
/** In the list of the sandbox, as politically exposed. */
const petra = { firstName: 'Petra Exposita', lastName: 'Ministress' };
const approve = { decision: 'approve', internalReason: 'The questions were answered.' };
const accept = (userId: number, token = kyc.admin) =>
  kyc.api.post(`/operator/users/${userId}/exposure`, {
    token,
    body: { merchant: 'acme', note: 'The salary of a mayor.' },
  });
const hitsOf = async (userId: number) =>
  (await kyc.api.get(`/operator/screening/hits?userId=${userId}`, { token: kyc.viewer })).json;
const checksOf = async (caseId: string) =>
  (await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer })).json.checks;
const exposureTasks = async () =>
  (await kyc.api.get('/operator/tasks?kind=exposure', { token: kyc.reviewer })).json.map(
    ({ path }: { path: string }) => path,
  );
const taskOf = ({ id }: MadeUser) => `/operator/users/${id}?merchant=acme`;

describe('who declares a public office, the own or that of somebody close', () => {
  it.each(['yes', 'associate'])('%s: is decided by a person, with the approval of management', async (declared) => {
    const { user, caseId } = await submitted(kyc, {}, { answers: { politicallyExposed: declared } });
    expect((await caseOf(kyc, caseId)).status).toBe('IN_REVIEW');
    expect(await checksOf(caseId)).toContainEqual({
      ...{ check: 'political_exposure', outcome: 'failed', about: ['politicallyExposed'] },
    });
    expect(told(await decide(kyc, caseId, { decision: 'approve' }))).toEqual([400, 'invalid_fields']);
    const refused = await decide(kyc, caseId, approve);
    expect([...told(refused), refused.json.exposure]).toEqual([409, 'kyc_case_needs_management', ['declared']]);
    expect(told(await accept(user.id, kyc.reviewer))).toEqual([403, 'role_missing']);
    const accepted = done(await accept(user.id));
    expect(Date.parse(accepted.reviewBy) - Date.parse(accepted.acceptedAt)).toBeGreaterThan(364 * 86_400_000);
    expect((await decide(kyc, caseId, approve)).json.status).toBe('APPROVED');
  });

  it('is asked again by a task when the year is over, and the note is not readable in the database', async () => {
    const { user, caseId } = await submitted(kyc, {}, { answers: { politicallyExposed: 'yes' } });
    done(await accept(user.id));
    await decide(kyc, caseId, approve);
    expect(await exposureTasks()).not.toContain(taskOf(user));
    await kyc.sql.query(
      `UPDATE exposure_acceptances SET accepted_at = now() - interval '13 months', review_by = now() - interval '1 month'
        WHERE user_id = $1`,
      [user.id],
    );
    expect(await exposureTasks()).toContain(taskOf(user));
    done(await accept(user.id));
    expect(await exposureTasks()).not.toContain(taskOf(user));
    const { rows } = await kyc.sql.query('SELECT sealed_note FROM exposure_acceptances WHERE user_id = $1', [user.id]);
    expect(rows.map(({ sealed_note }) => sealed_note.toString()).join()).not.toContain('mayor');
  });
});

describe('who is on a list of politically exposed people', () => {
  it('is reviewed, stays a customer with the approval of management, and loses nothing when the hit is confirmed', async () => {
    const { user, caseId } = await submitted(kyc, {}, { profile: petra, answers: petra });
    expect((await caseOf(kyc, caseId)).status).toBe('IN_REVIEW');
    const [hit] = await hitsOf(user.id);
    expect(hit).toMatchObject({ kind: 'exposure', entryId: 'TEST-7', state: 'open' });
    expect(told(await decide(kyc, caseId, approve))).toEqual([409, 'kyc_case_has_hits']);
    const confirm = { token: kyc.reviewer, body: { note: 'The mayor.' } };
    expect((await kyc.api.post(`/operator/screening/hits/${hit.id}/confirm`, confirm)).json.state).toBe('confirmed');
    expect((await caseOf(kyc, caseId)).status).toBe('IN_REVIEW');
    const file = done(await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer }));
    expect(file.hits).toMatchObject([{ kind: 'exposure', state: 'confirmed' }]);
    const refused = await decide(kyc, caseId, approve);
    expect([...told(refused), refused.json.exposure]).toEqual([409, 'kyc_case_needs_management', [hit.id]]);
    done(await accept(user.id));
    expect((await decide(kyc, caseId, approve)).json.status).toBe('APPROVED');
  });

  it('is a task for management when an approved user turns out to be on it', async () => {
    const { user } = await submitted(kyc);
    done(await kyc.api.call('PATCH', `/user?userId=${user.id}`, { token: kyc.acme.token, body: petra }));
    done(
      await kyc.api.post(`/sandbox/kyc?userId=${user.id}`, { token: kyc.acme.token, body: { kycLevel: 'LEVEL_1' } }),
    );
    const ids = [merchantId(kyc.acme.merchant), userId(user.id)] as const;
    const screened = await kyc.hits.screen(kyc.service.database, ...ids);
    if (!screened) throw new Error('the user is not there');
    await change(kyc, async (tx) => {
      await kyc.users.hold(tx, ...ids);
      await kyc.hits.record(tx, screened);
    });
    const [hit] = await hitsOf(user.id);
    const confirm = { token: kyc.reviewer, body: { note: 'The mayor.' } };
    done(await kyc.api.post(`/operator/screening/hits/${hit.id}/confirm`, confirm));
    expect(await exposureTasks()).toContain(taskOf(user));
    const [{ status }] = (await kyc.api.get(`/kyc/cases?userId=${user.id}`, { token: kyc.acme.token })).json;
    expect(status).toBe('APPROVED');
  });
});

it('lets no order of an exposed sender be paid out that management has not accepted this year, and money go back', async () => {
  const { user } = await submitted(kyc);
  done(await kyc.api.call('PATCH', `/user?userId=${user.id}`, { token: kyc.acme.token, body: petra }));
  done(await kyc.api.post(`/sandbox/kyc?userId=${user.id}`, { token: kyc.acme.token, body: { kycLevel: 'LEVEL_2' } }));
  const review = async (id: string) =>
    done(await kyc.api.get(`/operator/orders/${id}/review`, { token: kyc.reviewer }));
  const reviewed = async () => {
    const { id } = await placed(kyc, user);
    done(await kyc.api.post('/sandbox/payments', { token: kyc.acme.token, body: { orderId: id } }));
    await eventually(async () => (await get(kyc, id)).json.status === 'IN_REVIEW');
    return id;
  };
  const order = async (id: string, verb: string, more: object = {}) => {
    const { version } = await review(id);
    return kyc.api.post(`/operator/orders/${id}/${verb}`, {
      token: kyc.reviewer,
      body: { note: 'A.', version, ...more },
    });
  };
  const first = await reviewed();
  const [hit] = await hitsOf(user.id);
  const confirm = { token: kyc.reviewer, body: { note: 'The mayor.' } };
  done(await kyc.api.post(`/operator/screening/hits/${hit.id}/confirm`, confirm));
  expect(told(await order(first, 'approve'))).toEqual([409, 'order_review_blocked']);
  done(await accept(user.id));
  expect(done(await order(first, 'approve')).state).toBe('PAYMENT_RECEIVED');
  await kyc.sql.query(
    `UPDATE exposure_acceptances SET accepted_at = now() - interval '13 months', review_by = now() - interval '1 month'
      WHERE user_id = $1`,
    [user.id],
  );
  const second = await reviewed();
  const rules = (await review(second)).findings.rules.map(({ rule }: { rule: string }) => rule);
  expect(rules).toContain('exposure_not_accepted');
  expect(told(await order(second, 'approve'))).toEqual([409, 'order_review_blocked']);
  expect(done(await order(second, 'refuse', { reason: 'other' })).state).toBe('REJECTED');
});

it('tells merchants of an exposed user what they are told of any reviewed one', async () => {
  const seenOf = async (caseId: string) => {
    await decide(kyc, caseId, approve);
    const seen = [await caseOf(kyc, caseId), await eventsOf(kyc, caseId)];
    return JSON.parse(
      JSON.stringify(seen, (name, value) => (/^(id|userId|version|\w+At|renewableFrom)$/.test(name) ? 0 : value)),
    );
  };
  const exposed = await submitted(kyc, { level: 'LEVEL_2' }, { answers: { politicallyExposed: 'associate' } });
  const ordinary = await submitted(kyc, { level: 'LEVEL_2' });
  await accept(exposed.user.id);
  const seen = await seenOf(exposed.caseId);
  expect(seen).toEqual(await seenOf(ordinary.caseId));
  expect(JSON.stringify(seen)).not.toMatch(/expos|politic|management/i);
});
