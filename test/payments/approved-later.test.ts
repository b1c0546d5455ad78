/** What needs a second operator, who may come later: it is carried out as it was asked for, or not at all. */
import { expect, it } from 'vitest';
import { operate, useCorrections } from '../corrections/corrections.js';
import { get, lupita, placed, sender } from '../orders/orders.js';
import { movement, record } from './payments.js';

const running = useCorrections({
  FOUR_EYES: 'payment.record,suspense.match',
  RECORDED_PAYMENTS_USD_PER_DAY: '1000',
});

it('a payment is recorded although the sum of the new day would allow it without approval', async () => {
  const first = await operate(running, 'payments', movement({ amount: 900 }));
  expect(first.status, first.text).toBe(200);
  const asked = await operate(running, 'payments', movement({ amount: 200 }));
  expect(asked.status, asked.text).toBe(202);
  await running.sql.query('UPDATE payments_by_hand SET day = day - 1');
  const approve = `approvals/${asked.json.approvalId}/approve`;
  const approved = await operate(running, approve, undefined, 'rob');
  expect(approved.status, approved.text).toBe(200);
  expect(approved.json.state).toBe('approved');
  const { rows } = await running.sql.query('SELECT count(*)::int AS payments FROM payments');
  expect(rows).toEqual([{ payments: 2 }]);
});

it('payments at once on accounts of different owners do not all stay below the sum of a day', async () => {
  for (let round = 1; round <= 5; round += 1) {
    await running.sql.query('DELETE FROM payments_by_hand');
    const accounts = ['acme-usd', 'shared-usd'];
    const answers = await Promise.all(
      accounts.map((accountId) => operate(running, 'payments', movement({ accountId, amount: 600 }))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 202]);
  }
});

it('a match is refused when its order has taken another payment since', async () => {
  const order = await placed(running, await sender(running), { body: { beneficiary: { ...lupita } } });
  const suspended = await record(running, movement({ remittanceText: 'rent', amount: 100 }));
  expect(suspended.json.outcome, suspended.text).toBe('suspense');
  const find = 'SELECT suspense_id, version FROM suspense_records WHERE payment_id = $1';
  const [found] = (await running.sql.query(find, [suspended.json.id])).rows;
  const match = { orderId: order.id, version: found.version, note: 'Ana Reyes called us.' };
  const asked = await operate(running, `suspense/${found.suspense_id}/match`, match);
  expect(asked.status, asked.text).toBe(202);
  const part = await record(running, movement({ remittanceText: order.payIn.reference, amount: 60 }));
  expect(part.status, part.text).toBe(200);
  const approve = `approvals/${asked.json.approvalId}/approve`;
  const approved = await operate(running, approve, undefined, 'rob');
  expect([approved.status, approved.json.code]).toEqual([409, 'approval_stale']);
  expect((await get(running, order.id)).json.amountReceived).toBe(60);
});
