/**
 * What was recorded by mistake is undone by two operators, with reversals; what a bank takes back ends the order or is
 * a loss.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { told } from '../harness/users.js';
import { eventsOf, get, placed, sender } from '../orders/orders.js';
import { balancesOf, reaches } from '../orders/paid-orders.js';
import { movement, record } from '../payments/payments.js';
import {
  attemptOf,
  type CorrectionsService,
  failedPayout,
  faultsOf,
  happens,
  newestJournals,
  operate,
  type PaidOrder,
  paidByBank,
  statusOf,
  submittedByBank,
  tasksOf,
  useCorrections,
  versionOf,
  withTwo,
} from './corrections.js';

const running: CorrectionsService = useCorrections();
const { sql } = running;
let lines = 0;
const proof = async (id: string, more: object = {}) => {
  lines += 1;
  const { version } = await attemptOf(running, id);
  return {
    ...{ version, bankReference: `proof-${lines}`, bookedAt: '2026-11-16T09:41:00.000Z' },
    ...{ bank: 'mexico', note: 'The bank has written.', ...more },
  };
};
const clawbackOf = async ({ id }: PaidOrder, more: object = {}) => {
  lines += 1;
  return {
    ...{ version: await versionOf(running, id), bankReference: `clawed-${lines}` },
    ...{ bookedAt: '2026-11-17T09:41:00.000Z', note: 'Disputed.', ...more },
  };
};
const attemptPath = async (id: string, verb: string) => `payouts/${(await attemptOf(running, id)).attempt_id}/${verb}`;
const lastEvent = async (id: string) => (await eventsOf(running, id)).at(-1);

const corridor = { kind: 'corridor', name: 'USD-MXN' };
const resume = () => operate(running, 'pauses/resume', corridor);

/** A paid order that waits for its payout, because the corridor is paused until the test resumes it. */
async function waiting(): Promise<PaidOrder> {
  await operate(running, 'pauses', { ...corridor, note: 'For the test.' });
  const order = await paidByBank(running);
  await reaches(running, order.id, 'PAYMENT_RECEIVED');
  return order;
}

afterAll(async () => {
  expect(await faultsOf(running)).toEqual([]);
});

describe('a payout that was marked as paid by mistake', () => {
  it('is on its way again: the debit is reversed, and the bank reference is free for the payout that it belongs to', async () => {
    const order = await submittedByBank(running);
    const other = await submittedByBank(running);
    const { id, amountOut } = order;
    const bankReference = await happens(running, order, 'paid', { bank: 'mexico', charge: '5.00' });
    const path = await attemptPath(id, 'not-paid');
    const { version } = await attemptOf(running, id);
    expect(told(await operate(running, path, { version: 1, note: 'Oops.' }))).toEqual([409, 'payout_changed']);
    const corrected = await withTwo(running, path, { version, note: 'The line is of another payout.' });
    expect(corrected.status, corrected.text).toBe(200);
    expect((await attemptOf(running, id)).state).toBe('ACCEPTED');
    expect(await newestJournals(running, id)).toEqual([
      {
        event: 'payout_debit_reversed',
        postings: [
          ['settlement:MXN:manual', -amountOut],
          ['charges:MXN', -500],
          ['bank:MXN:mexico', amountOut + 500],
        ],
        isReversal: true,
      },
    ]);
    expect(await lastEvent(id)).toMatchObject({
      ...{ type: 'order.payout_submitted', previousStatus: 'COMPLETED' },
    });
    await happens(running, other, 'paid', { bankReference, bank: 'mexico' });
    expect(await statusOf(running, other.id)).toBe('COMPLETED');
    const again = { version: version + 1, note: 'Once more.' };
    expect(told(await operate(running, path, again))).toEqual([409, 'payout_not_correctable']);
    await happens(running, order, 'paid');
    expect(await statusOf(running, id)).toBe('COMPLETED');
  });

  it('leaves the debit of an earlier payout that came back as it is', async () => {
    const order = await submittedByBank(running);
    const { id } = order;
    await happens(running, order, 'paid', { bank: 'mexico' });
    await happens(running, order, 'returned', { bank: 'mexico', reason: 'AC04' });
    await operate(running, `orders/${id}/retry-payout`, {
      ...{ version: await versionOf(running, id), note: 'Again.' },
    });
    await happens(running, order, 'paid');
    const { version } = await attemptOf(running, id);
    await withTwo(running, await attemptPath(id, 'not-paid'), { version, note: 'It was not.' });
    expect((await newestJournals(running, id)).map(({ event }) => event)).toEqual(['payout_debit_reversed']);
    const debits = await sql.query(
      `SELECT sum(amount_minor)::int AS minor FROM ledger_postings WHERE reference = $1 AND account = 'bank:MXN:mexico'`,
      [id],
    );
    expect(debits.rows).toEqual([{ minor: -order.amountOut }]);
    expect(await statusOf(running, id)).toBe('PAYOUT_SUBMITTED');
  });
});

describe('a payout that failed and was paid after all', () => {
  it('completes its order: the failure is reversed, and the bank line is recorded once', async () => {
    const order = await failedPayout(running);
    const { id, amountOut } = order;
    const path = await attemptPath(id, 'prove-paid');
    const body = await proof(id, { bank: 'mexico' });
    const proved = await withTwo(running, path, body);
    expect(proved.status, proved.text).toBe(200);
    expect((await attemptOf(running, id)).state).toBe('PAID');
    expect(await newestJournals(running, id)).toEqual([
      {
        event: 'payout_failure_reversed',
        postings: [
          ['settlement:MXN:manual', -amountOut],
          ['payout:MXN', amountOut],
        ],
        isReversal: true,
      },
      {
        event: 'payout_debited',
        postings: [
          ['settlement:MXN:manual', amountOut],
          ['bank:MXN:mexico', -amountOut],
        ],
        isReversal: false,
      },
    ]);
    expect(await statusOf(running, id)).toBe('COMPLETED');
    expect(told(await operate(running, path, await proof(id)))).toEqual([409, 'payout_not_correctable']);
    const next = await failedPayout(running);
    const used = await proof(next.id, { bankReference: body.bankReference });
    expect(told(await operate(running, await attemptPath(next.id, 'prove-paid'), used))).toEqual([
      ...[409, 'bank_reference_used'],
    ]);
  });

  it('completes its order when it was recorded as returned by mistake, and the lines of the bank count once', async () => {
    const order = await submittedByBank(running);
    const { id, amountOut } = order;
    const bank = 'mexico';
    const paidLine = await happens(running, order, 'paid', { bank });
    const returnedLine = await happens(running, order, 'returned', { bank, charge: '5.00', reason: 'AC04' });
    const body = await proof(id, { bank, bankReference: paidLine });
    const proved = await withTwo(running, await attemptPath(id, 'prove-paid'), body);
    expect(proved.status, proved.text).toBe(200);
    expect(await newestJournals(running, id)).toEqual(
      expect.arrayContaining([
        {
          event: 'payout_return_reversed',
          postings: [
            ['payin:MXN', 500 - amountOut],
            ['charges:MXN', -500],
            ['payout:MXN', amountOut],
          ],
          isReversal: true,
        },
        {
          event: 'movement_reversed',
          postings: [
            ['bank:MXN:mexico', 500 - amountOut],
            ['payin:MXN', amountOut - 500],
          ],
          isReversal: true,
        },
      ]),
    );
    expect(await newestJournals(running, id)).toHaveLength(2);
    expect(await statusOf(running, id)).toBe('COMPLETED');
    // The line of the return belongs to another payout, and the charge of 5 pesos is not this sender's.
    const other = await submittedByBank(running);
    await happens(running, other, 'paid');
    await happens(running, other, 'returned', { bank, bankReference: returnedLine });
    const { rows } = await sql.query('SELECT payout_charges_minor::int AS minor FROM orders WHERE order_id = $1', [id]);
    expect(rows).toEqual([{ minor: 0 }]);
  });

  it('undoes a refund that no bank has, and if it failed after all, everything goes back to the payer', async () => {
    const order = await failedPayout(running);
    const { id, amountIn } = order;
    const payout = await attemptOf(running, id);
    const path = `payouts/${payout.attempt_id}`;
    const refund = async () =>
      done(
        await operate(running, `orders/${id}/refund`, {
          ...{ version: await versionOf(running, id), reason: 'corridor', note: 'Back.' },
        }),
      );
    await refund();
    const proved = await withTwo(running, `${path}/prove-paid`, await proof(id, { version: payout.version }));
    expect(proved.status, proved.text).toBe(200);
    expect(await statusOf(running, id)).toBe('COMPLETED');
    const now = async () => (await running.api.get(`/operator/${path}`, { token: running.as('rita') })).json.version;
    await withTwo(running, `${path}/not-paid`, { version: await now(), note: 'It was not.' });
    const booked = { bankReference: 'gone', bookedAt: '2026-11-16T09:41:00.000Z' };
    done(await operate(running, `${path}/failed`, { version: await now(), ...booked, reason: 'AC04' }));
    await refund();
    expect((await get(running, id)).json).toMatchObject({
      ...{ status: 'REFUND_PENDING', amountReceived: 100 },
      refunds: [
        { amount: 100, state: 'cancelled' },
        { amount: 100, state: 'pending' },
      ],
    });
    expect(await balancesOf(running, id)).toMatchObject({ 'refund:USD': -amountIn });
  });

  it('is a loss when the order has been paid out again since', async () => {
    const order = await failedPayout(running);
    const { id, amountOut } = order;
    const first = await attemptPath(id, 'paid-twice');
    const body = await proof(id);
    expect(told(await operate(running, first, body))).toEqual([409, 'payout_not_correctable']);
    const version = await versionOf(running, id);
    const retried = await operate(running, `orders/${id}/retry-payout`, { version, note: 'Again.' });
    expect(retried.json, retried.text).toMatchObject({ state: 'PAYOUT_SUBMITTED' });
    await happens(running, order, 'submitted');
    const proving = first.replace('paid-twice', 'prove-paid');
    expect(told(await operate(running, proving, body))).toEqual([409, 'payout_not_correctable']);
    expect((await withTwo(running, first, body)).status).toBe(200);
    expect(await newestJournals(running, id)).toEqual([
      {
        event: 'paid_twice',
        postings: [
          ['writeoff:MXN', amountOut],
          ['settlement:MXN:manual', -amountOut],
        ],
        isReversal: false,
      },
      {
        event: 'payout_debited',
        postings: [
          ['settlement:MXN:manual', amountOut],
          ['bank:MXN:mexico', -amountOut],
        ],
        isReversal: false,
      },
    ]);
    expect(await lastEvent(id)).toMatchObject({ type: 'order.paid_twice', previousStatus: null });
    expect(await statusOf(running, id)).toBe('PAYOUT_SUBMITTED');
  });
});

describe('a payment that was recorded for the wrong order', () => {
  it('is taken off: its money is in suspense, and the order waits for its payment again', async () => {
    const order = await waiting();
    const { id, paymentId, amountIn } = order;
    const path = `payments/${paymentId}/corrections/take-off`;
    const body = { version: await versionOf(running, id), note: 'For the other order.' };
    expect(told(await operate(running, path, { ...body, version: 1 }))).toEqual([409, 'payment_changed']);
    expect((await withTwo(running, path, body)).status).toBe(200);
    expect((await get(running, id)).json).toMatchObject({
      ...{ status: 'AWAITING_PAYMENT', amountReceived: 0, amountMissing: 100 },
    });
    expect(await newestJournals(running, id)).toEqual([
      {
        event: 'payment_taken_off',
        postings: [
          ['payin:USD', -amountIn],
          ['liability:USD', amountIn],
        ],
        isReversal: true,
      },
      {
        event: 'payment_unassigned',
        postings: [
          ['payin:USD', amountIn],
          ['suspense:USD', -amountIn],
        ],
        isReversal: false,
      },
    ]);
    const { rows } = await sql.query('SELECT reason, order_id FROM suspense_records WHERE payment_id = $1', [
      paymentId,
    ]);
    expect(rows).toEqual([{ reason: 'taken_off', order_id: id }]);
    const again = { ...body, version: await versionOf(running, id) };
    expect(told(await operate(running, path, again))).toEqual([409, 'payment_not_reversible']);
    await resume();
    const { payIn } = (await get(running, id)).json;
    await record(running, movement({ remittanceText: payIn.reference }));
    await reaches(running, id, 'PAYOUT_SUBMITTED');
  });

  it('counts again when it was for this order after all: somebody looks at a payer who is not the user', async () => {
    const payer = { name: 'Olga Petrova', account: '000987654321' };
    const { id, paymentId } = await paidByBank(running, { amount: 60, payer });
    const path = `payments/${paymentId}/corrections/take-off`;
    await withTwo(running, path, { version: await versionOf(running, id), note: 'For another order?' });
    const { rows } = await sql.query('SELECT suspense_id, version FROM suspense_records WHERE payment_id = $1', [
      paymentId,
    ]);
    const [{ suspense_id, version }] = rows;
    const matched = { orderId: id, version, note: 'No, for this one.' };
    expect((await operate(running, `suspense/${suspense_id}/match`, matched)).status).toBe(200);
    const { payIn } = (await get(running, id)).json;
    await record(running, movement({ remittanceText: payIn.reference, amount: 40 }));
    await reaches(running, id, 'IN_REVIEW');
  });

  it('has a payer who is known after the order was cancelled and the user erased, so that it can be paid back', async () => {
    const { id, paymentId, userId } = await paidByBank(running, { amount: 60 });
    const path = `payments/${paymentId}/corrections/take-off`;
    await withTwo(running, path, { version: await versionOf(running, id), note: 'For another order.' });
    const { token } = running.acme;
    expect((await running.api.post(`/orders/${id}/cancel`, { token })).status).toBe(200);
    expect((await running.api.call('DELETE', `/user?userId=${userId}`, { token })).status).toBe(200);
    const suspended = 'SELECT suspense_id, version FROM suspense_records WHERE payment_id = $1';
    const [{ suspense_id, version }] = (await sql.query(suspended, [paymentId])).rows;
    const recipient = { name: 'Somebody Else', account: '000555555555' };
    const body = { version, note: 'To somebody else.', recipient };
    const refused = await operate(running, `suspense/${suspense_id}/return`, body);
    expect(refused.json.errors).toMatchObject([{ field: 'recipient', code: 'not_allowed' }]);
  });

  it('stays where it is once the order is converted', async () => {
    const { id, paymentId } = await submittedByBank(running);
    const body = { version: await versionOf(running, id), note: 'Too late.' };
    expect(told(await operate(running, `payments/${paymentId}/corrections/take-off`, body))).toEqual([
      ...[409, 'order_transition_not_allowed'],
    ]);
  });
});

describe('a payment that the bank takes back', () => {
  it('ends its order before the payout is submitted, once', async () => {
    const order = await waiting();
    const { id, paymentId, amountIn } = order;
    const path = `payments/${paymentId}/corrections/clawback`;
    const done = await withTwo(running, path, await clawbackOf(order));
    expect(done.status, done.text).toBe(200);
    expect((await get(running, id)).json).toMatchObject({
      ...{ status: 'CANCELLED', statusReason: 'payment_reversed', amountReversed: 100 },
    });
    expect(await newestJournals(running, id)).toEqual([
      {
        event: 'clawback',
        postings: [
          ['liability:USD', amountIn],
          ['payin:USD', -amountIn],
          ['payin:USD', amountIn],
          ['bank:USD:acme-usd', -amountIn],
        ],
        isReversal: false,
      },
    ]);
    expect(told(await operate(running, path, await clawbackOf(order)))).toEqual([...[409, 'payment_not_reversible']]);
    await resume();
  });

  it('reverses the conversion of an order whose payout failed', async () => {
    const order = await failedPayout(running);
    await withTwo(running, `payments/${order.paymentId}/corrections/clawback`, await clawbackOf(order));
    expect((await newestJournals(running, order.id)).map(({ event }) => event)).toEqual([
      ...['conversion_reversed', 'clawback'],
    ]);
    expect(await statusOf(running, order.id)).toBe('CANCELLED');
  });

  it('comes from what is frozen or refunded, and waits while a refund may have left', async () => {
    const frozen = await failedPayout(running);
    await operate(running, `orders/${frozen.id}/freeze`, { note: 'Request 4711.' });
    await withTwo(running, `payments/${frozen.paymentId}/corrections/clawback`, await clawbackOf(frozen));
    expect((await newestJournals(running, frozen.id))[0]?.postings[0]).toEqual([...['frozen:USD', frozen.amountIn]]);
    const refunded = await failedPayout(running);
    const { id, paymentId } = refunded;
    const refund = { version: await versionOf(running, id), reason: 'operator', note: 'Back.' };
    await operate(running, `orders/${id}/refund`, refund);
    await happens(running, refunded, 'submitted');
    const clawback = await clawbackOf(refunded);
    expect(told(await operate(running, `payments/${paymentId}/corrections/clawback`, clawback))).toEqual([
      ...[409, 'order_transition_not_allowed'],
    ]);
    await happens(running, refunded, 'failed');
    await withTwo(running, `payments/${paymentId}/corrections/clawback`, await clawbackOf(refunded));
    expect((await newestJournals(running, id))[0]?.postings[0]).toEqual(['refund:USD', refunded.amountIn]);
    expect((await get(running, id)).json.refunds).toMatchObject([{ state: 'cancelled' }]);
  });

  it('is a loss with a task after the payout, and the loss is recovered when the payout fails', async () => {
    const order = await submittedByBank(running);
    const { id, paymentId, amountIn } = order;
    await happens(running, order, 'submitted');
    await withTwo(running, `payments/${paymentId}/corrections/clawback`, await clawbackOf(order));
    expect(await statusOf(running, id)).toBe('PAYOUT_SUBMITTED');
    expect((await newestJournals(running, id))[0]?.postings[0]).toEqual(['writeoff:USD', amountIn]);
    expect(await lastEvent(id)).toMatchObject({ type: 'order.payment_reversed', previousStatus: null });
    expect(await tasksOf(running, 'loss')).toContain(`loss.${paymentId}`);
    const settle = `payments/${paymentId}/corrections/clawback/settle`;
    expect((await operate(running, settle, { note: 'Claimed.' })).status).toBe(200);
    expect(told(await operate(running, settle, { note: 'Claimed.' }))).toEqual([404, 'loss_not_found']);
    expect(await tasksOf(running, 'loss')).not.toContain(`loss.${paymentId}`);

    await happens(running, order, 'failed', { reason: 'AC04' });
    const version = await versionOf(running, id);
    const retry = await operate(running, `orders/${id}/retry-payout`, { version, note: 'Again.' });
    expect(told(retry)).toEqual([409, 'order_transition_not_allowed']);
    const cancelled = await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token });
    expect(told(cancelled)).toEqual([409, 'order_not_cancellable']);
    const body = { version, reason: 'operator', note: 'Nothing to pay back.' };
    expect((await operate(running, `orders/${id}/refund`, body)).json).toMatchObject({ state: 'CANCELLED' });
    expect((await newestJournals(running, id)).at(-1)).toEqual({
      event: 'loss_recovered',
      postings: [
        ['liability:USD', amountIn],
        ['writeoff:USD', -amountIn],
      ],
      isReversal: false,
    });
  });

  it('puts the other payments of the order in suspense', async () => {
    const user = await sender(running);
    const { id, payIn } = await placed(running, user);
    const pay = async (amount: number) =>
      (await record(running, movement({ remittanceText: payIn.reference, amount }))).json.id as string;
    const first = await pay(40);
    const second = await pay(25);
    const body = {
      ...{ version: await versionOf(running, id), bankReference: 'clawed-first' },
      ...{ bookedAt: '2026-11-17T09:41:00.000Z', note: 'Disputed.' },
    };
    const done = await withTwo(running, `payments/${first}/corrections/clawback`, body);
    expect(done.status, done.text).toBe(200);
    expect((await newestJournals(running, id)).map(({ event }) => event)).toEqual([
      ...['clawback', 'payment_taken_off', 'payment_unassigned'],
    ]);
    const { rows } = await sql.query(
      'SELECT payment_id, amount_minor::int AS minor FROM suspense_records WHERE order_id = $1',
      [id],
    );
    expect(rows).toEqual([{ payment_id: second, minor: 2500 }]);
    // Another order may take it: it is not this one's any more.
    expect((await get(running, id)).json).toMatchObject({ amountReceived: 40, amountReversed: 40 });
  });

  it('is taken from suspense, once, and refused for a payment that does not exist', async () => {
    const unknown = (await record(running, movement({ remittanceText: 'thanks' }))).json.id;
    const body = { version: 1, bankReference: 'x', bookedAt: '2026-11-17T09:41:00.000Z', note: 'Disputed.' };
    expect((await withTwo(running, `payments/${unknown}/corrections/clawback`, body)).status).toBe(200);
    const { rows } = await sql.query(
      'SELECT state, remaining_minor::int AS remaining FROM suspense_records WHERE payment_id = $1',
      [unknown],
    );
    expect(rows).toEqual([{ state: 'CLAWED_BACK', remaining: 0 }]);
    expect(told(await operate(running, `payments/${unknown}/corrections/clawback`, body))).toEqual([
      ...[409, 'suspense_changed'],
    ]);
    const missing = 'payments/pay_0000013J8V2T9X5B3N6H0C7D2F/corrections/clawback';
    expect(told(await operate(running, missing, body))).toEqual([404, 'payment_not_found']);
  });
});
