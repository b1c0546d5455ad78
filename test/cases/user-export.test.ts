/** What a user who asks is told of the own data. */
import { expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { told, userToken } from '../harness/users.js';
import { submitted, useKycService } from '../kyc/kyc-service.js';

const kyc = useKycService();

it('has everything that may be told, and answers of the form only for the user', async () => {
  const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' }, { answers: { dateOfBirth: '1988-02-29' } });
  done(
    await kyc.api.post('/operator/blocks', {
      token: kyc.reviewer,
      body: { kind: 'person', merchant: 'acme', userId: user.id, reason: 'A secret reason.' },
    }),
  );
  done(
    await kyc.api.post(`/operator/users/${user.id}/notes`, {
      token: kyc.reviewer,
      body: { merchant: 'acme', note: 'A secret note.' },
    }),
  );
  const own = done(await kyc.api.get('/user/export', { token: await userToken(kyc, kyc.acme, user) }));
  expect(own).toMatchObject({
    profile: { lastName: 'Reyes Núñez' },
    kycCases: [{ id: caseId }],
    answers: { dateOfBirth: '1988-02-29', documentNumber: 'X4RTBPFW4' },
    beneficiaries: [],
    orders: [],
  });
  const merchants = done(await kyc.api.get(`/user/export?userId=${user.id}`, { token: kyc.acme.token }));
  expect(merchants).toEqual({ ...own, exportedAt: merchants.exportedAt, answers: null });
  const forUsersOnly = await userToken(kyc, kyc.acme, user, { scope: 'users' });
  expect(told(await kyc.api.get('/user/export', { token: forUsersOnly }))).toEqual([403, 'scope_missing']);
  expect(JSON.stringify(own)).not.toMatch(/secret|block|blk_|risk|alert|note/i);
  expect(told(await kyc.api.get(`/user/export?userId=${user.id}`, { token: kyc.rival.token }))).toEqual([
    404,
    'user_not_found',
  ]);
});
