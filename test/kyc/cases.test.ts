/** Cases as merchants see them: their own users' only, and nothing personal. */
import { describe, expect, it } from 'vitest';
import { caseStates } from '../../src/kyc/case.js';
import { transitions } from '../../src/kyc/transitions.js';
import { newUser, told, userToken } from '../harness/users.js';
import { newLink, submitted, useKycService } from './kyc-service.js';

const test = useKycService();

describe('GET /kyc/cases', () => {
  it('lists one user’s cases in the order in which they began, for both kinds of token', async () => {
    const user = await newUser(test, test.acme);
    const other = await newUser(test, test.acme);
    for (const level of ['LEVEL_2', 'LEVEL_1'] as const) await newLink(test, user, { level });
    await newLink(test, other);
    const { token } = test.acme;
    const byMerchant = await test.api.get(`/kyc/cases?userId=${user.id}`, { token });
    expect(byMerchant.json.map((one: { kycLevel: string }) => one.kycLevel)).toEqual(['LEVEL_2', 'LEVEL_1']);
    const byUser = await test.api.get('/kyc/cases', { token: await userToken(test, test.acme, user) });
    expect(byUser.text).toBe(byMerchant.text);
  });

  it('needs a user, and knows no one else’s', async () => {
    const user = await newUser(test, test.acme);
    expect(told(await test.api.get('/kyc/cases', { token: test.acme.token }))).toEqual([
      400,
      'user_not_selected',
    ]);
    const rivals = await test.api.get(`/kyc/cases?userId=${user.id}`, { token: test.rival.token });
    expect(told(rivals)).toEqual([404, 'user_not_found']);
  });
});

describe('GET /meta/kyc-states', () => {
  it('publishes the table of states as it is', async () => {
    const { json } = await test.api.get('/meta/kyc-states', { token: test.acme.token });
    expect(json).toEqual({ states: [...caseStates], transitions });
  });
});

describe('GET /kyc/cases/{id}', () => {
  it('answers the merchant, and the user whose it is, whichever way the user is named', async () => {
    const { user, caseId } = await submitted(test);
    const { token } = test.acme;
    const answers = [
      await test.api.get(`/kyc/cases/${caseId}`, { token }),
      await test.api.get(`/kyc/cases/${caseId}?userId=${user.id}`, { token }),
      await test.api.get(`/kyc/cases/${caseId}?externalClientId=${user.externalClientId}`, { token }),
      await test.api.get(`/kyc/cases/${caseId}`, { token: await userToken(test, test.acme, user) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.json.id).toBe(caseId);
  });

  it('knows nothing of another user’s, a rival’s, an unknown or an unreadable one', async () => {
    const { caseId } = await submitted(test);
    const stranger = await newUser(test, test.acme);
    const strange = await userToken(test, test.acme, stranger);
    const unknown = [404, 'kyc_case_not_found'];
    const { token } = test.acme;
    expect(told(await test.api.get(`/kyc/cases/${caseId}`, { token: strange }))).toEqual(unknown);
    expect(told(await test.api.get(`/kyc/cases/${caseId}?userId=${stranger.id}`, { token }))).toEqual(
      unknown,
    );
    expect(told(await test.api.get(`/kyc/cases/${caseId}`, { token: test.rival.token }))).toEqual(unknown);
    for (const id of ['kyc_00000000000000000000000000', 'nonsense', "' OR true --"]) {
      expect(told(await test.api.get(`/kyc/cases/${encodeURIComponent(id)}`, { token }))).toEqual(unknown);
    }
  });
});
