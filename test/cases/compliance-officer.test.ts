/**
 * A walk as a compliance officer: a structured series of transfers becomes an alert, a case, a report and a block, and
 * what the merchant sees never changes in kind.
 */
import { expect, it } from 'vitest';
import { monitoringJobName } from '../../src/cases/monitoring/job.js';
import type { Job } from '../../src/worker/worker.js';
import { newOperator, operatorToken } from '../harness/access.js';
import { type Answer, done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { eventsOf, get, rateCode, samePerson, sender } from '../orders/orders.js';
import { paid, reaches, TestPayouts } from '../orders/paid-orders.js';

const jobs = new Map<string, Job>();
const running = useRemesa({
  settings: { FOUR_EYES: 'all' },
  payouts: new TestPayouts(),
  hasRates: true,
  chooseJobs: (all) => {
    for (const job of all) jobs.set(job.name, job);
    return all.filter(({ name }) => name !== monitoringJobName);
  },
});
const post = (path: string, body: object, token = running.reviewer): Promise<Answer> =>
  running.api.post(`/operator/${path}`, { token, body });
const read = async (path: string) => done(await running.api.get(`/operator/${path}`, { token: running.reviewer }));

it('finds a structured series, reports it and blocks the person, and the merchants see nothing of another kind', async () => {
  const [here, there, stranger] = [
    await sender(running),
    await sender(running, running.rival),
    await sender(running, running.rival),
  ];
  await samePerson(running, 'STRUCTURED', [
    [running.acme, here],
    [running.rival, there],
  ]);
  const pays = async (user: typeof here, merchant: typeof running.acme, amountIn: number) => {
    const id = await paid(running, { user, merchant, body: { rateCode: await rateCode(running, merchant, amountIn) } });
    await reaches(running, id, 'PAYOUT_SUBMITTED', merchant);
    return id;
  };
  const series = [await pays(here, running.acme, 95), await pays(there, running.rival, 96)];
  const usual = await pays(stranger, running.rival, 97);

  // A replay says what the rule would have found; without it nobody enables the rule.
  const terms = { kind: 'structuring', parameters: { days: 7, minOrders: 3, thresholdUsd: 100, withinPercent: 10 } };
  const period = { from: '2020-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' };
  const replayed = async (asked: object) => {
    const { replayId } = done(await post('rules/replay', { ...asked, ...period }));
    return eventually(
      async () => {
        const replay = await read(`rules/replays/${replayId}`);
        return replay.state === 'ready' && replay;
      },
      { what: 'the report of a replay' },
    );
  };
  expect((await replayed(terms)).report).toMatchObject({ payments: 3, alerts: 0 });
  const looser = { ...terms, parameters: { ...terms.parameters, minOrders: 2 } };
  const replay = await replayed(looser);
  expect(replay.report).toMatchObject({
    alerts: 1,
    subjects: 1,
    examples: [{ orderId: series[1], facts: { usd: '191' } }],
  });
  const rule = done(await post('monitoring/rules', terms, running.admin));
  const enable = (parameters: object, replayId: string) =>
    running.api.call('PUT', `/operator/monitoring/rules/${rule.ruleId}`, {
      token: running.admin,
      body: { parameters, replayId, isEnabled: true, version: 1 },
    });
  expect(told(await enable({ ...terms.parameters }, replay.replayId))).toEqual([409, 'replay_missing']);
  const asked = await enable(looser.parameters, replay.replayId);
  expect(asked.status, asked.text).toBe(202);
  await newOperator(running.database, 'the-second', 'admin');
  const second = await operatorToken(running, 'the-second');
  const request = done(await running.api.get(`/operator/approvals/${asked.json.approvalId}`, { token: second }));
  expect(JSON.stringify(request)).toContain(replay.replayId);
  done(await running.api.post(`/operator/approvals/${asked.json.approvalId}/approve`, { token: second }));

  // The rule looks at what was paid, once, however often it runs.
  for (const _run of [1, 2]) await jobs.get(monitoringJobName)?.run(AbortSignal.timeout(60_000));
  const alerts = await read('alerts');
  expect(alerts).toMatchObject([{ kind: 'structuring', merchant: 'rival', userId: there.id, facts: { orders: 2 } }]);
  expect(alerts[0].orderIds.sort()).toEqual([...series].sort());
  expect((await read('tasks')).map(({ kind }: { kind: string }) => kind)).toContain('alert');

  const opened = done(await post('cases', { title: 'Below a hundred', alertIds: [alerts[0].alertId] }));
  expect(opened).toMatchObject({ state: 'open', owner: 'the-reviewer' });
  expect(opened.items.map(({ kind }: { kind: string }) => kind)).toEqual(['alert', 'user', 'order', 'order']);
  expect(await read('alerts')).toEqual([]);
  const items = (body: object) => post(`cases/${opened.caseId}/items`, body);
  done(await items({ kind: 'user', merchant: 'acme', reference: String(here.id) }));
  done(await items({ kind: 'narrative', text: 'Two transfers <below> 100 & "no reason".' }));
  const change = { state: 'investigating', note: 'One person, two merchants.', version: 1 };
  const patch = (body: object) =>
    running.api.call('PATCH', `/operator/cases/${opened.caseId}`, { token: running.reviewer, body });
  done(await patch(change));
  expect(told(await patch(change))).toEqual([409, 'version_conflict']);
  const report = await read(`cases/${opened.caseId}/report?format=goaml`);
  expect(report).toMatchObject({
    mediaType: 'application/xml',
    missing: expect.arrayContaining(['rentity_id, which the authority gave you']),
  });
  expect(report.content).toContain('<account_name>Guadalupe Ortega Ruiz</account_name>');
  expect(report.content).toContain('<indicator>structuring</indicator>');
  expect(report.content).toContain('<reason>Two transfers &lt;below&gt; 100 &amp; &quot;no reason&quot;.</reason>');
  for (const id of series) expect(report.content.split(`<transactionnumber>${id}</transactionnumber>`)).toHaveLength(2);
  const fincen = JSON.parse((await read(`cases/${opened.caseId}/report?format=fincen`)).content);
  expect(fincen.subjects).toHaveLength(2);
  expect((await read(`cases/${opened.caseId}/report?format=html`)).content).toContain('&lt;below>');
  const filing = { format: 'goaml', authority: 'SEPBLAC', reference: 'STR-1' };
  expect(done(await post(`cases/${opened.caseId}/filings`, filing))).toMatchObject({ state: 'reported' });
  const stored = JSON.stringify((await running.sql.query('SELECT * FROM compliance_case_items')).rows);
  expect(stored).not.toMatch(/below|SEPBLAC|merchants/);

  const block = { kind: 'person', merchant: 'rival', userId: there.id, reason: 'Reported.' };
  done(await post('blocks', block));
  const next = await paid(running, { user: here, body: { rateCode: await rateCode(running, running.acme, 50) } });
  await reaches(running, next, 'IN_REVIEW');

  // What was seen of the series before and after is what is seen of anybody's order.
  const seen = async (id: string) => {
    const order = (await get(running, id, running.rival)).json;
    const events = (await eventsOf(running, id)).map(({ type }) => type);
    return {
      status: order.status,
      version: order.version,
      pending: order.pendingReason,
      fields: Object.keys(order),
      events,
    };
  };
  expect(await seen(series[1] ?? '')).toEqual(await seen(usual));
  const everything = JSON.stringify([(await get(running, next)).json, await eventsOf(running, next)]);
  expect(everything).not.toMatch(/cas_|alr_|blk_|mon_|structur|monitor|block/i);
  await eventually(async () => (await read('cases')).length === 1, {
    what: 'the case among those that are not closed',
  });
});
