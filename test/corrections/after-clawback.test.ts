/**
 * A bank takes a payment back while its payout is under way: nobody is paid out a second time with money that is gone.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { get, lupita } from '../orders/orders.js';
import { balancesOf, reaches } from '../orders/paid-orders.js';
import { movement, record } from '../payments/payments.js';
import {
  attemptOf,
  faultsOf,
  happens,
  newestJournals,
  operate,
  paidByBank,
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

async function takenBack(id: string, paymentId: string): Promise<void> {
  const clawback = {
    ...{ version: await versionOf(running, id), bankReference: `clawed-${paymentId}` },
    ...{ bookedAt: '2026-11-17T09:41:00.000Z', note: 'Disputed.' },
  };
  const clawed = await withTwo(running, `payments/${paymentId}/corrections/clawback`, clawback);
  expect(clawed.status, clawed.text).toBe(200);
}

/** An order whose payment was clawed back before its payout was refused. */
async function clawedBack() {
  const order = await submittedByBank(running);
  await happens(running, order, 'submitted');
  await takenBack(order.id, order.paymentId);
  await happens(running, order, 'failed', { reason: 'AC04' });
  return order;
}

describe('an order whose payment was clawed back, and whose payout then failed', () => {
  it('ends when the bank takes its other payment back too, and nothing is owed or lost but the payments', async () => {
    const { id, paymentId } = await paidByBank(running, { amount: 60 });
    const remittanceText = (await get(running, id)).json.payIn.reference;
    const rest = (await record(running, movement({ remittanceText, amount: 40 }))).json;
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    await happens(running, { id }, 'submitted');
    await takenBack(id, paymentId);
    await happens(running, { id }, 'failed', { reason: 'AC04' });
    await takenBack(id, rest.id);
    expect((await get(running, id)).json).toMatchObject({ status: 'CANCELLED', amountReversed: 100 });
    expect((await newestJournals(running, id)).slice(1)).toMatchObject([
      {
        event: 'loss_recovered',
        postings: [
          ['liability:USD', 6000],
          ['writeoff:USD', -6000],
        ],
      },
      { event: 'clawback', postings: [['liability:USD', 4000], ...Array(3).fill(expect.anything())] },
    ]);
    expect(await balancesOf(running, id)).not.toHaveProperty('liability:USD');
  });

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
