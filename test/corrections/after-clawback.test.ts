/** A bank takes a payment back while its payout is under way: nobody is paid out a second time with money that is gone. */
import { afterAll, describe, expect, it } from 'vitest';
import { lupita } from '../orders/orders.js';
import {
  attemptOf,
  faultsOf,
  happens,
  operate,
  statusOf,
  submittedByBank,
  tasksOf,
  useCorrections,
  versionOf,
  withTwo,
} from './corrections.js';

const running = useCorrections();

afterAll(async () => {
  expect(await faultsOf(running)).toEqual([]);
});

/** An order whose payment was clawed back before its payout was refused. */
async function clawedBack() {
  const order = await submittedByBank(running);
  const clawback = {
    ...{ version: await versionOf(running, order.id), bankReference: `clawed-${order.id}` },
    ...{ bookedAt: '2026-11-17T09:41:00.000Z', note: 'Disputed.' },
  };
  const clawed = await withTwo(running, `payments/${order.paymentId}/corrections/clawback`, clawback);
  expect(clawed.status, clawed.text).toBe(200);
  await happens(running, order, 'failed', { reason: 'AC04' });
  return order;
}

describe('an order whose payment was clawed back, and whose payout then failed', () => {
  it('is not paid out again when the sender corrects the beneficiary: an operator ends it', async () => {
    const { id } = await clawedBack();
    const asked = { items: ['beneficiary_details'], note: 'The account is closed.' };
    await operate(running, `orders/${id}/request-information`, asked);
    const beneficiary = { ...lupita, account: { clabe: '002010077777777771' } };
    const { token } = running.acme;
    const corrected = await running.api.post(`/orders/${id}/beneficiary`, { token, body: { beneficiary } });
    expect(corrected.status, corrected.text).toBe(200);
    expect(corrected.json).toMatchObject({ status: 'PAYOUT_FAILED', amountReversed: 100 });
    const { rows } = await running.sql.query('SELECT retries_payout FROM orders WHERE order_id = $1', [id]);
    expect(rows).toEqual([{ retries_payout: false }]);
    expect((await attemptOf(running, id)).number).toBe(1);
    expect(await tasksOf(running, 'payout_failed')).toContain(`payout_failed.${id}`);
    const ending = { version: await versionOf(running, id), reason: 'corridor', note: 'Nothing is owed.' };
    expect((await operate(running, `orders/${id}/refund`, ending)).status).toBe(200);
    expect(await statusOf(running, id)).toBe('CANCELLED');
  });
});
