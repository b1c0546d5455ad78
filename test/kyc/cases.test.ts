/** Cases as merchants see them: their own users' only, and nothing personal. */
import { describe, expect, it } from 'vitest';
import { caseStates } from '../../src/kyc/cases/case.js';
import { transitions } from '../../src/kyc/cases/transitions.js';
import { newUser, told, userToken } from '../harness/users.js';
import { newLink, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();

describe('GET /kyc/cases', () => {
  it('lists one user’s cases in the order in which they began, for both kinds of token', async () => {
    const user = await newUser(kyc, kyc.acme);
    const other = await newUser(kyc, kyc.acme);
    for (const level of ['LEVEL_2', 'LEVEL_1'] as const) await newLink(kyc, user, { level });
    await newLink(kyc, other);
    const { token } = kyc.acme;
    const byMerchant = await kyc.api.get(`/kyc/cases?userId=${user.id}`, { token });
    expect(byMerchant.json.map((one: { kycLevel: string }) => one.kycLevel)).toEqual(['LEVEL_2', 'LEVEL_1']);
    const byUser = await kyc.api.get('/kyc/cases', { token: await userToken(kyc, kyc.acme, user) });
    expect(byUser.text).toBe(byMerchant.text);
  });

  it('needs a user, and knows no one else’s', async () => {
    const user = await newUser(kyc, kyc.acme);
    expect(told(await kyc.api.get('/kyc/cases', { token: kyc.acme.token }))).toEqual([400, 'user_not_selected']);
    const rivals = await kyc.api.get(`/kyc/cases?userId=${user.id}`, { token: kyc.rival.token });
    expect(told(rivals)).toEqual([404, 'user_not_found']);
  });
});

describe('GET /meta/kyc-states', () => {
  it('publishes the table of states as it is', async () => {
    const { json } = await kyc.api.get('/meta/kyc-states', { token: kyc.acme.token });
    expect(json).toEqual({ states: [...caseStates], transitions });
  });
});

describe('GET /kyc/cases/{id}', () => {
  it('answers the merchant, and the user whose it is, whichever way the user is named', async () => {
    const { user, caseId } = await submitted(kyc);
    const { token } = kyc.acme;
    const answers = [
      await kyc.api.get(`/kyc/cases/${caseId}`, { token }),
      await kyc.api.get(`/kyc/cases/${caseId}?userId=${user.id}`, { token }),
      await kyc.api.get(`/kyc/cases/${caseId}?externalClientId=${user.externalClientId}`, { token }),
      await kyc.api.get(`/kyc/cases/${caseId}`, { token: await userToken(kyc, kyc.acme, user) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.json.id).toBe(caseId);
  });

  it('knows nothing of another user’s, a rival’s, an unknown or an unreadable one', async () => {
    const { caseId } = await submitted(kyc);
    const stranger = await newUser(kyc, kyc.acme);
    const strange = await userToken(kyc, kyc.acme, stranger);
    const unknown = [404, 'kyc_case_not_found'];
    const { token } = kyc.acme;
    expect(told(await kyc.api.get(`/kyc/cases/${caseId}`, { token: strange }))).toEqual(unknown);
    expect(told(await kyc.api.get(`/kyc/cases/${caseId}?userId=${stranger.id}`, { token }))).toEqual(unknown);
    expect(told(await kyc.api.get(`/kyc/cases/${caseId}`, { token: kyc.rival.token }))).toEqual(unknown);
    for (const id of ['kyc_00000000000000000000000000', 'nonsense', "' OR true --"]) {
      expect(told(await kyc.api.get(`/kyc/cases/${encodeURIComponent(id)}`, { token }))).toEqual(unknown);
    }
  });
});
