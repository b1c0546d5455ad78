/** What operators read of a request: the note, what it changes, what came of it; and how outdated ones go. */
import { describe, expect, it } from 'vitest';
import { askToken, logIn } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { told } from '../harness/users.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { plainTerms } from '../rates/quoting.js';
import { type Login, useApprovals } from './approvals-service.js';

const running = useApprovals();
const { as, askMargin, decide, refuse, file, corridor, sql } = running;

const row = async (id: string) =>
  (await sql.query('SELECT * FROM approval_requests WHERE approval_id = $1', [id])).rows[0];
const fetchAnswer = (login: Login, id: string, key?: string) =>
  as(login, 'POST', `/operator/approvals/${id}/fetch-answer`, key === undefined ? {} : { key });

/** A change of any operator wakes the job that ends requests. */
async function wakeJob(): Promise<void> {
  expect((await as('ana', 'PATCH', '/operator/operators/rob', { body: { role: 'viewer' } })).status).toBe(200);
}

/** As if the request had ended so long ago. */
async function age(id: string, interval: string): Promise<void> {
  const text = `UPDATE approval_requests SET ended_at = ended_at - $2::interval WHERE approval_id = $1`;
  await withoutTriggers(sql, (client) => client.query(text, [id, interval]));
}

describe('a request', () => {
  it('shows why it was asked for and what it changes, to those who may decide it, also after the end, for 90 days', async () => {
    const before = await corridor('USD/PHP');
    const body = { ...plainTerms, marginBasisPoints: 151, payoutMethods: ['bank_account'] };
    const ask = (note: string) =>
      as('ana', 'PUT', '/operator/corridors/USD/PHP', { body, headers: { 'approval-note': note } });
    expect(told(await ask('x'.repeat(501)))).toEqual([400, 'invalid_fields']);
    const { approvalId } = (await ask('50%20% m%C3%A1s, seg%C3%BAn el banco')).json;
    const shown = {
      note: '50%20% m%C3%A1s, seg%C3%BAn el banco',
      changes: expect.arrayContaining([
        { field: '/marginBasisPoints', before: before.marginBasisPoints, after: 151 },
        { field: '/payoutMethods', before: expect.arrayContaining(['mobile_wallet']), after: ['bank_account'] },
      ]),
      request: { body: { marginBasisPoints: 151 } },
    };
    expect((await file(approvalId)).json).toMatchObject(shown);
    expect((await file(approvalId)).json.changes).not.toContainEqual(expect.objectContaining({ field: '/isOpen' }));
    expect((await file(approvalId, 'rita')).json).toMatchObject({ note: null, changes: null, request: null });
    await decide('ben', approvalId);
    expect((await file(approvalId)).json).toMatchObject({ state: 'approved', ...shown });
    await age(approvalId, '91 days');
    await wakeJob();
    await eventually(async () => (await row(approvalId)).sealed_payload === null);
    expect((await file(approvalId)).json).toMatchObject({ state: 'approved', note: null, request: null });
  });

  it('reads a note as UTF-8, as it is and escaped', async () => {
    const notes = [Buffer.from('Según el banco').toString('latin1'), encodeURIComponent('Según el banco')];
    for (const note of notes) {
      const asked = await as('ana', 'PUT', '/operator/corridors/USD/INR', {
        ...{ body: { ...plainTerms, marginBasisPoints: 152 }, headers: { 'approval-note': note } },
      });
      expect((await file(asked.json.approvalId)).json.note).toBe('Según el banco');
      await refuse('ben', asked.json.approvalId);
    }
  });

  it('leads to what came of it, where that is new', async () => {
    const csv = 'bankReference,amount,currency,bookedAt,payerName\nfile-1,5,EUR,2026-11-15,Ana Reyes\n';
    const account = {
      ...{ accountId: 'main-eur', currency: 'EUR', holder: 'Remesa S.L.', bankName: 'Banco de Ejemplo' },
      ...{ country: 'ES', details: { iban: 'ES9121000418450200051332' }, isEnabled: true },
    };
    const bank = {
      ...{ accountId: 'main-eur', currency: 'EUR', holder: 'Remesa S.L.', bankName: 'Banco de Ejemplo', country: 'ES' },
      ...{ number: 'ES9121000418450200051332', uses: ['payin'], profile: 'sepa' },
    };
    await decide('ben', (await as('ana', 'POST', '/operator/bank/accounts', { body: bank })).json.approvalId);
    await decide('ben', (await as('ana', 'POST', '/operator/payin-accounts', { body: account })).json.approvalId);
    const asked = await as('rita', 'POST', '/operator/payments/import', { body: { accountId: 'main-eur', csv } });
    const { resultPath } = (await decide('ben', asked.json.approvalId)).json;
    expect(resultPath).toMatch(/^\/operator\/payments\/imports\/imp_/);
    expect((await as('ana', 'GET', resultPath)).status).toBe(200);
  });
});

describe('an answer with a secret', () => {
  it('is fetched once, by the operator who asked, and neither the approver nor anybody else sees it', async () => {
    const body = { clientId: 'acme', name: 'Acme' };
    const { approvalId } = (await as('ana', 'POST', '/operator/merchants', { body })).json;
    expect(told(await fetchAnswer('ana', approvalId))).toEqual([409, 'approval_without_answer']);
    const approved = await decide('ben', approvalId);
    expect(approved.json).toMatchObject({ hasAnswer: true, resultPath: '/operator/merchants/acme' });
    expect(told(await fetchAnswer('ben', approvalId))).toEqual([403, 'approval_not_own']);
    const both = await Promise.all([fetchAnswer('ana', approvalId, 'once'), fetchAnswer('ana', approvalId)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { answer } = both.find(({ status }) => status === 200)?.json ?? {};
    expect((await askToken(running.node, answer)).status).toBe(200);
    expect(told(await fetchAnswer('ana', approvalId))).toEqual([409, 'approval_without_answer']);
    expect(approved.text + (await file(approvalId, 'ana')).text).not.toContain(answer.clientSecret);
    const written = JSON.stringify((await sql.query('SELECT * FROM changes')).rows) + running.node.logText();
    expect(written).not.toContain(answer.clientSecret);
  });

  it('is gone after 24 hours', async () => {
    const { approvalId } = (await as('ana', 'POST', '/operator/merchants/acme/rotate-secret', { body: {} })).json;
    await decide('ben', approvalId);
    await age(approvalId, '24 hours');
    expect(told(await fetchAnswer('ana', approvalId))).toEqual([409, 'approval_without_answer']);
    await wakeJob();
    await eventually(async () => (await row(approvalId)).sealed_answer === null);
    expect((await row(approvalId)).sealed_payload).not.toBeNull();
  });

  it('is not made for a secret that was rotated meanwhile', async () => {
    const { approvalId } = (await as('ana', 'POST', '/operator/merchants/acme/rotate-secret', { body: {} })).json;
    const { secrets } = (await as('vic', 'GET', '/operator/merchants/acme/secrets')).json;
    // Ending a secret never waits.
    const end = await as('ben', 'POST', `/operator/merchants/acme/secrets/${secrets[0].secretId}/end`);
    expect(end.status).toBe(200);
    expect(told(await decide('ben', approvalId))).toEqual([409, 'approval_stale']);
    expect((await file(approvalId)).json).toMatchObject({
      ...{ state: 'outdated', outdatedBy: { actor: 'operator:ben', action: 'merchant.secret_ended' } },
    });
  });
});

describe('an outdated request', () => {
  const close = async (name: string) => {
    const { pendingApproval: _, ...open } = await corridor(name);
    return as('ben', 'PUT', `/operator/corridors/${name}`, { body: { ...open, isOpen: false } });
  };

  it('is closed by a job, and no task is left', async () => {
    const { approvalId } = (await askMargin(161, 'USD/KES')).json;
    const kept = (await askMargin(161, 'USD/NGN')).json.approvalId;
    await close('USD/KES');
    await wakeJob();
    await eventually(async () => (await row(approvalId)).state === 'outdated');
    expect((await as('ben', 'GET', '/operator/tasks?kind=approval&limit=200')).text).not.toContain(approvalId);
    expect((await row(kept)).state).toBe('pending');
  });

  it('gives way to a new request for the same action', async () => {
    const { approvalId } = (await askMargin(162, 'USD/GHS')).json;
    await close('USD/GHS');
    const next = await askMargin(163, 'USD/GHS');
    expect(next.status).toBe(202);
    expect((await row(approvalId)).state).toBe('outdated');
    expect((await decide('ben', next.json.approvalId)).status).toBe(200);
  });
});

describe('two accounts', () => {
  /** Asked for by one operator and approved by another; the one who asked keeps the code. */
  async function invited(login: string, by: Login, approver: Login): Promise<string> {
    const asked = await as(by, 'POST', '/operator/operators', { body: { login, role: 'admin' } });
    expect((await decide(approver, asked.json.approvalId)).status).toBe(200);
    const { oneTimeCode } = (await fetchAnswer(by, asked.json.approvalId)).json.answer;
    const body = { login, password: oneTimeCode, newPassword: 'correct horse battery staple' };
    return (await running.node.api.post('/operator/login', { body })).json.accessToken;
  }
  const approveAs = (token: string, id: string) =>
    running.node.api.post(`/operator/approvals/${id}/approve`, { token });
  const askAs = async (token: string, name: string) => {
    const body = { ...plainTerms, marginBasisPoints: 171 };
    return (await running.node.api.call('PUT', `/operator/corridors/${name}`, { token, body })).json.approvalId;
  };

  it('do not approve for each other for 72 hours after one knew a one-time code of the other, or a third of both', async () => {
    const carla = await invited('carla', 'ana', 'ben');
    const dora = await invited('dora', 'ana', 'ben');
    const byAna = (await askMargin(171, 'EUR/PHP')).json.approvalId;
    const byCarla = await askAs(carla, 'EUR/INR');
    const refused = [403, 'approval_not_independent'];
    expect(told(await approveAs(carla, byAna))).toEqual(refused);
    expect(told(await decide('ana', byCarla))).toEqual(refused);
    expect(told(await approveAs(dora, byCarla))).toEqual(refused);
    expect((await decide('ben', byCarla)).status).toBe(200);
    await sql.query(`UPDATE operators SET code_issued_at = now() - interval '73 hours' WHERE login = 'carla'`);
    expect((await approveAs(carla, byAna)).status).toBe(200);
  });

  it('do not approve for each other after a reset either', async () => {
    const asked = await as('ana', 'POST', '/operator/operators/carla/reset-password');
    expect((await decide('ben', asked.json.approvalId)).status).toBe(200);
    const { oneTimeCode } = (await fetchAnswer('ana', asked.json.approvalId)).json.answer;
    const body = { login: 'carla', password: oneTimeCode, newPassword: 'another horse battery' };
    const token = (await running.node.api.post('/operator/login', { body })).json.accessToken;
    const { approvalId } = (await askMargin(172, 'EUR/NGN')).json;
    expect(told(await approveAs(token, approvalId))).toEqual([403, 'approval_not_independent']);
    await refuse('ben', approvalId);
  });
});

describe('admins', () => {
  it('cannot remove themselves, nor the last two of them', async () => {
    const disable = (login: string, by: Login) =>
      as(by, 'PATCH', `/operator/operators/${login}`, { body: { status: 'disabled' } });
    for (const login of ['carla', 'dora']) expect((await disable(login, 'ana')).status).toBe(200);
    expect(told(await disable('ana', 'ana'))).toEqual([409, 'own_account']);
    expect(told(await disable('ana', 'ben'))).toEqual([409, 'last_admin']);
    expect((await logIn(running.node, 'ana')).status).toBe(200);
  });
});
