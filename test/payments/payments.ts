/** Pay-in accounts, and payments that operators record and import. */
import { beforeAll } from 'vitest';
import { InstanceSealer } from '../../src/payments/sealed.js';
import { PaymentService } from '../../src/payments/service.js';
import { PaymentSettlement } from '../../src/payments/settlement.js';
import { OrderPayers } from '../../src/payments/shares/order-payers.js';
import { SuspenseActions } from '../../src/payments/suspense/actions.js';
import { HandOverService } from '../../src/payments/suspense/hand-over-service.js';
import type { Database } from '../../src/postgres/database.js';
import type { Transaction } from '../../src/postgres/statement.js';
import { type Answer, done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import type { Remesa } from '../harness/remesa.js';
import { newBankAccount } from '../ledger/bank-accounts.js';
import { openExit, orderVerbs } from '../orders/verbs.js';

/** `acme-usd` belongs to acme; `shared-usd` to all merchants. */
export function usePayInAccounts(running: Remesa): void {
  beforeAll(async () => {
    for (const [accountId, merchant] of [['acme-usd', 'acme'], ['shared-usd']] as const)
      done(await newAccount(running, { accountId, ...(merchant ? { merchant } : {}) }));
  });
}

export const accountTerms = {
  currency: 'USD',
  holder: 'Remesa Inc.',
  bankName: 'Bank of Examples',
  country: 'US',
  details: { routingNumber: '021000021', accountNumber: '123456789', accountType: 'checking' },
  isEnabled: true,
};

/** Adds the bank account too, unless there is one. */
export async function newAccount(
  { api, admin }: Pick<Remesa, 'api' | 'admin'>,
  fields: Record<string, unknown>,
): Promise<Answer> {
  const { accountId, merchant, currency = accountTerms.currency } = fields;
  await newBankAccount({ api, admin }, { accountId, currency, ...(merchant ? { merchant } : {}) });
  return api.post('/operator/payin-accounts', { token: admin, body: { ...accountTerms, ...fields } });
}

let references = 0;

/** Ana, with an account that nobody else pays from: a movement of the same payer is probably the same one. */
export function newPayer(): { name: string; account: string } {
  references += 1;
  return { name: 'Ana Reyes Núñez', account: `9${String(references).padStart(8, '0')}` };
}

/** A movement as the bank reports it. */
export function movement(fields: Record<string, unknown> = {}): Record<string, unknown> {
  references += 1;
  return {
    accountId: 'acme-usd',
    bankReference: `bank-${references}`,
    amount: 100,
    currency: 'USD',
    bookedAt: new Date().toISOString(),
    payer: { name: 'Ana Reyes Núñez', account: '000123456789' },
    ...fields,
  };
}

let keys = 0;

export function record(
  { api, reviewer }: Pick<Remesa, 'api' | 'reviewer'>,
  body: Record<string, unknown>,
): Promise<Answer> {
  keys += 1;
  return api.post('/operator/payments', { token: reviewer, body, key: `payment-${keys}` });
}

export const header = 'bankReference,amount,currency,bookedAt,payerName,payerAccount,remittanceText';

/** As a line of the file. */
export function csvOf(body: Record<string, unknown>): string {
  const { bankReference, amount, currency, bookedAt, payer, remittanceText = '' } = body;
  const { name, account } = payer as { name: string; account: string };
  return [bankReference, amount, currency, bookedAt, name, account, `"${remittanceText}"`].join(',');
}

/** Imports the lines, waits for them, and answers their results as CSV without the header. */
export async function importLines(
  running: Pick<Remesa, 'api' | 'reviewer'>,
  accountId: string,
  lines: readonly string[],
): Promise<string[]> {
  const csv = [header, ...lines, ''].join('\n');
  const token = running.reviewer;
  const started = await running.api.post('/operator/payments/import', { token, body: { accountId, csv } });
  const path = `/operator/payments/imports/${done(started).id}`;
  await eventually(async () => (await running.api.get(path, { token })).json.isFinished, {
    withinMs: 60_000,
    what: 'the import to be finished',
  });
  const { text } = await running.api.get(`${path}/lines`, { token });
  return text.trim().split('\r\n').slice(1);
}

/** The sum of all postings on accounts of a kind, over all merchants, in minor units. */
export async function balanceOf({ sql }: Pick<Remesa, 'sql'>, kind: string): Promise<number> {
  const { rows } = await sql.query(
    `SELECT coalesce(sum(amount_minor), 0)::int AS sum FROM ledger_postings WHERE split_part(account, ':', 1) = $1`,
    [kind],
  );
  return rows[0].sum;
}

/** The verbs that jobs use, beside the service and on the same database. */
export async function verbsOf(database: Database): Promise<PaymentService> {
  const { requotes, users, sealer, settlement, ledger } = await settling(database);
  return new PaymentService({ requotes, users, sealer, settlement, ledger });
}

/** Who paid an order. */
export async function payersOf(database: Database): Promise<OrderPayers> {
  const { users, sealer } = await settling(database);
  return new OrderPayers({ users, sealer });
}

/** Decides about money in suspense, and takes it over, as jobs do. */
export async function suspenseVerbsOf(
  database: Database,
): Promise<{ actions: SuspenseActions; handOvers: HandOverService }> {
  const { users, sealer, settlement, ledger, suspense: actions } = await settling(database);
  return { actions, handOvers: new HandOverService({ users, sealer, settlement, ledger, actions }) };
}

/** Nothing is really paid back. */
async function settling(database: Database) {
  const { users, ledger, receiving, requotes, vault } = await orderVerbs(database);
  const sealer = new InstanceSealer(vault.rootKey);
  const refunds = { open: async () => {}, withdraw: async () => true };
  const suspense = new SuspenseActions({
    ...{ ledger, receiving, requotes, users, sealer, refunds },
    gate: openExit,
    findPending: async () => new Map(),
  });
  const settlement = new PaymentSettlement({ ledger, receiving, users, sealer, suspense });
  return { requotes, users, sealer, suspense, settlement, ledger };
}

/** The work ends without a commit when it comes to this statement, as if the process were killed there. */
export async function killedAt(
  on: Database,
  work: (tx: Transaction) => Promise<unknown>,
  statements: number,
): Promise<void> {
  const killed = new Error('killed');
  await on
    .transaction(async (tx) => {
      let left = statements;
      const session = tx as unknown as { query: (...values: unknown[]) => Promise<unknown> };
      const query = session.query.bind(session);
      session.query = (...values) => {
        left -= 1;
        return left < 0 ? Promise.reject(killed) : query(...values);
      };
      await work(tx);
      throw killed;
    })
    .catch((error: unknown) => {
      if (error !== killed) throw error;
    });
}

/**
 * Another last character: a digit for a digit, a letter for a letter. A letter counts as two digits, so that a digit in
 * its place agrees with the check digits once in 97 times.
 */
export function mistyped(reference: string): string {
  const last = reference.slice(-1);
  const [one, other] = /\d/.test(last) ? ['7', '8'] : ['X', 'Y'];
  return `${reference.slice(0, -1)}${last === one ? other : one}`;
}
