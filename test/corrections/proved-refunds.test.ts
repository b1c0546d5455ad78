/**
 * A bank has paid a refund that was withdrawn, refused or thought to have come back: two operators prove it, in every
 * state, the books follow the bank, and nobody is paid twice.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { type Answer, done } from '../harness/api.js';
import { told } from '../harness/users.js';
import { eventsOf, get, placed, sender } from '../orders/orders.js';
import { balancesOf } from '../orders/paid-orders.js';
import { movement, record } from '../payments/payments.js';
import { faultsOf, newestJournals, operate, statusOf, useCorrections, versionOf, withTwo } from './corrections.js';

const running = useCorrections();
const { sql } = running;
const note = 'The statement shows it.';
const ana = { name: 'Ana Reyes Núñez', account: 'ES9121000418450200051332' };
const boris = { name: 'Boris Petrov', account: 'GB33BUKB20201555555555' };
type Payer = typeof ana;

// biome-ignore lint/suspicious/noExplicitAny: rows and answers, which the tests examine.
type Json = any;

let lines = 0;
const line = () => {
  lines += 1;
  return { bankReference: `proved-${lines}`, bookedAt: '2026-11-16T09:41:00.000Z' };
};

/** An order that these people paid in part, and that was cancelled: its refunds wait. */
async function cancelled(...paid: readonly (readonly [Payer, number])[]) {
  const user = await sender(running);
  const { id, payIn } = await placed(running, user);
  const payments: string[] = [];
  for (const [payer, amount] of paid) {
    const fields = { payer, amount, remittanceText: payIn.reference };
    payments.push(done(await record(running, movement(fields))).id);
  }
  done(await running.api.post(`/orders/${id}/cancel`, { token: running.acme.token }));
  return { id, payments, user };
}

/** The attempts to pay back, the oldest first, of an order or of a suspense record. */
async function attempts(id: string): Promise<Json[]> {
  const text = 'SELECT * FROM payout_attempts WHERE order_id = $1 OR suspense_id = $1 ORDER BY number';
  return (await sql.query(text, [id])).rows;
}
const statesOf = async (id: string) => (await attempts(id)).map(({ state }) => state);
const attempt = async (id: string, place = 0): Promise<Json> => (await attempts(id))[place];

const happens = async (id: string, place: number, path: string, more: object = {}): Promise<Answer> => {
  const { attempt_id, version } = await attempt(id, place);
  const bank = path === 'paid' || path === 'returned' ? { bank: 'acme-usd' } : {};
  return operate(running, `payouts/${attempt_id}/${path}`, { version, ...line(), ...bank, ...more });
};
type Verb = 'prove-paid' | 'paid-twice';
const proofOf = async (id: string, place: number, verb: Verb, more: object = {}) => {
  const { attempt_id, version } = await attempt(id, place);
  return [`payouts/${attempt_id}/${verb}`, { version, ...line(), bank: 'acme-usd', note, ...more }] as const;
};
const proved = async (id: string, place = 0, verb: Verb = 'prove-paid', more: object = {}) =>
  withTwo(running, ...(await proofOf(id, place, verb, more)));
/** One person asks, and is told at once. */
const refusalOf = async (id: string, place = 0, verb: Verb = 'prove-paid') =>
  told(await operate(running, ...(await proofOf(id, place, verb))));
const order = (id: string, verb: string, more: object = {}) =>
  operate(running, `orders/${id}/${verb}`, { note, ...more });
const approve = async (id: string) => done(await order(id, 'approve', { version: await versionOf(running, id) }));
const retry = async (id: string) => done(await order(id, 'retry-refund', { version: await versionOf(running, id) }));
const clawBack = async (id: string, paymentId: string | undefined) =>
  done(
    await withTwo(running, `payments/${paymentId}/corrections/clawback`, {
      ...{ version: await versionOf(running, id), ...line(), note },
    }),
  );
const refunded = (minor: number) => ({
  event: 'refunded',
  postings: [
    ['refund:USD', minor],
    ['bank:USD:acme-usd', -minor],
  ],
  isReversal: false,
});
const overpaid = (minor: number) => ({
  event: 'refund_overpaid',
  postings: [
    ['writeoff:USD', minor],
    ['bank:USD:acme-usd', -minor],
  ],
  isReversal: false,
});

afterAll(async () => {
  expect(await faultsOf(running)).toEqual([]);
});

describe('a refund of an order that the bank has paid', () => {
  it('is proved by two after the gate has withdrawn it, and its order is refunded once', async () => {
    const { id, user } = await cancelled([ana, 40]);
    const body = { firstName: 'Iris Sanctia', lastName: 'Blockwell' };
    done(await running.api.call('PATCH', `/user?userId=${user.id}`, { token: running.acme.token, body }));
    expect(told(await happens(id, 0, 'paid'))).toEqual([409, 'payout_stopped']);
    expect([await statusOf(running, id), await statesOf(id)]).toEqual(['IN_REVIEW', ['RECALLED']]);
    const [path, proof] = await proofOf(id, 0, 'prove-paid');
    expect(told(await operate(running, path, { ...proof, bank: undefined }))).toEqual([400, 'invalid_fields']);
    expect(told(await operate(running, path, { ...proof, charge: '1.00' }))).toEqual([400, 'invalid_fields']);
    expect(told(await operate(running, path, { ...proof, version: 1 }))).toEqual([409, 'payout_changed']);
    done(await withTwo(running, path, proof));
    expect(await statesOf(id)).toEqual(['PAID']);
    expect(await newestJournals(running, id)).toEqual([refunded(4_000)]);
    expect((await get(running, id)).json).toMatchObject({
      ...{ status: 'REFUNDED', statusReason: 'cancelled_by_sender', amountRefunded: 40, requirements: [] },
      refunds: [{ amount: 40, state: 'paid' }],
    });
    expect(await balancesOf(running, id)).toEqual({ 'bank:USD:acme-usd': -4_000 });
    expect((await eventsOf(running, id)).slice(-2).map(({ type }) => type)).toEqual([
      ...['order.in_review', 'order.refunded'],
    ]);
    expect(await refusalOf(id)).toEqual([409, 'payout_not_correctable']);
  });

  it('leaves the refund of another payer frozen, which goes on after the release', async () => {
    const { id } = await cancelled([ana, 40], [boris, 30]);
    done(await order(id, 'freeze'));
    expect(await balancesOf(running, id)).toEqual({ 'frozen:USD': -7_000 });
    done(await proved(id, 0));
    expect(await newestJournals(running, id)).toEqual([
      {
        event: 'released',
        postings: [
          ['refund:USD', -7_000],
          ['frozen:USD', 7_000],
        ],
        isReversal: true,
      },
      refunded(4_000),
      {
        event: 'frozen',
        postings: [
          ['refund:USD', 3_000],
          ['frozen:USD', -3_000],
        ],
        isReversal: false,
      },
    ]);
    expect((await get(running, id)).json).toMatchObject({ status: 'IN_REVIEW', amountRefunded: 40 });
    expect((await eventsOf(running, id)).at(-1)?.type).toBe('order.refund_updated');
    done(await order(id, 'release'));
    await approve(id);
    expect(await statesOf(id)).toEqual(['PAID', 'RECALLED', 'READY']);
    done(await happens(id, 2, 'paid'));
    expect(await statusOf(running, id)).toBe('REFUNDED');
    expect(await balancesOf(running, id)).toEqual({ 'bank:USD:acme-usd': -7_000 });
  });

  it('ends the next try that nobody was instructed to make, which waits while the second person decides', async () => {
    const { id } = await cancelled([ana, 40], [boris, 30]);
    done(await happens(id, 0, 'failed', { reason: 'AC04' }));
    await retry(id);
    expect(await statesOf(id)).toEqual(['REJECTED', 'READY', 'READY']);
    const asked = await operate(running, ...(await proofOf(id, 0, 'prove-paid')));
    expect(asked.status).toBe(202);
    expect(told(await happens(id, 2, 'submitted'))).toEqual([409, 'payout_stopped']);
    done(await operate(running, `approvals/${asked.json.approvalId}/approve`, undefined, 'rob'));
    expect(await statesOf(id)).toEqual(['PAID', 'READY', 'RECALLED']);
    expect(await statusOf(running, id)).toBe('REFUND_PENDING');
    done(await happens(id, 1, 'paid'));
    expect(await statusOf(running, id)).toBe('REFUNDED');
  });

  it('waits for nobody any more when it alone had failed', async () => {
    const { id } = await cancelled([ana, 40], [boris, 30]);
    done(await happens(id, 0, 'failed', { reason: 'AC04' }));
    expect(await statusOf(running, id)).toBe('REFUND_FAILED');
    done(await proved(id, 0));
    expect(await statusOf(running, id)).toBe('REFUND_PENDING');
    expect(await balancesOf(running, id)).toEqual({ 'refund:USD': -3_000, 'bank:USD:acme-usd': -4_000 });
  });

  it('is a loss when it was paid again meanwhile, once for each line of the bank', async () => {
    const { id } = await cancelled([ana, 40]);
    done(await happens(id, 0, 'failed', { reason: 'AC04' }));
    expect(await refusalOf(id, 0, 'paid-twice')).toEqual([409, 'payout_not_correctable']);
    await retry(id);
    done(await happens(id, 1, 'submitted'));
    expect(await refusalOf(id, 0)).toEqual([409, 'payout_not_correctable']);
    done(await happens(id, 1, 'paid'));
    expect(await refusalOf(id, 0)).toEqual([409, 'payout_not_correctable']);
    const [path, proof] = await proofOf(id, 0, 'paid-twice');
    done(await withTwo(running, path, proof));
    expect(await newestJournals(running, id)).toEqual([overpaid(4_000)]);
    expect((await get(running, id)).json).toMatchObject({ status: 'REFUNDED', amountRefunded: 40 });
    expect((await eventsOf(running, id)).at(-1)?.type).toBe('order.paid_twice');
    expect(await balancesOf(running, id)).toEqual({ 'writeoff:USD': 4_000, 'bank:USD:acme-usd': -8_000 });
    const { version } = await attempt(id, 0);
    expect(told(await operate(running, path, { ...proof, version }))).toEqual([409, 'bank_reference_used']);
  });

  it('counts once when it was recorded as returned by mistake, also while it is frozen', async () => {
    for (const isFrozen of [false, true]) {
      const { id } = await cancelled([ana, 40]);
      const paid = line();
      done(await happens(id, 0, 'paid', paid));
      done(await happens(id, 0, 'returned', { reason: 'AC04' }));
      if (isFrozen) done(await order(id, 'freeze'));
      done(await proved(id, 0, 'prove-paid', { ...paid, bank: undefined }));
      expect((await get(running, id)).json).toMatchObject({ status: 'REFUNDED', amountRefunded: 40 });
      // The movement of the return is on the same account, with the other sign.
      expect(await balancesOf(running, id)).toEqual({ 'bank:USD:acme-usd': -8_000 });
      const { attempt_id } = await attempt(id);
      expect(await balancesOf(running, attempt_id)).toEqual({ 'bank:USD:acme-usd': 4_000 });
    }
  });

  it('is a loss as far as the payer’s bank has taken it back since, and what bounces later recovers that', async () => {
    const { id, payments } = await cancelled([ana, 40], [ana, 5]);
    await clawBack(id, payments[1]);
    expect((await attempts(id)).map(({ state, amount_minor }) => [state, amount_minor])).toEqual([
      ...[
        ['RECALLED', '4500'],
        ['READY', '4000'],
      ],
    ]);
    done(await proved(id, 0));
    expect(await newestJournals(running, id)).toEqual([refunded(4_000), overpaid(500)]);
    expect(await statesOf(id)).toEqual(['PAID', 'RECALLED']);
    expect((await get(running, id)).json).toMatchObject({
      ...{ status: 'REFUNDED', amountRefunded: 45, amountReversed: 5 },
      refunds: [{ amount: 45, state: 'paid' }],
    });
    done(await happens(id, 0, 'returned', { reason: 'AC04' }));
    expect(await balancesOf(running, id)).toEqual({ 'refund:USD': -4_000, 'bank:USD:acme-usd': -4_500 });
  });

  it('is a loss when the bank of the payer has taken the payment back, and the order has ended', async () => {
    const { id, payments } = await cancelled([ana, 40]);
    await clawBack(id, payments[0]);
    expect([await statusOf(running, id), await statesOf(id)]).toEqual(['CANCELLED', ['RECALLED']]);
    expect(await refusalOf(id, 0)).toEqual([409, 'payout_not_correctable']);
    done(await proved(id, 0, 'paid-twice'));
    expect(await balancesOf(running, id)).toEqual({ 'writeoff:USD': 4_000, 'bank:USD:acme-usd': -4_000 });
    expect(await statusOf(running, id)).toBe('CANCELLED');
  });
});

describe('a refund of money in suspense that the bank has paid', () => {
  /** Money that names no order, and is on its way back. */
  async function returning(amount = 40): Promise<string> {
    const { id: paymentId } = done(await record(running, movement({ remittanceText: 'rent', amount, payer: ana })));
    const { rows } = await sql.query('SELECT suspense_id FROM suspense_records WHERE payment_id = $1', [paymentId]);
    const [{ suspense_id: id }] = rows;
    await suspense(id, 'return');
    return id;
  }
  const file = async (id: string): Promise<Json> =>
    done(await running.api.get(`/operator/suspense/${id}`, { token: running.as('rita') }));
  async function suspense(id: string, verb: string, more: object = {}): Promise<Json> {
    const version = verb === 'freeze' ? {} : { version: (await file(id)).version };
    return done(await operate(running, `suspense/${id}/${verb}`, { ...version, note, ...more }));
  }

  it.each([
    ['after it was withdrawn', ['withdraw']],
    ['while the money is frozen', ['freeze']],
    ['while the next one waits', ['withdraw', 'return']],
  ])('is proved %s: the record is returned, and nothing is left of it', async (_, verbs) => {
    const id = await returning();
    for (const verb of verbs) await suspense(id, verb);
    const asked = await operate(running, ...(await proofOf(id, 0, 'prove-paid')));
    expect(asked.status, asked.text).toBe(202);
    if (verbs.includes('return')) expect(told(await happens(id, 1, 'submitted'))).toEqual([409, 'payout_stopped']);
    done(await operate(running, `approvals/${asked.json.approvalId}/approve`, undefined, 'rob'));
    expect(await file(id)).toMatchObject({ state: 'RETURNED', remaining: 0 });
    expect((await statesOf(id))[0]).toBe('PAID');
    expect(await statesOf(id)).not.toContain('READY');
    expect(await balancesOf(running, id)).toEqual({ 'bank:USD:acme-usd': -4_000 });
    expect((await file(id)).history.at(-1)).toMatchObject({ event: 'prove_refund', amount: 40, note });
  });

  it('is a loss as far as an order has the money meanwhile, or as it was paid again', async () => {
    const id = await returning(60);
    await suspense(id, 'withdraw');
    const { id: orderId, payIn } = await placed(running, await sender(running));
    const rest = movement({ amount: 70, remittanceText: payIn.reference });
    done(await record(running, rest));
    await suspense(id, 'match', { orderId });
    expect(await file(id)).toMatchObject({ state: 'OPEN', remaining: 30 });
    done(await proved(id, 0));
    expect(await balancesOf(running, id)).toEqual({ 'writeoff:USD': 3_000, 'bank:USD:acme-usd': -6_000 });
    done(await happens(id, 0, 'returned', { reason: 'AC04' }));
    expect(await file(id)).toMatchObject({ state: 'REFUND_FAILED', remaining: 30 });
    expect(await balancesOf(running, id)).toEqual({ 'refund:USD': -3_000, 'bank:USD:acme-usd': -6_000 });

    const again = await returning();
    done(await happens(again, 0, 'failed', { reason: 'AC04' }));
    await suspense(again, 'return', { recipient: boris });
    done(await happens(again, 1, 'paid'));
    expect(await refusalOf(again, 0)).toEqual([409, 'payout_not_correctable']);
    done(await proved(again, 0, 'paid-twice'));
    expect(await file(again)).toMatchObject({ state: 'RETURNED', remaining: 0 });
    expect(await balancesOf(running, again)).toEqual({ 'writeoff:USD': 4_000, 'bank:USD:acme-usd': -8_000 });
  });

  it('is never marked as not paid', async () => {
    const id = await returning();
    done(await happens(id, 0, 'paid'));
    const { attempt_id, version } = await attempt(id);
    const asked = await operate(running, `payouts/${attempt_id}/not-paid`, { version, note });
    expect(told(asked)).toEqual([409, 'payout_not_correctable']);
  });
});
