/** Payments: recorded once however often they are reported, applied once, or in suspense with a reason. */
import { describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { moveClock } from '../kyc/kyc-service.js';
import { cancel, eventsOf, get, orderJobNames, placed, sender, timelineOf } from '../orders/orders.js';
import { usePayInAccounts } from '../payments/payments.js';
import {
  accountTerms,
  balanceOf,
  csvOf,
  importLines,
  mistyped,
  movement,
  newAccount,
  newPayer,
  record,
} from './payments.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
usePayInAccounts(running);
const { sql } = running;

// biome-ignore lint/suspicious/noExplicitAny: the order as JSON, which the tests examine.
async function unpaid(merchant = running.acme): Promise<any> {
  return placed(running, await sender(running, merchant), { merchant });
}
const count = async (text: string, values: unknown[]) => (await sql.query(text, values)).rowCount;

describe('a payment by its reference', () => {
  it('pays the order exactly, once, and shows the account that it was paid to', async () => {
    const order = await unpaid();
    const { currency: _, isEnabled: __, ...terms } = accountTerms;
    expect(order.payIn.account).toEqual({ ...terms, accountId: 'acme-usd', isSimulated: false });
    const answer = await record(running, movement({ remittanceText: `for mum ${order.payIn.reference}` }));
    expect(answer.json).toMatchObject({ outcome: 'applied', orderId: order.id, isDuplicate: false });
    const paid = (await get(running, order.id)).json;
    expect(paid).toMatchObject({ status: 'PAYMENT_RECEIVED', amountReceived: 100, payIn: order.payIn });
    expect((await eventsOf(running, order.id)).at(-1)).toMatchObject({
      type: 'order.payment_received',
      previousStatus: 'AWAITING_PAYMENT',
    });
    expect((await timelineOf(running, order.id)).at(-1)).toMatchObject({
      event: 'complete_payment',
      by: 'operator',
    });
    const { rows } = await sql.query(
      `SELECT journal.event, posting.account, posting.amount_minor::int AS minor FROM ledger_postings AS posting
         JOIN ledger_journals AS journal USING (merchant_id, journal_id)
        WHERE journal.journal_id IN (SELECT journal_id FROM ledger_postings WHERE reference = $1)
        ORDER BY journal.event, minor DESC`,
      [answer.json.id],
    );
    expect(rows).toEqual([
      { event: 'movement_in', account: 'bank:USD:acme-usd', minor: 10_000 },
      { event: 'movement_in', account: 'payin:USD', minor: -10_000 },
      { event: 'payment_received', account: 'payin:USD', minor: 10_000 },
      { event: 'payment_received', account: 'liability:USD', minor: -10_000 },
    ]);
  });

  it('is one payment when the same bank line comes by hand, by file, again, and twenty times at once', async () => {
    const order = await unpaid();
    const body = movement({ remittanceText: order.payIn.reference.toLowerCase() });
    const answers = await Promise.all(Array.from({ length: 20 }, () => record(running, body)));
    expect(answers.filter(({ json }) => json.isDuplicate === false)).toHaveLength(1);
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1);
    const id = answers[0]?.json.id;
    expect(await importLines(running, 'acme-usd', [csvOf(body), csvOf(body)])).toEqual([
      `2,duplicate,${id},,,`,
      `3,duplicate,${id},,,`,
    ]);
    expect((await record(running, body)).json).toMatchObject({ id, isDuplicate: true });
    expect(await count('SELECT FROM payments WHERE bank_reference = $1', [body.bankReference])).toBe(1);
    expect((await get(running, order.id)).json).toMatchObject({ amountReceived: 100, version: 2 });
  });

  it('is refused with 409 and the fields that differ when the same movement comes with other contents', async () => {
    const body = movement({ remittanceText: 'rent' });
    await record(running, body);
    const changed = { ...body, amount: 100.5, payer: { name: 'Ana Reyes', account: '000123456789' } };
    const answer = await record(running, changed);
    expect(told(answer)).toEqual([409, 'payment_differs']);
    expect(answer.json.differences).toEqual(['amount', 'payer.name']);
    const [line = ''] = await importLines(running, 'acme-usd', [csvOf(changed)]);
    expect(line).toContain('2,fault,,payment_differs,');
  });
});

describe('money that no order takes', () => {
  it('is in suspense with its reason, as a task, and nothing is lost', async () => {
    const reasonOf = async (fields: Record<string, unknown>) => {
      const { status, json } = await record(running, movement(fields));
      return status === 200 ? [json.outcome, json.reason] : json.code;
    };
    const order = await unpaid();
    const remittanceText = order.payIn.reference;
    // Later than the end of the bank's day, also when the guarantee ends on a Saturday.
    const late = new Date(Date.parse(order.rateGuaranteedUntil) + 84 * 3_600_000).toISOString();
    expect(await reasonOf({ remittanceText, amount: 1, bookedAt: late })).toEqual(['suspense', 'amount_out_of_range']);
    expect(await reasonOf({ remittanceText, bookedAt: order.rateGuaranteedUntil })).toEqual(['applied', null]);
    expect(await reasonOf({ remittanceText })).toEqual(['suspense', 'duplicate']);
    expect(await reasonOf({ remittanceText, amount: 5 })).toEqual(['suspense', 'order_not_payable']);
    const cancelled = await unpaid();
    await cancel(running, cancelled.id);
    expect(await reasonOf({ remittanceText: cancelled.payIn.reference })).toEqual(['suspense', 'order_cancelled']);
    expect(await reasonOf({ remittanceText: 'rent of May' })).toEqual(['suspense', 'no_reference']);
    expect(await reasonOf({ remittanceText: 'RF18539007547034' })).toEqual(['suspense', 'no_reference']);
    const two = `${remittanceText} ${cancelled.payIn.reference}`;
    expect(await reasonOf({ remittanceText: two })).toEqual(['suspense', 'several_references']);
    const typo = mistyped(remittanceText);
    const typed = await record(running, movement({ remittanceText: typo }));
    expect(typed.json).toMatchObject({ reason: 'mistyped_reference', orderId: order.id });
    const foreign = await unpaid(running.rival);
    expect(await reasonOf({ remittanceText: foreign.payIn.reference })).toEqual(['suspense', 'unknown_reference']);
    const byId = await unpaid();
    const named = (await record(running, movement({ remittanceText: `Order ${byId.id.toLowerCase()}` }))).json;
    expect(named).toMatchObject({ outcome: 'applied', orderId: byId.id });
    // What we call the payout to banks: it may be the payout that came back, so a person must look.
    const returned = movement({ remittanceText: `RETURN ORD${byId.id.slice(4)}` });
    expect((await record(running, returned)).json).toMatchObject({
      ...{ outcome: 'suspense', reason: 'no_reference', orderId: byId.id },
    });
    expect(await reasonOf({ remittanceText: foreign.id })).toEqual(['suspense', 'no_reference']);
    const token = running.reviewer;
    const tasks = (await running.api.get('/operator/tasks?kind=suspense&limit=200', { token })).json;
    const listed = (await running.api.get('/operator/suspense?reason=mistyped_reference', { token })).json;
    expect(listed).toMatchObject([{ merchant: 'acme', paymentId: typed.json.id, orderId: order.id, amount: 100 }]);
    const file = (await running.api.get(`/operator/suspense/${listed[0].id}`, { token })).json;
    expect(file.payer).toEqual({ name: 'Ana Reyes Núñez', account: '000123456789', remittanceText: typo });
    expect(tasks).toContainEqual(
      expect.objectContaining({ id: `suspense.${file.id}`, path: `/operator/suspense/${file.id}` }),
    );
    expect(await balanceOf(running, 'payin')).toBe(0);
    const metrics = await fetch(`${running.service.url}/metrics`);
    expect(await metrics.text()).toContain('remesa_suspense_records{reason="order_cancelled"} 1');
  });

  it('refuses a movement in the future, in another currency, of zero, or on no account, and records nothing', async () => {
    const future = new Date(Date.now() + 10 * 86_400_000).toISOString();
    const before = await count('SELECT FROM payments', []);
    const wrong = movement({ bookedAt: future, remittanceText: 'x' });
    expect(told(await record(running, wrong))).toEqual([400, 'invalid_fields']);
    const faulty = await record(running, movement({ currency: 'EUR', amount: 0, bookedAt: '2026-02-30' }));
    expect(faulty.json.errors.map(({ field }: { field: string }) => field)).toEqual(['currency', 'bookedAt']);
    expect(told(await record(running, movement({ accountId: 'simulated' })))).toEqual([404, 'payin_account_not_found']);
    expect(await count('SELECT FROM payments', [])).toBe(before);
  });

  it('is short of an order in another currency: wrong_currency', async () => {
    await newAccount(running, {
      ...{ accountId: 'acme-eur', merchant: 'acme', currency: 'EUR', country: 'ES' },
      details: { iban: 'ES91 2100 0418 4502 0005 1332' },
    });
    const order = await unpaid();
    const body = { accountId: 'acme-eur', currency: 'EUR', remittanceText: order.payIn.reference };
    expect((await record(running, movement(body))).json.reason).toBe('wrong_currency');
  });
});

describe('a shared account', () => {
  it('hands a payment over to the merchant of its order, and the two sides net to zero', async () => {
    const order = await unpaid(running.rival);
    expect(order.payIn.account.accountId).toBe('shared-usd');
    const body = movement({ accountId: 'shared-usd', remittanceText: order.payIn.reference });
    const { json } = await record(running, body);
    expect(json).toMatchObject({ outcome: 'handed_over', orderId: order.id });
    await eventually(async () => (await get(running, order.id, running.rival)).json.amountReceived === 100);
    await eventually(async () =>
      count('SELECT FROM payments WHERE payment_id = $1 AND settled_at IS NOT NULL AND sealed_payer IS NULL', [
        json.id,
      ]),
    );
    expect([await balanceOf(running, 'intermerchant'), await balanceOf(running, 'payin')]).toEqual([0, 0]);
    const late = movement({ accountId: 'shared-usd', remittanceText: order.payIn.reference });
    await record(running, late);
    const token = running.reviewer;
    const path = '/operator/suspense?merchant=rival';
    const [found] = await eventually(async () => {
      const { json: page } = await running.api.get(path, { token });
      return page.length > 0 && page;
    });
    expect(found).toMatchObject({ reason: 'duplicate', orderId: order.id, merchant: 'rival' });
    const file = (await running.api.get(`/operator/suspense/${found.id}`, { token })).json;
    expect(file.payer.name).toBe('Ana Reyes Núñez');
    const nobody = movement({ accountId: 'shared-usd', remittanceText: 'hello' });
    expect((await record(running, nobody)).json.reason).toBe('no_reference');
    expect((await running.api.get('/operator/suspense?reason=no_reference', { token })).json).toContainEqual(
      expect.objectContaining({ merchant: null }),
    );
    expect(await balanceOf(running, 'intermerchant')).toBe(0);
  });
});

describe('an imported file', () => {
  it('does every good line, says what is wrong with the others, and is harmless when it is repeated', async () => {
    const order = await unpaid();
    const good = movement({
      payer: newPayer(),
      remittanceText: `Pago ${order.payIn.reference.match(/.{1,4}/g)?.join(' ')}\nGracias`,
    });
    const vague = movement({ payer: newPayer(), remittanceText: 'sin, "referencia"'.replaceAll('"', '""') });
    const lines = [
      csvOf(good),
      csvOf({ ...movement(), amount: '1.000,50' }),
      'only;two',
      csvOf(vague),
      csvOf({ ...movement(), bookedAt: 'yesterday' }),
    ];
    const results = await importLines(running, 'acme-usd', lines);
    expect(
      results.map((line) =>
        line
          .split(',')
          .filter((field) => !field.startsWith('pay_'))
          .slice(0, 4),
      ),
    ).toEqual([
      ['3', 'recorded', '', ''],
      ['4', 'fault', '', 'wrong_format'],
      ['5', 'fault', '', 'wrong_format'],
      ['6', 'suspense', 'no_reference', ''],
      ['7', 'fault', '', 'wrong_format'],
    ]);
    expect((await get(running, order.id)).json.amountReceived).toBe(order.amountIn);
    const again = await importLines(running, 'acme-usd', lines);
    expect(again.map((line) => line.split(',')[1])).toEqual([...['duplicate', 'fault', 'fault', 'duplicate', 'fault']]);
    const { rows } = await sql.query('SELECT sealed_lines, results::text FROM payment_import_parts');
    expect(rows.every(({ sealed_lines }) => sealed_lines === null)).toBe(true);
    expect(JSON.stringify(rows)).not.toMatch(/Reyes|Gracias/);
  });

  it('is refused as a whole when its columns or quotes are not right', async () => {
    const send = (csv: string) =>
      running.api.post('/operator/payments/import', {
        token: running.reviewer,
        body: { accountId: 'acme-usd', csv },
      });
    const columns = await send('bankReference,amount,nonsense\n1,2,3\n');
    expect(
      columns.json.errors.map(({ message }: { message: string }) => message.split(' ').slice(0, 4).join(' ')),
    ).toEqual([
      'needs the column currency',
      'needs the column bookedAt',
      'needs the column payerName',
      'has the column "nonsense";',
    ]);
    const header = 'bankReference,amount,currency,bookedAt,payerName';
    expect((await send(`${header}\n"1,2,USD\n`)).json.detail).toContain('check the quotes');
    expect((await send(`${header}\n\n`)).json.detail).toContain('has no line');
  });
});

it('the sandbox pays an order on the simulated account, exactly or as asked', async () => {
  const merchant = running.rival;
  const pay = (body: object) => running.api.post('/sandbox/payments', { token: merchant.token, body });
  await sql.query(`UPDATE payin_accounts SET is_enabled = false`);
  const order = await unpaid(merchant);
  await sql.query(`UPDATE payin_accounts SET is_enabled = true`);
  expect(order.payIn.account).toMatchObject({ accountId: 'simulated', isSimulated: true });
  expect((await pay({ orderId: order.id, amount: 50 })).json).toMatchObject({
    outcome: 'applied',
    reason: null,
  });
  expect((await pay({ orderId: order.id, currency: 'EUR', amount: 100 })).json.reason).toBe('wrong_currency');
  expect((await pay({ reference: 'nothing', amount: 7, currency: 'USD' })).json.reason).toBe('no_reference');
  expect(told(await pay({ reference: 'nothing' }))).toEqual([400, 'invalid_fields']);
  expect(told(await pay({ orderId: (await unpaid()).id }))).toEqual([404, 'order_not_found']);
  expect((await pay({ orderId: order.id })).json).toMatchObject({ outcome: 'applied', amount: 50 });
  const second = await unpaid(merchant);
  await moveClock(running, merchant, '25 hours');
  expect((await pay({ orderId: second.id })).json).toMatchObject({ outcome: 'applied' });
  expect((await get(running, second.id, merchant)).json.requotes).toHaveLength(1);
});
