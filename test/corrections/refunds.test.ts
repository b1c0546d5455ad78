/**
 * A payout fails or comes back: the sender corrects the beneficiary, or the money goes back, whole or less the charges.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { told } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { eventsOf, get, lupita, runExpiry } from '../orders/orders.js';
import { reaches } from '../orders/paid-orders.js';
import {
  attemptOf,
  failedPayout,
  faultsOf,
  happens,
  newestJournals,
  operate,
  statusOf,
  submittedByBank,
  tasksOf,
  useCorrections,
  versionOf,
  withTwo,
} from './corrections.js';

const running = useCorrections();
const { sql } = running;
const refund = async (id: string, more: object = {}, version?: number) =>
  operate(running, `orders/${id}/refund`, {
    ...{ version: version ?? (await versionOf(running, id)), reason: 'corridor', note: 'Cannot be paid.' },
    ...more,
  });
const retryRefund = async (id: string, more: object = {}) => ({
  version: await versionOf(running, id),
  note: 'Again.',
  ...more,
});
const typesOf = async (id: string) => (await eventsOf(running, id)).map(({ type }) => type);

afterAll(async () => {
  expect(await faultsOf(running)).toEqual([]);
});

describe('a payout that failed', () => {
  it('is paid back in full when we cannot pay it out, and is refused for a stale version and a second time', async () => {
    const order = await failedPayout(running);
    const { id, amountIn, amountOut } = order;
    expect(await newestJournals(running, id)).toEqual([
      {
        event: 'payout_failed',
        postings: [
          ['settlement:MXN:manual', amountOut],
          ['payout:MXN', -amountOut],
        ],
        isReversal: false,
      },
    ]);
    expect(await tasksOf(running, 'payout_failed')).toContain(`payout_failed.${id}`);
    expect(told(await refund(id, {}, 1))).toEqual([409, 'order_transition_not_allowed']);
    expect(told(await refund(id, { keepCharges: true }))).toEqual([400, 'invalid_fields']);
    expect((await refund(id)).json).toMatchObject({ state: 'REFUND_PENDING' });
    expect(told(await refund(id))).toEqual([409, 'order_transition_not_allowed']);
    const shown = (await get(running, id)).json;
    expect(shown).toMatchObject({
      ...{ status: 'REFUND_PENDING', statusReason: 'beneficiary_account_closed', amountKept: 0 },
      refunds: [{ amount: 100, state: 'pending', reason: 'beneficiary_account_closed' }],
    });
    const [unconverted, due] = await newestJournals(running, id);
    expect(unconverted).toMatchObject({ event: 'conversion_reversed', isReversal: true });
    expect(due).toEqual({
      event: 'refund_due',
      postings: [
        ['liability:USD', amountIn],
        ['refund:USD', -amountIn],
      ],
      isReversal: false,
    });
    expect(await tasksOf(running, 'payout_failed')).not.toContain(`payout_failed.${id}`);
  });

  it('is paid back less the charges after wrong details, refused by the payer’s bank, retried, bounced and redirected by two', async () => {
    const order = await submittedByBank(running);
    const { id, amountIn, amountOut } = order;
    await happens(running, order, 'submitted');
    // 37.00 pesos stay with a bank on the way.
    await happens(running, order, 'returned', { reason: 'AC01', charge: '37.00' });
    expect(await statusOf(running, id)).toBe('PAYOUT_FAILED');
    expect((await newestJournals(running, id)).map(({ event }) => event)).toEqual([
      ...['payout_failed', 'payout_charged'],
    ]);
    const { rows } = await sql.query('SELECT mid_rate::text FROM orders WHERE order_id = $1', [id]);
    const kept = Math.ceil(3700 / Number(rows[0].mid_rate));
    expect((await refund(id, { reason: 'beneficiary_data' })).status).toBe(200);
    expect((await newestJournals(running, id)).at(-1)).toEqual({
      event: 'refund_due',
      postings: [
        ['liability:USD', amountIn],
        ['refund:USD', kept - amountIn],
        ['charges:USD', -kept],
      ],
      isReversal: false,
    });
    const due = (amountIn - kept) / 100;
    const [pending] = (await get(running, id)).json.refunds;
    expect(pending).toMatchObject({ amount: due, state: 'pending', reason: 'beneficiary_account_invalid' });
    expect((await get(running, id)).json.amountKept).toBe(kept / 100);

    await happens(running, order, 'submitted');
    expect((await get(running, id)).json).toMatchObject({
      ...{ status: 'REFUND_PENDING', refunds: [{ id: pending.id, state: 'submitted' }] },
    });
    await happens(running, order, 'failed', { reason: 'AC04' });
    expect(await newestJournals(running, id)).toEqual([]);
    expect((await get(running, id)).json).toMatchObject({
      ...{ status: 'REFUND_FAILED', refunds: [{ id: pending.id, state: 'failed' }] },
    });
    expect(await tasksOf(running, 'refund_failed')).toContain(`refund_failed.${id}`);

    const again = await operate(running, `orders/${id}/retry-refund`, await retryRefund(id));
    expect(again.status, again.text).toBe(200);
    await happens(running, order, 'paid', { bank: 'acme-usd' });
    expect(await newestJournals(running, id)).toEqual([
      {
        event: 'refunded',
        postings: [
          ['refund:USD', amountIn - kept],
          ['bank:USD:acme-usd', kept - amountIn],
        ],
        isReversal: false,
      },
    ]);
    expect((await get(running, id)).json).toMatchObject({ status: 'REFUNDED', amountRefunded: due });

    await happens(running, order, 'returned', { bank: 'acme-usd' });
    expect(await newestJournals(running, id)).toEqual([
      {
        event: 'movement_in',
        postings: [
          ['bank:USD:acme-usd', amountIn - kept],
          ['payin:USD', kept - amountIn],
        ],
        isReversal: false,
      },
      {
        event: 'refund_returned',
        postings: [
          ['payin:USD', amountIn - kept],
          ['refund:USD', kept - amountIn],
        ],
        isReversal: false,
      },
    ]);
    const recipient = { name: 'Ana Reyes Núñez', account: 'ES9121000418450200051332' };
    const redirect = await retryRefund(id, { recipient });
    const redirected = await withTwo(running, `orders/${id}/retry-refund`, redirect);
    expect(redirected.status, redirected.text).toBe(200);
    const { attempt_id: attemptId } = await attemptOf(running, id);
    const file = await running.api.get(`/operator/payouts/${attemptId}`, { token: running.as('rob') });
    expect(file.json.instruction.recipient).toEqual(recipient);
    await happens(running, order, 'paid', { bank: 'acme-usd' });
    expect((await get(running, id)).json).toMatchObject({
      ...{ status: 'REFUNDED', amountReceived: 100, amountRefunded: due, amountKept: kept / 100 },
      refunds: [{ id: pending.id, amount: due, state: 'paid', reason: 'beneficiary_account_invalid' }],
    });
    const { token } = running.acme;
    const receipt = await running.api.get(`/orders/${id}/receipt`, { token });
    expect(receipt.json).toMatchObject({ amountRefunded: due, amountKept: kept / 100, amountReversed: 0 });
    const page = await running.api.get(`/orders/${id}/receipt?format=html`, { token });
    expect(page.text).toContain('Kept for bank charges');
    const day = receipt.json.createdAt.slice(0, 10);
    const report = await running.api.get(`/merchant/reports/orders?day=${day}`, { token });
    const lines = report.text.split('\r\n').map((line) => line.split(','));
    expect(lines[0]?.slice(-2)).toEqual(['amountKept', 'amountReversed']);
    expect(lines.find(([first]) => first === id)?.slice(-2)).toEqual([String(kept / 100), '0']);
    expect((await typesOf(id)).slice(4)).toEqual([
      ...['order.payout_failed', 'order.refund_pending', 'order.refund_updated', 'order.refund_failed'],
      ...['order.refund_pending', 'order.refunded', 'order.refund_failed', 'order.refund_pending'],
      'order.refunded',
    ]);
    expect(JSON.stringify(await eventsOf(running, id))).not.toContain('ES9121000418450200051332');
    expect(amountOut).toBeGreaterThan(0);
  });

  it('keeps the reason of its failure when the sender cancels, also on the receipt, which says what goes back', async () => {
    const { id } = await failedPayout(running);
    const statusReason = 'beneficiary_account_closed';
    const { token } = running.acme;
    const receipt = async () => (await running.api.get(`/orders/${id}/receipt?format=html&lang=en`, { token })).text;
    const headline = async () =>
      /<p class="amount"><span>(.*?)<\/span>.*?<bdi>(.*?)<\/bdi>/.exec(await receipt())?.slice(1);
    expect((await headline())?.[0]).toBe('The recipient has not received');
    await operate(running, `orders/${id}/request-information`, { items: ['beneficiary_details'], note: 'Which?' });
    expect((await get(running, id)).json).toMatchObject({ status: 'ACTION_REQUIRED', statusReason });
    expect((await running.api.post(`/orders/${id}/cancel`, { token })).status).toBe(200);
    const refunding = await reaches(running, id, 'REFUND_PENDING');
    expect(refunding).toMatchObject({ statusReason, refunds: [{ reason: statusReason }] });
    expect(refunding.cancellationRequestedAt).not.toBeNull();
    expect(await headline()).toEqual(['Goes back to you', 'USD\u00a0100.00']);
    expect(await receipt()).toContain('The account of the recipient is closed.');
    await happens(running, { id }, 'submitted');
    await happens(running, { id }, 'paid', { bank: 'acme-usd' });
    expect(await headline()).toEqual(['Paid back to you', 'USD\u00a0100.00']);
  });

  it('is tried again through the gate as soon as the sender has corrected the beneficiary, and not while something else is asked', async () => {
    const { id } = await failedPayout(running);
    const ask = (items: string[]) =>
      operate(running, `orders/${id}/request-information`, { items, note: 'The account is closed.' });
    expect((await ask(['beneficiary_details'])).json).toMatchObject({ state: 'ACTION_REQUIRED' });
    const [{ code, needs }] = (await get(running, id)).json.requirements;
    expect([code, needs]).toEqual(['beneficiary_details', 'beneficiary']);
    const beneficiary = { ...lupita, account: { clabe: '002010077777777771' } };
    const corrected = await running.api.post(`/orders/${id}/beneficiary`, {
      token: running.acme.token,
      body: { beneficiary },
    });
    expect(corrected.status, corrected.text).toBe(200);
    await reaches(running, id, 'PAYOUT_SUBMITTED');
    const attempt = await attemptOf(running, id);
    expect(attempt).toMatchObject({ number: 2, state: 'READY', payout_account: '****7771' });
    expect((await typesOf(id)).slice(-4)).toEqual([
      ...['order.action_required', 'order.beneficiary_changed', 'order.payout_failed'],
      'order.payout_submitted',
    ]);
  });

  it('is paid back less the charges when the sender does not answer in time', async () => {
    const order = await submittedByBank(running);
    const { id } = order;
    await happens(running, order, 'submitted');
    await happens(running, order, 'returned', { reason: 'AC01', charge: '37.00' });
    const items = ['beneficiary_details'];
    await operate(running, `orders/${id}/request-information`, { items, days: 1, note: 'Which account?' });
    await moveClock(running, running.acme, '25 hours');
    await runExpiry(running);
    const shown = (await get(running, id)).json;
    expect(shown).toMatchObject({ status: 'REFUND_PENDING', statusReason: 'information_not_provided' });
    expect(shown.amountKept).toBeGreaterThan(0);
    expect(shown.refunds[0].amount).toBeCloseTo(100 - shown.amountKept, 10);
  });
});

describe('money that comes back after it was paid', () => {
  it('is booked less the charge, and is paid back in full unless the sender was wrong', async () => {
    const order = await submittedByBank(running);
    const { id, amountIn, amountOut } = order;
    await happens(running, order, 'paid');
    await happens(running, order, 'returned', { bank: 'mexico', charge: '3.00', reason: 'AC04' });
    expect(await newestJournals(running, id)).toEqual([
      {
        event: 'movement_in',
        postings: [
          ['bank:MXN:mexico', amountOut - 300],
          ['payin:MXN', 300 - amountOut],
        ],
        isReversal: false,
      },
      {
        event: 'payout_returned',
        postings: [
          ['payin:MXN', amountOut - 300],
          ['charges:MXN', 300],
          ['payout:MXN', -amountOut],
        ],
        isReversal: false,
      },
    ]);
    expect(await tasksOf(running, 'payout_failed')).toContain(`payout_failed.${id}`);
    expect((await refund(id, { reason: 'beneficiary_data', keepCharges: false })).status).toBe(200);
    expect((await newestJournals(running, id)).at(-1)?.postings).toEqual([
      ['liability:USD', amountIn],
      ['refund:USD', -amountIn],
    ]);
  });
});

describe('a refund that is due', () => {
  it('is a task once it should have been paid', async () => {
    const { id } = await failedPayout(running);
    await refund(id);
    expect(await tasksOf(running, 'refund_failed')).not.toContain(`refund_failed.${id}`);
    await sql.query(
      `UPDATE orders SET refund_due_by = now() - interval '1 minute', version = version + 1 WHERE order_id = $1`,
      [id],
    );
    expect(await tasksOf(running, 'refund_failed')).toContain(`refund_failed.${id}`);
  });

  it('still goes to the account that two operators chose after a review withdrew it', async () => {
    const order = await failedPayout(running);
    const { id } = order;
    await refund(id);
    await happens(running, order, 'failed', { reason: 'AC04' });
    const recipient = { name: 'Ana Reyes Núñez', account: 'ES9121000418450200051332' };
    await withTwo(running, `orders/${id}/retry-refund`, await retryRefund(id, { recipient }));
    await operate(running, `orders/${id}/refer`, { note: 'Look at this.' });
    const approval = { version: await versionOf(running, id), note: 'Fine.' };
    expect((await operate(running, `orders/${id}/approve`, approval)).json.state).toBe('REFUND_PENDING');
    const { attempt_id: attemptId } = await attemptOf(running, id);
    const file = await running.api.get(`/operator/payouts/${attemptId}`, { token: running.as('rob') });
    expect(file.json).toMatchObject({ state: 'READY', instruction: { recipient } });
  });

  it('is not decided for an order under review, whose review is refused instead, nor for a refused one', async () => {
    const { id } = await failedPayout(running);
    await operate(running, `orders/${id}/refer`, { note: 'Look at this.' });
    expect(told(await refund(id))).toEqual([409, 'order_transition_not_allowed']);
    const version = await versionOf(running, id);
    await operate(running, `orders/${id}/refuse`, { version, reason: 'other', note: 'No.' });
    expect(told(await refund(id))).toEqual([409, 'order_transition_not_allowed']);
    await reaches(running, id, 'REFUND_PENDING');
    expect((await get(running, id)).json.refunds).toMatchObject([{ amount: 100, reason: 'refused' }]);
  });
});
