/** A request for approval from its beginning to its end, over HTTP. */
import { describe, expect, it } from 'vitest';
import { auditRows } from '../harness/access.js';
import { told } from '../harness/users.js';
import { useApprovals } from './approvals-service.js';

const running = useApprovals();
const { askMargin, decide, refuse, file, corridor } = running;

describe('a command that needs a second operator', () => {
  it('answers 202 and changes nothing until another operator approves it', async () => {
    const before = await corridor();
    const asked = await askMargin(111);
    expect(asked.status).toBe(202);
    expect(asked.json).toEqual({
      approvalId: expect.stringMatching(/^apr_000000/),
      action: 'corridor.save',
      requestedAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const { requestedAt, expiresAt, approvalId } = asked.json;
    expect(Date.parse(expiresAt) - Date.parse(requestedAt)).toBe(72 * 3_600_000);
    expect(await corridor()).toEqual({ ...before, pendingApproval: { ...asked.json, requestedBy: 'ana' } });
    const approved = await decide('ben', approvalId);
    expect(approved.status).toBe(200);
    expect(approved.json).toMatchObject({
      ...{ approvalId, state: 'approved', requestedBy: 'ana', decidedBy: 'ben', requiredRole: 'admin' },
      ...{ subject: 'corridor:USD-MXN', merchant: null },
    });
    const after = await corridor();
    expect(after).toMatchObject({ marginBasisPoints: 111, version: before.version + 1 });
    expect(after).not.toHaveProperty('pendingApproval');
  });

  it('is recorded with both operators, on the request and on its effect', async () => {
    const { approvalId } = (await askMargin(112)).json;
    await decide('ben', approvalId);
    const entries = (await running.as('vic', 'GET', '/operator/audit?limit=3')).json;
    const both = { approvalId, requestedBy: 'operator:ana' };
    expect(entries).toMatchObject([
      {
        action: 'approval.approved',
        actor: 'operator:ben',
        subject: `approval:${approvalId}`,
        details: both,
      },
      {
        action: 'corridor.saved',
        actor: 'operator:ana',
        subject: 'corridor:USD-MXN',
        details: { ...both, approvedBy: 'operator:ben' },
      },
      { action: 'approval.requested', actor: 'operator:ana', details: both },
    ]);
    expect(entries[0].details.payloadHash).toBe(entries[2].details.payloadHash);
  });

  it('is refused with all its faults at once, and no request is stored that could not be carried out', async () => {
    const count = async () => (await running.sql.query('SELECT FROM approval_requests')).rowCount;
    const before = await count();
    const body = { ...(await corridor()), marginBasisPoints: 90, version: 9999, pendingApproval: undefined };
    const path = '/operator/corridors/USD/MXN';
    expect(told(await running.as('ana', 'PUT', path, { body }))).toEqual([409, 'version_conflict']);
    const wrong = { ...body, minAmountIn: 0, maxAmountIn: -1 };
    const answer = await running.as('ana', 'PUT', path, { body: wrong });
    expect(answer.json.errors).toHaveLength(2);
    const taken = { login: 'ben', role: 'viewer' };
    expect(told(await running.as('ana', 'POST', '/operator/operators', { body: taken }))).toEqual([409, 'login_taken']);
    expect(await count()).toBe(before);
    expect(await auditRows(running.sql, 'operator.created')).toHaveLength(5);
  });

  it('can be refused by another operator with a reason, and withdrawn by its own', async () => {
    const before = await corridor();
    const first = (await askMargin(113)).json.approvalId;
    expect((await refuse('ben', first)).json).toMatchObject({ state: 'refused', decidedBy: 'ben' });
    const asked = { body: { marginBasisPoints: 113 } };
    expect((await file(first)).json).toMatchObject({ reason: 'Not as we agreed.', request: asked });
    expect((await file(first, 'vic')).json).toMatchObject({ reason: null, request: null });
    const second = (await askMargin(113)).json.approvalId;
    expect(told(await decide('ben', second, 'withdraw'))).toEqual([403, 'approval_not_own']);
    expect((await decide('ana', second, 'withdraw')).json).toMatchObject({ state: 'withdrawn' });
    for (const id of [first, second]) {
      expect(told(await decide('ben', id))).toEqual([409, 'approval_decided']);
      expect(told(await refuse('ben', id))).toEqual([409, 'approval_decided']);
    }
    expect(await corridor()).toEqual(before);
  });

  it('shows what it would do to those who may decide it, and to nobody else', async () => {
    const { approvalId } = (await askMargin(114)).json;
    expect((await file(approvalId)).json.request).toMatchObject({
      method: 'PUT',
      path: '/operator/corridors/{fiatIn}/{fiatOut}',
      params: { fiatIn: 'USD', fiatOut: 'MXN' },
      body: { marginBasisPoints: 114 },
    });
    for (const login of ['rita', 'vic'] as const) expect((await file(approvalId, login)).json.request).toBeNull();
    await refuse('ben', approvalId);
  });
});
