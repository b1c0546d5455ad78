/** What operators see and decide: the queue, a case with what was submitted, its documents, and the decision. */
import { describe, expect, it } from 'vitest';
import { auditRows } from '../harness/access.js';
import { newUser, told } from '../harness/users.js';
import { caseOf, change, decide, fillIn, newLink, rejection, submit, submitted, useKycService } from './kyc-service.js';
import { photo } from './people.js';

const kyc = useKycService();
const queue = (search = '', token = kyc.viewer) => kyc.api.get(`/operator/kyc${search}`, { token });
const file = (caseId: string, token = kyc.reviewer) => kyc.api.get(`/operator/kyc/${caseId}`, { token });
const request = {
  decision: 'request',
  parts: ['documentFront'],
  publicReasons: ['blurry', 'cropped'],
  internalReason: 'The number can not be read.',
} as const;

describe('GET /operator/kyc', () => {
  it('lists the cases of all merchants, the longest waiting first, page by page', async () => {
    const made: { caseId: string }[] = [];
    for (const merchant of [kyc.acme, kyc.rival, kyc.acme]) {
      made.push(await submitted(kyc, { level: 'LEVEL_2' }, { merchant }));
    }
    const seen: { id: string; merchant: string }[] = [];
    let next: string | undefined = '?status=IN_REVIEW&level=LEVEL_2&zone=EEA&limit=1';
    for (let pages = 0; next !== undefined && pages < 50; pages += 1) {
      const page = await queue(next);
      expect(page.json.length).toBeLessThanOrEqual(1);
      seen.push(...page.json);
      next = /^<\/operator\/kyc(\?[^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    const ours = seen.filter(({ id }) => made.some(({ caseId }) => caseId === id));
    expect(ours.map(({ id, merchant }) => [id, merchant])).toEqual([
      [made[0]?.caseId, 'acme'],
      [made[1]?.caseId, 'rival'],
      [made[2]?.caseId, 'acme'],
    ]);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  });

  it('filters by status, level, zone and merchant', async () => {
    const swiss = await submitted(kyc, { level: 'LEVEL_3', zone: 'CH' }, { profile: { countryCode: 'CH' } });
    const idsOf = async (search: string) => (await queue(search)).json.map(({ id }: { id: string }) => id);
    expect(await idsOf('?zone=CH')).toEqual([swiss.caseId]);
    expect(await idsOf('?zone=CH&level=LEVEL_3&status=IN_REVIEW&merchant=acme')).toEqual([swiss.caseId]);
    expect(await idsOf('?zone=CH&status=APPROVED')).toEqual([]);
    expect(await idsOf('?zone=CH&level=LEVEL_2')).toEqual([]);
    expect(await idsOf('?zone=CH&merchant=rival')).toEqual([]);
    expect(told(await queue('?merchant=nobody'))).toEqual([404, 'merchant_not_found']);
    expect(told(await queue('?status=NONSENSE&after=x'))).toEqual([400, 'invalid_fields']);
  });

  it('leaves out cases of users who are gone', async () => {
    const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    const listed = async () => (await queue('?limit=200')).text.includes(caseId);
    expect(await listed()).toBe(true);
    await kyc.api.call('DELETE', `/user?userId=${user.id}`, { token: kyc.acme.token });
    expect(await listed()).toBe(false);
  });
});

it('recognises a person for certain by what an operator has approved, until that is taken back', async () => {
  const { user, caseId } = await submitted(kyc, { level: 'LEVEL_2' });
  const sources = async () => {
    const text = `SELECT kind, source FROM person_identifiers WHERE user_id = $1 AND source = 'verified' ORDER BY kind`;
    return (await kyc.sql.query(text, [user.id])).rows.map(({ kind }) => kind);
  };
  expect(await sources()).toEqual([]);
  expect((await decide(kyc, caseId, { decision: 'approve', internalReason: 'All seen.' })).status).toBe(200);
  expect(await sources()).toEqual(expect.arrayContaining(['document', 'name_and_birth_date']));
  const revoked = { decision: 'revoke', publicReason: 'mismatch', internalReason: 'Forged.' } as const;
  const answer = await decide(kyc, caseId, revoked);
  expect(answer.status, answer.text).toBe(200);
  expect(await sources()).toEqual([]);
});

describe('GET /operator/kyc/{caseId}', () => {
  it('shows what was submitted, the checks, the documents and the history, and audits each look', async () => {
    const answers = { firstName: 'Ines', lastName: 'Looked at' };
    const { caseId } = await submitted(kyc, { level: 'LEVEL_2' }, { answers });
    const answer = await file(caseId);
    expect(answer.json).toMatchObject({
      id: caseId,
      merchant: 'acme',
      isUserDeleted: false,
      status: 'IN_REVIEW',
      answers: {
        firstName: 'Ines',
        lastName: 'Looked at',
        dateOfBirth: '1990-04-12',
        documentType: 'passport',
      },
    });
    expect(answer.json.documents.map((one: { question: string }) => one.question)).toEqual([
      ...['documentFront', 'selfiePhoto'],
    ]);
    expect(answer.json.history.map((one: { to: string; actorKind: string }) => [one.to, one.actorKind])).toEqual([
      ['PENDING', 'merchant'],
      ['SUBMITTED', 'user'],
      ['IN_REVIEW', 'system'],
    ]);
    await file(caseId);
    const looks = (await auditRows(kyc.sql, 'kyc.case_looked_at')).filter(({ subject }) => subject === `kyc:${caseId}`);
    expect(looks).toHaveLength(2);
    expect(looks[0]?.actor).toMatch(/^operator:/);
  });

  it('shows nothing that was not submitted', async () => {
    const user = await newUser(kyc, kyc.acme);
    const token = await newLink(kyc, user, { level: 'LEVEL_2' });
    await fillIn(kyc, token, { level: 'LEVEL_2' });
    const [{ id }] = (await kyc.api.get(`/kyc/cases?userId=${user.id}`, { token: kyc.acme.token })).json;
    expect((await file(id)).json).toMatchObject({ answers: null, documents: [], checks: [], consent: null });
  });

  it('is for reviewers; a viewer sees the queue only, a merchant neither', async () => {
    const { caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    expect(told(await file(caseId, kyc.viewer))).toEqual([403, 'role_missing']);
    expect(told(await decide(kyc, caseId, { decision: 'approve' }, kyc.viewer))).toEqual([403, 'role_missing']);
    expect((await file(caseId, kyc.acme.token)).status).toBe(401);
    expect((await queue('', kyc.acme.token)).status).toBe(401);
    expect(told(await file('kyc_00000000000000000000000000'))).toEqual([404, 'kyc_case_not_found']);
    expect(told(await file('nonsense'))).toEqual([404, 'kyc_case_not_found']);
  });
});

describe('GET /operator/kyc/{caseId}/documents/{documentId}', () => {
  it('hands the document out as an attachment that can do nothing, and audits each look', async () => {
    const { caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    const [document] = (await file(caseId)).json.documents;
    const path = `/operator/kyc/${caseId}/documents/${document.documentId}`;
    const answer = await kyc.api.get(path, { token: kyc.reviewer });
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/^documentFront of /);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="${caseId}-documentFront.png"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const looks = await auditRows(kyc.sql, 'kyc.document_looked_at');
    expect(looks.at(-1)).toMatchObject({
      subject: `kyc:${caseId}`,
      details: { documentId: document.documentId },
    });
  });

  it('knows no document of another case, none that was not submitted, and nobody who may not look', async () => {
    const [one, other] = [await submitted(kyc, { level: 'LEVEL_2' }), await submitted(kyc, { level: 'LEVEL_2' })];
    const [document] = (await file(one.caseId)).json.documents;
    const get = (caseId: string, id: string, token = kyc.reviewer) =>
      kyc.api.get(`/operator/kyc/${caseId}/documents/${id}`, { token });
    expect(told(await get(other.caseId, document.documentId))).toEqual([404, 'kyc_document_not_found']);
    expect(told(await get(one.caseId, 'unknown'))).toEqual([404, 'kyc_document_not_found']);
    expect(told(await get(one.caseId, document.documentId, kyc.viewer))).toEqual([403, 'role_missing']);
    expect((await get(one.caseId, document.documentId, kyc.acme.token)).status).toBe(401);
    expect((await kyc.api.get(`/operator/kyc/${one.caseId}/documents/${document.documentId}`)).status).toBe(401);

    const token = await newLink(kyc, await newUser(kyc, kyc.acme), { level: 'LEVEL_2' });
    const attached = await change(kyc, (tx) => kyc.forms.attachDocument(tx, token, 'selfiePhoto', photo()));
    const view = await kyc.forms.open(kyc.service.database, token);
    if (attached.kind !== 'attached' || view.kind !== 'open') throw new Error('not attached');
    expect(told(await get(view.caseId, attached.document.documentId))).toEqual([404, 'kyc_document_not_found']);
  });
});

describe('POST /operator/kyc/{caseId}/decision', () => {
  it('approves, and the approval lasts as long as the level says', async () => {
    const months = async (level: 'LEVEL_2' | 'LEVEL_3') => {
      const { caseId } = await submitted(kyc, { level });
      const { json } = await decide(kyc, caseId, { decision: 'approve' });
      const [from, to] = [new Date(json.decidedAt), new Date(json.expiresAt)];
      return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
    };
    expect([await months('LEVEL_2'), await months('LEVEL_3')]).toEqual([24, 12]);
  });

  it('answers a repeated key with the first decision, and stores the key with the merchant', async () => {
    const { caseId } = await submitted(kyc, { level: 'LEVEL_2' }, { merchant: kyc.rival });
    const path = `/operator/kyc/${caseId}/decision`;
    const ask = () => kyc.api.post(path, { token: kyc.reviewer, key: 'once', body: { decision: 'approve' } });
    const [first, again] = [await ask(), await ask()];
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(told(await decide(kyc, caseId, { decision: 'approve' }))).toEqual([409, 'kyc_case_not_decidable']);
    const { rows } = await kyc.sql.query('SELECT merchant_id::int AS owner FROM idempotency_keys');
    expect(rows).toEqual([{ owner: kyc.rival.merchant }]);
    const unknown = `/operator/kyc/kyc_${'0'.repeat(26)}/decision`;
    const lost = kyc.api.post(unknown, { token: kyc.reviewer, key: 'once', body: { decision: 'approve' } });
    expect(told(await lost)).toEqual([404, 'kyc_case_not_found']);
  });

  it('approves no longer than the document is good', async () => {
    const { rows } = await kyc.sql.query(`SELECT to_char(now() + interval '40 days', 'YYYY-MM-DD') AS day`);
    const documentExpiresOn = rows[0].day;
    const { caseId } = await submitted(kyc, { level: 'LEVEL_2' }, { answers: { documentExpiresOn } });
    const { json } = await decide(kyc, caseId, { decision: 'approve' });
    const lastDay = new Date(new Date(json.expiresAt).getTime() - 1).toISOString().slice(0, 10);
    expect(lastDay).toBe(documentExpiresOn);
  });

  it('does not approve with a document that has expired since', async () => {
    const { caseId } = await submitted(
      kyc,
      { level: 'LEVEL_2' },
      { answers: { documentExpiresOn: '2041-01-31' }, merchant: kyc.rival },
    );
    await kyc.sql.query(`INSERT INTO merchant_clocks SELECT $1, '2041-02-01'::timestamptz - now()`, [
      kyc.rival.merchant,
    ]);
    expect(told(await decide(kyc, caseId, { decision: 'approve' }))).toEqual([409, 'kyc_document_expired']);
    const again = { ...request, parts: ['document'], publicReasons: ['expired_document'] };
    expect((await decide(kyc, caseId, again)).json).toMatchObject({ status: 'ACTION_REQUIRED' });
  });

  it('rejects with a public reason for all and an internal one for operators', async () => {
    const { caseId, user } = await submitted(kyc, { level: 'LEVEL_2' });
    expect((await decide(kyc, caseId, rejection)).json).toMatchObject({
      status: 'REJECTED',
      reasons: ['wrong_document'],
    });
    expect((await file(caseId)).json.history.at(-1)).toMatchObject({
      to: 'REJECTED',
      actorKind: 'operator',
      actor: 'operator:the-reviewer',
      reasons: ['wrong_document'],
      internalReason: 'A library card.',
    });
    const shown = await kyc.api.get(`/kyc/cases?userId=${user.id}`, { token: kyc.acme.token });
    expect(shown.text).not.toContain('library');
  });

  it('asks for named parts again, and the form then asks for these only', async () => {
    const asked = { level: 'LEVEL_2' } as const;
    const { caseId, user } = await submitted(kyc, asked, { answers: { documentType: 'identityCard' } });
    expect((await decide(kyc, caseId, request)).json).toMatchObject({
      status: 'ACTION_REQUIRED',
      reasons: ['blurry', 'cropped'],
      requestedParts: ['documentFront'],
    });
    const token = await newLink(kyc, user, asked);
    const view = await kyc.forms.open(kyc.service.database, token);
    if (view.kind !== 'open') throw new Error(view.kind);
    expect(view.publicReasons).toEqual(['blurry', 'cropped']);
    expect(view.steps.map(({ id, questions }) => [id, questions.map((one) => one.id)])).toEqual([
      ['document', ['documentFront']],
    ]);
    expect(await submit(kyc, token)).toEqual({ kind: 'missing', steps: ['document'] });
    expect(await change(kyc, (tx) => kyc.forms.attachDocument(tx, token, 'selfiePhoto', photo()))).toEqual({
      kind: 'not_asked',
    });
    await change(kyc, (tx) => kyc.forms.attachDocument(tx, token, 'documentFront', photo('sharp')));
    expect((await submit(kyc, token)).kind).toBe('done');

    const { json } = await file(caseId);
    const fronts = json.documents.filter((one: { question: string }) => one.question === 'documentFront');
    expect(fronts.map((one: { isCurrent: boolean }) => one.isCurrent)).toEqual([false, true]);
    expect(json.answers.documentType).toBe('identityCard');
    expect(await caseOf(kyc, caseId)).toMatchObject({
      status: 'IN_REVIEW',
      requestedParts: [],
      reasons: [],
    });
  });

  it('gets a document that it asked for by name, also where the answers do not call for it', async () => {
    const asked = { level: 'LEVEL_2' } as const;
    const { caseId, user } = await submitted(kyc, asked, { answers: { documentType: 'passport' } });
    await decide(kyc, caseId, { ...request, parts: ['documentBack'] });
    const token = await newLink(kyc, user, asked);
    await change(kyc, (tx) => kyc.forms.attachDocument(tx, token, 'documentBack', photo('a stamp')));
    expect((await submit(kyc, token)).kind).toBe('done');
    const { json } = await file(caseId);
    const current = json.documents.filter((one: { isCurrent: boolean }) => one.isCurrent);
    expect(current.map((one: { question: string }) => one.question).sort()).toEqual([
      'documentBack',
      'documentFront',
      'selfiePhoto',
    ]);
  });

  it('asks for whole steps again with what was answered, but not as done', async () => {
    const { caseId, user } = await submitted(kyc, { level: 'LEVEL_2' }, { answers: { lastName: 'Before' } });
    await decide(kyc, caseId, { ...request, parts: ['person', 'selfie'] });
    const view = await kyc.forms.open(kyc.service.database, await newLink(kyc, user, { level: 'LEVEL_2' }));
    if (view.kind !== 'open') throw new Error(view.kind);
    expect(view.steps).toMatchObject([
      { id: 'person', isDone: false, answers: { lastName: 'Before' } },
      { id: 'selfie', isDone: false, documents: {} },
    ]);
  });

  it('asks for no part that the case does not have', async () => {
    const { caseId } = await submitted(kyc, { level: 'LEVEL_2' });
    const answer = await decide(kyc, caseId, { ...request, parts: ['funds'] });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toEqual([
      {
        field: 'parts',
        code: 'not_allowed',
        message: 'must be parts of LEVEL_2 in EEA',
        allowed: ['person', 'address', 'document', 'documentFront', 'documentBack', 'selfie'],
      },
    ]);
  });

  it.each([
    [{ decision: 'reject' }, ['publicReason', 'internalReason']],
    [{ decision: 'revoke', final: true, publicReason: 'other' }, ['internalReason', 'final']],
    [{ decision: 'request' }, ['parts', 'publicReasons', 'internalReason']],
    [{ decision: 'approve', publicReason: 'other', parts: ['person'] }, ['publicReason', 'parts']],
    [{ decision: 'forget', why: 1 }, ['decision', 'why']],
    [{ ...rejection, publicReason: 'sanctioned' }, ['publicReason']],
    [{ ...rejection, internalReason: '' }, ['internalReason']],
  ])('tells every field of %j that is not right', async (body, fields) => {
    const answer = await decide(kyc, 'kyc_00000000000000000000000000', body);
    expect(answer.status).toBe(400);
    expect(answer.json.errors.map((one: { field: string }) => one.field).sort()).toEqual(fields.toSorted());
  });

  it.each([
    ['PENDING', 'approve'],
    ['APPROVED', 'approve'],
    ['APPROVED', 'reject'],
    ['IN_REVIEW', 'revoke'],
  ])('does not take of %s: %s', async (state, decision) => {
    const level = state === 'IN_REVIEW' ? 'LEVEL_2' : 'LEVEL_1';
    const caseId = state === 'PENDING' ? await pendingCase() : (await submitted(kyc, { level })).caseId;
    const body = decision === 'approve' ? { decision } : { ...rejection, decision };
    const answer = await decide(kyc, caseId, body);
    expect(told(answer)).toEqual([409, 'kyc_case_not_decidable']);
    expect(answer.json.caseStatus).toBe(state);
  });

  async function pendingCase(): Promise<string> {
    const view = await kyc.forms.open(kyc.service.database, await newLink(kyc, await newUser(kyc, kyc.acme)));
    if (view.kind !== 'open') throw new Error(view.kind);
    return view.caseId;
  }
});

describe('an approval over a failed check', () => {
  it('needs an internal reason, and keeps it', async () => {
    const { caseId } = await submitted(kyc, {}, { profile: { firstName: 'Quite', lastName: 'Different' } });
    const refused = await decide(kyc, caseId, { decision: 'approve' });
    expect(told(refused)).toEqual([400, 'invalid_fields']);
    expect(refused.json.errors).toEqual([
      {
        field: 'internalReason',
        code: 'required',
        message: 'is required, because these checks failed: registration_match',
      },
    ]);
    expect((await caseOf(kyc, caseId)).status).toBe('IN_REVIEW');
    const internalReason = 'A marriage certificate was shown.';
    expect((await decide(kyc, caseId, { decision: 'approve', internalReason })).json.status).toBe('APPROVED');
    expect((await file(caseId)).json.history.at(-1)).toMatchObject({ internalReason });
  });
});
