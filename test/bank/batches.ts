/** Orders that are paid out in euros through our own bank, by files in a folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import type { Remesa } from '../harness/remesa.js';
import type { Merchant } from '../harness/users.js';
import { newBankAccount } from '../ledger/bank-accounts.js';
import { get, placed, sender } from '../orders/orders.js';
import { dollarsToPesos, quote } from '../rates/quoting.js';

export const hans = {
  country: 'DE',
  currency: 'EUR',
  method: 'bank_account',
  type: 'person',
  firstName: 'Jürgen',
  lastName: 'Groß',
  address: { town: 'Köln', country: 'DE' },
  account: { iban: 'DE89370400440532013000' },
};

export const mainEur = {
  ...{ accountId: 'main-eur', currency: 'EUR', holder: 'Remesa Payments S.L.', bankName: 'Banco de Ejemplo' },
  ...{ country: 'ES', number: 'ES9121000418450200051332', bic: 'CAIXESBBXXX', address: { city: 'Madrid' } },
  ...{ uses: ['payin', 'payout'], profile: 'sepa' },
};

/** The settings of a service whose payouts in euros leave through files in this folder. */
export const bankFolder = (folder: string, settings: Record<string, string> = {}) => ({
  PAYOUT_RAILS: 'iso20022=bank_account/EUR,sandbox',
  BANK_CONNECTIONS: `*=folder:${folder}`,
  ...settings,
});

export async function openMainEur(running: Remesa, fields: Record<string, unknown> = {}): Promise<void> {
  done(await newBankAccount(running, { ...mainEur, ...fields }));
}

/** An order of 100 dollars to Hans that is paid, and on its way to a batch. Returns its id. */
export async function orderToHans(
  running: Remesa,
  beneficiary: Record<string, unknown> = {},
  merchant: Merchant = running.acme,
): Promise<string> {
  const user = await sender(running, merchant);
  const asked = { ...dollarsToPesos, fiatOut: 'EUR' };
  const { code } = done(await quote({ api: running.api, acme: merchant }, asked));
  const order = await placed(running, user, {
    merchant,
    body: { rateCode: code, beneficiary: { ...hans, ...beneficiary } },
  });
  const payment = { reference: order.payIn.reference, amount: 100, currency: 'USD' };
  done(await running.api.post('/sandbox/payments', { token: merchant.token, body: payment }));
  await eventually(async () => (await get(running, order.id, merchant)).json.status === 'PAYOUT_SUBMITTED', {
    what: 'the payout',
  });
  return order.id;
}

// biome-ignore lint/suspicious/noExplicitAny: the batch as JSON, which the tests examine.
export async function batchesOf({ api, viewer: token }: Remesa, state = ''): Promise<any[]> {
  return done(await api.get(`/operator/bank/batches${state && `?state=${state}`}`, { token }));
}

/** The batch that this order is in, once it is there. */
// biome-ignore lint/suspicious/noExplicitAny: the batch as JSON, which the tests examine.
export function batchWith(running: Remesa, orderId: string): Promise<any> {
  const look = async () => {
    const text = `SELECT batch_id FROM bank_batch_payments WHERE reference = $1 AND NOT has_left`;
    const { rows } = await running.sql.query(text, [referenceOf(orderId)]);
    return rows[0] && (await batchOf(running, rows[0].batch_id));
  };
  return eventually(look, { what: 'a batch with the payment' });
}

// biome-ignore lint/suspicious/noExplicitAny: the batch as JSON, which the tests examine.
export async function batchOf({ api, viewer: token }: Remesa, id: string): Promise<any> {
  return done(await api.get(`/operator/bank/batches/${id}`, { token }));
}

export function referenceOf(orderId: string): string {
  return `ORD${orderId.slice(4)}`;
}

/** Closes the batch and releases it, by one operator. */
export async function release(running: Remesa, id: string): Promise<void> {
  const { api, reviewer: token } = running;
  const path = `/operator/bank/batches/${id}`;
  const { version } = done(await api.post(`${path}/close`, { token }));
  done(await api.post(`${path}/release`, { token, body: { version } }));
}

export function reachesState(running: Remesa, id: string, state: string): Promise<unknown> {
  return eventually(async () => (await batchOf(running, id)).state === state, { what: `the batch ${state}` });
}

/** The files that are to go to the bank, by name. */
export function filesTo(folder: string): Map<string, string> {
  const out = join(folder, 'out');
  const names = readdirSync(folder).includes('out') ? readdirSync(out) : [];
  return new Map(names.map((name) => [name, readFileSync(join(out, name), 'utf8')]));
}
