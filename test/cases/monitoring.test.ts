/** What was paid is looked at, all of it, merchant by merchant, whatever goes wrong at one of them. */
import { beforeAll, expect, it } from 'vitest';
import { monitoringJobName } from '../../src/cases/monitoring/job.js';
import { lookAtMerchant } from '../../src/cases/monitoring/looking.js';
import { makeReplays, replayJobName } from '../../src/cases/monitoring/replaying.js';
import { merchantId, newPublicId } from '../../src/ids.js';
import { Movements } from '../../src/orders/movements/service.js';
import { PersonIndex } from '../../src/persons/service.js';
import type { Job } from '../../src/worker/worker.js';
import { done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { silentLog } from '../harness/silent-log.js';
import type { Merchant } from '../harness/users.js';
import { rateCode, samePerson, sender, verbsOf } from '../orders/orders.js';
import { paid, TestPayouts } from '../orders/paid-orders.js';

let monitoring: Job | undefined;
const running = useRemesa({
  payouts: new TestPayouts(),
  hasRates: true,
  chooseJobs: (all) => {
    monitoring = all.find(({ name }) => name === monitoringJobName);
    return all.filter(({ name }) => ![monitoringJobName, replayJobName].includes(name));
  },
});
const look = async () => monitoring?.run(AbortSignal.timeout(60_000));
const alertsOf = async (ruleId: string): Promise<{ merchant: string; userId: number }[]> =>
  done(await running.api.get('/operator/alerts', { token: running.reviewer })).filter(
    (alert: { ruleId: string }) => alert.ruleId === ruleId,
  );

async function enabled(kind: string, parameters: object): Promise<string> {
  const [replayId, ruleId] = [newPublicId('rpl'), newPublicId('mon')];
  await running.sql.query(
    `INSERT INTO monitoring_replays (replay_id, kind, parameters, period_from, period_until, report, made_by)
     VALUES ($1, $2, $3, '2026-01-01', '2026-02-01', '{}', 1)`,
    [replayId, kind, parameters],
  );
  await running.sql.query(
    'INSERT INTO monitoring_rules (rule_id, kind, parameters, is_enabled, replay_id) VALUES ($1, $2, $3, true, $4)',
    [ruleId, kind, parameters, replayId],
  );
  return ruleId;
}
const pays = async (user: Awaited<ReturnType<typeof sender>>, merchant: Merchant = running.acme) =>
  paid(running, { user, merchant, body: { rateCode: await rateCode(running, merchant, 20) } });
/** So many movements are read at once, as if the history were long. */
const optionsWith = async (atOnce: number) => {
  const { vault } = await verbsOf(running);
  return {
    database: running.service.database,
    persons: new PersonIndex(vault.rootKey),
    movements: new Movements(atOnce),
    log: silentLog,
  };
};

beforeAll(() => look());

it('looks at the newest payments of somebody with a long history, and at the history too', async () => {
  const user = await sender(running);
  const paidIds = [await pays(user), await pays(user), await pays(user), await pays(user), await pays(user)];
  const ruleId = await enabled('structuring', { days: 7, minOrders: 5, thresholdUsd: 21, withinPercent: 99 });
  await running.sql.query('UPDATE monitoring_progress SET batch_size = 2');
  const signal = AbortSignal.timeout(60_000);
  await lookAtMerchant(await optionsWith(2), merchantId(running.acme.merchant), signal);
  expect(await alertsOf(ruleId)).toMatchObject([{ facts: { orders: 5 }, orderIds: paidIds }]);
});

it('says in a replay what happened in the period alone, to one person once, at whichever merchant', async () => {
  const [here, there] = [await sender(running), await sender(running, running.rival)];
  await samePerson(running, 'REPLAYED', [
    [running.acme, here],
    [running.rival, there],
  ]);
  const first = await pays(here);
  const series = [await pays(there, running.rival), await pays(here), await pays(there, running.rival)];
  const movedTo = (id: string, day: number) =>
    running.sql.query(`SET session_replication_role = replica;
      UPDATE orders SET first_paid_at = '2025-03-0${day}T12:00:00.000123Z' WHERE order_id = '${id}';
      RESET session_replication_role`);
  for (const [index, id] of [first, ...series].entries()) await movedTo(id, index + 1);
  const reportOf = async (atOnce: number, kind: string, parameters: object) => {
    const asked = { kind, parameters, from: '2025-03-02T00:00:00Z', until: '2025-03-04T00:00:00Z' };
    const { replayId, state } = done(
      await running.api.post('/operator/rules/replay', { token: running.reviewer, body: asked }),
    );
    expect(state).toBe('waiting');
    await makeReplays(await optionsWith(atOnce), AbortSignal.timeout(60_000));
    return done(await running.api.get(`/operator/rules/replays/${replayId}`, { token: running.reviewer })).report;
  };
  const structured = { days: 7, minOrders: 3, thresholdUsd: 21, withinPercent: 99 };
  const expected = { payments: 2, alerts: 1, subjects: 1, alertsByMonth: { '2025-03': 1 } };
  for (const atOnce of [2, 20_000]) {
    const report = await reportOf(atOnce, 'structuring', structured);
    expect(report).toMatchObject({ ...expected, examples: [{ orderId: series[1], facts: { orders: 3 } }] });
  }
  expect(await reportOf(2, 'many_to_one', { days: 7, minSenders: 1 })).toMatchObject(expected);
});

it('goes on with the other merchants when the payments of one take too long, and has a person told', async () => {
  const [here, there] = [await sender(running), await sender(running, running.rival)];
  await look();
  const ruleId = await enabled('geography', { days: 1, minCountries: 1 });
  await pays(here);
  await pays(there, running.rival);
  await running.sql.query(`
    CREATE FUNCTION take_too_long() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END $$;
    CREATE TRIGGER too_slow BEFORE INSERT ON alerts FOR EACH ROW
      WHEN (NEW.of_merchant = ${running.acme.merchant}) EXECUTE FUNCTION take_too_long();`);
  const raisedAt = async () =>
    (await alertsOf(ruleId))
      .filter(({ userId }) => [here.id, there.id].includes(userId))
      .map(({ merchant }) => merchant);
  const tasks = async () => done(await running.api.get('/operator/tasks?kind=monitoring', { token: running.reviewer }));
  const again = () => running.sql.query('UPDATE monitoring_progress SET leased_until = NULL');
  await look();
  expect(await raisedAt()).toEqual(['rival']);
  expect(await tasks()).toEqual([]);
  for (const _try of [2, 3]) {
    await again();
    await look();
  }
  expect(await tasks()).toMatchObject([{ kind: 'monitoring', merchant: 'acme' }]);
  await running.sql.query('DROP TRIGGER too_slow ON alerts');
  await again();
  await look();
  expect((await raisedAt()).sort()).toEqual(['acme', 'rival']);
  expect(await tasks()).toEqual([]);
});
