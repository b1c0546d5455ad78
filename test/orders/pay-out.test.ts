/** A paid order on its way through the gate to its payout, and what stops it. */

import { describe, expect, it } from 'vitest';
import { startService } from '../../src/app.js';
import { lockOrder } from '../../src/orders/order/finding.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { useRemesa } from '../harness/remesa.js';
import { testConfig } from '../harness/service.js';
import { silentLog } from '../harness/silent-log.js';
import { newUser, told } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { eventsOf, get, holdLevel, lupita, placed, sender, timelineOf, verbsOf } from './orders.js';
import { balancesOf, loaded, paid, pay, reaches, TestPayouts, tryNow } from './paid-orders.js';

const payouts = new TestPayouts();
const running = useRemesa({ payouts, hasRates: true });
const { sql } = running;
/** A name of the sandbox list, weak enough to be cleared by one operator. */
const listed = { firstName: 'Iris', lastName: 'Blokwell' };

const operate = (path: string, body: unknown) =>
  running.api.post(`/operator/orders/${path}`, { token: running.admin, body });
const fileOf = async (id: string) =>
  (await running.api.get(`/operator/orders/${id}/review`, { token: running.admin })).json;
const approve = async (id: string) =>
  operate(`${id}/approve`, { note: 'Another person.', version: (await fileOf(id)).version });
const waitsFor = (id: string, reason: string) =>
  eventually(async () => (await get(running, id)).json.pendingReason === reason, { what: reason });

describe('a paid order', () => {
  it('is converted and paid out at once, with its journals, its events and one attempt', async () => {
    const id = await paid(running);
    const order = await reaches(running, id, 'PAYOUT_SUBMITTED');
    expect(order).toMatchObject({
      ...{ pendingReason: 'payout', cancellable: 'no', version: 4, amountReceived: 100 },
      estimatedArrivalAt: '2030-01-02T15:00:00.000Z',
    });
    expect((await eventsOf(running, id)).map(({ type }) => type)).toEqual([
      ...['order.awaiting_payment', 'order.payment_received', 'order.converted', 'order.payout_submitted'],
    ]);
    const [, received, , submitted] = (await timelineOf(running, id)) as unknown as { at: string }[];
    expect(Date.parse(submitted?.at ?? '') - Date.parse(received?.at ?? '')).toBeLessThan(5_000);
    expect(payouts.payoutsOf(id)).toBe(1);
    const balances = await balancesOf(running, id);
    expect(balances).toMatchObject({ 'fee:USD': -order.fee * 100 });
    expect(Object.keys(balances)).not.toContain('liability:USD');
    expect(Object.keys(balances)).not.toContain('payout:MXN');
    expect(balances['settlement:MXN:test']).toBe(Math.round(-order.amountOut * 100));
    const cancelled = await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token });
    expect(told(cancelled)).toEqual([409, 'order_not_cancellable']);
  });

  it('is moved on once, by whichever of two nodes, however many are paid at the same moment', async () => {
    const folder = newFolder();
    const node = await startService(testConfig({ DATABASE_URL: running.url, DATA_DIR: folder }), {
      ...{ log: silentLog, say: () => {}, eventLoopDelayMs: 60_000 },
      extraRooms: () => ({ routes: [], jobs: [], payouts }),
    });
    try {
      const users = await Promise.all([sender(running), sender(running), sender(running)]);
      const ids = await Promise.all(users.flatMap((user) => Array.from({ length: 4 }, () => paid(running, { user }))));
      for (const id of ids) await reaches(running, id, 'PAYOUT_SUBMITTED');
      expect(ids.map((id) => payouts.payoutsOf(id))).toEqual(ids.map(() => 1));
      for (const id of ids) expect(await timelineOf(running, id)).toHaveLength(4);
    } finally {
      await node.stop();
    }
  });

  it('waits while no rail is open, shows it without a new version, and goes on when one opens', async () => {
    payouts.obstacle = 'rail_paused';
    const id = await paid(running);
    await waitsFor(id, 'payout_route');
    expect((await get(running, id)).json).toMatchObject({ status: 'PAYMENT_RECEIVED', version: 2 });
    payouts.obstacle = undefined;
    await tryNow(running, id);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
  });

  it('waits while the ledger has a fault, and goes on when the fault is cleared', async () => {
    await reaches(running, await paid(running), 'PAYOUT_SUBMITTED');
    const { id } = await placed(running, await sender(running));
    const fault = (text: string | null) =>
      sql.query('UPDATE ledgers SET fault = $2, fault_at = $3 WHERE merchant_id = $1', [
        running.acme.merchant,
        text,
        text && new Date(),
      ]);
    await fault('a test');
    await pay(running, id);
    await waitsFor(id, 'service_delay');
    const cancelled = await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token });
    expect(told(cancelled)).toEqual([503, 'ledger_fault']);
    await fault(null);
    await tryNow(running, id);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
  });

  it('still finishes when its merchant is suspended', async () => {
    payouts.obstacle = 'rail_paused';
    const user = await sender(running, running.rival);
    const id = await paid(running, { user, merchant: running.rival });
    await eventually(async () => (await loaded(running, id, running.rival)).waitsFor === 'rail_paused');
    const status = (verb: string) =>
      running.api.post(`/operator/merchants/${running.rival.clientId}/${verb}`, { token: running.admin });
    expect((await status('suspend')).status).toBe(200);
    payouts.obstacle = undefined;
    await tryNow(running, id);
    await eventually(async () => (await loaded(running, id, running.rival)).state === 'PAYOUT_SUBMITTED');
    await status('resume');
  });

  it('waits for 30 minutes by the clock of the merchant when its sender is in the United States', async () => {
    const user = await newUser(running, running.rival, { countryCode: 'US', stateProvince: 'NY' });
    await holdLevel(running, running.rival, user, 'LEVEL_1');
    const id = await paid(running, { user, merchant: running.rival });
    const order = (await get(running, id, running.rival)).json;
    expect(order).toMatchObject({ status: 'PAYMENT_RECEIVED', pendingReason: 'cancellation_period' });
    await moveClock(running, running.rival, '29 minutes');
    await tryNow(running, id);
    expect((await get(running, id, running.rival)).json).toEqual(order);
    await moveClock(running, running.rival, '2 minutes');
    await tryNow(running, id);
    await reaches(running, id, 'PAYOUT_SUBMITTED', running.rival);
  });
});

describe('the gate', () => {
  it('sends a beneficiary who resembles a listed person to review, and an approval clears that match for good', async () => {
    const id = await paid(running, { body: { beneficiary: { ...lupita, ...listed } } });
    const order = await reaches(running, id, 'IN_REVIEW');
    expect(order).toMatchObject({ pendingReason: 'review', statusReason: null, cancellable: 'on_request' });
    const file = await fileOf(id);
    expect(file).toMatchObject({ state: 'IN_REVIEW', reasons: ['beneficiary_match'] });
    expect(file.findings.beneficiaryMatches[0]).toMatchObject({
      ...{ entryId: 'TEST-1', subjectName: 'Iris Blokwell', isStrong: false },
    });
    const queue = await running.api.get('/operator/orders/reviews', { token: running.viewer });
    expect(queue.json.map(({ orderId }: { orderId: string }) => orderId)).toContain(id);
    expect(queue.text).not.toMatch(/Blokwell|Iris/);
    const tasks = await running.api.get('/operator/tasks?kind=order_review', { token: running.viewer });
    expect(tasks.json.map((task: { id: string }) => task.id)).toContain(`order_review.${id}`);
    expect(payouts.payoutsOf(id)).toBe(0);
    expect(told(await operate(`${id}/approve`, { note: 'x', version: 1 }))[0]).toBe(409);
    expect((await approve(id)).status).toBe(200);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    expect((await timelineOf(running, id)).map(({ event }) => event)).toEqual([
      ...['create', 'complete_payment', 'refer', 'approve', 'convert', 'submit_payout'],
    ]);
    const stored = await sql.query('SELECT sealed_findings FROM order_reviews WHERE order_id = $1', [id]);
    expect(stored.rows[0].sealed_findings.toString('latin1')).not.toContain('Blokwell');
  });

  it('makes matches of the sender hits, and no approval passes by an open hit', async () => {
    const user = await newUser(running, running.acme, listed);
    await holdLevel(running, running.acme, user, 'LEVEL_1');
    const id = await paid(running, { user });
    await reaches(running, id, 'IN_REVIEW');
    const { reasons, findings } = await fileOf(id);
    expect(reasons).toEqual(['sender_match']);
    const blocked = await approve(id);
    expect(told(blocked)).toEqual([409, 'order_review_blocked']);
    expect(blocked.json.hits).toEqual(findings.hits);
    const [hit] = findings.hits;
    const path = `/operator/screening/hits/${hit}/dismiss`;
    await running.api.post(path, { token: running.admin, body: { note: 'Somebody else.' } });
    expect((await approve(id)).status).toBe(200);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
  });

  it('stops an order whose sender has lost the level after the payment, and the sender cannot be deleted meanwhile', async () => {
    payouts.obstacle = 'corridor_paused';
    const user = await sender(running);
    const id = await paid(running, { user });
    await waitsFor(id, 'payout_route');
    await sql.query(
      `UPDATE kyc_cases SET state = 'REVOKED', version = version + 1, expires_at = NULL WHERE user_id = $1`,
      [user.id],
    );
    payouts.obstacle = undefined;
    await tryNow(running, id);
    await reaches(running, id, 'IN_REVIEW');
    expect((await fileOf(id)).findings).toMatchObject({ missingLevel: 'LEVEL_1', hits: [] });
    expect((await approve(id)).json).toMatchObject({
      ...{ code: 'order_review_blocked', missingLevel: 'LEVEL_1' },
    });
    const { externalClientId } = user;
    const erased = await running.api.call('DELETE', `/user?externalClientId=${externalClientId}`, {
      token: running.acme.token,
    });
    expect(erased.json.code).toBe('user_has_open_orders');
  });
});

describe('a payout that failed', () => {
  it('is tried again by an operator through the gate: not while no rail is open, and not once the sender has lost the level', async () => {
    const id = await paid(running);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    await fail(id);
    const { version } = await fileOf(id);
    const retry = () => operate(`${id}/retry-payout`, { note: 'The bank is open again.', version });
    payouts.obstacle = 'rail_paused';
    expect(told(await retry())).toEqual([409, 'order_transition_not_allowed']);
    payouts.obstacle = undefined;
    expect((await retry()).json).toMatchObject({ state: 'PAYOUT_SUBMITTED' });
    expect(told(await retry())[0]).toBe(409);
    expect(payouts.payoutsOf(id)).toBe(2);
    await fail(id);
    await sql.query(
      `UPDATE kyc_cases SET state = 'REVOKED', version = version + 1, expires_at = NULL
        WHERE user_id = (SELECT user_id FROM orders WHERE order_id = $1)`,
      [id],
    );
    const again = { note: 'Again.', version: (await fileOf(id)).version };
    expect((await operate(`${id}/retry-payout`, again)).json).toMatchObject({
      ...{ state: 'IN_REVIEW', reasons: ['kyc_level'] },
    });
  });

  const fail = async (id: string) => {
    const { payoutOutcomes, users } = await verbsOf(running);
    const by = { actor: { kind: 'system', name: 'test' } } as const;
    await running.service.database.transaction(async (tx) => {
      const order = await lockOrder(tx, users, await loaded(running, id));
      await payoutOutcomes.failPayout(tx, by, order, { rail: 'test', reason: 'payout_rejected' });
    });
  };
});
