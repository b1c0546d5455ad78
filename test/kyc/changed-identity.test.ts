/** A name, country or address that is another now reopens what was approved on it. */
import { describe, expect, it } from 'vitest';
import { partsToAskAgain } from '../../src/kyc/service.js';
import { newUser } from '../harness/users.js';
import { caseOf, decide, eventTypes, fillIn, newLink, submit, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();
const update = (id: number, body: object) =>
  kyc.api.call('PATCH', `/user?userId=${id}`, { token: kyc.acme.token, body });

describe('after an approval', () => {
  it.each([
    [{ lastName: 'Another' }, ['person', 'document']],
    [{ city: 'Alicante' }, ['address']],
    [{ countryCode: 'PT' }, ['address']],
    [{ countryCode: 'US' }, ['address']],
    [{ firstName: 'Other', postalCode: '03001' }, ['person', 'address', 'document']],
  ])('a change of %j asks for %j again', async (change, parts) => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    await decide(kyc, caseId, { decision: 'approve' });
    expect((await update(user.id, change)).status).toBe(200);
    expect(await caseOf(kyc, caseId)).toMatchObject({
      status: 'ACTION_REQUIRED',
      reasons: ['mismatch'],
      requestedParts: parts,
      expiresAt: null,
    });
    expect((await eventTypes(kyc, caseId)).at(-1)).toBe('kyc.action_required');
    const levels = await kyc.api.get(`/kyc?userId=${user.id}`, { token: kyc.acme.token });
    expect(levels.json.kycLevels).toEqual([]);
  });

  it('the person answers what is asked, and a clean LEVEL_1 is approved again', async () => {
    const { user, caseId } = await submitted(kyc);
    await update(user.id, { address: '1 Calle Nueva' });
    const token = await newLink(kyc, user);
    const view = await kyc.forms.open(kyc.service.database, token);
    expect(view.kind === 'open' && view.steps.map(({ id }) => id)).toEqual(['address']);
    await kyc.service.database.transaction((tx) =>
      kyc.forms.saveStep(tx, token, 'address', {
        address: '1 Calle Nueva',
        city: 'Valencia',
        postalCode: '46001',
        countryCode: 'ES',
      }),
    );
    expect((await submit(kyc, token)).kind).toBe('done');
    expect(await caseOf(kyc, caseId)).toMatchObject({ status: 'APPROVED' });
  });

  it('an e-mail address, or the same values again, change nothing', async () => {
    const { user, caseId } = await submitted(kyc);
    await update(user.id, { email: 'new@example.com', city: 'Valencia' });
    expect(await caseOf(kyc, caseId)).toMatchObject({ status: 'APPROVED' });
  });
});

describe('before an approval', () => {
  it('a change of country ends the links that were given out for the zone', async () => {
    const user = await newUser(kyc, kyc.acme);
    const token = await newLink(kyc, user);
    await fillIn(kyc, token);
    await update(user.id, { countryCode: 'US' });
    expect((await submit(kyc, token)).kind).toBe('expired');
    const answer = await kyc.api.post(`/kyc/links?userId=${user.id}`, {
      token: kyc.acme.token,
      body: { kycLevel: 'LEVEL_1', zone: 'EEA' },
    });
    expect(answer.json).toMatchObject({ code: 'zone_country_mismatch', userZone: 'US' });
  });
});

describe('the parts to ask for again', () => {
  it('depend on what changed and on what the level rests', () => {
    expect(partsToAskAgain('LEVEL_1', ['firstName'])).toEqual(['person']);
    expect(partsToAskAgain('LEVEL_3', ['firstName'])).toEqual(['person', 'document']);
    expect(partsToAskAgain('LEVEL_3', ['countryCode'])).toEqual(['address', 'proofOfAddress']);
    expect(partsToAskAgain('LEVEL_3', ['lastName', 'city'])).toEqual([
      ...['person', 'address', 'document', 'proofOfAddress'],
    ]);
  });
});
