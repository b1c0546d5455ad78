/** How risky a user is as a customer: by which facts, who decides otherwise, and what follows for orders. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RiskFacts, rate } from '../../src/risk/rating.js';
import { bandInForce, isLowering } from '../../src/risk/review.js';
import type { Job } from '../../src/worker/worker.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { type MadeUser, told } from '../harness/users.js';
import { submitted, useKycService } from '../kyc/kyc-service.js';
import { get, placed } from '../orders/orders.js';

const jobs = new Map<string, Job>();
const kyc = useKycService({ FOUR_EYES: 'risk.lower,exposure.accept' }, undefined, (all) => {
  for (const job of all) jobs.set(job.name, job);
  return all.filter(({ name }) => name !== 'risk.rate');
});

const ordinary: RiskFacts = {
  residence: 'allowed',
  nationality: 'allowed',
  age: 40,
  isExposed: false,
  openHits: 0,
  alerts: 0,
  paid: { orders: 12, usdMinor: 2_400_00n, countries: 1, toEnhanced: 0, sinceDays: 200 },
};

describe('the rating', () => {
  it.each<[string, Partial<RiskFacts>, [number, string]]>([
    ['nobody in particular', {}, [0, 'low']],
    ['who lives in a country that asks for a look', { residence: 'enhanced' }, [30, 'medium']],
    ['a national of one', { nationality: 'enhanced' }, [20, 'low']],
    ['who sends to one', { paid: { ...ordinary.paid, toEnhanced: 1 } }, [25, 'low']],
    ['who sends to many countries', { paid: { ...ordinary.paid, countries: 4 } }, [10, 'low']],
    ['who sends a lot', { paid: { ...ordinary.paid, usdMinor: 50_000_00n } }, [20, 'low']],
    ['a new customer', { paid: { ...ordinary.paid, sinceDays: 3 } }, [10, 'low']],
    ['a student', { age: 19 }, [10, 'low']],
    ['with one alert', { alerts: 1 }, [20, 'low']],
    ['with alerts and a hit', { alerts: 2, openHits: 1 }, [65, 'high']],
    ['politically exposed', { isExposed: true }, [60, 'high']],
  ])('adds up the points of %s', (_who, facts, [points, band]) => {
    const rated = rate({ ...ordinary, ...facts });
    expect([rated.points, rated.band]).toEqual([points, band]);
    expect(rated.because.reduce((sum, part) => sum + part.points, 0)).toBe(points);
  });

  it('never falls when a fact becomes worse', () => {
    const count = fc.nat({ max: 200 });
    const worse = fc.record({ alerts: count, openHits: count, isExposed: fc.boolean() });
    fc.assert(
      fc.property(worse, count, (facts, more) => {
        const before = rate({ ...ordinary, ...facts }).points;
        expect(
          rate({ ...ordinary, ...facts, alerts: facts.alerts + more, isExposed: true }).points,
        ).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it('is replaced by what an operator chose, until the facts are worse than they were then', () => {
    const chosen = (band: 'low' | 'high' | undefined, points: number) =>
      ({ band, points, by: 1, at: new Date() }) as never;
    const rated = (band: 'low' | 'medium' | 'high', points: number) => ({ band, points, because: [] });
    expect(bandInForce(rated('medium', 40), chosen('low', 40))).toBe('low');
    expect(bandInForce(rated('high', 70), chosen('low', 70))).toBe('low');
    expect(bandInForce(rated('high', 130), chosen('low', 70))).toBe('high');
    expect(bandInForce(rated('low', 0), chosen('high', 0))).toBe('high');
    expect(bandInForce(rated('medium', 40), chosen(undefined, 10))).toBe('medium');
    expect(bandInForce(rate({ ...ordinary, isExposed: true }), chosen('low', 60))).toBe('high');
    expect([isLowering(undefined, 'high', 'low'), isLowering('high', 'medium', 'medium')]).toEqual([true, false]);
  });
});

const riskOf = async ({ id }: MadeUser) =>
  done(await kyc.api.get(`/operator/users/${id}/risk?merchant=acme`, { token: kyc.reviewer }));
const decide = ({ id }: MadeUser, body: object) =>
  kyc.api.post(`/operator/users/${id}/risk`, {
    token: kyc.reviewer,
    body: { merchant: 'acme', note: 'Seen.', ...body },
  });
const approved = async (approvalId: string) =>
  done(await kyc.api.post(`/operator/approvals/${approvalId}/approve`, { token: kyc.admin }));
const changesOf = async ({ id }: MadeUser, action: string) =>
  (await kyc.sql.query('SELECT details FROM changes WHERE action = $1 AND subject = $2', [action, `risk:${id}`])).rows;

describe('the risk of a user', () => {
  it('is explained, recorded when it changes and only then, and is in the view of everything about the user', async () => {
    const { user } = await submitted(kyc);
    const first = await riskOf(user);
    expect(first).toMatchObject({ band: 'low', points: 10, version: 1, because: [{ factor: 'age', points: 10 }] });
    expect(await riskOf(user)).toMatchObject({ version: 1 });
    expect(await changesOf(user, 'risk.rated')).toHaveLength(1);
    const petra = { firstName: 'Petra Exposita', lastName: 'Ministress' };
    const { user: exposed } = await submitted(kyc, {}, { profile: petra, answers: petra });
    expect(await riskOf(exposed)).toMatchObject({ band: 'medium', because: [{ factor: 'behaviour', points: 30 }, {}] });
    const file = done(await kyc.api.get(`/operator/users/${exposed.id}?merchant=acme`, { token: kyc.reviewer }));
    expect(file.risk).toMatchObject({ band: 'medium', points: 40 });
    const { rows } = await kyc.sql.query('SELECT sealed_because FROM risk_ratings');
    expect(rows.map(({ sealed_because }) => sealed_because.toString()).join()).not.toContain('behaviour');
  });

  it('is high at once for who is found to be politically exposed, and nobody lowers it', async () => {
    const petra = { firstName: 'Petra Exposita', lastName: 'Ministress' };
    const { user } = await submitted(kyc, {}, { profile: petra, answers: petra });
    const [hit] = done(await kyc.api.get(`/operator/screening/hits?userId=${user.id}`, { token: kyc.reviewer }));
    const confirm = { token: kyc.reviewer, body: { note: 'The mayor.' } };
    done(await kyc.api.post(`/operator/screening/hits/${hit.id}/confirm`, confirm));
    const { rows } = await kyc.sql.query('SELECT band, points FROM risk_ratings WHERE user_id = $1', [user.id]);
    expect(rows).toEqual([{ band: 'high', points: 70 }]);
    expect(told(await decide(user, { band: 'low', version: 1 }))).toEqual([400, 'invalid_fields']);
  });

  it('is rated first where it never was, wherever the job has come to', async () => {
    const { user } = await submitted(kyc);
    const level = { token: kyc.acme.token, body: { kycLevel: 'LEVEL_2' } };
    done(await kyc.api.post(`/sandbox/kyc?userId=${user.id}`, level));
    await kyc.sql.query('UPDATE risk_sweep SET after_merchant = 9223372036854775807');
    await jobs.get('risk.rate')?.run(AbortSignal.timeout(60_000));
    const { rows } = await kyc.sql.query('SELECT band FROM risk_ratings WHERE user_id = $1', [user.id]);
    expect(rows).toEqual([{ band: 'low' }]);
  });

  it('is raised by one operator, and lowered by two', async () => {
    const { user } = await submitted(kyc);
    const { version } = await riskOf(user);
    expect(done(await decide(user, { band: 'high', version }))).toMatchObject({
      band: 'high',
      ratedBand: 'low',
      note: 'Seen.',
    });
    expect(told(await decide(user, { band: 'high', version }))).toEqual([409, 'version_conflict']);
    const lower = await decide(user, { band: null, version: version + 1 });
    expect(lower.status).toBe(202);
    expect(await riskOf(user)).toMatchObject({ band: 'high', pendingApproval: { action: 'risk.lower' } });
    await approved(lower.json.approvalId);
    expect(await riskOf(user)).toMatchObject({ band: 'low', reviewedBy: 'the-reviewer' });
    expect(await changesOf(user, 'risk.reviewed')).toHaveLength(2);
  });

  it('sends each order to a person when it is high, and nobody outside sees more than an ordinary review', async () => {
    const { user } = await submitted(kyc);
    done(
      await kyc.api.post(`/sandbox/kyc?userId=${user.id}`, { token: kyc.acme.token, body: { kycLevel: 'LEVEL_2' } }),
    );
    const { version } = await riskOf(user);
    done(await decide(user, { band: 'high', version }));
    const { id } = await placed(kyc, user);
    done(await kyc.api.post('/sandbox/payments', { token: kyc.acme.token, body: { orderId: id } }));
    await eventually(async () => (await get(kyc, id)).json.status === 'IN_REVIEW');
    const review = done(await kyc.api.get(`/operator/orders/${id}/review`, { token: kyc.reviewer }));
    expect(review.findings.rules).toMatchObject([
      { rule: 'risk', explanation: 'A person looks at each order: The risk of the user is high.' },
    ]);
    const seen = JSON.stringify([
      (await get(kyc, id)).json,
      await kyc.api.get(`/orders/${id}/timeline`, { token: kyc.acme.token }),
    ]);
    expect(seen).not.toMatch(/risk|high|band/i);
  });

  it('is reviewed when its time has come: a task asks for it, and a decision ends the task', async () => {
    const { user } = await submitted(kyc);
    const tasks = async () =>
      (await kyc.api.get('/operator/tasks?kind=risk_review', { token: kyc.reviewer })).json.map(
        ({ path }: { path: string }) => path,
      );
    const task = `/operator/users/${user.id}/risk?merchant=acme`;
    const { version } = await riskOf(user);
    expect(await tasks()).not.toContain(task);
    await kyc.sql.query(`UPDATE risk_ratings SET review_by = now() - interval '1 day' WHERE user_id = $1`, [user.id]);
    expect(await tasks()).toContain(task);
    done(await kyc.api.get(task, { token: kyc.reviewer }));
    done(await decide(user, { band: null, version }));
    expect(await tasks()).not.toContain(task);
  });
});
