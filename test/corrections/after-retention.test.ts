/** A payout comes back after its user was erased, and the order is still open when the retention would end. */
import { afterAll, expect, it } from 'vitest';
import { faultsOf, happens, operate, statusOf, submittedByBank, useCorrections, versionOf } from './corrections.js';

const running = useCorrections();
const sixYears = 6 * 366 * 86_400;

afterAll(async () => {
  expect(await faultsOf(running)).toEqual([]);
});

it('keeps what is needed to pay the money back until the order is finished, and not longer', async () => {
  const order = await submittedByBank(running);
  const { id, userId } = order;
  const { token } = running.acme;
  const advance = async () => {
    const answer = await running.api.post('/sandbox/clock', { token, body: { advanceSeconds: sixYears } });
    expect(answer.status, answer.text).toBe(200);
  };
  const hasEnded = async () => {
    const text = 'SELECT retention_ended_at IS NOT NULL AS has_ended FROM erasures WHERE user_id = $1';
    return (await running.sql.query(text, [userId])).rows[0].has_ended;
  };
  await happens(running, order, 'paid');
  expect((await running.api.call('DELETE', `/user?userId=${userId}`, { token })).status).toBe(200);
  await happens(running, order, 'returned', { bank: 'mexico', reason: 'AC04' });
  await advance();
  expect(await hasEnded()).toBe(false);
  const version = await versionOf(running, id);
  const refund = { version, reason: 'corridor', note: 'The account is closed.' };
  const refunded = await operate(running, `orders/${id}/refund`, refund);
  expect(refunded.status, refunded.text).toBe(200);
  await happens(running, order, 'paid', { bank: 'acme-usd' });
  expect(await statusOf(running, id)).toBe('REFUNDED');
  await advance();
  expect(await hasEnded()).toBe(true);
});
