/** GET /operator/tasks, and the claims of operators. */
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { taskGauges } from '../../src/tasks/gauges.js';
import type { TaskSource } from '../../src/tasks/task.js';
import { operatorTokens } from '../harness/access.js';
import { silentLog } from '../harness/silent-log.js';
import { told } from '../harness/users.js';
import { decide, submitted, useKycService } from '../kyc/kyc-service.js';

const kyc = useKycService();
let tokens = { rita: '', adam: '' };
beforeAll(async () => {
  tokens = await operatorTokens(kyc, { rita: 'reviewer', adam: 'admin' });
});
const list = (search = '') => kyc.api.get(`/operator/tasks${search}`, { token: kyc.viewer });
const claim = (id: string, token = kyc.reviewer, minutes?: number) =>
  kyc.api.post(`/operator/tasks/${id}/claim`, { token, body: minutes === undefined ? {} : { minutes } });
const release = (id: string, token = kyc.reviewer) => kyc.api.post(`/operator/tasks/${id}/release`, { token });
const reviewTask = async () => {
  const { caseId } = await submitted(kyc, { level: 'LEVEL_2' });
  return { caseId, taskId: `kyc_review.${caseId}` };
};

describe('GET /operator/tasks', () => {
  it('lists reviews, hits, held rates and failing urls, the oldest first, page by page', async () => {
    const profile = { firstName: 'Iris', lastName: 'Blockwell' };
    const answers = { ...profile, dateOfBirth: '1970-01-31' };
    const { caseId } = await submitted(kyc, {}, { profile, answers });
    await kyc.sql.query(
      // No events are sent to a disabled url, nor on the channel of orders, so that the rows stay as they are.
      `INSERT INTO webhook_endpoints (merchant_id, channel, url, failing_since, status, disabled_because, disabled_at)
       VALUES ($1, 'kyc', 'https://acme.example', NULL, 'disabled', 'failing', now() - interval '2 hours'),
              ($1, 'order', 'https://acme.example', now() - interval '1 minute', 'active', NULL, NULL)`,
      [kyc.acme.merchant],
    );
    await kyc.sql.query(
      `INSERT INTO rate_quarantine (source, currency, base, rate, published_at, held_at)
       VALUES ('ecb', 'USD', 'EUR', 9, now(), now() - interval '1 hour')`,
    );
    const all = (await list()).json as { id: string; kind: string; since: string; merchant: string | null }[];
    expect(all.map(({ since }) => since)).toEqual(all.map(({ since }) => since).sort());
    expect(all.map(({ kind }) => kind)).toEqual([...['failing_endpoint', 'held_rate', 'screening_hit', 'kyc_review']]);
    expect(all[0]).toMatchObject({ id: `failing_endpoint.${kyc.acme.merchant}-kyc`, merchant: 'acme' });
    expect(all[1]).toMatchObject({ id: 'held_rate.figure-ecb-USD', merchant: null, claim: null });
    expect(all[3]).toMatchObject({ id: `kyc_review.${caseId}`, path: `/operator/kyc/${caseId}` });
    expect((await list('?kind=held_rate')).json).toEqual([all[1]]);
    const paged: unknown[] = [];
    let next: string | undefined = '?limit=1';
    for (let pages = 0; next !== undefined && pages < 10; pages += 1) {
      const page = await list(next);
      paged.push(...page.json);
      next = /^<\/operator\/tasks(\?[^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(paged).toEqual(all);
    expect(JSON.stringify(all)).not.toMatch(/iris|blockwell/i);
  });

  it('shows every task once when many have waited for exactly as long', async () => {
    const made = [await reviewTask(), await reviewTask(), await reviewTask()];
    await kyc.sql.query(`UPDATE kyc_cases SET updated_at = '2026-01-01' WHERE case_id = ANY ($1)`, [
      made.map(({ caseId }) => caseId),
    ]);
    await kyc.sql.query(`UPDATE rate_quarantine SET held_at = '2026-01-01'`);
    await kyc.sql.query(`UPDATE webhook_endpoints SET failing_since = '2026-01-01'`);
    const ids: string[] = [];
    let next: string | undefined = '?limit=2';
    for (let pages = 0; next !== undefined && pages < 20; pages += 1) {
      const page = await list(next);
      ids.push(...page.json.map(({ id }: { id: string }) => id));
      next = /^<\/operator\/tasks(\?[^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    const all = (await list('?limit=200')).json.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(all);
    expect(new Set(ids).size).toBe(ids.length);
    expect(made.every(({ taskId }) => ids.includes(taskId))).toBe(true);
  });

  it('links a hit and the case of its user, and says what is due when', async () => {
    const all = (await list('?limit=200')).json;
    const hit = all.find(({ kind }: { kind: string }) => kind === 'screening_hit');
    const review = all.find(({ id }: { id: string }) => id === `kyc_review.${hit.caseId}`);
    expect(review).toMatchObject({ userId: hit.userId, caseId: hit.caseId, isOverdue: false, amount: null });
    expect(Date.parse(review.dueAt) - Date.parse(review.since)).toBe(24 * 3_600_000);
    const held = all.find(({ kind }: { kind: string }) => kind === 'held_rate');
    expect(held).toMatchObject({ isOverdue: true, userId: null, orderId: null, count: 1 });
  });

  it('filters by kinds, merchant, age, overdue and claims, sorts by what is due first, and counts the same', async () => {
    const { taskId } = await reviewTask();
    await claim(taskId, tokens.rita);
    const ids = async (search: string, token = kyc.viewer) =>
      (await kyc.api.get(`/operator/tasks${search}`, { token })).json.map(({ id }: { id: string }) => id);
    const all: string[] = await ids('?limit=200');
    const of = (...kinds: string[]) => all.filter((id) => kinds.includes(id.split('.')[0] ?? ''));
    expect(await ids('?limit=200&kind=held_rate,kyc_review')).toEqual(of('held_rate', 'kyc_review'));
    expect(told(await list('?kind=held_rate,nonsense'))).toEqual([400, 'invalid_fields']);
    expect(await ids('?limit=200&merchant=rival')).toEqual([]);
    expect(await ids('?limit=200&merchant=acme')).toEqual(of('failing_endpoint', 'screening_hit', 'kyc_review'));
    expect(told(await list('?merchant=nobody'))).toEqual([404, 'merchant_not_found']);
    expect(await ids('?limit=200&olderThanSeconds=86400&kind=held_rate')).toEqual(of('held_rate'));
    expect(await ids('?limit=200&olderThanSeconds=86400&kind=screening_hit')).toEqual([]);
    expect(await ids('?limit=200&overdue=no&kind=held_rate')).toEqual([]);
    expect(await ids('?limit=200&claimed=mine', tokens.rita)).toEqual([taskId]);
    expect(await ids('?limit=200&claimed=mine', tokens.adam)).toEqual([]);
    expect(await ids('?limit=200&claimed=anyone')).toContain(taskId);
    expect(await ids('?limit=200&claimed=nobody')).not.toContain(taskId);
    const byDue: { id: string; dueAt: string }[] = [];
    let next: string | undefined = '?sort=due&limit=2';
    for (let pages = 0; next !== undefined && pages < 20; pages += 1) {
      const page = await list(next);
      byDue.push(...page.json);
      next = /^<\/operator\/tasks(\?[^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(byDue.map(({ dueAt }) => dueAt)).toEqual(byDue.map(({ dueAt }) => dueAt).sort());
    expect(byDue.map(({ id }) => id).sort()).toEqual([...all].sort());
    const counts = (await kyc.api.get('/operator/tasks/counts', { token: kyc.viewer })).json;
    expect(counts.map(({ kind, count }: { kind: string; count: number }) => [kind, count]).sort()).toEqual(
      [...new Set(all.map((id) => id.split('.')[0] ?? ''))].map((kind) => [kind, of(kind).length]).sort(),
    );
    const mine = await kyc.api.get('/operator/tasks/counts?claimed=mine', { token: tokens.rita });
    expect(mine.json).toMatchObject([{ kind: 'kyc_review', count: 1, overdue: 0, amounts: [] }]);
  });

  it('shows a task no more once it is decided', async () => {
    const { caseId, taskId } = await reviewTask();
    expect((await claim(taskId)).status).toBe(200);
    await decide(kyc, caseId, { decision: 'approve' });
    expect((await list('?limit=200')).text).not.toContain(taskId);
    expect(told(await claim(taskId))).toEqual([404, 'task_not_found']);
  });
});

describe('a claim', () => {
  it('has an owner and an end; of two operators at the same moment one gets it', async () => {
    const { taskId } = await reviewTask();
    const answers = await Promise.all([claim(taskId), claim(taskId, tokens.rita)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [winner, loser] = [...answers].sort((left, right) => left.status - right.status);
    expect(winner?.json.claim.operator).toMatch(/^(the-reviewer|rita)$/);
    expect(Date.parse(winner?.json.claim.expiresAt) - Date.now()).toBeGreaterThan(29 * 60_000);
    expect(loser?.json).toMatchObject({ code: 'task_claimed', claimedBy: winner?.json.claim.operator });
  });

  it('can be extended by its owner and taken over after its end', async () => {
    const { taskId } = await reviewTask();
    await claim(taskId, kyc.reviewer, 1);
    const extended = await claim(taskId, kyc.reviewer, 60);
    expect(Date.parse(extended.json.claim.expiresAt) - Date.now()).toBeGreaterThan(59 * 60_000);
    expect(told(await claim(taskId, tokens.rita))).toEqual([409, 'task_claimed']);
    await kyc.sql.query(`UPDATE task_claims SET claimed_at = '2026-01-01', expires_at = '2026-01-02'`);
    expect((await claim(taskId, tokens.rita)).json.claim.operator).toBe('rita');
  });

  it('is released by its owner or an admin, not by another reviewer; releasing nothing is no fault', async () => {
    const { taskId } = await reviewTask();
    await claim(taskId);
    expect(told(await release(taskId, tokens.rita))).toEqual([409, 'task_claimed']);
    expect((await release(taskId)).json.claim).toBeNull();
    expect((await release(taskId, tokens.rita)).json.claim).toBeNull();
    await claim(taskId);
    expect((await release(taskId, tokens.adam)).json.claim).toBeNull();
    const { rows } = await kyc.sql.query(`SELECT action FROM changes WHERE subject = $1 ORDER BY id`, [
      `task:${taskId}`,
    ]);
    expect(rows.map(({ action }) => action)).toEqual([
      ...['task.claimed', 'task.released', 'task.claimed', 'task.released'],
    ]);
  });

  it('is refused for tasks that do not exist and for viewers', async () => {
    for (const id of ['x', 'kyc_review.', 'nonsense.kyc_1', 'held_rate.figure-none-ZZZ']) {
      expect(told(await claim(id))).toEqual([404, 'task_not_found']);
    }
    const { taskId } = await reviewTask();
    expect(told(await claim(taskId, kyc.viewer))).toEqual([403, 'role_missing']);
  });
});

it('the metrics leave out a kind that cannot be read, and count the others', async () => {
  const waiting = { id: '1', merchantId: undefined, sinceMicros: 1n, summary: 'Look', path: '/operator/tasks' };
  const sources: TaskSource[] = [
    { kind: 'bank_transfer', list: () => Promise.reject(new Error('The statement took too long.')) },
    { kind: 'bank_day', list: async () => [waiting] },
  ];
  const [, overdue] = taskGauges({ database: kyc.database, sources, clock: systemClock, log: silentLog });
  const figures = await overdue?.read();
  expect([figures?.get('bank_transfer'), figures?.get('bank_day'), figures?.get('approval')]).toEqual([
    undefined,
    1,
    0,
  ]);
});
