/** Links and case ids carry the number of their merchant; those that were given out before do not, and still work. */
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { merchantDigits, merchantOfDigits, newPublicId } from '../../src/ids.js';
import { newUser, told } from '../harness/users.js';
import { caseOf, newLink, useKycService } from './kyc-service.js';

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

  it('that the previous version gave out opens its form', async () => {
    const { token, caseId } = await openForm();
    const earlier = randomBytes(32).toString('base64url');
    await kyc.sql.query('UPDATE kyc_capabilities SET token_hash = $2 WHERE token_hash = $1', [
      createHash('sha256').update(token).digest(),
      createHash('sha256').update(earlier).digest(),
    ]);
    expect(await look(earlier)).toMatchObject({ kind: 'open', caseId });
    expect((await look(token)).kind).toBe('unknown');
  });
});

describe('a case id', () => {
  it('begins with the number of its merchant', async () => {
    const { caseId } = await openForm();
    expect(merchantOfDigits(caseId.slice(4, 10))).toBe(kyc.acme.merchant);
    expect((await fileOf(caseId)).status).toBe(200);
  });

  it('that the previous version gave out is found by operators and by its merchant, whatever number it seems to carry', async () => {
    const tails = [newPublicId('kyc').slice(10), newPublicId('kyc').slice(10)];
    for (const [index, digits] of ['ZZZZZZ', merchantDigits(kyc.rival.merchant)].entries()) {
      const caseId = `kyc_${digits}${tails[index]}`;
      const user = await newUser(kyc, kyc.acme);
      await kyc.sql.query(
        `INSERT INTO kyc_cases (merchant_id, case_id, user_id, level, zone, created_at, updated_at, sealing)
         VALUES ($1, $2, $3, 'LEVEL_1', 'EEA', now(), now(), 2)`,
        [kyc.acme.merchant, caseId, user.id],
      );
      expect((await fileOf(caseId)).json).toMatchObject({ id: caseId });
      expect((await caseOf(kyc, caseId)).id).toBe(caseId);
    }
  });

  it.each(['kyc_short', `hit_${'0'.repeat(26)}`, `kyc_${'Z'.repeat(26)}`])(
    'that nobody gave out is 404 for operators: %s',
    async (caseId) => {
      expect(told(await fileOf(caseId))).toEqual([404, 'kyc_case_not_found']);
    },
  );
});
