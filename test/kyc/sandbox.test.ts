/**
 * In the sandbox the merchant plays the reviewer. That live has no such path is shown in test/merchants/demo.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { newUser, told, userToken } from '../harness/users.js';
import { caseOf, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();

describe('POST /sandbox/kyc', () => {
  const grant = (userId: number, kycLevel: string, token = kyc.acme.token, key?: string) =>
    kyc.api.post(`/sandbox/kyc?userId=${userId}`, { token, body: { kycLevel }, ...(key ? { key } : {}) });

  it('approves a level at once, through the states and events of a form, and changes nothing when it is held', async () => {
    const user = await newUser(kyc, kyc.acme);
    const all = { userId: user.id, kycLevels: ['LEVEL_1', 'LEVEL_2'] };
    expect((await grant(user.id, 'LEVEL_2')).json).toEqual(all);
    expect((await grant(user.id, 'LEVEL_1')).json).toEqual(all);
    expect((await grant(user.id, 'LEVEL_2')).json).toEqual(all);
    const { rows } = await kyc.sql.query(
      `SELECT array_agg(type ORDER BY recorded_at, event_id) AS types FROM events
        WHERE subject IN (SELECT case_id FROM kyc_cases WHERE user_id = $1)`,
      [user.id],
    );
    expect(rows[0].types).toEqual(['kyc.pending', 'kyc.submitted', 'kyc.approved']);
    const [held] = (await kyc.api.get(`/kyc/cases?userId=${user.id}`, { token: kyc.acme.token })).json;
    expect(held).toMatchObject({ kycLevel: 'LEVEL_2', zone: 'EEA', status: 'APPROVED' });
  });

  it('approves a case that waits for a review', async () => {
    const { caseId, user } = await submitted(kyc, { level: 'LEVEL_3' });
    expect((await grant(user.id, 'LEVEL_3')).json.kycLevels).toEqual(['LEVEL_1', 'LEVEL_2', 'LEVEL_3']);
    expect(await caseOf(kyc, caseId)).toMatchObject({ status: 'APPROVED' });
  });

  it('refuses a user who was finally rejected, a user of another merchant, a user token and an unknown level', async () => {
    const { caseId, user } = await submitted(kyc, { level: 'LEVEL_2' });
    const rejected = { decision: 'reject', publicReason: 'other', final: true };
    await kyc.api.post(`/sandbox/kyc/${caseId}/decision`, { token: kyc.acme.token, body: rejected });
    expect(told(await grant(user.id, 'LEVEL_2'))).toEqual([409, 'kyc_case_not_decidable']);
    expect(told(await grant(user.id, 'LEVEL_1', kyc.rival.token))).toEqual([404, 'user_not_found']);
    const ofUser = await userToken(kyc, kyc.acme, user);
    expect(told(await grant(user.id, 'LEVEL_1', ofUser))).toEqual([403, 'merchant_token_required']);
    expect(told(await grant(user.id, 'LEVEL_4'))).toEqual([400, 'invalid_fields']);
  });
});

describe('POST /sandbox/kyc/{caseId}/decision', () => {
  const decide = (caseId: string, body: unknown, token = kyc.acme.token, key?: string) =>
    kyc.api.post(`/sandbox/kyc/${caseId}/decision`, { token, body, ...(key ? { key } : {}) });

  it('decides as an operator would, without having to say why inside', async () => {
    const { caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    const request = { decision: 'request', parts: ['selfie'], publicReasons: ['blurry'] };
    expect((await decide(caseId, request)).json).toMatchObject({
      status: 'ACTION_REQUIRED',
      requestedParts: ['selfie'],
    });
    expect(told(await decide(caseId, { decision: 'approve' }))).toEqual([409, 'kyc_case_not_decidable']);
    const other = await submitted(kyc, { level: 'LEVEL_2' });
    await decide(other.caseId, { decision: 'reject', publicReason: 'other' });
    expect(await caseOf(kyc, other.caseId)).toMatchObject({ status: 'REJECTED', reasons: ['other'] });
  });

  it.each(['constructor', 'toString', 'unheard-of'])(
    'refuses a decision that does not exist with 400: %s',
    async (decision) => {
      expect(told(await decide('unknown', { decision, parts: ['selfie'] }))).toEqual([400, 'invalid_fields']);
    },
  );

  it('decides once for a repeated key', async () => {
    const { caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    const [first, again] = [
      await decide(caseId, { decision: 'approve' }, undefined, 'k'),
      await decide(caseId, { decision: 'approve' }, undefined, 'k'),
    ];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
  });

  it('knows the merchant’s own cases only, and merchant tokens only', async () => {
    const { caseId, user } = await submitted(kyc, { level: 'LEVEL_2' });
    const approve = { decision: 'approve' };
    expect(told(await decide(caseId, approve, kyc.rival.token))).toEqual([404, 'kyc_case_not_found']);
    const ofUser = await userToken(kyc, kyc.acme, user);
    expect(told(await decide(caseId, approve, ofUser))).toEqual([403, 'merchant_token_required']);
    expect(told(await decide(caseId, { decision: 'reject' }))).toEqual([400, 'invalid_fields']);
  });
});
