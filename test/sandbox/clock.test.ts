import { describe, expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { ClockService } from '../../src/sandbox/clock/service.js';
import type { Agenda } from '../../src/worker/agenda.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { silentLog } from '../harness/silent-log.js';
import { ana, type Merchant, merchantWithToken, told } from '../harness/users.js';
import { lupita, rateCode } from '../orders/orders.js';
import { rewriteOrder } from '../orders/rewritten.js';

const running = useRemesa({ hasRates: true });
const hour = 3_600_000;
const day = 24 * hour;

const move = (merchant: Merchant, body: object) => running.api.post('/sandbox/clock', { token: merchant.token, body });
const clockOf = async (merchant: Merchant) => (await running.api.get('/sandbox/clock', { token: merchant.token })).json;
const post = async (merchant: Merchant, path: string, body: object) =>
  done(await running.api.post(path, { token: merchant.token, body }));

describe('a year', () => {
  it('passes in one step as in many: everything falls due once, in order, at its own time', {
    timeout: rounds(180_000, 900_000),
  }, async () => {
    const start = new Date();
    const [atOnce, byDay] = [running.acme, running.rival];
    const stories = await Promise.all([beginStories(atOnce, start), beginStories(byDay, start)]);
    await moveTo(atOnce, later(start, 366 * day));
    const [steps, length] = rounds([12, 30.5 * day], [366, day]);
    for (let step = 1; step <= steps; step += 1) {
      await moveTo(byDay, later(start, step * length));
    }
    const [first, second] = await Promise.all([historyOf(atOnce, stories[0]), historyOf(byDay, stories[1])]);
    expect(second).toEqual(first);
    const elapsed = first.orders.map((order) => order.map(({ status, at }) => [status, at - start.getTime()]));
    expect(elapsed).toEqual([
      [
        ['AWAITING_PAYMENT', 0],
        ['EXPIRED', 96 * hour],
      ],
      [
        ['AWAITING_PAYMENT', 0],
        ['ACTION_REQUIRED', 0],
        ['EXPIRED', 7 * day],
      ],
      [
        ['AWAITING_PAYMENT', 0],
        ['PAYMENT_RECEIVED', 0],
        ['CONVERTED', 0.5 * hour],
        ['PAYOUT_SUBMITTED', 0.5 * hour],
        ['COMPLETED', 0.5 * hour],
        ['RETURNED', 1.5 * hour],
      ],
      [
        ['AWAITING_PAYMENT', 0],
        ['PAYMENT_RECEIVED', 0],
        ['CONVERTED', 0],
        ['PAYOUT_SUBMITTED', 0],
        // Asked after 1, 2, 5, 15, 60, 300 and 900 seconds, then every hour.
        ['COMPLETED', 1_283_000 + 48 * hour],
      ],
    ]);
    expect(first.kyc.map(([type, at]) => [type, (at as number) - start.getTime()])).toEqual([
      ['kyc.expiring', first.levelEnds - 30 * day - start.getTime()],
      ['kyc.expiring', first.levelEnds - 7 * day - start.getTime()],
      ['kyc.expired', first.levelEnds - start.getTime()],
    ]);
    expect((await clockOf(atOnce)).now >= later(start, 366 * day)).toBe(true);
  });
});

describe('a move', () => {
  it('goes forward only, is safe to repeat, takes turns with another one, and touches nobody else', async () => {
    const { now } = await clockOf(running.acme);
    const others = await clockOf(running.rival);
    expect((await move(running.acme, { advanceTo: '2020-01-01T00:00:00Z' })).json.isFinished).toBe(true);
    expect((await clockOf(running.acme)).now >= now).toBe(true);
    const both = await Promise.all([
      move(running.acme, { advanceSeconds: 1000 }),
      move(running.acme, { advanceSeconds: 1000 }),
    ]);
    expect(both.map(({ json }) => json.isFinished)).toEqual([true, true]);
    const passed = new Date((await clockOf(running.acme)).now).getTime() - new Date(now).getTime();
    expect(passed).toBeGreaterThanOrEqual(2_000_000);
    expect(passed).toBeLessThan(2_060_000);
    const target = new Date(new Date(now).getTime() + 5_000_000).toISOString();
    for (const _ of [1, 2]) await move(running.acme, { advanceTo: target });
    const { aheadSeconds, isMoving } = await clockOf(running.acme);
    expect(isMoving).toBe(false);
    expect(Date.now() + aheadSeconds * 1000 - new Date(target).getTime()).toBeLessThan(60_000);
    expect((await clockOf(running.rival)).aheadSeconds).toBe(others.aheadSeconds);
  });

  it('does not go past a payout that is to be tried again while another worker has its order', async () => {
    const merchant = await merchantWithToken(running, 'third');
    const { id: userId } = await post(merchant, '/user', ana);
    await post(merchant, `/sandbox/kyc?userId=${userId}`, { kycLevel: 'LEVEL_1' });
    const { id } = await post(merchant, `/orders?userId=${userId}`, {
      rateCode: await rateCode(running, merchant),
      ...{ beneficiary: { ...lupita, lastName: 'Invalid' }, purpose: 'family_support' },
    });
    await post(merchant, '/sandbox/payments', { orderId: id });
    await eventually(async () => (await statusOf(merchant, id)) === 'PAYOUT_FAILED', { what: 'a failure' });
    await rewriteOrder(running, id, `retries_payout = true, try_at = now() + interval '1 second'`);
    const { now } = await clockOf(merchant);
    await move(merchant, { advanceSeconds: 86_400 });
    const timeline = (await running.api.get(`/orders/${id}/timeline`, { token: merchant.token })).json;
    // biome-ignore lint/suspicious/noExplicitAny: the timeline as JSON.
    expect(timeline.slice(-2).map(({ status }: any) => status)).toEqual(['PAYOUT_SUBMITTED', 'PAYOUT_FAILED']);
    expect(new Date(timeline.at(-1).at).getTime() - new Date(now).getTime()).toBeLessThan(hour);
  });

  it('is refused unless it says how far, in one way, and not too far', async () => {
    expect(told(await move(running.acme, {}))).toEqual([400, 'invalid_fields']);
    expect(told(await move(running.acme, { advanceSeconds: 1, advanceTo: '2030-01-01T00:00:00Z' }))).toEqual([
      400,
      'invalid_fields',
    ]);
    expect(told(await move(running.acme, { advanceSeconds: 0 }))).toEqual([400, 'invalid_fields']);
    expect(told(await move(running.acme, { advanceTo: '2199-01-01T00:00:00Z' }))).toEqual([400, 'invalid_fields']);
  });

  it('stops when the time of the call is over, and another call goes on where it stopped', async () => {
    const passed: number[] = [];
    const start = new Date((await clockOf(running.acme)).now).getTime();
    const everySecond: Agenda = {
      nextDue: async (_, after) => new Date(after.getTime() + 1000),
      hasDue: async () => false,
      async runDue() {
        passed.push(new Date((await clockOf(running.acme)).now).getTime());
        return 0;
      },
    };
    const clocks = new ClockService({
      ...{ database: running.service.database, log: silentLog, agendas: [everySecond], longestCallMs: 200 },
    });
    const acme = merchantId(running.acme.merchant);
    const target = new Date(start + 100_000);
    const first = await clocks.move(acme, () => target);
    expect(first).toEqual({ target, isFinished: false });
    let calls = 1;
    for (let moved = first; !moved.isFinished; calls += 1) moved = await clocks.move(acme, () => target);
    expect(calls).toBeGreaterThan(1);
    expect(passed).toEqual([...passed].sort((a, b) => a - b));
    expect(passed.at(-1)).toBe(target.getTime());
  });

  it('lets the clock run again after it was given up, at no earlier time', async () => {
    const { merchant } = running.acme;
    const { now } = await clockOf(running.acme);
    await running.sql.query(
      `UPDATE merchant_clocks SET stands_at = $2, moved_by = 'gone', moved_until = now() WHERE merchant_id = $1`,
      [merchant, now],
    );
    const clocks = new ClockService({
      ...{ database: running.service.database, log: silentLog, agendas: [], longestCallMs: 200 },
    });
    await clocks.releaseGivenUp();
    await eventually(async () => (await clockOf(running.acme)).now > now, { what: 'the clock runs' });
  });
});

/** A call takes 28 seconds at most. On a slow machine it takes several. */
async function moveTo(merchant: Merchant, advanceTo: string): Promise<void> {
  for (let isFinished = false; !isFinished; ) {
    const { json } = await move(merchant, { advanceTo });
    expect(json.target).toBe(advanceTo);
    isFinished = json.isFinished;
  }
}

interface Stories {
  readonly orders: readonly string[];
  readonly userId: number;
  readonly caseId: string;
}

/** Everything begins at the same time by the clock, which stands still until it is moved. */
async function beginStories(merchant: Merchant, start: Date): Promise<Stories> {
  await running.sql.query('INSERT INTO merchant_clocks (merchant_id, stands_at) VALUES ($1, $2)', [
    merchant.merchant,
    start,
  ]);
  const userOf = async (profile: object, level: string) => {
    const { id } = await post(merchant, '/user', { ...ana, ...profile });
    await post(merchant, `/sandbox/kyc?userId=${id}`, { kycLevel: level });
    return id as number;
  };
  const orderOf = async (userId: number, lastName = 'Ortega') =>
    (
      await post(merchant, `/orders?userId=${userId}`, {
        rateCode: await rateCode(running, merchant),
        ...{ beneficiary: { ...lupita, lastName }, purpose: 'family_support' },
      })
    ).id as string;
  const ofSpain = await userOf({}, 'LEVEL_3');
  const american = await userOf({ countryCode: 'US', stateProvince: 'CA', postalCode: '94103' }, 'LEVEL_1');
  const unpaid = await orderOf(ofSpain);
  const asked = await orderOf(ofSpain);
  await askForInformation(asked);
  const returned = await orderOf(american, 'Returned');
  await post(merchant, '/sandbox/payments', { orderId: returned });
  const late = await orderOf(ofSpain, 'Late');
  await post(merchant, '/sandbox/payments', { orderId: late });
  await eventually(async () => (await statusOf(merchant, late)) === 'PAYOUT_SUBMITTED', { what: 'a payout' });
  await eventually(
    async () =>
      (await running.sql.query(`SELECT FROM payout_attempts WHERE order_id = $1 AND state = 'ACCEPTED'`, [late]))
        .rowCount === 1,
    { what: 'an accepted payout' },
  );
  const cases = await running.api.get(`/kyc/cases?userId=${ofSpain}`, { token: merchant.token });
  return { orders: [unpaid, asked, returned, late], userId: ofSpain, caseId: cases.json[0].id };
}

async function askForInformation(id: string): Promise<void> {
  const body = { items: ['purpose'], note: 'what for?' };
  done(await running.api.post(`/operator/orders/${id}/request-information`, { token: running.admin, body }));
}

async function statusOf(merchant: Merchant, id: string): Promise<string> {
  return (await running.api.get(`/orders/${id}`, { token: merchant.token })).json.status;
}

/** What happened, without anything that differs between two merchants. */
async function historyOf(merchant: Merchant, { orders, caseId }: Stories) {
  const { sql } = running;
  const timelines = orders.map(async (id) => {
    const { json } = await running.api.get(`/orders/${id}/timeline`, { token: merchant.token });
    // biome-ignore lint/suspicious/noExplicitAny: the timeline as JSON.
    return json.map(({ event, status, version, at, journals }: any) => ({
      ...{ event, status, version, at: new Date(at).getTime(), journals: journals?.length },
    })) as { event: string; status: string; version: number; at: number }[];
  });
  const journals = await sql.query(
    `SELECT event, account, amount_minor::text, occurred_at FROM ledger_postings
       JOIN ledger_journals USING (merchant_id, journal_id)
      WHERE merchant_id = $1 ORDER BY occurred_at, event, account, amount_minor`,
    [merchant.merchant],
  );
  const kyc = await sql.query(
    `SELECT type, occurred_at FROM events WHERE merchant_id = $1 AND subject = $2 ORDER BY recorded_at, event_id`,
    [merchant.merchant, caseId],
  );
  const level = await sql.query('SELECT expires_at FROM kyc_cases WHERE case_id = $1', [caseId]);
  return {
    orders: await Promise.all(timelines),
    journals: journals.rows,
    kyc: kyc.rows
      .map((row) => [row.type, row.occurred_at.getTime()])
      .filter(([type]) => type === 'kyc.expiring' || type === 'kyc.expired'),
    levelEnds: level.rows[0].expires_at.getTime() as number,
  };
}

function later(start: Date, milliseconds: number): string {
  return new Date(start.getTime() + milliseconds).toISOString();
}
