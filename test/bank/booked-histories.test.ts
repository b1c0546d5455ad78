/**
 * Random histories of bank accounts against the rooms that move money and the ledger: each movement of the bank is
 * booked once, the ledger holds what the bank does less what nothing explains, and no payout is paid twice.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { BankAccountService } from '../../src/bank/accounts/service.js';
import { LineSealer } from '../../src/bank/lines/content.js';
import { storedPublicId, tenantId } from '../../src/ids.js';
import { InstanceSealer, ofPayment } from '../../src/payments/sealed.js';
import type { Job } from '../../src/worker/worker.js';
import { done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { newBankAccount } from '../ledger/bank-accounts.js';
import { accountTerms } from '../payments/payments.js';
import { submitted } from '../payouts/payouts.js';
import { type PayoutVerbs, payoutVerbs } from '../payouts/worker-verbs.js';
import { type History, historiesOf } from './histories.js';
import { type Booked, type Books, Play, referenceIn, type Typed } from './playing.js';

/** The test does the work of these, so that it knows when it is done. */
const played = ['bank.files', 'bank.match', 'payouts.send'];
let jobs: readonly Job[] = [];
const running = useRemesa({
  settings: { PAYOUT_RAILS: 'manual=bank_account/MXN' },
  hasRates: true,
  chooseJobs: (all) => {
    jobs = all;
    return all.filter(({ name }) => !played.includes(name));
  },
});
const { sql } = running;
const idle = new AbortController().signal;
let verbs: PayoutVerbs;
let books: Books;
let payers: InstanceSealer;
let payoutMinor = 0;
let made = 0;
/** The attempts of the history that is played, by their end-to-end ids. */
let attempts: ReadonlyMap<string, string> = new Map();

beforeAll(async () => {
  verbs = await payoutVerbs(running.service.database, []);
  payers = new InstanceSealer(verbs.rootKey);
  const { rail } = { rail: 'manual' };
  payoutMinor = Number((await submitted(running, verbs, { rail })).amountOut.minor);
  books = {
    ...{ database: running.service.database, sql, currency: 'MXN', settle, bookedOn, record },
    accounts: new BankAccountService({ hasSimulated: true }),
    sealer: new LineSealer(verbs.rootKey),
  };
});

async function settle(): Promise<void> {
  for (const name of ['bank.files', 'bank.match']) {
    const job = jobs.find((each) => each.name === name);
    while (((await job?.run(idle)) ?? 0) > 0);
  }
}

/** What the ledger has on the account: nothing that the lines say of themselves. */
async function bookedOn(bank: string): Promise<Booked[]> {
  const { rows } = await sql.query(
    `SELECT posting.merchant_id, journal.event, posting.reference, posting.amount_minor, payment.sealed_payer,
            coalesce(of_order.reference, of_attempt.reference) AS payout,
            coalesce(of_order.attempt_id, of_attempt.attempt_id) AS attempt_id
       FROM ledger_postings AS posting JOIN ledger_journals AS journal USING (merchant_id, journal_id)
       LEFT JOIN payments AS payment ON payment.merchant_id = posting.merchant_id AND payment.payment_id = posting.reference
       LEFT JOIN payout_attempts AS of_order
         ON of_order.merchant_id = posting.merchant_id AND of_order.order_id = posting.reference
       LEFT JOIN payout_attempts AS of_attempt
         ON of_attempt.merchant_id = posting.merchant_id AND of_attempt.attempt_id = posting.reference
      WHERE posting.account = $1`,
    [`bank:MXN:${bank}`],
  );
  return rows.map((row): Booked => {
    const minor = BigInt(row.amount_minor);
    if (row.sealed_payer) {
      const paymentId = storedPublicId('pay', row.reference);
      const { remittanceText: text } = payers.open(ofPayment(tenantId(row.merchant_id), paymentId), row.sealed_payer);
      return { record: `payment:${paymentId}`, kind: 'payment', about: referenceIn({ text }) ?? '', minor };
    }
    expect(['payout_debited', 'movement_in']).toContain(row.event);
    const kind = row.event === 'payout_debited' ? 'paid' : 'returned';
    return { record: `payout:${row.attempt_id}`, kind, about: row.payout, minor };
  });
}

/** An operator records it over HTTP. What the service refuses is in the lists already. */
async function record({ bank, minor, bookedOn: day, reference, kind, about }: Typed): Promise<string | undefined> {
  made += 1;
  const { api, reviewer: token } = running;
  const line = { bankReference: reference.replaceAll(' ', '-'), bookedAt: `${day}T09:41:00.000Z` };
  if (kind === 'payment') {
    const money = { accountId: bank, amount: minor / 100, currency: 'MXN' };
    const payer = { payer: { name: 'Ana Reyes' }, remittanceText: `${about} thanks` };
    const body = { ...line, ...money, ...payer };
    const { status, json } = await api.post('/operator/payments', { token, key: `hand-${made}`, body });
    expect([200, 201, 409]).toContain(status);
    return status === 409 ? undefined : `payment:${json.id}`;
  }
  const attemptId = attempts.get(about);
  const { rows } = await sql.query('SELECT version FROM payout_attempts WHERE attempt_id = $1', [attemptId]);
  const body = { ...line, bank, version: rows[0].version };
  const { status } = await api.post(`/operator/payouts/${attemptId}/paid`, { token, key: `hand-${made}`, body });
  expect([200, 201, 409]).toContain(status);
  return status === 409 ? undefined : `payout:${attemptId}`;
}

let histories = 0;

/** A bank account that senders pay to and payouts leave from, and orders whose payouts are to be paid. */
async function open({ payouts }: History) {
  histories += 1;
  const number = `H${histories}`;
  const accountId = number.toLowerCase();
  done(await newBankAccount(running, { accountId, currency: 'MXN', country: 'MX', number }));
  const terms = {
    ...accountTerms,
    accountId,
    currency: 'MXN',
    country: 'MX',
    details: { clabe: '032180000118359719' },
  };
  done(await running.api.post('/operator/payin-accounts', { token: running.admin, body: terms }));
  const found = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const payout of payouts.keys()) {
    const { orderId } = await submitted(running, verbs, { rail: 'manual' });
    const text = 'SELECT attempt_id, reference FROM payout_attempts WHERE order_id = $1';
    const { attempt_id: attemptId, reference } = (await sql.query(text, [orderId])).rows[0];
    found.set(reference, attemptId);
    ids.set(payout, reference);
  }
  attempts = found;
  return { number, idOf: (payout: string) => ids.get(payout) ?? '' };
}

it('books each movement of a bank once, in the ledger too, whatever its files repeat, damage or leave out', {
  timeout: 86_400_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      historiesOf(() => payoutMinor),
      async (history) => {
        await new Play(books, await open(history), history).run();
      },
    ),
    { numRuns: rounds(8, 20_000), ...rounds({ seed: 20_261_119 }, {}) },
  );
});
