/**
 * Each payment is applied once: when nodes compete, when a process ends at any statement, and after the user was
 * erased.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instanceTenant, operatorId, storedPublicId, type TenantId } from '../../src/ids.js';
import { amount } from '../../src/money/amount.js';
import { findOrder } from '../../src/orders/order/store.js';
import { type CreationOptions, OrderCreation } from '../../src/orders/placing/creation.js';
import { PayinAccountService } from '../../src/payments/accounts/service.js';
import { readMovementsCsv } from '../../src/payments/imports/csv.js';
import { importJobOf } from '../../src/payments/imports/jobs.js';
import { ImportService } from '../../src/payments/imports/service.js';
import { takeOverPayment } from '../../src/payments/jobs.js';
import type { Movement } from '../../src/payments/payment.js';
import { InstanceSealer } from '../../src/payments/sealed.js';
import type { PaymentService, RecordedPayment } from '../../src/payments/service.js';
import { findPayment, type HandedOver } from '../../src/payments/store.js';
import { databaseUnavailable } from '../../src/postgres/failure.js';
import type { Transaction } from '../../src/postgres/statement.js';
import { bySystem } from '../harness/access.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { silentLog } from '../harness/silent-log.js';
import { get, orderJobNames, placed, sender } from '../orders/orders.js';
import { orderVerbs } from '../orders/verbs.js';
import { usePayInAccounts } from '../payments/payments.js';
import { balanceOf, csvOf, header, killedAt, movement, newPayer, payersOf, record, verbsOf } from './payments.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
usePayInAccounts(running);
const { sql, database } = running;

/** What another node would do with the same report of the bank. */
async function recordBeside(
  payments: PaymentService,
  ownerId: TenantId,
  orderId: string,
  body: Record<string, unknown>,
): Promise<RecordedPayment> {
  const order = await findOrder(database, {
    merchantId: running.acme.merchant,
    orderId: storedPublicId('ord', orderId),
  });
  if (!order) throw new Error('there is no such order');
  const reported: Movement = {
    bankReference: String(body.bankReference),
    amount: amount('USD', 10_000n),
    bookedAt: new Date(String(body.bookedAt)),
    bookedOn: undefined,
    payer: { name: 'Ana Reyes Núñez', account: '000123456789', remittanceText: order.payinReference },
  };
  const account = { ownerId, accountId: String(body.accountId) };
  const entry = { account, movement: reported, source: 'operator' as const, candidate: { order } };
  return database.transaction((tx) => payments.record(tx, bySystem, entry));
}

async function handedOver(payments: PaymentService, orderId: string): Promise<HandedOver> {
  const body = movement({ accountId: 'shared-usd' });
  const { payment } = await recordBeside(payments, instanceTenant, orderId, body);
  return payment as HandedOver;
}

it('a movement that two nodes report at the same time is one payment', async () => {
  const payments = await verbsOf(database);
  const order = await placed(running, await sender(running));
  const body = movement({ remittanceText: order.payIn.reference });
  const [answers, beside] = await Promise.all([
    Promise.all(Array.from({ length: 4 }, () => record(running, body))),
    Promise.all(Array.from({ length: 4 }, () => recordBeside(payments, running.acme.merchant, order.id, body))),
  ]);
  const ids = [...answers.map(({ json }) => json.id), ...beside.map(({ payment }) => payment.paymentId)];
  expect(new Set(ids).size).toBe(1);
  const fresh = [...answers.map(({ json }) => !json.isDuplicate), ...beside.map(({ isNew }) => isNew)];
  expect(fresh.filter(Boolean)).toHaveLength(1);
  expect((await get(running, order.id)).json).toMatchObject({ amountReceived: 100, version: 2 });
});

describe('a payment on a shared account', () => {
  it('is applied once and nets to zero, wherever processes end and however often it is tried', async () => {
    const payments = await verbsOf(database);
    const step = fc.oneof(
      fc.record({ kill: fc.nat({ max: 16 }) }),
      fc.constant({ commit: 1 }),
      fc.constant({ commit: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 4 }), async (steps) => {
        const order = await placed(running, await sender(running));
        const payment = await handedOver(payments, order.id);
        const takeOver = (tx: Transaction) => payments.takeOver(tx, bySystem, payment);
        for (const done of steps) {
          if ('kill' in done) await killedAt(database, takeOver, done.kill);
          else await Promise.all(Array.from({ length: done.commit }, () => database.transaction(takeOver)));
        }
        await Promise.all([1, 2].map(() => takeOverPayment(database, payments, payment)));
        expect((await get(running, order.id)).json).toMatchObject({
          status: 'PAYMENT_RECEIVED',
          amountReceived: 100,
          version: 2,
        });
        const { rows } = await sql.query(
          `SELECT journal.event, count(DISTINCT journal.journal_id)::int AS times
             FROM ledger_postings AS posting JOIN ledger_journals AS journal USING (merchant_id, journal_id)
            WHERE posting.reference = $1 GROUP BY 1 ORDER BY 1`,
          [payment.paymentId],
        );
        const once = ['handed_over', 'movement_in', 'payment_received', 'taken_over'];
        expect(rows).toEqual(once.map((event) => ({ event, times: 1 })));
      }),
      { numRuns: rounds(12, 200), endOnFailure: true },
    );
    expect([await balanceOf(running, 'intermerchant'), await balanceOf(running, 'payin')]).toEqual([0, 0]);
  });
});

it('an import that was interrupted in the middle of a part goes on, and reports each line as if it had not been', async () => {
  const payments = await verbsOf(database);
  const accounts = new PayinAccountService({ hasSimulated: false });
  const sealer = new InstanceSealer((await orderVerbs(database)).vault.rootKey);
  const options = { database, accounts, sealer, log: silentLog };
  const lines = Array.from({ length: 30 }, (_, index) =>
    csvOf(movement({ remittanceText: `line ${index}`, payer: newPayer() })),
  );
  const by = { actor: { kind: 'operator', operatorId: operatorId(1), role: 'admin' } } as const;
  const read = await readMovementsCsv([header, ...lines].join('\n'));
  const { importId } = await database.transaction((tx) =>
    new ImportService(accounts, sealer).start(tx, by, 'acme-usd', read),
  );
  let left = 17;
  const failing = Object.assign(Object.create(payments) as PaymentService, {
    record: (...values: Parameters<PaymentService['record']>) => {
      left -= 1;
      return left < 0 ? Promise.reject(databaseUnavailable(new Error('cut'))) : payments.record(...values);
    },
  });
  const signal = AbortSignal.timeout(60_000);
  await expect(importJobOf({ ...options, payments: failing }).run(signal)).rejects.toMatchObject({
    code: 'database_unavailable',
  });
  await sql.query('UPDATE payment_import_parts SET leased_until = NULL WHERE import_id = $1', [importId]);
  await importJobOf({ ...options, payments }).run(signal);
  const results = 'SELECT results FROM payment_import_parts WHERE import_id = $1';
  const { rows } = await sql.query(results, [importId]);
  expect(rows[0].results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(lines.map(() => 'suspense'));
  expect((await sql.query('SELECT FROM payments WHERE import_id = $1', [importId])).rowCount).toBe(30);
});

it('the payer is readable while the law requires it, and by no key once the retained key is destroyed', async () => {
  const payments = await verbsOf(database);
  const user = await sender(running);
  const order = await placed(running, user);
  const { json } = await record(running, movement({ remittanceText: order.payIn.reference }));
  const { merchant, token } = running.acme;
  for (const state of ['CONVERTED', 'PAYOUT_SUBMITTED', 'COMPLETED']) {
    const text = 'UPDATE orders SET state = $3, version = version + 1 WHERE merchant_id = $1 AND order_id = $2';
    await sql.query(text, [merchant, order.id, state]);
  }
  expect((await running.api.call('DELETE', `/user?userId=${user.id}`, { token })).status).toBe(200);
  const payment = await findPayment(database, merchant, storedPublicId('pay', json.id));
  if (!payment) throw new Error('the payment is gone');
  expect(await payments.payerOf(database, payment)).toMatchObject({ name: 'Ana Reyes Núñez' });
  const paid = await findOrder(database, { merchantId: merchant, orderId: storedPublicId('ord', order.id) });
  if (!paid) throw new Error('the order is gone');
  const payers = await payersOf(database);
  const refundTo = { name: 'Ana Reyes Núñez', account: '000123456789', isAnother: false };
  expect(await payers.find(database, paid, [json.id])).toEqual(refundTo);
  await sql.query(`DELETE FROM user_keys WHERE merchant_id = $1 AND purpose = 'retained' AND user_id = $2`, [
    merchant,
    user.id,
  ]);
  expect(await payments.payerOf(database, payment)).toBeUndefined();
  expect(await payers.find(database, paid, [json.id])).toBeUndefined();
  const { rows } = await sql.query('SELECT sealed_payer FROM payments WHERE payment_id = $1', [json.id]);
  expect(rows).toEqual([{ sealed_payer: null }]);
});

it('there is no order without an account for its currency: payin_unavailable; own accounts come before shared ones', async () => {
  const accounts = new PayinAccountService({ hasSimulated: false });
  const { acme, rival } = running;
  const found = async (merchant: typeof acme) => (await accounts.find(database, merchant.merchant, 'USD'))?.accountId;
  expect([await found(acme), await found(rival)]).toEqual(['acme-usd', 'shared-usd']);
  const creation = new OrderCreation({ payinAccounts: accounts } as unknown as CreationOptions);
  await expect(creation.payinAccountFor(database, acme.merchant, amount('JPY', 1n))).rejects.toMatchObject({
    kind: 'impossible',
    code: 'payin_unavailable',
  });
});
