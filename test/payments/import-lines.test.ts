/**
 * A file is recorded many lines at a time: each line leaves what it would have left by itself, and takes no other with
 * it.
 */
import { describe, expect, it } from 'vitest';
import { newMerchantPublicId } from '../../src/ids.js';
import { amount } from '../../src/money/amount.js';
import { payinReferenceOf } from '../../src/orders/payin/payin-reference.js';
import type { LineResult } from '../../src/payments/imports/import.js';
import { recordLines } from '../../src/payments/imports/recording.js';
import { findCandidates } from '../../src/payments/matching/candidates.js';
import type { PaymentService } from '../../src/payments/service.js';
import { statement } from '../../src/postgres/statement.js';
import { eventually } from '../harness/eventually.js';
import { orderTimeline } from '../harness/histories.js';
import { useRemesa } from '../harness/remesa.js';
import { silentLog } from '../harness/silent-log.js';
import { told } from '../harness/users.js';
import { get, orderJobNames, placed, sender } from '../orders/orders.js';
import { usePayInAccounts } from '../payments/payments.js';
import { balanceOf, csvOf, importLines, movement, newPayer, record, verbsOf } from './payments.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
usePayInAccounts(running);
const { sql, database } = running;
const reference = async (): Promise<string> => (await placed(running, await sender(running))).payIn.reference;
const aWeekAhead = new Date(Date.now() + 7 * 86_400_000).toISOString();

/** What a movement may be, for an order of 100 dollars. */
const kinds = (): readonly Record<string, unknown>[] => [
  { amount: 100 },
  { amount: 60 },
  { amount: 130 },
  { amount: 100, payer: { ...newPayer(), name: 'Boris Petrov' } },
  { amount: 100, remittanceText: 'no reference at all' },
  { remittanceText: payinReferenceOf(newMerchantPublicId('ord', running.acme.merchant)) },
];

const divideByZero = statement('import-lines.divide', 'SELECT 1 / $by::int');
/** The journal of nobody, which sums to nothing: the database finds out at COMMIT. */
const failAtCommit = statement(
  'import-lines.fail',
  `INSERT INTO ledger_journals (merchant_id, journal_id, event, occurred_at, seal, postings_count)
   SELECT merchant_id, 1, 'nothing', date_trunc('milliseconds', now()), decode(repeat('00', 48), 'hex'), 2
     FROM merchants WHERE client_id = 'acme'`,
);

/** Records one exact payment for each order, as lines of a file. */
async function recorded(payments: PaymentService, references: readonly string[]): Promise<LineResult[]> {
  const account = { ownerId: running.acme.merchant, accountId: 'acme-usd' };
  const found = await findCandidates(database, account.ownerId, references);
  const importId = newMerchantPublicId('imp', account.ownerId);
  const entries = references.map((remittanceText, index) => ({
    ...{ account, line: index + 2, source: { importId, line: index + 2 } },
    candidate: found[index] ?? { reason: 'no_reference' as const },
    movement: {
      bankReference: String(movement().bankReference),
      amount: amount('USD', 10_000n),
      bookedAt: new Date(),
      bookedOn: undefined,
      payer: { ...newPayer(), remittanceText },
    },
  }));
  const results = await recordLines({ database, payments, log: silentLog }, entries);
  return results.sort((left, right) => left.line - right.line);
}

/** All that a movement left behind, without ids and times. */
// biome-ignore lint/suspicious/noExplicitAny: rows, which are compared.
async function left(bankReference: unknown): Promise<any> {
  const { rows } = await sql.query(
    `SELECT payment.payment_id, payment.outcome, payment.reason, payment.amount_minor::int, payment.currency,
            orders.order_id, orders.state, orders.amount_received_minor::int AS received, orders.version
       FROM payments AS payment LEFT JOIN orders USING (merchant_id, order_id) WHERE bank_reference = $1`,
    [bankReference],
  );
  const [{ payment_id, order_id, ...payment }] = rows;
  const ids = [payment_id, order_id];
  const all = async (text: string) => (await sql.query(text, [ids])).rows;
  return {
    payment,
    applications: await all(
      `SELECT outcome, payer_differs, name_digest FROM payment_applications WHERE payment_id = ANY ($1) ORDER BY 1`,
    ),
    suspense: await all(`SELECT reason, state, amount_minor::int FROM suspense_records WHERE payment_id = ANY ($1)`),
    timeline: await all(
      `SELECT event, to_state, version, cardinality(journal_ids) AS journals FROM ${orderTimeline} AS entry
        WHERE order_id = ANY ($1) ORDER BY version`,
    ),
    events: await all(
      'SELECT type, previous_status FROM events WHERE subject = ANY ($1) ORDER BY recorded_at, event_id',
    ),
    postings: await all(
      `SELECT journal.event, posting.position, posting.account, posting.amount_minor::int
         FROM ledger_postings AS posting JOIN ledger_journals AS journal USING (merchant_id, journal_id)
        WHERE journal.journal_id IN (SELECT journal_id FROM ledger_postings WHERE reference = ANY ($1))
        ORDER BY 1, 2`,
    ),
    audit: await all(
      `SELECT action, from_state, to_state FROM changes
        WHERE subject IN (SELECT kind || id FROM unnest($1::text[]) AS id, (VALUES ('order:'), ('payment:')) AS of (kind))
        ORDER BY action`,
    ),
  };
}

async function movements(): Promise<Record<string, unknown>[]> {
  const made = await Promise.all(
    kinds().map(async (kind) => movement({ remittanceText: await reference(), payer: newPayer(), ...kind })),
  );
  // The rest of the second order, and the first one again.
  const [exact, short] = made;
  return [
    ...made,
    movement({ amount: 40, remittanceText: short?.remittanceText, payer: newPayer() }),
    movement({ amount: 100, remittanceText: exact?.remittanceText, payer: newPayer() }),
  ];
}

const outcomes = (lines: readonly string[]) =>
  lines.map((line) => line.split(',').filter((_, index) => index === 1 || index === 3));

describe('the lines of a file', () => {
  it('leave what the same movements leave when they are recorded by hand, one after the other', async () => {
    const [byFile, byHand] = [await movements(), await movements()];
    const lines = await importLines(running, 'acme-usd', byFile.map(csvOf));
    expect(outcomes(lines)).toEqual([
      ['recorded', ''],
      ['recorded', ''],
      ['recorded', ''],
      ['recorded', ''],
      ['suspense', 'no_reference'],
      ['suspense', 'unknown_reference'],
      ['recorded', ''],
      ['suspense', 'duplicate'],
    ]);
    for (const body of byHand) expect((await record(running, body)).status).toBe(200);
    for (const [index, { bankReference }] of byHand.entries())
      expect(await left(byFile[index]?.bankReference)).toEqual(await left(bankReference));
    const [exact] = byFile;
    expect(await left(exact?.bankReference)).toMatchObject({
      payment: { outcome: 'applied', state: 'PAYMENT_RECEIVED', received: 10_000, version: 3 },
      timeline: [{ event: 'create' }, { event: 'complete_payment' }, { event: 'record_unapplied_payment' }],
    });
  });

  it('are recorded although some are refused, differ from their record, or are there twice', async () => {
    const known = movement({ remittanceText: 'rent' });
    expect((await record(running, known)).status).toBe(200);
    const references = await Promise.all(Array.from({ length: 5 }, reference));
    const good = references.map((remittanceText) => csvOf(movement({ remittanceText, payer: newPayer() })));
    const ahead = movement({ remittanceText: await reference(), bookedAt: aWeekAhead });
    const others = [csvOf(ahead), csvOf({ ...known, amount: 1 }), csvOf(known), good[0] ?? ''];
    const lines = await importLines(running, 'acme-usd', [...good, ...others]);
    expect(outcomes(lines)).toEqual([
      ...good.map(() => ['recorded', '']),
      ['fault', 'invalid_fields'],
      ['fault', 'payment_differs'],
      ['duplicate', ''],
      ['duplicate', ''],
    ]);
    const faulty = async () =>
      (await running.api.get('/operator/tasks?kind=import_fault', { token: running.viewer })).json;
    const [task] = await faulty();
    expect(task).toMatchObject({ merchant: 'acme', count: 2, path: expect.stringMatching(/imports\/imp_/) });
    const settle = () =>
      running.api.post(`${task.path}/faults/settle`, { token: running.admin, body: { note: 'Done.' } });
    expect((await settle()).status).toBe(200);
    expect(await faulty()).toEqual([]);
    expect(told(await settle())).toEqual([404, 'import_faults_not_found']);
    const { rowCount } = await sql.query(
      `SELECT FROM orders WHERE payin_reference = ANY ($1) AND state = 'PAYMENT_RECEIVED' AND version = 2`,
      [references],
    );
    expect(rowCount).toBe(5);
    const { bankReference } = ahead;
    const refused = await sql.query('SELECT FROM payments WHERE bank_reference = $1', [bankReference]);
    expect(refused.rowCount).toBe(0);
  });

  it('are recorded although the database refuses a statement of one of them, and the commit of another', async () => {
    const references = await Promise.all(Array.from({ length: 4 }, reference));
    const payments = await verbsOf(database);
    const failing = Object.assign(Object.create(payments) as PaymentService, {
      record: async (...values: Parameters<PaymentService['record']>) => {
        const [tx, , { movement: reported }] = values;
        if (reported.payer.remittanceText === references[1]) await tx.query(divideByZero, { by: 0 });
        const done = await payments.record(...values);
        if (reported.payer.remittanceText === references[2]) await tx.query(failAtCommit);
        return done;
      },
    });
    const results = await recorded(failing, references);
    expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['recorded', undefined],
      ['fault', 'internal_error'],
      ['fault', 'internal_error'],
      ['recorded', undefined],
    ]);
    const { rows } = await sql.query(
      'SELECT version FROM orders WHERE payin_reference = ANY ($1) ORDER BY array_position($1, payin_reference)',
      [references],
    );
    expect(rows.map(({ version }) => version)).toEqual([2, 1, 1, 2]);
  });
});

it('payments of a file on a shared account are taken over by the merchants of their orders, each once', async () => {
  const { acme, rival } = running;
  const orders = await Promise.all(
    [acme, acme, rival, rival].map(async (merchant) => ({
      merchant,
      order: await placed(running, await sender(running, merchant), { merchant }),
    })),
  );
  const paying = (index: number, amountIn: number) =>
    csvOf(movement({ amount: amountIn, remittanceText: orders[index]?.order.payIn.reference }));
  // The second order is paid in two parts, and the third twice.
  const lines = [paying(0, 100), paying(1, 30), paying(2, 100), paying(3, 100), paying(1, 70), paying(2, 100)];
  const done = await importLines(running, 'shared-usd', lines);
  expect(outcomes(done)).toEqual(lines.map(() => ['recorded', '']));
  const versions = () =>
    Promise.all(
      orders.map(async ({ merchant, order }) => {
        const { status, amountReceived, version } = (await get(running, order.id, merchant)).json;
        return `${status} ${amountReceived} ${version}`;
      }),
    );
  const paid = (version: number) => `PAYMENT_RECEIVED 100 ${version}`;
  await eventually(async () => expect(await versions()).toEqual([paid(2), paid(3), paid(3), paid(2)]) ?? true, {
    withinMs: 120_000,
    what: 'the payments to be taken over',
  });
  await eventually(
    async () =>
      (await sql.query(`SELECT FROM payments WHERE outcome = 'handed_over' AND settled_at IS NULL`)).rowCount === 0,
    { withinMs: 120_000, what: 'the end of the handing over' },
  );
  expect([await balanceOf(running, 'intermerchant'), await balanceOf(running, 'payin')]).toEqual([0, 0]);
});
