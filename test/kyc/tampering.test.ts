/** What was entered or uploaded opens for its own user, case, step, question and type only, and never an older one. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { newUser } from '../harness/users.js';
import { fillIn, newLink, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();

/** What somebody is answered who asks after the rows were changed, and the fault that the log names. */
async function refusedAfter(tampering: string, values: unknown[], ask: (headers: HeadersInit) => Promise<Response>) {
  const changed = await kyc.sql.query(tampering, values);
  expect(changed.rowCount).toBeGreaterThan(0);
  const requestId = `req-${randomBytes(6).toString('hex')}`;
  const answer = await ask({ 'x-request-id': requestId });
  const text = await answer.text();
  expect(answer.status).toBe(500);
  expect(text).not.toMatch(/Amélie|Ørsted|sealed|seal/);
  const line = await eventually(() =>
    kyc
      .logText()
      .split('\n')
      .find((each) => each.includes(requestId) && each.includes('BrokenSeal')),
  );
  expect(line).not.toMatch(/Amélie|Ørsted/);
  return JSON.parse(line).err.message as string;
}

const openForm = (token: string) => (headers: HeadersInit) =>
  fetch(`${kyc.service.url}/kyc/form/${token}`, { headers });
const asReviewer = (path: string) => (headers: HeadersInit) =>
  fetch(`${kyc.service.url}/operator/kyc/${path}`, {
    headers: { ...headers, authorization: `Bearer ${kyc.reviewer}` },
  });

async function draft(merchant = kyc.acme) {
  const user = await newUser(kyc, merchant);
  const token = await newLink(kyc, user, { level: 'LEVEL_2' }, merchant);
  await fillIn(kyc, token, { level: 'LEVEL_2' }, {}, merchant);
  const view = await kyc.forms.open(kyc.service.database, token);
  if (view.kind !== 'open') throw new Error(view.kind);
  return { user, token, caseId: view.caseId };
}

const answersOf = async (caseId: string, step = 'person') =>
  (await kyc.sql.query('SELECT * FROM kyc_answers WHERE case_id = $1 AND step = $2', [caseId, step])).rows[0];
const putBack = 'UPDATE kyc_answers SET sealed_answers = $3 WHERE case_id = $1 AND step = $2';

describe('answers that were saved', () => {
  it('are refused once an older copy of a step is put back, by the form and by the next save', async () => {
    const { token, caseId } = await draft();
    const before = await answersOf(caseId);
    await fillIn(kyc, token, { level: 'LEVEL_2' }, { firstName: 'Other' });
    const fault = await refusedAfter(putBack, [caseId, 'person', before.sealed_answers], openForm(token));
    expect(fault).toContain('answers_seal');
    const saving = fillIn(kyc, token, { level: 'LEVEL_2' }, { firstName: 'Third' });
    await expect(saving).rejects.toThrow('answers_seal');
  });

  it('are refused once the older proof is put back without its step', async () => {
    const { token, caseId } = await draft();
    const { rows } = await kyc.sql.query('SELECT answers_seal FROM kyc_cases WHERE case_id = $1', [caseId]);
    await fillIn(kyc, token, { level: 'LEVEL_2' }, { firstName: 'Other' });
    const text = 'UPDATE kyc_cases SET answers_seal = $2 WHERE case_id = $1';
    expect(await refusedAfter(text, [caseId, rows[0].answers_seal], openForm(token))).toContain('answers_seal');
  });

  it('are refused in another step, in another case of the user, and in one of another merchant', async () => {
    const [mine, theirs] = [await draft(), await draft(kyc.rival)];
    const second = await newLink(kyc, mine.user, { level: 'LEVEL_3' });
    await fillIn(kyc, second, { level: 'LEVEL_3' });
    const other = await kyc.forms.open(kyc.service.database, second);
    if (other.kind !== 'open') throw new Error(other.kind);
    const { sealed_answers: person } = await answersOf(mine.caseId);
    for (const [caseId, step, token] of [
      [mine.caseId, 'address', mine.token],
      [other.caseId, 'person', second],
      [theirs.caseId, 'person', theirs.token],
    ] as const) {
      expect(await refusedAfter(putBack, [caseId, step, person], openForm(token))).toContain(caseId);
    }
  });

  it('are refused when they claim to be newer than they are', async () => {
    const { token, caseId } = await draft();
    const text = 'UPDATE kyc_answers SET case_version = 9 WHERE case_id = $1';
    expect(await refusedAfter(text, [caseId], openForm(token))).toContain('kyc_answers');
  });

  it('are refused when a step is left out', async () => {
    const { token, caseId } = await draft();
    const text = `DELETE FROM kyc_answers WHERE case_id = $1 AND step = 'person'`;
    expect(await refusedAfter(text, [caseId], openForm(token))).toContain('answers_seal');
  });
});

describe('a document', () => {
  it.each([
    ['question', `UPDATE kyc_documents SET question = 'selfiePhoto' WHERE document_id = $1`],
    ['media type', `UPDATE kyc_documents SET media_type = 'application/pdf' WHERE document_id = $1`],
    ['length', 'UPDATE kyc_documents SET bytes = bytes + 1 WHERE document_id = $1'],
    ['seal', `UPDATE kyc_documents SET seal = '' WHERE document_id = $1`],
  ])('is shown to no operator with another %s, neither alone nor with its case', async (_what, text) => {
    const { caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    const { rows } = await kyc.sql.query(
      `SELECT document_id FROM kyc_documents WHERE case_id = $1 AND question = 'documentFront'`,
      [caseId],
    );
    const documentId = rows[0].document_id;
    const alone = asReviewer(`${caseId}/documents/${documentId}`);
    expect(await refusedAfter(text, [documentId], alone)).toContain('kyc_documents');
    expect((await asReviewer(caseId)({})).status).toBe(500);
  });

  it('is refused by the form when it answers another question than it was uploaded for', async () => {
    const { token, caseId } = await draft();
    const text = `UPDATE kyc_attachments AS a SET document_id = b.document_id FROM kyc_attachments AS b
      WHERE a.case_id = $1 AND b.case_id = $1 AND a.question <> b.question`;
    expect(await refusedAfter(text, [caseId], openForm(token))).toContain('kyc_documents');
  });
});

describe('a submission', () => {
  it.each([
    ['answers', 'sealed_answers = other.sealed_answers'],
    ['consent', "consent_version = 'other'"],
    ['documents', 'document_ids = other.document_ids'],
  ])('is shown to no operator with other %s', async (_what, change) => {
    const asked = { level: 'LEVEL_2' } as const;
    const [mine, theirs] = [await submitted(kyc, asked), await submitted(kyc, asked, { merchant: kyc.rival })];
    const text = `UPDATE kyc_submissions AS s SET ${change} FROM kyc_submissions AS other
      WHERE s.case_id = $1 AND other.case_id = $2`;
    const fault = await refusedAfter(text, [mine.caseId, theirs.caseId], asReviewer(mine.caseId));
    expect(fault).toContain('kyc_submissions');
  });
});
