/** Dismissing a strong screening hit: a request that belongs to a merchant. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../src/worker/worker.js';
import { operatorTokens } from '../harness/access.js';
import { told } from '../harness/users.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { moveClock, submitted, useKycService } from '../kyc/kyc-service.js';

let endRetention: Job | undefined;
const settings = { FOUR_EYES: 'hit.dismiss', SCREENING_STRONG_SCORE: '80' };
const kyc = useKycService(settings, undefined, (jobs) => {
  endRetention = jobs.find(({ name }) => name === 'users.end-retention');
  return jobs;
});
const profile = { firstName: 'Iris', lastName: 'Blockwell' };
const answers = { ...profile, dateOfBirth: '1970-01-31' };
let second: string;
beforeAll(async () => {
  second = (await operatorTokens(kyc, { rita: 'reviewer' })).rita;
});

async function strongHit() {
  const { user } = await submitted(kyc, {}, { profile, answers });
  const { json } = await kyc.api.get(`/operator/screening/hits?userId=${user.id}`, { token: kyc.viewer });
  return { user, hitId: json[0].id as string };
}
const dismiss = (hitId: string, note = 'Another person of this name.') =>
  kyc.api.post(`/operator/screening/hits/${hitId}/dismiss`, { token: kyc.reviewer, body: { note } });
const decide = (id: string, verb = 'approve', token = second) =>
  kyc.api.post(`/operator/approvals/${id}/${verb}`, {
    token,
    ...(verb === 'refuse' ? { body: { reason: 'It is Iris herself.' } } : {}),
  });
const hit = async (hitId: string) =>
  (await kyc.api.get(`/operator/screening/hits/${hitId}`, { token: kyc.reviewer })).json;
const row = async (id: string) =>
  (await kyc.sql.query('SELECT * FROM approval_requests WHERE approval_id = $1', [id])).rows[0];

describe('dismissing a strong hit', () => {
  it('waits under the merchant of the hit, which shows it, until a second reviewer approves', async () => {
    const { hitId } = await strongHit();
    const asked = await dismiss(hitId);
    expect(asked.status).toBe(202);
    const { approvalId } = asked.json;
    expect(await row(approvalId)).toMatchObject({ merchant_id: String(kyc.acme.merchant), state: 'pending' });
    expect(await hit(hitId)).toMatchObject({
      state: 'open',
      pendingApproval: { ...asked.json, requestedBy: 'the-reviewer' },
    });
    const listed = await kyc.api.get('/operator/approvals', { token: kyc.viewer });
    expect(listed.json).toContainEqual(expect.objectContaining({ approvalId, merchant: 'acme' }));
    expect((await decide(approvalId)).json).toMatchObject({ state: 'approved', merchant: 'acme' });
    expect(await hit(hitId)).toMatchObject({
      ...{ state: 'dismissed', decidedBy: 'the-reviewer', note: 'Another person of this name.' },
    });
    const { rows } = await kyc.sql.query(
      `SELECT DISTINCT merchant_id FROM changes WHERE approval_id = $1 OR details->>'approvalId' = $1`,
      [approvalId],
    );
    expect(rows).toEqual([{ merchant_id: String(kyc.acme.merchant) }]);
  });

  it('is stale once the hit was confirmed, which one reviewer does at once', async () => {
    const { hitId } = await strongHit();
    const { approvalId } = (await dismiss(hitId)).json;
    const confirmed = await kyc.api.post(`/operator/screening/hits/${hitId}/confirm`, {
      ...{ token: kyc.reviewer, body: { note: 'The same passport.' } },
    });
    expect(confirmed.json.state).toBe('confirmed');
    expect(told(await decide(approvalId))).toEqual([409, 'approval_stale']);
    expect((await hit(hitId)).state).toBe('confirmed');
  });

  it('cannot be moved to the hit of another merchant', async () => {
    const { hitId } = await strongHit();
    const { approvalId } = (await dismiss(hitId)).json;
    const moved = approvalId.replace(/^apr_.{6}/, `apr_${String(kyc.rival.merchant).padStart(6, '0')}`);
    const move = 'UPDATE approval_requests SET merchant_id = $2, approval_id = $3 WHERE approval_id = $1';
    await withoutTriggers(kyc.sql, (client) => client.query(move, [approvalId, kyc.rival.merchant, moved]));
    expect(told(await decide(approvalId))).toEqual([404, 'approval_not_found']);
    expect(told(await decide(moved))).toEqual([409, 'approval_payload_altered']);
    expect((await hit(hitId)).state).toBe('open');
  });

  it('outlives the user whom the merchant deletes, and ends when the law no longer wants the data kept', async () => {
    const { user, hitId } = await strongHit();
    const refused = (await dismiss(hitId)).json.approvalId;
    await decide(refused, 'refuse');
    const pending = (await dismiss(hitId)).json.approvalId;
    expect((await row(refused)).sealed_reason).not.toBeNull();
    await kyc.api.call('DELETE', `/user?userId=${user.id}`, { token: kyc.acme.token });
    expect(await row(pending)).toMatchObject({ state: 'pending' });
    expect((await hit(hitId)).pendingApproval.approvalId).toBe(pending);
    await moveClock(kyc, kyc.acme, '11 years');
    await endRetention?.run(AbortSignal.timeout(60_000));
    expect(await row(pending)).toMatchObject({ state: 'void', sealed_payload: null });
    expect((await row(refused)).sealed_reason).toBeNull();
  });
});

it('dismissing a hit that is not strong needs one reviewer', async () => {
  const { hitId } = await strongHit();
  await kyc.sql.query('UPDATE screening_hits SET is_strong = false WHERE hit_id = $1', [hitId]);
  expect((await dismiss(hitId)).json.state).toBe('dismissed');
});
