/** Links and case ids carry the number of their merchant. */
import { describe, expect, it } from 'vitest';
import { merchantDigits, merchantOfDigits } from '../../src/ids.js';
import { newUser, told } from '../harness/users.js';
import { newLink, useKycService } from './kyc-service.js';

const kyc = useKycService();
const look = (token: string) => kyc.forms.open(kyc.service.database, token);
const fileOf = (caseId: string) => kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer });

async function openForm() {
  const user = await newUser(kyc, kyc.acme);
  const token = await newLink(kyc, user);
  const view = await look(token);
  if (view.kind !== 'open') throw new Error(view.kind);
  return { user, token, caseId: view.caseId };
}

describe('a link', () => {
  it('begins with the number of its merchant, and opens nothing with that of another', async () => {
    const { token } = await openForm();
    expect(merchantOfDigits(token.slice(0, 6))).toBe(kyc.acme.merchant);
    for (const digits of [merchantDigits(kyc.rival.merchant), '000000', 'IIIIII', ''])
      expect((await look(`${digits}${token.slice(6)}`)).kind).toBe('unknown');
  });
});

describe('a case id', () => {
  it('begins with the number of its merchant', async () => {
    const { caseId } = await openForm();
    expect(merchantOfDigits(caseId.slice(4, 10))).toBe(kyc.acme.merchant);
    expect((await fileOf(caseId)).status).toBe(200);
  });

  it.each(['kyc_short', `hit_${'0'.repeat(26)}`, `kyc_${'Z'.repeat(26)}`])(
    'is 404 for operators when nobody gave it out: %s',
    async (caseId) => {
      expect(told(await fileOf(caseId))).toEqual([404, 'kyc_case_not_found']);
    },
  );
});
