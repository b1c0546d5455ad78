/** A payment that one operator entered above the sum of a day, and another approves on the next day. */
import { expect, it } from 'vitest';
import { operate, useCorrections } from '../corrections/corrections.js';
import { movement } from './payments.js';

const running = useCorrections({ FOUR_EYES: 'payment.record', RECORDED_PAYMENTS_USD_PER_DAY: '1000' });

it('is recorded although the sum of the new day would allow it without approval', async () => {
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
