/** What becomes of cases when their user is deleted: drafts vanish with the key, what was submitted the law keeps. */
import { describe, expect, it } from 'vitest';
import { newUser, told } from '../harness/users.js';
import { decide, fillIn, idsOf, moveClock, newLink, runJob, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();
const erase = (id: number, token = kyc.acme.token) => kyc.api.call('DELETE', `/user?userId=${id}`, { token });

async function rowsOf(userId: number): Promise<Record<string, number>> {
  const tables = ['answers', 'documents', 'document_chunks', 'attachments', 'submissions', 'persons', 'capabilities'];
  const counts = tables.map(
    (table) => `(SELECT count(*)::int FROM kyc_${table} AS t JOIN kyc_cases AS c
                  ON c.merchant_id = t.merchant_id AND c.case_id = t.case_id WHERE c.user_id = $1) AS ${table}`,
  );
  return (await kyc.sql.query(`SELECT ${counts.join(', ')}`, [userId])).rows[0];
}

const nothing = {
  answers: 0,
  documents: 0,
  document_chunks: 0,
  attachments: 0,
  submissions: 0,
  persons: 0,
  capabilities: 0,
};

describe('before anything was submitted', () => {
  it('everything goes at once, and the keys with it', async () => {
    const user = await newUser(kyc, kyc.acme);
    const token = await newLink(kyc, user, { level: 'LEVEL_2' });
    await fillIn(kyc, token, { level: 'LEVEL_2' });
    expect(await rowsOf(user.id)).toMatchObject({ answers: 3, documents: 2, document_chunks: 2 });
    expect((await erase(user.id)).status).toBe(200);
    expect(await rowsOf(user.id)).toEqual(nothing);
    const { rows } = await kyc.sql.query('SELECT purpose FROM user_keys WHERE user_id = $1', [user.id]);
    expect(rows).toEqual([]);
    expect(await kyc.forms.open(kyc.service.database, token)).toEqual({ kind: 'unknown' });
  });
});

describe('after a submission', () => {
  it('what was submitted stays under the retained key for operators; drafts and links go', async () => {
    const asked = { level: 'LEVEL_2' } as const;
    const { user, caseId, statusToken } = await submitted(kyc, asked, { answers: { lastName: 'Retained' } });
    const draft = await newLink(kyc, user, { level: 'LEVEL_3' });
    await fillIn(kyc, draft, { level: 'LEVEL_3' });
    expect((await erase(user.id)).status).toBe(200);
    expect(await rowsOf(user.id)).toEqual({
      ...nothing,
      documents: 2,
      document_chunks: 2,
      submissions: 1,
      persons: 1,
    });
    const { rows } = await kyc.sql.query('SELECT purpose FROM user_keys WHERE user_id = $1', [user.id]);
    expect(rows).toEqual([{ purpose: 'retained' }]);

    expect(await kyc.forms.open(kyc.service.database, draft)).toEqual({ kind: 'unknown' });
    expect(await kyc.forms.status(kyc.service.database, statusToken)).toBeUndefined();
    const shown = await kyc.api.get(`/kyc/cases/${caseId}`, { token: kyc.acme.token });
    expect(told(shown)).toEqual([404, 'kyc_case_not_found']);
    const file = await kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer });
    expect(file.json).toMatchObject({ isUserDeleted: true, answers: { lastName: 'Retained' } });
  });

  it('nothing is decided of it any more, and it does not run out', async () => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' }, { merchant: kyc.rival });
    const approved = await submitted(kyc, {}, { merchant: kyc.rival });
    for (const one of [user, approved.user]) await erase(one.id, kyc.rival.token);
    expect(told(await decide(kyc, caseId, { decision: 'approve' }))).toEqual([409, 'kyc_case_not_decidable']);
    await moveClock(kyc, kyc.rival, '3 years');
    await runJob(kyc, 'kyc.tell-expiring');
    await runJob(kyc, 'kyc.expire');
    const { rows } = await kyc.sql.query(
      `SELECT type FROM events WHERE subject = $1 AND type IN ('kyc.expiring', 'kyc.expired')`,
      [approved.caseId],
    );
    expect(rows).toEqual([]);
  });

  it('removes the rest at the end of the retention, the hash of the person too', async () => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' }, { merchant: kyc.rival });
    await erase(user.id, kyc.rival.token);
    const ids = idsOf(kyc.rival, user, caseId);
    await kyc.service.database.transaction((tx) => kyc.kyc.retentionEnded(tx, ids.merchantId, ids.userId));
    expect(await rowsOf(user.id)).toEqual(nothing);
  });
});
