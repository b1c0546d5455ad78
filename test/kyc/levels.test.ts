/** GET /kyc, as section 4.2 of the contract has it. */
import { describe, expect, it } from 'vitest';
import { newUser, told, userToken } from '../harness/users.js';
import { decide, moveClock, rejection, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();
const levelsOf = async (id: number, token = kyc.acme.token) =>
  (await kyc.api.get(`/kyc?userId=${id}`, { token })).json.kycLevels;

describe('GET /kyc', () => {
  it('answers exactly the two fields, for both kinds of token and both selectors', async () => {
    const user = await newUser(kyc, kyc.acme);
    const { token } = kyc.acme;
    const expected = `{"userId":${user.id},"kycLevels":[]}`;
    const answers = [
      await kyc.api.get(`/kyc?userId=${user.id}`, { token }),
      await kyc.api.get(`/kyc?externalClientId=${user.externalClientId}`, { token }),
      await kyc.api.get('/kyc', { token: await userToken(kyc, kyc.acme, user) }),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([200, expected]));
  });

  it('refuses who names nobody, two who disagree, an unknown, a rival’s user and a token without the scope', async () => {
    const user = await newUser(kyc, kyc.acme);
    const another = await newUser(kyc, kyc.acme);
    const ofUser = await userToken(kyc, kyc.acme, user);
    const narrow = await userToken(kyc, kyc.acme, user, { scope: 'rates' });
    const { token } = kyc.acme;
    expect(told(await kyc.api.get('/kyc', { token }))).toEqual([400, 'user_not_selected']);
    expect(told(await kyc.api.get(`/kyc?userId=${another.id}`, { token: ofUser }))).toEqual([
      ...[400, 'user_selector_conflict'],
    ]);
    expect(told(await kyc.api.get('/kyc?userId=999999', { token }))).toEqual([404, 'user_not_found']);
    const rivals = await kyc.api.get(`/kyc?userId=${user.id}`, { token: kyc.rival.token });
    expect(told(rivals)).toEqual([404, 'user_not_found']);
    expect(told(await kyc.api.get('/kyc', { token: narrow }))).toEqual([403, 'scope_missing']);
    expect(told(await kyc.api.get('/kyc'))).toEqual([401, 'unauthorized']);
  });
});

describe('the levels held', () => {
  it('are those approved, with all below, each once', async () => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_3' });
    expect(await levelsOf(user.id)).toEqual([]);
    expect((await decide(kyc, caseId, { decision: 'approve' })).status).toBe(200);
    expect(await levelsOf(user.id)).toEqual(['LEVEL_1', 'LEVEL_2', 'LEVEL_3']);
  });

  it('end with a rejection of none and a revocation of theirs', async () => {
    const one = await submitted(kyc);
    expect(await levelsOf(one.user.id)).toEqual(['LEVEL_1']);
    const two = await submitted(kyc, { level: 'LEVEL_2' });
    await decide(kyc, two.caseId, rejection);
    expect(await levelsOf(two.user.id)).toEqual([]);
    const revocation = { decision: 'revoke', publicReason: 'COMPLIANCE', internalReason: 'On a list.' };
    expect((await decide(kyc, one.caseId, revocation)).json).toMatchObject({
      status: 'REVOKED',
      reasons: ['COMPLIANCE'],
    });
    expect(await levelsOf(one.user.id)).toEqual([]);
  });

  it('end at the moment when they run out by the merchant’s clock, before any job has come by', async () => {
    const { user } = await submitted(kyc, {}, { merchant: kyc.rival });
    await moveClock(kyc, kyc.rival, '23 months 27 days');
    expect(await levelsOf(user.id, kyc.rival.token)).toEqual(['LEVEL_1']);
    await moveClock(kyc, kyc.rival, '5 days');
    expect(await levelsOf(user.id, kyc.rival.token)).toEqual([]);
  });
});
