/**
 * A service whose payouts are paid by hand, with operators who correct one another: orders over HTTP up to any point.
 */
import { beforeAll, expect } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { verifyLedger } from '../../src/ledger/verify/verify.js';
import { owedBalances } from '../../src/payments/owed/balances.js';
import { operatorTokens } from '../harness/access.js';
import { type Answer, done } from '../harness/api.js';
import { orderTimeline } from '../harness/histories.js';
import { type Remesa, useRemesa } from '../harness/remesa.js';
import { type Merchant, told } from '../harness/users.js';
import { openBankAccounts } from '../ledger/bank-accounts.js';
import { untilNumbered } from '../ledger/numbered.js';
import { get, lupita, placed, sender, verbsOf } from '../orders/orders.js';
import { reaches } from '../orders/paid-orders.js';
import { movement, record, usePayInAccounts } from '../payments/payments.js';

const needTwo = 'order.correct,refund.redirect,payment.clawback';

export interface CorrectionsService extends Remesa {
  /** rita and rob are reviewers. */
  readonly as: (login: 'rita' | 'rob') => string;
}

/** Payouts to bank accounts in Mexico and refunds are carried out by hand. */
export function useCorrections(settings: Record<string, string> = {}): CorrectionsService {
  const running = useRemesa({
    settings: { FOUR_EYES: needTwo, PAYOUT_RAILS: 'manual=bank_account/MXN', ...settings },
    hasRates: true,
  });
  usePayInAccounts(running);
  let tokens = { rita: '', rob: '' };
  beforeAll(async () => {
    tokens = await operatorTokens(running, { rita: 'reviewer', rob: 'reviewer' });
    await openBankAccounts(running, 'bank:MXN:mexico');
  });
  const as = { value: (login: 'rita' | 'rob') => tokens[login] };
  return Object.defineProperties(running, { as }) as CorrectionsService;
}

export interface PaidOrder {
  readonly id: string;
  readonly paymentId: string;
  readonly userId: number;
  /** In minor units. */
  readonly amountIn: number;
  readonly amountOut: number;
}

/** An order of 100 dollars that is paid over HTTP. The worker then takes it to its payout. */
export async function paidByBank(
  running: CorrectionsService,
  fields: Record<string, unknown> = {},
  merchant: Merchant = running.acme,
): Promise<PaidOrder> {
  const user = await sender(running, merchant);
  const order = await placed(running, user, { merchant, body: { beneficiary: { ...lupita } } });
  const remittanceText = order.payIn.reference;
  const payment = done(await record(running, movement({ remittanceText, ...fields })));
  return {
    id: order.id,
    paymentId: payment.id,
    userId: Number(user.id),
    amountIn: Math.round(order.amountIn * 100),
    amountOut: Math.round(order.amountOut * 100),
  };
}

export async function submittedByBank(running: CorrectionsService): Promise<PaidOrder> {
  const order = await paidByBank(running);
  await reaches(running, order.id, 'PAYOUT_SUBMITTED');
  return order;
}

/** An order whose payout was refused: the account is closed. */
export async function failedPayout(running: CorrectionsService): Promise<PaidOrder> {
  const order = await submittedByBank(running);
  await happens(running, order, 'failed', { reason: 'AC04' });
  return order;
}

let lines = 0;

/** An operator records what happened to the newest payout or refund of the order, which the bank in Mexico pays. */
export async function happens(
  running: CorrectionsService,
  { id }: Pick<PaidOrder, 'id'>,
  path: 'submitted' | 'paid' | 'failed' | 'returned',
  more: object = {},
): Promise<string> {
  lines += 1;
  // Before anything is awaited: several orders are made at once.
  const [bankReference, key] = [`line-${lines}`, `happens-${lines}`];
  const attempt = await attemptOf(running, id);
  const bank = path === 'paid' || path === 'returned' ? { bank: 'mexico' } : {};
  done(
    await running.api.post(`/operator/payouts/${attempt.attempt_id}/${path}`, {
      ...{ token: running.as('rita'), key },
      body: { version: attempt.version, bankReference, bookedAt: '2026-11-15T09:41:00.000Z', ...bank, ...more },
    }),
  );
  return bankReference;
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the database, which the tests examine.
export async function attemptOf({ sql }: Pick<CorrectionsService, 'sql'>, id: string): Promise<any> {
  const text = 'SELECT * FROM payout_attempts WHERE order_id = $1 ORDER BY number DESC LIMIT 1';
  return (await sql.query(text, [id])).rows[0];
}

export async function versionOf({ sql }: Pick<CorrectionsService, 'sql'>, id: string): Promise<number> {
  return (await sql.query('SELECT version FROM orders WHERE order_id = $1', [id])).rows[0].version;
}

let keys = 0;

export function operate(
  running: CorrectionsService,
  path: string,
  body: unknown,
  login: 'rita' | 'rob' = 'rita',
): Promise<Answer> {
  keys += 1;
  return running.api.post(`/operator/${path}`, { token: running.as(login), body, key: `operate-${keys}` });
}

/** Asks as rita; rita may not approve it herself, and rob does. Returns the answer to rob. */
export async function withTwo(running: CorrectionsService, path: string, body: unknown): Promise<Answer> {
  const asked = await operate(running, path, body);
  expect(asked.status, asked.text).toBe(202);
  const approve = `approvals/${asked.json.approvalId}/approve`;
  expect(told(await operate(running, approve, undefined))).toEqual([403, 'approval_own']);
  return operate(running, approve, undefined, 'rob');
}

export async function statusOf(running: CorrectionsService, id: string): Promise<string> {
  return (await get(running, id)).json.status;
}

export interface ShownJournal {
  readonly event: string;
  /** By account; the amounts of an account in one journal are listed in its order. */
  readonly postings: readonly (readonly [account: string, minor: number])[];
  readonly isReversal: boolean;
}

/** The journals of the newest change of the order, as the table of postings writes them. */
export async function newestJournals({ sql }: Pick<CorrectionsService, 'sql'>, id: string): Promise<ShownJournal[]> {
  const { rows } = await sql.query(
    `SELECT journal.journal_id, journal.event, journal.reverses IS NOT NULL AS is_reversal,
            json_agg(json_build_array(posting.account, posting.amount_minor) ORDER BY posting.position) AS postings
       FROM (SELECT merchant_id, unnest(journal_ids) AS journal_id FROM ${orderTimeline} AS entry WHERE order_id = $1
              AND version = (SELECT max(version) FROM ${orderTimeline} AS entry WHERE order_id = $1)) AS newest
       JOIN ledger_journals AS journal USING (merchant_id, journal_id)
       JOIN ledger_postings AS posting USING (merchant_id, journal_id)
      GROUP BY journal.journal_id, journal.event, journal.reverses ORDER BY journal.journal_id`,
    [id],
  );
  return rows.map(({ event, postings, is_reversal: isReversal }) => ({ event, postings, isReversal }));
}

/** What the verification of acme's ledger finds. */
export async function faultsOf(running: CorrectionsService): Promise<readonly string[]> {
  const { database } = running.service;
  const { sealer } = (await verbsOf(running)).transitions.ledger;
  await untilNumbered(running);
  const context = { database, sealer, owedBalances };
  return (await verifyLedger(context, merchantId(running.acme.merchant), { isFull: true })).faults;
}

export async function tasksOf(running: CorrectionsService, kind: string): Promise<string[]> {
  const { json } = await running.api.get(`/operator/tasks?kind=${kind}&limit=200`, { token: running.viewer });
  return json.map(({ id }: { id: string }) => id);
}
