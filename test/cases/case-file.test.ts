/** What a case names exists, what it reports is complete, nobody closes it alone, and holds keep what they name. */
import { beforeAll, expect, it } from 'vitest';
import type { Job } from '../../src/worker/worker.js';
import { newOperator, operatorToken } from '../harness/access.js';
import { type Answer, done } from '../harness/api.js';
import { newUser, told } from '../harness/users.js';
import { moveClock, submitted, useKycService } from '../kyc/kyc-service.js';

let retention: Job | undefined;
const kyc = useKycService({ FOUR_EYES: 'case.close,hold.release' }, undefined, (all) => {
  retention = all.find(({ name }) => name === 'users.end-retention');
  return all.filter((job) => job !== retention);
});
let second = '';
beforeAll(async () => {
  await newOperator(kyc.database, 'the-second', 'reviewer');
  second = await operatorToken(kyc, 'the-second');
});
const post = (path: string, body: object): Promise<Answer> =>
  kyc.api.post(`/operator/${path}`, { token: kyc.reviewer, body });
const read = async (path: string) => done(await kyc.api.get(`/operator/${path}`, { token: kyc.reviewer }));
const patch = (caseId: string, body: object) =>
  kyc.api.call('PATCH', `/operator/cases/${caseId}`, { token: kyc.reviewer, body: { note: 'Why.', ...body } });
const approve = async (asked: Answer) => {
  expect(asked.status, asked.text).toBe(202);
  done(await kyc.api.post(`/operator/approvals/${asked.json.approvalId}/approve`, { token: second }));
};
const erase = async (id: number) => done(await kyc.api.call('DELETE', `/user?userId=${id}`, { token: kyc.acme.token }));
const reportOf = (caseId: string, format: string) => read(`cases/${caseId}/report?format=${format}`);

it('refuses what does not exist, and what was added by mistake is removed and stays to be seen', async () => {
  const user = await newUser(kyc, kyc.acme);
  const { caseId } = done(await post('cases', { title: 'Typing errors' }));
  const add = (body: object) => post(`cases/${caseId}/items`, body);
  for (const [kind, reference] of [
    ['order', 'ord_typo'],
    ['order', 'ord_0000013J8V2T9X5B3N6H0C7D2F'],
    ['user', 'abc'],
    ['user', '12'],
    ['hit', 'hit_typo'],
    ['block', 'blk_typo'],
    ['case', 'cas_7ZQ4M1K8V2T9X5B3N6H0C7D2FW'],
  ]) {
    const refused = await add({ kind, reference, merchant: 'acme' });
    expect([refused.status, refused.json.errors?.[0]?.field], refused.text).toEqual([400, 'reference']);
  }
  const named = { kind: 'user', merchant: 'acme', reference: String(user.id) };
  done(await add(named));
  const { items } = done(await add(named));
  expect(items).toHaveLength(1);
  const removal = await post(`cases/${caseId}/items/1/remove`, { note: 'Another Ana.' });
  expect(done(removal).items).toMatchObject([{ number: 1, removed: { by: 'the-reviewer', why: 'Another Ana.' } }]);
  expect(told(await post(`cases/${caseId}/items/1/remove`, { note: 'Twice.' }))).toEqual([
    409,
    'case_item_not_removable',
  ]);
  const person = () => read(`users/${user.id}?merchant=acme`);
  expect((await person()).complianceCases).toEqual([]);
  done(await add(named));
  done(await post(`users/${user.id}/notes`, { merchant: 'acme', note: 'Called on Monday.' }));
  expect(await person()).toMatchObject({
    complianceCases: [caseId],
    notes: [{ note: 'Called on Monday.', by: 'the-reviewer' }],
  });
});

it('is reported only by a filing, due within ninety days, and closed by two', async () => {
  const { caseId } = done(await post('cases', { title: 'Alone' }));
  done(await patch(caseId, { state: 'investigating', version: 1 }));
  const refusedState = await patch(caseId, { state: 'reported', version: 2 });
  expect(told(refusedState)).toEqual([409, 'case_transition_not_allowed']);
  for (const dueAt of ['2020-01-01T00:00:00Z', '2199-01-01T00:00:00Z'])
    expect((await patch(caseId, { state: 'investigating', version: 2, dueAt })).status).toBe(400);
  const asked = await patch(caseId, { state: 'closed', version: 2 });
  expect(await read(`cases/${caseId}`)).toMatchObject({ state: 'investigating' });
  await approve(asked);
  expect(await read(`cases/${caseId}`)).toMatchObject({ state: 'closed' });
});

it('reports everybody by name, also who was deleted, and says what is missing', async () => {
  const { user } = await submitted(kyc, { level: 'LEVEL_2' }, { answers: { dateOfBirth: '1988-02-29' } });
  const stranger = await newUser(kyc, kyc.acme);
  const { caseId } = done(await post('cases', { title: 'Deleted' }));
  for (const { id } of [user, stranger])
    done(await post(`cases/${caseId}/items`, { kind: 'user', merchant: 'acme', reference: String(id) }));
  await erase(user.id);
  const { subjects } = JSON.parse((await reportOf(caseId, 'fincen')).content);
  expect(subjects[0]).toMatchObject({
    lastName: 'Reyes Núñez',
    dateOfBirth: '1988-02-29',
    identification: { number: 'X4RTBPFW4' },
  });
  const { content, missing } = await reportOf(caseId, 'goaml');
  expect(content).not.toContain('rentity_id');
  expect(missing).toContain(`the birth date of user acme/${stranger.id}`);
  expect(missing).not.toContain(`the birth date of user acme/${user.id}`);
  expect((await reportOf(caseId, 'html')).content).toContain('1988-02-29');
  const { rows } = await kyc.sql.query("SELECT details FROM changes WHERE action = 'compliance_case.report_made'");
  expect(rows).toHaveLength(3);
  expect(rows[0].details).toMatchObject({ format: 'fincen', users: 2, orders: 0 });
});

it('keeps what is kept of a deleted user until two people release the hold, and an open case is closed', async () => {
  const { user } = await submitted(kyc, { level: 'LEVEL_2' });
  const { holdId } = done(await post('holds', { merchant: 'acme', userId: user.id, reason: 'A court asks.' }));
  const { caseId } = done(await post('cases', { title: 'Held' }));
  done(await post(`cases/${caseId}/items`, { kind: 'user', merchant: 'acme', reference: String(user.id) }));
  await erase(user.id);
  await moveClock(kyc, kyc.acme, '31 years');
  const lastName = async () => {
    await retention?.run(AbortSignal.timeout(60_000));
    return (await read(`users/${user.id}?merchant=acme`)).profile?.lastName;
  };
  expect(await lastName()).toBe('Reyes Núñez');
  const asked = await post(`holds/${holdId}/release`, { note: 'The court is done.' });
  expect(await read(`holds/${holdId}`)).toMatchObject({ reason: 'A court asks.', releasedAt: null });
  await approve(asked);
  expect(told(await post(`holds/${holdId}/release`, { note: 'Again.' }))).toEqual([409, 'hold_released']);
  expect(await lastName()).toBe('Reyes Núñez');
  await approve(await patch(caseId, { state: 'closed', version: 1 }));
  expect(await lastName()).toBeUndefined();
  const stored = JSON.stringify((await kyc.sql.query('SELECT * FROM legal_holds')).rows);
  expect(stored).not.toContain('court');
});
