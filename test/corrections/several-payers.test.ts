/**
 * Several people paid an order: each gets back what that person paid, whatever becomes of the refunds of the others.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { told } from '../harness/users.js';
import { get, placed, sender } from '../orders/orders.js';
import { balancesOf } from '../orders/paid-orders.js';
import { movement, record } from '../payments/payments.js';
import { faultsOf, operate, statusOf, useCorrections, versionOf, withTwo } from './corrections.js';

const running = useCorrections();
const ana = { name: 'Ana Reyes Núñez', account: 'ES91 2100 0418 4502 0005 1332' };
const anaAgain = { name: 'REYES NUNEZ ANA', account: 'es9121000418450200051332' };
const boris = { name: 'Boris Petrov', account: 'GB33BUKB20201555555555' };
const carla = { name: 'Carla Díaz' };
type Payer = Partial<typeof ana>;

/** An order of 100 dollars that these people paid in part, and that was cancelled: its refunds wait. */
async function cancelled(payers: readonly (readonly [Payer, number])[]) {
  const user = await sender(running);
  const { id, payIn } = await placed(running, user);
  const payments: string[] = [];
  for (const [payer, amount] of payers) {
    const fields = { payer, amount, remittanceText: payIn.reference };
    payments.push(done(await record(running, movement(fields))).id);
  }
  done(await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token }));
  return { id, payments, userId: Number(user.id) };
}

const refundsOf = async (id: string) =>
  (await get(running, id)).json.refunds.map(({ amount, state }: { amount: number; state: string }) => [amount, state]);

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly amount: string;
  readonly instruction: { readonly recipient: unknown };
  readonly version: number;
}

/** The refunds as an operator pays them, the oldest first. */
async function instructions(id: string): Promise<Shown[]> {
  const token = running.as('rita');
  const listed = done(await running.api.get(`/operator/payouts?order=${id}`, { token }));
  const files = listed.map((item: { id: string }) => running.api.get(`/operator/payouts/${item.id}`, { token }));
  return (await Promise.all(files)).map(done);
}

let lines = 0;
async function happens(id: string, amount: string, path: string, more: object = {}): Promise<void> {
  done(await recorded(id, amount, path, more));
}

async function recorded(id: string, amount: string, path: string, more: object = {}) {
  lines += 1;
  const open = (await instructions(id)).findLast((shown) => shown.amount === amount);
  const booked = { bankReference: `several-${lines}`, bookedAt: '2026-11-15T09:41:00.000Z' };
  return operate(running, `payouts/${open?.id}/${path}`, { version: open?.version, ...booked, ...more });
}

async function clawBack(id: string, paymentId: string | undefined, ask: typeof operate = withTwo) {
  lines += 1;
  const line = { bankReference: `taken-${lines}`, bookedAt: '2026-11-17T09:41:00.000Z', note: 'Disputed.' };
  return ask(running, `payments/${paymentId}/corrections/clawback`, {
    version: await versionOf(running, id),
    ...line,
  });
}

/** What the books have of the order, besides what left the bank. */
async function owed(id: string): Promise<Record<string, number>> {
  const { 'bank:USD:acme-usd': _, ...rest } = await balancesOf(running, id);
  return rest;
}

afterAll(async () => {
  expect(await faultsOf(running)).toEqual([]);
});

describe('an order that several people paid', () => {
  it('goes back to each account with what came from it; a name alone is shown, and never the sender’s account instead', async () => {
    const { id } = await cancelled([
      ...([
        [ana, 40],
        [boris, 30],
        [anaAgain, 5],
      ] as const),
      [carla, 10],
    ]);
    expect(await refundsOf(id)).toEqual([
      [45, 'pending'],
      [30, 'pending'],
      [10, 'pending'],
    ]);
    expect((await instructions(id)).map(({ amount, instruction }) => [amount, instruction.recipient])).toEqual([
      ['45.00', anaAgain],
      ['30.00', boris],
      ['10.00', { name: 'Carla Díaz', account: null }],
    ]);
  });

  it('sends nothing more once its sender is on a list, and is reviewed when no bank has a refund of it', async () => {
    const { id, userId } = await cancelled([
      [ana, 40],
      [boris, 30],
    ]);
    await happens(id, '40.00', 'submitted');
    const body = { firstName: 'Iris', lastName: 'Blockwell' };
    done(await running.api.call('PATCH', `/user?userId=${userId}`, { token: running.acme.token, body }));
    expect(told(await recorded(id, '30.00', 'submitted'))).toEqual([409, 'payout_stopped']);
    expect(await statusOf(running, id)).toBe('REFUND_PENDING');
    await happens(id, '40.00', 'paid', { bank: 'acme-usd' });
    expect(told(await recorded(id, '30.00', 'submitted'))).toEqual([409, 'payout_stopped']);
    expect(await statusOf(running, id)).toBe('IN_REVIEW');
    expect(await refundsOf(id)).toEqual([
      [40, 'paid'],
      [30, 'pending'],
    ]);
    expect((await instructions(id)).map(({ state }) => state)).toEqual(['PAID', 'RECALLED']);
  });

  it('is refunded once all are paid, failed while one is, and one refund goes elsewhere with a second person only', async () => {
    const { id } = await cancelled([
      [ana, 40],
      [boris, 30],
    ]);
    await happens(id, '40.00', 'paid', { bank: 'acme-usd' });
    expect((await get(running, id)).json).toMatchObject({ status: 'REFUND_PENDING', amountRefunded: 40 });
    await happens(id, '30.00', 'failed', { reason: 'AC04' });
    await happens(id, '40.00', 'returned', { bank: 'acme-usd', reason: 'AC04' });
    expect((await get(running, id)).json).toMatchObject({ status: 'REFUND_FAILED', amountRefunded: 0 });
    const [own, others] = (await get(running, id)).json.refunds;
    const recipient = { name: 'Ana Reyes Núñez', account: 'ES7921000813610123456789' };
    const retry = async (more: object) => ({ version: await versionOf(running, id), note: 'Again.', ...more });
    const path = `orders/${id}/retry-refund`;
    const unnamed = await operate(running, path, await retry({ recipient }));
    expect(unnamed.json.errors).toMatchObject([{ field: 'refundId', code: 'required' }]);
    done(await withTwo(running, path, await retry({ refundId: own.id, recipient })));
    // Boris still waits for an operator.
    expect(await statusOf(running, id)).toBe('REFUND_FAILED');
    expect(told(await operate(running, path, await retry({ refundId: own.id })))[0]).toBe(409);
    done(await operate(running, path, await retry({ refundId: others.id })));
    expect(await statusOf(running, id)).toBe('REFUND_PENDING');
    const newest = (await instructions(id)).slice(-2);
    expect(newest.map(({ instruction }) => instruction.recipient)).toEqual([recipient, boris]);
    await happens(id, '30.00', 'paid', { bank: 'acme-usd' });
    await happens(id, '40.00', 'paid', { bank: 'acme-usd' });
    expect((await get(running, id)).json).toMatchObject({
      ...{ status: 'REFUNDED', amountRefunded: 70 },
      refunds: [
        { id: own.id, amount: 40, state: 'paid' },
        { id: others.id, amount: 30, state: 'paid' },
      ],
    });
    expect(await owed(id)).toEqual({});
  });

  it('comes back to the account that paid it, also when the bank of the sandbox says so', async () => {
    const { id } = await cancelled([[ana, 40]]);
    await happens(id, '40.00', 'paid', { bank: 'acme-usd' });
    const [{ id: attemptId }] = (await instructions(id)) as [Shown];
    const body = { type: 'refund_returned' };
    done(await running.api.post(`/sandbox/orders/${id}/events`, { token: running.acme.token, body }));
    expect(await balancesOf(running, id)).toEqual({ 'refund:USD': -4_000, 'bank:USD:acme-usd': -4_000 });
    expect(await balancesOf(running, attemptId)).toEqual({ 'bank:USD:acme-usd': 4_000 });
  });

  it('stays frozen with the rest when a bank takes one of its payments back, and is paid in part once it is released', async () => {
    const { id, payIn } = await placed(running, await sender(running));
    const payments: string[] = [];
    for (const [payer, amount] of [
      [ana, 70],
      [boris, 30],
    ] as const)
      payments.push(done(await record(running, movement({ payer, amount, remittanceText: payIn.reference }))).id);
    done(await operate(running, `orders/${id}/refer`, { note: 'Request 4713.' }));
    done(await operate(running, `orders/${id}/freeze`, { note: 'Request 4713.' }));
    expect(await owed(id)).toEqual({ 'frozen:USD': -10_000 });
    done(await clawBack(id, payments[0]));
    expect(await owed(id)).toEqual({ 'frozen:USD': -3_000 });
    expect((await get(running, id)).json).toMatchObject({ status: 'IN_REVIEW', amountReceived: 30 });
    done(await operate(running, `orders/${id}/release`, { note: 'Request 4713 is over.' }));
    const version = await versionOf(running, id);
    const refused = { note: 'It goes back.', version, reason: 'other' };
    done(await operate(running, `orders/${id}/refuse`, refused));
    await eventually(async () => (await statusOf(running, id)) === 'REFUND_PENDING');
    expect(await refundsOf(id)).toEqual([[30, 'pending']]);
    expect((await instructions(id)).at(-1)?.instruction.recipient).toEqual(boris);
  });

  it('keeps the refunds apart over a freeze and its release: what was paid stays paid, the rest waits', async () => {
    const { id } = await cancelled([
      [ana, 40],
      [boris, 30],
    ]);
    await happens(id, '40.00', 'paid', { bank: 'acme-usd' });
    done(await operate(running, `orders/${id}/freeze`, { note: 'Request 4711.' }));
    expect(await owed(id)).toMatchObject({ 'frozen:USD': -3_000 });
    done(await operate(running, `orders/${id}/release`, { note: 'Released.' }));
    done(await operate(running, `orders/${id}/approve`, { version: await versionOf(running, id), note: 'Fine.' }));
    const shown = await instructions(id);
    expect(shown.map(({ amount, state }) => [amount, state])).toEqual([
      ['40.00', 'PAID'],
      ['30.00', 'RECALLED'],
      ['30.00', 'READY'],
    ]);
    await happens(id, '30.00', 'paid', { bank: 'acme-usd' });
    expect(await statusOf(running, id)).toBe('REFUNDED');
  });
});

describe('a bank that takes a payment back while the order is refunded', () => {
  it('takes from the refund of its payer alone, before it was sent, when it failed and while it is frozen', async () => {
    const { id, payments } = await cancelled([
      ...([
        [ana, 40],
        [boris, 30],
        [anaAgain, 5],
      ] as const),
      [carla, 10],
    ]);
    done(await clawBack(id, payments[2]));
    expect(await refundsOf(id)).toEqual([
      [40, 'pending'],
      [30, 'pending'],
      [10, 'pending'],
    ]);
    expect((await instructions(id)).filter(({ state }) => state === 'READY').map(({ amount }) => amount)).toEqual([
      ...['30.00', '10.00', '40.00'],
    ]);
    await happens(id, '30.00', 'failed', { reason: 'AC04' });
    done(await clawBack(id, payments[1]));
    // Nobody waits for an operator any more.
    expect((await get(running, id)).json).toMatchObject({ status: 'REFUND_PENDING', amountReversed: 35 });
    done(await operate(running, `orders/${id}/freeze`, { note: 'Request 4712.' }));
    done(await clawBack(id, payments[3]));
    expect(await owed(id)).toMatchObject({ 'frozen:USD': -4_000 });
    done(await operate(running, `orders/${id}/release`, { note: 'Released.' }));
    done(await operate(running, `orders/${id}/approve`, { version: await versionOf(running, id), note: 'Fine.' }));
    await happens(id, '40.00', 'submitted');
    expect(told(await clawBack(id, payments[0], operate))).toEqual([409, 'order_transition_not_allowed']);
    await happens(id, '40.00', 'paid', { bank: 'acme-usd' });
    expect((await get(running, id)).json).toMatchObject({ status: 'REFUNDED', amountRefunded: 40, amountReversed: 45 });
    expect(await owed(id)).toEqual({});
  });

  it('is a loss once that payer has the money, and nobody else is owed less', async () => {
    const { id, payments } = await cancelled([
      [ana, 40],
      [boris, 30],
    ]);
    await happens(id, '40.00', 'paid', { bank: 'acme-usd' });
    done(await clawBack(id, payments[0]));
    expect(await owed(id)).toEqual({ 'refund:USD': -3_000, 'writeoff:USD': 4_000 });
    await happens(id, '30.00', 'paid', { bank: 'acme-usd' });
    expect(await statusOf(running, id)).toBe('REFUNDED');
    // It bounces: the bank has both, so nobody is owed it, and the loss is recovered.
    await happens(id, '40.00', 'returned', { bank: 'acme-usd', reason: 'AC04' });
    expect(await owed(id)).toEqual({});
    await happens(id, '30.00', 'returned', { bank: 'acme-usd', reason: 'AC04' });
    expect(await owed(id)).toEqual({ 'refund:USD': -3_000 });
    done(
      await operate(running, `orders/${id}/retry-refund`, { version: await versionOf(running, id), note: 'Again.' }),
    );
    await happens(id, '30.00', 'paid', { bank: 'acme-usd' });
    expect(await statusOf(running, id)).toBe('REFUNDED');
    expect(await refundsOf(id)).toEqual([
      [40, 'cancelled'],
      [30, 'paid'],
    ]);
  });
});
