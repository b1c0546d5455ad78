/**
 * Operators find payments and imports of all merchants, see who paid, and void what never arrived like this: by two
 * persons, once, and only where the money has not moved on.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { faultsOf, happens, operate, useCorrections, versionOf } from '../corrections/corrections.js';
import { auditRows } from '../harness/access.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { newUser, told } from '../harness/users.js';
import { get, holdLevel, placed, sender } from '../orders/orders.js';
import { reaches } from '../orders/paid-orders.js';
import { balanceOf, csvOf, importLines, movement, record } from './payments.js';

const running = useCorrections({ FOUR_EYES: 'payment.void,payment.clawback' });
const token = () => running.as('rita');
const read = async (path: string) => done(await running.api.get(`/operator/${path}`, { token: token() }));
const unpaid = async (merchant = running.acme) => placed(running, await sender(running, merchant), { merchant });
const recorded = async (fields: object = {}) =>
  done(await record(running, movement({ remittanceText: 'rent', ...fields })));
const suspenseOf = async (paymentId: string) => (await read(`payments/${paymentId}`)).suspense;

/** rita asks, rob approves. Returns the answer to rob. */
async function withTwo(path: string, body: object) {
  const asked = await operate(running, path, body);
  if (asked.status !== 202) return asked;
  return operate(running, `approvals/${asked.json.approvalId}/approve`, undefined, 'rob');
}
const voids = (paymentId: string, version: number) =>
  withTwo(`payments/${paymentId}/corrections/void`, { version, note: 'Mistyped.' });

afterAll(async () => {
  expect(await faultsOf(running)).toEqual([]);
  expect(await balanceOf(running, 'payin')).toBe(0);
  expect(await balanceOf(running, 'intermerchant')).toBe(0);
});

describe('payments of all merchants', () => {
  it('are found by account, line, amount, payer and booking time, in both orders, page by page; each look is recorded', async () => {
    const payer = { name: 'Zoë  van Ek-Núñez', account: 'NL91 ABNA 0417 1643 00' };
    const made = [
      await recorded({ payer, amount: 11, bookedAt: '2026-01-05' }),
      await recorded({ payer: { ...payer, account: 'NL00' }, amount: 12, bookedAt: '2026-01-06T10:00:00Z' }),
      await recorded({
        payer: { name: 'Somebody', account: 'nl91abna0417164300' },
        amount: 13,
        accountId: 'shared-usd',
      }),
    ];
    const ids = made.map(({ id }) => id);
    const found = async (query: string) =>
      (await read(`payments?${query}`))
        .map(({ id }: { id: string }) => ids.indexOf(id))
        .filter((at: number) => at >= 0);
    expect(await found('payer=van%20ek%20zoe%20nunez')).toEqual([1, 0]);
    expect(await found('payer=NL91ABNA0417164300&sort=oldest')).toEqual([0, 2]);
    expect(await found('payer=van%20ek')).toEqual([]);
    expect(await found('currency=USD&amountFrom=11.5&amountTo=13')).toEqual([2, 1]);
    expect(await found(`bankReference=${made[1]?.bankReference}`)).toEqual([1]);
    expect(await found('account=shared-usd')).toEqual([2]);
    expect(await found('merchant=acme&bookedFrom=2026-01-05T00:00:00Z&bookedTo=2026-01-06T00:00:00Z')).toEqual([0]);
    expect(await found('outcome=suspense&reason=no_reference')).toEqual([2, 1, 0]);
    const first = await running.api.get('/operator/payments?payer=NL91ABNA0417164300&limit=1', { token: token() });
    expect(first.json).toMatchObject([{ id: ids[2], merchant: null, payer: { name: 'Somebody' } }]);
    const next = /<\/operator\/(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(await found(next.split('?')[1] ?? '')).toEqual([0]);
    const wrong = ['amountFrom=1', 'currency=JPY&amountTo=1.5', 'merchant=nobody', 'bookedFrom=2026-02-30T00:00:00Z'];
    const codes = wrong.map(async (query) =>
      told(await running.api.get(`/operator/payments?${query}`, { token: token() })),
    );
    expect(await Promise.all(codes)).toEqual([
      [400, 'invalid_fields'],
      [400, 'invalid_fields'],
      [404, 'merchant_not_found'],
      [400, 'invalid_fields'],
    ]);
    expect(told(await running.api.get('/operator/payments', { token: running.viewer }))).toEqual([403, 'role_missing']);
    expect(await auditRows(running.sql, 'payment.listed')).not.toEqual([]);
  });

  it('show their orders, suspense and corrections, and who paid also once an order has the money', async () => {
    const order = await unpaid();
    const payer = { name: 'Boris Petrov', account: 'GB33BUKB20201555555555' };
    const { id } = await recorded({ amount: 130, payer, remittanceText: order.payIn.reference });
    const file = await read(`payments/${id}`);
    expect(file).toMatchObject({
      ...{ id, merchant: 'acme', amount: 130, outcome: 'applied', reason: 'over', corrections: [], voidedAt: null },
      payer: { ...payer, remittanceText: order.payIn.reference },
      orders: [{ orderId: order.id, amount: 100 }],
      suspense: { state: 'OPEN', amount: 30, remaining: 30 },
    });
    expect(await read(`orders/${order.id}/payments`)).toMatchObject([{ id, payer }]);
    await reaches(running, order.id, 'IN_REVIEW');
    expect(await read(`orders/${order.id}/review`)).toMatchObject({
      senderName: 'Ana Reyes Núñez',
      payments: [{ paymentId: id, payerName: 'Boris Petrov', payerDiffers: true }],
      findings: { rules: [{ rule: 'payer_differs' }] },
    });
    const missing = '/operator/payments/pay_0000013J8V2T9X5B3N6H0C7D2F';
    expect(told(await running.api.get(missing, { token: token() }))).toEqual([404, 'payment_not_found']);
  });
});

describe('a payment that never arrived like this', () => {
  it('is voided from its order and from suspense, and the true line is recorded with the same reference', async () => {
    const order = await unpaid();
    const line = movement({ amount: 40, remittanceText: order.payIn.reference });
    const { id } = done(await record(running, line));
    expect(told(await record(running, { ...line, amount: 60 }))).toEqual([409, 'payment_differs']);
    expect(told(await voids(id, 99))).toEqual([409, 'payment_changed']);
    done(await voids(id, await versionOf(running, order.id)));
    expect((await get(running, order.id)).json).toMatchObject({ status: 'AWAITING_PAYMENT', amountReceived: 0 });
    const again = done(await record(running, { ...line, amount: 60 }));
    expect(again).toMatchObject({ isDuplicate: false, outcome: 'applied' });
    expect((await get(running, order.id)).json.amountReceived).toBe(60);
    expect(await read(`payments/${id}`)).toMatchObject({ orders: [], corrections: [{ kind: 'void', amount: 40 }] });
    expect(await read(`payments?bankReference=${line.bankReference}&voided=yes`)).toMatchObject([{ id }]);
    // What the voided payment brought is not what a refund goes to.
    done(await running.api.post(`/orders/${order.id}/cancel`, { token: running.acme.token }));
    expect((await get(running, order.id)).json.refunds).toMatchObject([{ amount: 60 }]);

    const unknown = await recorded();
    done(await voids(unknown.id, 1));
    expect(await suspenseOf(unknown.id)).toMatchObject({ state: 'VOIDED', remaining: 0 });
    expect(told(await voids(unknown.id, 2))).toEqual([409, 'payment_not_reversible']);
  });

  it('is voided in both books of a shared account, also after it was matched from suspense', async () => {
    const order = await unpaid(running.rival);
    const line = movement({ accountId: 'shared-usd', amount: 40, remittanceText: order.payIn.reference });
    const { id } = done(await record(running, line));
    const shown = async () => (await get(running, order.id, running.rival)).json;
    const received = (amount: number) =>
      eventually(async () => (await shown()).amountReceived === amount, { what: `${amount}` });
    await received(40);
    done(await voids(id, await versionOf(running, order.id)));
    expect((await shown()).amountReceived).toBe(0);
    const isFree = async () => (await read(`payments/${id}`)).voidedAt !== null;
    await eventually(isFree, { withinMs: 20_000, what: 'the books of the instance' });

    const again = done(await record(running, { ...line, remittanceText: 'rent' }));
    expect(again).toMatchObject({ isDuplicate: false, outcome: 'suspense' });
    const { id: suspenseId, version } = await suspenseOf(again.id);
    const match = { orderId: order.id, version, note: 'It is.' };
    done(await operate(running, `suspense/${suspenseId}/match`, match));
    await received(40);
    done(await voids(again.id, await versionOf(running, order.id)));
    await eventually(async () => (await read(`payments/${again.id}`)).voidedAt !== null, {
      withinMs: 20_000,
      what: 'both',
    });
    expect(await read(`payments/${again.id}`)).toMatchObject({ orders: [], suspense: { state: 'MATCHED' } });
  });

  it('stays where its money has moved on: paid out, on its way back, or taken back by the bank', async () => {
    const order = await unpaid();
    const { id } = await recorded({ remittanceText: order.payIn.reference });
    await reaches(running, order.id, 'PAYOUT_SUBMITTED');
    expect(told(await voids(id, await versionOf(running, order.id)))).toEqual([409, 'order_transition_not_allowed']);
    const returned = await recorded();
    const { id: suspenseId } = await suspenseOf(returned.id);
    done(await operate(running, `suspense/${suspenseId}/return`, { version: 1, note: 'Back.' }));
    expect(told(await voids(returned.id, 2))).toEqual([409, 'payment_not_reversible']);
    const clawed = await recorded();
    const line = { bankReference: 'taken', bookedAt: '2026-11-17', note: 'Disputed.' };
    done(await withTwo(`payments/${clawed.id}/corrections/clawback`, { version: 1, ...line }));
    expect(told(await voids(clawed.id, 2))).toEqual([409, 'payment_not_reversible']);
    await happens(running, { id: order.id }, 'paid');
  });

  it('is voided once of two at the same moment', async () => {
    const { id } = await recorded({ amount: 77 });
    const before = await balanceOf(running, 'bank');
    const asked = await operate(running, `payments/${id}/corrections/void`, { version: 1, note: 'Never came.' });
    const approve = `approvals/${asked.json.approvalId}/approve`;
    const both = await Promise.all([
      operate(running, approve, undefined, 'rob'),
      operate(running, approve, undefined, 'rob'),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await balanceOf(running, 'bank')).toBe(before - 7_700);
  });
});

describe('clawbacks', () => {
  it('take one line of an account once, over all payments and also at the same moment', async () => {
    const payments = await Promise.all(Array.from({ length: 6 }, (_, at) => recorded({ amount: 50 + at })));
    const line = { version: 1, bankReference: 'one-line', bookedAt: '2026-11-17', note: 'Disputed.' };
    const asked = await Promise.all(
      payments.map(({ id }) => operate(running, `payments/${id}/corrections/clawback`, line)),
    );
    const approved = await Promise.all(
      asked.map(({ json }) => operate(running, `approvals/${json.approvalId}/approve`, undefined, 'rob')),
    );
    expect(approved.map((answer) => (answer.status === 200 ? 200 : told(answer).join(' '))).sort()).toEqual([
      200,
      ...Array.from({ length: 5 }, () => '409 bank_reference_used'),
    ]);
  });
});

describe('imports', () => {
  it('are listed; their lines show payer, order and what became of the money, also on a shared account; and all is voided', async () => {
    const [good, late] = [await unpaid(), await unpaid(running.rival)];
    const lines = [
      movement({ accountId: 'shared-usd', amount: 40, remittanceText: good.payIn.reference }),
      movement({ accountId: 'shared-usd', amount: 333, currency: 'USD', remittanceText: 'rent' }),
      // Its merchant puts it in suspense once it has it.
      movement({ accountId: 'shared-usd', amount: 10, remittanceText: late.payIn.reference }),
    ];
    done(await running.api.post(`/orders/${late.id}/cancel`, { token: running.rival.token }));
    await importLines(running, 'shared-usd', [...lines.map(csvOf), csvOf(lines[1] ?? {}), 'x,1,USD,2026-02-30,A,,']);
    const [listed] = await read('payments/imports?account=shared-usd&limit=1');
    expect(listed).toMatchObject({ merchant: null, lines: 5, isFinished: true, voided: 0, voiding: 'no', fault: 1 });
    const settled = async () => (await read(`payments/imports/${listed.id}`)).suspense === 2;
    await eventually(settled, { withinMs: 20_000, what: 'the merchant of the cancelled order' });
    const results = await read(`payments/imports/${listed.id}/results`);
    expect(results).toMatchObject([
      { line: 2, outcome: 'applied', amount: 40, orderId: good.id, bankReference: lines[0]?.bankReference },
      { line: 3, outcome: 'suspense', reason: 'no_reference', amount: 333, payer: { name: 'Ana Reyes Núñez' } },
      { line: 4, outcome: 'suspense', reason: 'order_cancelled', orderId: late.id, suspenseState: 'OPEN' },
      { line: 5, outcome: 'duplicate', amount: 333 },
      { line: 6, outcome: 'fault', column: 'bookedAt', paymentId: null, payer: null },
    ]);
    done(await withTwo(`payments/imports/${listed.id}/corrections/void`, { note: 'The wrong file.' }));
    await eventually(async () => (await read(`payments/imports/${listed.id}`)).voided === 3, {
      ...{ withinMs: 20_000, what: 'the file voided' },
    });
    await eventually(async () => (await read(`payments/imports/${listed.id}`)).voiding === 'done', { what: 'the end' });
    expect(
      (await read(`payments/imports/${listed.id}/results`)).map(({ outcome }: { outcome: string }) => outcome),
    ).toEqual([...['voided', 'voided', 'voided', 'duplicate', 'fault']]);
    expect((await get(running, good.id)).json.amountReceived).toBe(0);
    expect(told(await withTwo(`payments/imports/${listed.id}/corrections/void`, { note: 'Again.' }))).toEqual([
      ...[409, 'payment_import_not_voidable'],
    ]);
    const again = await importLines(running, 'shared-usd', lines.map(csvOf));
    expect(again.map((line) => line.split(',')[1])).toEqual(['recorded', 'suspense', 'recorded']);
  });

  it('refuses a row of too many fields or bytes before it is parsed', async () => {
    const head = 'bankReference,amount,currency,bookedAt,payerName';
    const start = (csv: string) =>
      running.api.post('/operator/payments/import', { token: token(), body: { accountId: 'acme-usd', csv } });
    const quoted = `${head}\n${'"\n",,,,,,,,,,,,,,,,,,,,'.repeat(50_000)}`;
    for (const csv of [`${head}\n${','.repeat(7_000_000)}`, `${head}\n${'x'.repeat(20_000)}`, quoted]) {
      const refused = await start(csv);
      expect(refused.status).toBe(400);
      expect(refused.json.errors).toMatchObject([{ field: 'csv', code: 'too_long' }]);
    }
  });
});

describe('money on a shared account that names no order', () => {
  it('has candidates of every merchant: by name and amount, and by a reference with two wrong characters', async () => {
    const user = await newUser(running, running.rival, { firstName: 'Philippa', lastName: 'Underwood' });
    await holdLevel(running, running.rival, user, 'LEVEL_1');
    const [named, mistyped] = [await placed(running, user, { merchant: running.rival }), await unpaid()];
    const account = { accountId: 'shared-usd', payer: { name: 'UNDERWOOD PHILIPPA', account: '2' } };
    const byName = await recorded({ ...account, amount: 100 });
    const candidatesOf = async (paymentId: string) =>
      (await read(`suspense/${(await suspenseOf(paymentId)).id}`)).candidates;
    const found = (await candidatesOf(byName.id)).find(({ orderId }: { orderId: string }) => orderId === named.id);
    expect(found?.reasons).toEqual(['user_name', 'amount']);
    const { reference } = mistyped.payIn;
    const wrong = `${reference.slice(0, -2)}${reference.slice(-2).replaceAll(/./g, (one: string) => (one === '7' ? '8' : '7'))}`;
    const payer = { name: 'Quentin Unlike', account: '1' };
    const byText = await recorded({ accountId: 'shared-usd', amount: 31, payer, remittanceText: `for ${wrong}` });
    expect((await candidatesOf(byText.id))[0]).toMatchObject({ orderId: mistyped.id, reasons: ['mistyped_reference'] });
  });
});
