/** Rows that a superuser of the database has changed: money does not move by them, and verification names them. */
import { afterEach, describe, expect, it } from 'vitest';
import type { DigestedRow } from '../../src/changes/row.js';
import { findAltered } from '../../src/changes/service.js';
import type { MerchantId } from '../../src/ids.js';
import { instanceTenant, type TenantId } from '../../src/ids.js';
import { KeyVault } from '../../src/keys/vault.js';
import type { Amount } from '../../src/money/amount.js';
import { findOrderOf } from '../../src/orders/order/finding.js';
import { digestedOrder } from '../../src/orders/order/row.js';
import { advanceJob } from '../../src/orders/order/transition.js';
import type { SuspenseRecord } from '../../src/payments/suspense/suspense.js';
import { digestedSuspense } from '../../src/payments/suspense/suspense.js';
import { sendJob } from '../../src/payouts/rail.js';
import { rowFaultsUnder } from '../../src/startup/row-faults.js';
import type { Job } from '../../src/worker/worker.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { cancel, get, place, placed, sender, timelineOf } from '../orders/orders.js';
import { paid, pay } from '../orders/paid-orders.js';
import { newAccount, record } from '../payments/payments.js';
import { quote } from '../rates/quoting.js';

const own = new Map<string, Job>();
const running = useRemesa({
  // The tests do the work of these jobs.
  chooseJobs: (jobs) => {
    for (const job of jobs) own.set(job.name, job);
    return jobs.filter(({ name }) => name !== advanceJob && name !== sendJob);
  },
  settings: { FOUR_EYES: 'off' },
  hasRates: true,
});
const { sql } = running;
const run = (name: string) => own.get(name)?.run(AbortSignal.timeout(30_000));
const tamper = (statement: string, values: readonly unknown[] = []) =>
  withoutTriggers(sql, (client) => client.query(statement, [...values]));

async function faults(merchant: TenantId = running.acme.merchant as MerchantId): Promise<string[]> {
  const current = Buffer.from(testMasterKey, 'base64');
  const { rootKey } = await KeyVault.open(running.service.database, { current, previous: undefined });
  return rowFaultsUnder(rootKey)(running.service.database, merchant);
}

let margin = 0;

/** What a test changes is set right again after it. */
const repairs: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await repair();
  expect(await faults()).toEqual([]);
});

async function repair(): Promise<void> {
  for (const undo of repairs.splice(0)) await undo();
  await tamper('UPDATE ledgers SET fault = NULL, fault_at = NULL');
}

/** Makes the change, and undoes it after the test. */
async function change(table: string, key: string, id: string, assignment: string, undo: string): Promise<void> {
  await tamper(`UPDATE ${table} SET ${assignment} WHERE ${key} = $1`, [id]);
  repairs.push(() => tamper(`UPDATE ${table} SET ${undo} WHERE ${key} = $1`, [id]));
}

describe('verification names', () => {
  it.each([
    ['amount', 'amount_out_minor = amount_out_minor * 10', 'amount_out_minor = amount_out_minor / 10'],
    ['payee', `payout_account = '9999'`, `payout_account = right('012180001234567899', 4)`],
    ['state', `state = 'CONVERTED'`, `state = 'PAYMENT_RECEIVED'`],
    [
      'pay-in account',
      `payin_account = jsonb_set(payin_account, '{holder}', '"Mallory"')`,
      `payin_account = jsonb_set(payin_account, '{holder}', '"Sandbox"')`,
    ],
    ['deadline', `expires_at = expires_at + interval '1 year'`, `expires_at = expires_at - interval '1 year'`],
    ['version', 'version = version + 1', 'version = version - 1'],
  ])('an order whose %s was changed', async (_, assignment, undo) => {
    const id = await paid(running);
    const before = await sql.query('SELECT payout_account, payin_account FROM orders WHERE order_id = $1', [id]);
    await change('orders', 'order_id', id, assignment, undo);
    expect(await faults()).toEqual([`order:${id} was changed`]);
    repairs.push(() =>
      tamper('UPDATE orders SET payout_account = $2, payin_account = $3 WHERE order_id = $1', [
        id,
        before.rows[0].payout_account,
        before.rows[0].payin_account,
      ]),
    );
  });

  it('an order that was deleted', async () => {
    const { id } = await placed(running, await sender(running));
    const columns = await sql.query(
      `SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns
        WHERE table_name = 'orders' AND is_generated = 'NEVER'`,
    );
    const { names } = columns.rows[0];
    await tamper(`CREATE TABLE kept AS SELECT ${names} FROM orders WHERE order_id = '${id}'`);
    await tamper('DELETE FROM orders WHERE order_id = $1', [id]);
    repairs.push(() => tamper(`INSERT INTO orders (${names}) SELECT ${names} FROM kept`));
    expect(await faults()).toEqual([`order:${id} is missing`]);
  });

  it('an order that the service did not write', async () => {
    const { id } = await placed(running, await sender(running));
    const other = `${id.slice(0, -1)}${id.endsWith('Z') ? 'Y' : 'Z'}`;
    await change('orders', 'order_id', id, `order_id = '${other}'`, `order_id = order_id`);
    repairs.push(() => tamper('UPDATE orders SET order_id = $2 WHERE order_id = $1', [other, id]));
    expect((await faults()).sort()).toEqual(
      [`order:${id} is missing`, `order:${other} was not written by the service`].sort(),
    );
  });

  it('another actor in a timeline', async () => {
    const id = await paid(running);
    const where = `subject = 'order:${id}' AND action = 'order.complete_payment'`;
    await tamper(`UPDATE changes SET actor_kind = 'operator' WHERE ${where}`);
    repairs.push(() => tamper(`UPDATE changes SET actor_kind = 'system' WHERE ${where}`));
    expect((await timelineOf(running, id)).at(-1)).toMatchObject({ by: 'operator' });
    expect(await faults()).toEqual([`the newest change of order:${id} was changed`]);
  });

  it('a payment, a suspense record and a policy', async () => {
    done(await newAccount(running, { accountId: 'acme-usd', merchant: 'acme' }));
    const { api, acme } = running;
    const policies = {
      ...{ short: 'wait', over: 'suspense', late: 'suspense', duplicate: 'suspense', wrongCurrency: 'suspense' },
      ...{ afterEnd: 'suspense', version: 0 },
    };
    const declared = await api.call('PUT', '/merchant/policies', { token: acme.token, body: policies });
    expect(declared.status, declared.text).toBe(200);
    const payment = done(await record(running, { ...movementOf('nobody knows'), amount: 12 }));
    const found = await sql.query('SELECT suspense_id FROM suspense_records WHERE payment_id = $1', [payment.id]);
    const suspense = found.rows[0].suspense_id;
    await change('payments', 'payment_id', payment.id, 'amount_minor = 120000', 'amount_minor = 1200');
    await change('suspense_records', 'suspense_id', suspense, 'remaining_minor = 1', 'remaining_minor = 1200');
    await change('payment_policies', 'on_short', 'wait', `on_over = 'refund'`, `on_over = 'suspense'`);
    expect(await faults()).toEqual([
      `payment:${payment.id} was changed`,
      `suspense:${suspense} was changed`,
      `merchant:${acme.merchant} was changed`,
    ]);
  });

  it('a pay-in account and a corridor, which belong to the instance', async () => {
    const listed = done(await running.api.get('/operator/corridors', { token: running.admin }));
    const { version: _, ...terms } = listed.find(
      ({ fiatIn, fiatOut }: Record<string, string>) => fiatIn === 'USD' && fiatOut === 'MXN',
    );
    const save = async () =>
      done(await running.api.call('PUT', '/operator/corridors/USD/MXN', { token: running.admin, body: terms }));
    await save();
    await change('payin_accounts', 'account_id', 'acme-usd', `holder = 'Mallory'`, `holder = 'Remesa Inc.'`);
    margin = terms.marginBasisPoints;
    await change('corridors', 'fiat_out', 'MXN', 'margin_basis_points = 9', `margin_basis_points = ${margin}`);
    // The board closes what was changed, until it is loaded again.
    repairs.push(save);
    expect(await faults(instanceTenant)).toEqual([
      'payin_account:acme-usd was changed',
      'corridor:USD-MXN was changed',
    ]);
  });
});

/** What stops the merchant. It is recorded after the answer, so that the next test would find it. */
function knownFault(fault: string, merchant: TenantId = running.acme.merchant as MerchantId): Promise<unknown> {
  return eventually(async () => {
    const { rows } = await sql.query('SELECT fault FROM ledgers WHERE merchant_id = $1', [merchant]);
    return rows[0]?.fault === fault;
  });
}

async function stateOf(table: string, key: string, id: string): Promise<string> {
  return (await sql.query(`SELECT state FROM ${table} WHERE ${key} = $1`, [id])).rows[0].state;
}

const tenTimes = ['amount_out_minor = amount_out_minor * 10', 'amount_out_minor = amount_out_minor / 10'] as const;

describe('money does not move by a row that was changed', () => {
  it('an order that was changed is not converted: it waits, and its ledger has a fault that stops others', async () => {
    const id = await paid(running);
    await change('orders', 'order_id', id, ...tenTimes);
    await run(advanceJob);
    expect(await stateOf('orders', 'order_id', id)).toBe('PAYMENT_RECEIVED');
    await knownFault(`order:${id} was changed`);
    expect((await sql.query('SELECT 1 FROM payout_attempts WHERE order_id = $1', [id])).rowCount).toBe(0);
    const tasks = done(await running.api.get('/operator/tasks?kind=ledger_fault', { token: running.admin }));
    expect(tasks).toHaveLength(1);
    expect(told(await place(running, await sender(running)))).toEqual([503, 'ledger_fault']);
  });

  it('an order that was changed is not changed by a request, even by one that moves no money, which would make it look genuine', async () => {
    const id = await paid(running);
    await change('orders', 'order_id', id, ...tenTimes);
    const asks = {
      token: running.reviewer,
      body: { items: ['identity_document'], days: 1, note: 'Who?' },
      key: 'ask-1',
    };
    const asked = await running.api.post(`/operator/orders/${id}/request-information`, asks);
    expect(told(asked)).toEqual([503, 'ledger_fault']);
    await knownFault(`order:${id} was changed`);
    expect(told(await cancel(running, id))).toEqual([503, 'ledger_fault']);
    expect(await stateOf('orders', 'order_id', id)).toBe('PAYMENT_RECEIVED');
    expect(await faults()).toEqual([`order:${id} was changed`]);
  });

  it('an order that was changed takes no payment', async () => {
    const { id, payIn } = await placed(running, await sender(running));
    await change('orders', 'order_id', id, 'amount_in_minor = 5000', 'amount_in_minor = 10000');
    const answer = await record(running, { ...movementOf(payIn.reference), amount: 50 });
    expect(told(answer)).toEqual([503, 'ledger_fault']);
    await knownFault(`order:${id} was changed`);
    expect((await sql.query('SELECT 1 FROM payments WHERE order_id = $1', [id])).rowCount).toBe(0);
  });

  it('an order that was set back to what it was before is not changed any more', async () => {
    const { id } = await placed(running, await sender(running));
    const columns = 'state, version, public_version, amount_received_minor, cancellable_until';
    const read = async () => (await sql.query(`SELECT ${columns} FROM orders WHERE order_id = $1`, [id])).rows[0];
    const set = (row: Record<string, unknown>) =>
      tamper(`UPDATE orders SET (${columns}) = ($2, $3, $4, $5, $6) WHERE order_id = $1`, [id, ...Object.values(row)]);
    const before = await read();
    await pay(running, id);
    const after = await read();
    await set(before);
    repairs.push(() => set(after));
    expect(told(await cancel(running, id))).toEqual([503, 'ledger_fault']);
    await knownFault(`order:${id} was changed`);
    expect(await faults()).toEqual([`order:${id} was changed`]);
  });

  it('a payout that was changed is not sent', async () => {
    const id = await paid(running);
    await run(advanceJob);
    expect((await get(running, id)).json.status).toBe('PAYOUT_SUBMITTED');
    const { rows } = await sql.query('SELECT attempt_id FROM payout_attempts WHERE order_id = $1', [id]);
    const attempt = rows[0].attempt_id;
    const times = ['amount_minor = amount_minor * 10', 'amount_minor = amount_minor / 10'] as const;
    await change('payout_attempts', 'attempt_id', attempt, ...times);
    await run(sendJob);
    expect(await stateOf('payout_attempts', 'attempt_id', attempt)).toBe('READY');
    await knownFault(`payout:${attempt} was changed`);
    expect(await faults()).toEqual([`payout:${attempt} was changed`]);
  });

  it('money in suspense whose record was changed is not paid back: 503, and nothing changes', async () => {
    const payment = done(await record(running, { ...movementOf('nobody knows either'), amount: 13 }));
    const found = await sql.query('SELECT suspense_id FROM suspense_records WHERE payment_id = $1', [payment.id]);
    const { suspense_id: suspense } = found.rows[0];
    await change('suspense_records', 'suspense_id', suspense, 'remaining_minor = 1', 'remaining_minor = 1300');
    const body = { version: 1, note: 'Goes back.' };
    const path = `/operator/suspense/${suspense}/return`;
    const answer = await running.api.post(path, { token: running.reviewer, body, key: 'return-1' });
    expect(told(answer)).toEqual([503, 'ledger_fault']);
    expect(await stateOf('suspense_records', 'suspense_id', suspense)).toBe('OPEN');
    await knownFault(`suspense:${suspense} was changed`);
  });

  it('a payment that was changed is not taken off its order', async () => {
    const { id, payIn, amountIn } = await placed(running, await sender(running));
    const payment = done(await record(running, { ...movementOf(payIn.reference), amount: amountIn }));
    const times = ['amount_minor = amount_minor * 10', 'amount_minor = amount_minor / 10'] as const;
    await change('payments', 'payment_id', payment.id, ...times);
    const { version } = (await running.api.get(`/operator/orders/${id}`, { token: running.reviewer })).json;
    const body = { version, note: 'For another order.' };
    const path = `/operator/payments/${payment.id}/corrections/take-off`;
    const answer = await running.api.post(path, { token: running.admin, body, key: 'take-off-1' });
    expect(told(answer)).toEqual([503, 'ledger_fault']);
    await knownFault(`payment:${payment.id} was changed`);
    expect(await stateOf('orders', 'order_id', id)).toBe('PAYMENT_RECEIVED');
  });

  it('a pay-in account that was changed is told to no sender, and neither is one that the service did not open', async () => {
    const user = await sender(running);
    await change('payin_accounts', 'account_id', 'acme-usd', `holder = 'Mallory'`, `holder = 'Remesa Inc.'`);
    expect(told(await place(running, user))).toEqual([503, 'ledger_fault']);
    await knownFault('payin_account:acme-usd was changed', instanceTenant);
    await change('payin_accounts', 'account_id', 'acme-usd', `holder = 'Remesa Inc.'`, `holder = 'Remesa Inc.'`);
    await tamper(
      `INSERT INTO payin_accounts (account_id, owner_id, currency, holder, bank_name, country, time_zone, details, is_enabled, created_at)
       SELECT 'forged', owner_id, currency, 'Mallory', bank_name, country, time_zone, details, true, created_at - interval '1 day'
         FROM payin_accounts WHERE account_id = 'acme-usd'`,
    );
    repairs.push(() => tamper(`DELETE FROM payin_accounts WHERE account_id = 'forged'`));
    expect(told(await place(running, user))).toEqual([503, 'ledger_fault']);
    expect(await faults(instanceTenant)).toEqual(['payin_account:forged was not written by the service']);
  });

  it('an order whose pay-in account was changed is not shown, so that nobody pays to it', async () => {
    const { id } = await placed(running, await sender(running));
    const holder = (name: string) => `payin_account = jsonb_set(payin_account, '{holder}', '"${name}"')`;
    const { rows } = await sql.query(`SELECT payin_account->>'holder' AS holder FROM orders WHERE order_id = $1`, [id]);
    await change('orders', 'order_id', id, holder('Mallory'), holder(rows[0].holder));
    expect(told(await get(running, id))).toEqual([503, 'ledger_fault']);
    await knownFault(`order:${id} was changed`);
  });

  it('a block that was lifted in the database is in force, and so is one whose marks are gone from it', async () => {
    const user = await sender(running);
    const body = { kind: 'person', merchant: 'acme', userId: user.id, reason: 'A test.' };
    const { blockId } = done(await running.api.post('/operator/blocks', { token: running.reviewer, body }));
    const lifted = `state = 'lifted', lifted_at = blocked_at, version = 2`;
    await change('blocks', 'block_id', blockId, lifted, `state = 'active', lifted_at = NULL, version = 1`);
    const { id } = await placed(running, user);
    await pay(running, id);
    await run(advanceJob);
    expect((await get(running, id)).json.status).toBe('IN_REVIEW');
    await knownFault(`block:${blockId} was changed`, instanceTenant);
    expect(await faults(instanceTenant)).toEqual([`block:${blockId} was changed`]);
    await repair();
    expect(await faults(instanceTenant)).toEqual([]);
    const marks = (undo: string) =>
      tamper(`UPDATE block_marks SET is_verified = ${undo} WHERE block_id = $1`, [blockId]);
    await marks('NOT is_verified');
    repairs.push(() => marks('NOT is_verified'));
    expect(await faults(instanceTenant)).toEqual([`block:${blockId} was changed`]);
  });

  it('a country whose policy was changed, or that somebody has added, is not served until it is put right', async () => {
    const countries = async () => {
      await running.service.database.transaction(async (tx) => tx.wake('countries.changed'));
      const listed = await running.api.get('/operator/countries', { token: running.admin });
      return listed.json.find(({ country }: { country: string }) => country === 'FR');
    };
    await tamper(`INSERT INTO country_policies (country, residence, nationality, payout, answers, reason)
                  VALUES ('FR', 'allowed', 'allowed', 'allowed', '{}', 'Mallory.')`);
    repairs.push(() => tamper(`DELETE FROM country_policies WHERE country = 'FR'`));
    await eventually(async () => (await countries())?.payout === 'prohibited');
    expect(await faults(instanceTenant)).toEqual(['country_policy:FR was not written by the service']);
  });

  it('a corridor that was changed is closed, and opens when it is put right', async () => {
    const quotes = async () => {
      await running.service.database.transaction(async (tx) => tx.wake('rates.board'));
      return quote(running);
    };
    await change('corridors', 'fiat_out', 'MXN', 'margin_basis_points = 0', `margin_basis_points = ${margin}`);
    await eventually(async () => told(await quotes())[1] === 'corridor_unavailable');
    await knownFault('corridor:USD-MXN was changed', instanceTenant);
    await repair();
    await eventually(async () => (await quotes()).status === 200);
  });
});

describe('a row that nobody has locked', () => {
  const readOrder = async (id: string) => {
    const scope = { merchantId: running.acme.merchant as MerchantId, userId: undefined };
    return digestedOrder(await findOrderOf(running.service.database, scope, id));
  };
  /** The order before and after its cancellation. */
  async function changing() {
    const { id } = await placed(running, await sender(running));
    const before = await readOrder(id);
    done(await cancel(running, id));
    return { before, after: await readOrder(id) };
  }
  const altered = async (before: DigestedRow, readAgain?: () => Promise<readonly DigestedRow[]>) => {
    const options = readAgain ? { readAgain } : {};
    return findAltered(running.service.database, running.acme.merchant as MerchantId, [before], options);
  };

  it('is no fault when the service has changed it after it was read, and is one when it stays as it is', async () => {
    const { before, after } = await changing();
    expect(await altered(after)).toEqual([]);
    expect(await altered(before, async () => [after])).toEqual([]);
    expect(await altered(before, async () => [before])).toEqual([before]);
    await knownFault(`${before.subject} was changed`);
  });

  it('is no fault while it changes between any two readings', async () => {
    const { before } = await changing();
    let readings = 0;
    const another = async () => {
      readings += 1;
      return [{ ...before, row: [...before.row, readings] }];
    };
    expect(await altered(before, another)).toEqual([]);
    expect(readings).toBeLessThan(10);
  });
});

it('each field that says where money in suspense goes is in the digest of its record', () => {
  const id = (kind: string) => `${kind}_0000003J8V2T9X5B3N6H0C7D2F`;
  const usd = (minor: bigint) => ({ currency: 'USD', minor }) as Amount;
  const record = {
    ...{ ownerId: instanceTenant, suspenseId: id('sus'), paymentId: id('pay'), reason: 'no_reference' },
    ...{ amount: usd(100n), remaining: usd(0n), orderId: undefined, handedTo: id('ord'), despite: [] },
    ...{ state: 'HANDED_OVER', version: 2 },
  } as unknown as SuspenseRecord;
  const others = {
    ...{ paymentId: id('pay2'), amount: usd(101n), remaining: usd(1n), orderId: id('ord2') },
    ...{ handedTo: id('ord2'), despite: ['hit'], state: 'OPEN', version: 3 },
  };
  const rowOf = (changed: object) => digestedSuspense({ ...record, ...changed } as SuspenseRecord).row.map(String);
  for (const [field, value] of Object.entries(others)) expect(rowOf({ [field]: value }), field).not.toEqual(rowOf({}));
});

let references = 0;
function movementOf(remittanceText: string) {
  references += 1;
  return {
    ...{ accountId: 'acme-usd', bankReference: `rows-${references}`, currency: 'USD' },
    bookedAt: new Date().toISOString(),
    payer: { name: 'Ana Reyes Núñez', account: '000123456789' },
    remittanceText,
  };
}
