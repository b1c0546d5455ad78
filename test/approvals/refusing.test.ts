/** What is refused: every way round the second operator. */
import { describe, expect, it } from 'vitest';
import { newMerchantPublicId } from '../../src/ids.js';
import { eventually } from '../harness/eventually.js';
import { told } from '../harness/users.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { useApprovals } from './approvals-service.js';

const running = useApprovals();
const { askMargin, decide, refuse, file, corridor, as } = running;

let margin = 200;
/** Asks for a margin that no other test asks for. Each test uses a corridor of its own. */
async function asked(name: string): Promise<string> {
  margin += 1;
  const answer = await askMargin(margin, name);
  expect(answer.status).toBe(202);
  return answer.json.approvalId;
}

/** As a superuser who stops the triggers. */
async function alter(change: string, id: string): Promise<void> {
  const text = `UPDATE approval_requests SET ${change} WHERE approval_id = $1`;
  await withoutTriggers(running.sql, (client) => client.query(text, [id]));
}

async function stateOf(id: string): Promise<string> {
  const { rows } = await running.sql.query('SELECT state FROM approval_requests WHERE approval_id = $1', [id]);
  return rows[0].state;
}

async function expectUnchanged(name: string, act: () => Promise<unknown>): Promise<void> {
  const { pendingApproval: _, ...before } = await corridor(name);
  await act();
  const { pendingApproval: __, ...after } = await corridor(name);
  expect(after).toEqual(before);
}

describe('the decision about a request', () => {
  it('refuses an approval by the operator who asked, who may not refuse it either', async () => {
    const id = await asked('USD/PHP');
    await expectUnchanged('USD/PHP', async () => {
      expect(told(await decide('ana', id))).toEqual([403, 'approval_own']);
      expect(told(await refuse('ana', id))).toEqual([403, 'approval_own']);
    });
    expect(await stateOf(id)).toBe('pending');
  });

  it('refuses an approval by a role that is lower than the one the action demands', async () => {
    const id = await asked('USD/INR');
    await expectUnchanged('USD/INR', async () => {
      for (const login of ['rita', 'vic'] as const) {
        expect(told(await decide(login, id))).toEqual([403, 'role_missing']);
        expect(told(await refuse(login, id))).toEqual([403, 'role_missing']);
      }
    });
    expect((await decide('rita', id)).json.requiredRole).toBe('admin');
  });

  it.each([
    ['another payload', `sealed_payload = set_byte(sealed_payload, 40, get_byte(sealed_payload, 40) # 1)`],
    ['a payload without a seal', `sealed_payload = convert_to('{"operationId":"saveCorridor"}', 'UTF8')`],
    ['another hash', `payload_hash = sha256('x')`],
    ['another requester', `requested_by = 3`],
    ['another operation', `operation_id = 'saveCorridors'`],
    ['another version', `version = 'x'`],
    ['a later end', `expires_at = '2099-01-01'`],
  ])('refuses an approval when somebody wrote %s into the database', async (_, change) => {
    const id = await asked('USD/NGN');
    await alter(change, id);
    await expectUnchanged('USD/NGN', async () => {
      expect(told(await decide('ben', id))).toEqual([409, 'approval_payload_altered']);
      expect((await file(id)).json.request).toBeNull();
    });
    expect((await refuse('ben', id)).status).toBe(200);
  });

  it('refuses an approval when what it is about has changed, and closes the request, which names the change', async () => {
    const id = await asked('USD/KES');
    const closed = { ...(await corridor('USD/KES')), isOpen: false, pendingApproval: undefined };
    expect((await as('ben', 'PUT', '/operator/corridors/USD/KES', { body: closed })).status).toBe(200);
    await expectUnchanged('USD/KES', async () => {
      expect(told(await decide('ben', id))).toEqual([409, 'approval_stale']);
    });
    expect((await file(id)).json).toMatchObject({
      ...{ state: 'outdated', request: { body: {} } },
      outdatedBy: { actor: 'operator:ben', action: 'corridor.saved' },
    });
    for (const again of [await decide('ben', id), await refuse('ben', id), await decide('ana', id, 'withdraw')])
      expect(told(again)).toEqual([409, 'approval_stale']);
  });

  it('refuses an approval after it has expired, at once and not only when the job has noted it', async () => {
    const id = await asked('USD/GHS');
    await alter(`requested_at = now() - interval '3 days', expires_at = now() - interval '1 second'`, id);
    await expectUnchanged('USD/GHS', async () => {
      expect(told(await decide('ben', id))).toEqual([409, 'approval_expired']);
      expect(told(await refuse('ben', id))).toEqual([409, 'approval_expired']);
    });
    expect((await file(id)).json).toMatchObject({ state: 'expired' });
    expect(await corridor('USD/GHS')).not.toHaveProperty('pendingApproval');
    // A new request takes its place, whether or not the job was faster.
    const next = await asked('USD/GHS');
    expect(await stateOf(id)).toBe('expired');
    expect((await decide('ben', next)).status).toBe(200);
  });

  it('refuses an approval for an id that does not exist, is malformed, or names another merchant', async () => {
    const id = await asked('USD/COP');
    const otherMerchant = id.replace('apr_000000', 'apr_000001');
    for (const wrong of [otherMerchant, newMerchantPublicId('apr', 0), 'apr_1', 'x']) {
      expect(told(await decide('ben', wrong))).toEqual([404, 'approval_not_found']);
      expect(told(await file(wrong))).toEqual([404, 'approval_not_found']);
    }
    expect(await stateOf(id)).toBe('pending');
  });

  it('refuses an approval when the command is refused: its error is answered and the request stays pending', async () => {
    const body = { login: 'carl', role: 'viewer' };
    const { approvalId } = (await as('ana', 'POST', '/operator/operators', { body })).json;
    await running.sql.query(`INSERT INTO operators (login, password_hash, role) VALUES ('carl', 'x', 'viewer')`);
    expect(told(await decide('ben', approvalId))).toEqual([409, 'login_taken']);
    expect(await stateOf(approvalId)).toBe('pending');
    await running.sql.query(`DELETE FROM operators WHERE login = 'carl'`);
    expect((await decide('ben', approvalId)).status).toBe(200);
  });
});

describe('the requests of an operator', () => {
  it('end when the operator is disabled, also if it is enabled again', async () => {
    const first = (await askMargin(301, 'USD/PEN', 'ben')).json.approvalId;
    const second = (await askMargin(301, 'USD/BRL', 'ben')).json.approvalId;
    await running.sql.query(`UPDATE operators SET status = 'disabled' WHERE login = 'ben'`);
    await expectUnchanged('USD/PEN', async () => {
      expect(told(await decide('ana', first))).toEqual([409, 'approval_void']);
    });
    await running.sql.query(`UPDATE operators SET status = 'active' WHERE login = 'ben'`);
    expect(told(await decide('ana', second))).toEqual([409, 'approval_void']);
    // Neither stands in the way of a new one.
    expect((await askMargin(302, 'USD/BRL')).status).toBe(202);
    expect(await stateOf(second)).toBe('void');
  });

  it('are ended by a job when the operator is disabled over HTTP', async () => {
    await running.sql.query(`INSERT INTO operators (login, password_hash, role) SELECT 'zoe', password_hash, 'admin'
                            FROM operators WHERE login = 'ana'`);
    const login = await running.node.api.post('/operator/login', {
      body: { login: 'zoe', password: 'correct horse battery staple' },
    });
    const id = (
      await running.node.api.call('PUT', '/operator/corridors/USD/CLP', {
        token: login.json.accessToken,
        body: { ...(await corridor('USD/CLP')), marginBasisPoints: 303 },
      })
    ).json.approvalId;
    const body = { status: 'disabled' };
    expect((await as('ana', 'PATCH', '/operator/operators/zoe', { body })).status).toBe(200);
    await eventually(async () => (await stateOf(id)) === 'void');
    const { json } = await as('vic', 'GET', '/operator/approvals?state=void&limit=1');
    expect(json).toMatchObject([{ approvalId: id, requestedBy: 'zoe', state: 'void' }]);
  });
});

describe('the database', () => {
  it('refuses a decision by the operator who asked', async () => {
    const id = await asked('EUR/PHP');
    const approve = `UPDATE approval_requests SET state = 'approved', decided_by = requested_by, ended_at = now(),
                     sealed_payload = NULL WHERE approval_id = $1`;
    await expect(running.sql.query(approve, [id])).rejects.toThrow('approval_by_another_operator');
  });

  it('refuses a second pending request for the same subject and action', async () => {
    const id = await asked('EUR/INR');
    const copy = `INSERT INTO approval_requests
      SELECT (jsonb_populate_record(r, '{"approval_id": "apr_copy"}')).* FROM approval_requests AS r
       WHERE approval_id = $1`;
    await expect(running.sql.query(copy, [id])).rejects.toThrow('approval_requests_pending');
  });

  it('refuses a change of what was asked for, and a second end', async () => {
    const id = await asked('EUR/NGN');
    const change = (set: string) =>
      running.sql.query(`UPDATE approval_requests SET ${set} WHERE approval_id = $1`, [id]);
    await expect(change('requested_by = 2')).rejects.toThrow('what was asked for never changes');
    await expect(change(`expires_at = now() + interval '9 days'`)).rejects.toThrow('never changes');
    await decide('ana', id, 'withdraw');
    await expect(change(`state = 'expired'`)).rejects.toThrow('ends once');
  });
});
