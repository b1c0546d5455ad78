/** What operators record by hand: each line of a bank once, each version once, and every movement in the books. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attemptOf,
  failedPayout,
  faultsOf,
  happens,
  operate,
  type PaidOrder,
  paidByBank,
  statusOf,
  submittedByBank,
  useCorrections,
  versionOf,
} from '../corrections/corrections.js';
import type { Answer } from '../harness/api.js';
import { rounds } from '../harness/rounds.js';
import { told } from '../harness/users.js';
import { openBankAccounts } from '../ledger/bank-accounts.js';
import { get } from '../orders/orders.js';
import { reaches } from '../orders/paid-orders.js';

const running = useCorrections({ FOUR_EYES: 'off' });
const { sql } = running;
const atOnce = rounds(6, 20);
const bookedAt = '2026-11-16T09:41:00.000Z';

let lines = 0;
/** The body of any command on a payout, on a line of its own. */
function bodyOf(verb: string, version: number, more: object = {}): object {
  lines += 1;
  const line = { bankReference: `own-${lines}`, bookedAt };
  const note = { note: 'The bank has written.' };
  const bodies: Record<string, object> = {
    submitted: {},
    failed: { ...line, reason: 'AC01' },
    paid: { ...line, bank: 'mexico' },
    returned: { ...line, bank: 'mexico', reason: 'AC04' },
    'not-paid': note,
    'prove-paid': { ...line, ...note, bank: 'mexico' },
    'paid-twice': { ...line, ...note, bank: 'mexico' },
  };
  return { version, ...bodies[verb], ...more };
}

async function command(order: PaidOrder, verb: string, more: object = {}): Promise<Answer> {
  const { attempt_id: id, version } = await attemptOf(running, order.id);
  return operate(running, `payouts/${id}/${verb}`, bodyOf(verb, version, more));
}

/** What the bank and the rail of payouts by hand hold for an order, its return included, without zeros. */
async function heldBy(order: PaidOrder): Promise<Record<string, number>> {
  const { rows } = await sql.query(
    `SELECT account, sum(amount_minor)::int AS minor FROM ledger_postings
      WHERE (reference = $1 OR reference IN (SELECT attempt_id FROM payout_attempts WHERE order_id = $1))
        AND account ~ '^(bank:MXN|settlement|charges:MXN|payin:MXN|payout)' GROUP BY account
     HAVING sum(amount_minor) <> 0 ORDER BY account`,
    [order.id],
  );
  return Object.fromEntries(rows.map(({ account, minor }) => [account, minor]));
}

afterAll(async () => {
  expect(await faultsOf(running)).toEqual([]);
});

it('the merchant sees our reference of a payout that has left, and that of the bank once it has told', async () => {
  const order = await submittedByBank(running);
  const payouts = async () => (await running.api.get(`/orders/${order.id}/payouts`, running.acme)).json;
  expect(await payouts()).toEqual([]);
  await happens(running, order, 'submitted');
  const { reference } = (await sql.query('SELECT reference FROM payout_attempts WHERE order_id = $1', [order.id]))
    .rows[0];
  const left = { reference, bankReference: null, currency: 'MXN', method: 'bank_account' };
  expect(await payouts()).toMatchObject([left]);
  expect((await command(order, 'paid', { bankReference: 'TRACE-7.1' })).status).toBe(200);
  expect(await payouts()).toMatchObject([{ ...left, bankReference: 'TRACE-7.1' }]);
  expect(told(await running.api.get(`/orders/${order.id}/payouts`, running.rival))).toEqual([404, 'order_not_found']);
});

describe('two commands with one version', () => {
  const instructed = async () => {
    const order = await submittedByBank(running);
    await happens(running, order, 'submitted');
    return order;
  };
  const paid = async () => {
    const order = await instructed();
    await happens(running, order, 'paid');
    return order;
  };
  const stages = [
    [submittedByBank, ['submitted', 'paid', 'failed']],
    [() => instructed(), ['paid', 'failed', 'returned']],
    [() => paid(), ['returned', 'not-paid', 'paid-twice']],
    [failedPayout, ['prove-paid']],
  ] as const;
  const allPairs = stages.flatMap(([prepare, verbs]) =>
    verbs.flatMap((first, index) =>
      verbs.slice(index).map((second) => ({ name: `${first} and ${second}`, prepare, first, second })),
    ),
  );
  /** Each verb is sent several times, so that a pair of two verbs also shows what becomes of equal ones. */
  const mixed = allPairs.filter(({ first, second }) => first !== second || first === 'prove-paid');
  const pairs = rounds(mixed, allPairs);

  it.each(pairs)('$name at the same moment: one succeeds, and the books agree with it', async (pair) => {
    const order = await pair.prepare(running);
    const { attempt_id: id, version } = await attemptOf(running, order.id);
    const verbs = Array.from({ length: atOnce }, (_, index) => (index % 2 === 0 ? pair.first : pair.second));
    const answers = await Promise.all(
      verbs.map((verb) => operate(running, `payouts/${id}/${verb}`, bodyOf(verb, version))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const codes = answers.filter(({ status }) => status !== 200).map(told);
    expect(codes.filter(([status, code]) => status !== 409 || !code.startsWith('payout_'))).toEqual([]);
    const { rows } = await sql.query(
      `SELECT sum(amount_minor)::int AS minor FROM ledger_postings
        WHERE reference = $1 AND account = 'settlement:MXN:manual'`,
      [order.id],
    );
    const isOnItsWay = (await statusOf(running, order.id)) === 'PAYOUT_SUBMITTED';
    expect(rows).toEqual([{ minor: isOnItsWay ? -order.amountOut : 0 }]);
  });

  it('in turn: the second is told who recorded what, and when', async () => {
    const order = await instructed();
    const again = await command(order, 'submitted');
    expect(told(again)).toEqual([409, 'payout_not_recordable']);
    expect(again.json.detail).toMatch(/rita recorded at 20\S+Z that the bank is being instructed/);
    const { attempt_id: id, version } = await attemptOf(running, order.id);
    const stale = await operate(running, `payouts/${id}/paid`, bodyOf('paid', version - 1));
    expect(told(stale)).toEqual([409, 'payout_changed']);
    expect(stale.json.detail).toMatch(/rita recorded at/);
  });
});

describe('a line of a bank account', () => {
  const line = (bankReference: string) => ({ bankReference, bank: 'shared-mxn' });
  beforeAll(async () => {
    await openBankAccounts(running, 'bank:MXN:shared-mxn');
  });

  /** Payouts of both merchants. */
  async function ofBoth(count: number, prepare: (order: PaidOrder) => Promise<unknown> = async () => {}) {
    const orders: PaidOrder[] = [];
    for (let made = 0; made < count; made += 1) {
      const merchant = made % 2 === 0 ? running.acme : running.rival;
      const order = await paidByBank(running, { accountId: 'shared-usd' }, merchant);
      await reaches(running, order.id, 'PAYOUT_SUBMITTED', merchant);
      await prepare(order);
      orders.push(order);
    }
    return orders;
  }
  const countReports = async (bankReference: string) => {
    const { rows } = await sql.query(
      `SELECT count(*)::int AS count FROM payout_reports WHERE report_id LIKE $1 AND outcome = 'applied'`,
      [`paid:${bankReference}@%`],
    );
    return rows[0].count;
  };

  it.each([
    ['paid', async () => {}],
    ['prove-paid', (order: PaidOrder) => happens(running, order, 'failed')],
    ['paid-twice', (order: PaidOrder) => happens(running, order, 'paid', { bank: 'shared-mxn' })],
  ] as const)(
    'shows one payout, whatever merchant it is of and however many ask at once: %s',
    async (verb, prepare) => {
      const orders = await ofBoth(4, prepare);
      const answers = await Promise.all(orders.map((order) => command(order, verb, line(`line-of-${verb}`))));
      expect(answers.map(told).sort()).toEqual([[200, undefined], ...Array(3).fill([409, 'bank_reference_used'])]);
      expect(await countReports(`line-of-${verb}`)).toBe(1);
      const late = await command((await ofBoth(1, prepare))[0] as PaidOrder, verb, line(`line-of-${verb}`));
      expect(told(late)).toEqual([409, 'bank_reference_used']);
      // Another account may have a line with the same number.
      const [own] = await ofBoth(1, prepare);
      const other = { bankReference: `line-of-${verb}`, bank: 'mexico' };
      expect((await command(own as PaidOrder, verb, other)).status).toBe(200);
    },
  );

  it('takes one payment back, and is no line of a refund besides', async () => {
    const clawed = [await paidByBank(running), await paidByBank(running)];
    for (const order of clawed) await reaches(running, order.id, 'PAYOUT_SUBMITTED');
    const clawback = async ({ id, paymentId }: PaidOrder) =>
      operate(running, `payments/${paymentId}/corrections/clawback`, {
        ...{ version: await versionOf(running, id), bankReference: 'taken', bookedAt, note: 'Disputed.' },
      });
    const answers = await Promise.all(clawed.map(clawback));
    expect(answers.map(told).sort()).toEqual([
      [200, undefined],
      [409, 'bank_reference_used'],
    ]);
  });
});

describe('the books of a payout by hand', () => {
  const retried = async (order: PaidOrder) => {
    const version = await versionOf(running, order.id);
    const answer = await operate(running, `orders/${order.id}/retry-payout`, { version, note: 'Again.' });
    expect(answer.status, answer.text).toBe(200);
  };

  it('name a bank account of the currency for each movement', async () => {
    const order = await submittedByBank(running);
    for (const bank of [undefined, 'acme-usd', 'mexcio'])
      expect(told(await command(order, 'paid', { bank })), bank).toEqual([400, 'invalid_fields']);
    expect((await command(order, 'paid', { bank: 'mexico' })).status).toBe(200);
    expect(told(await command(order, 'returned', { bank: undefined }))).toEqual([400, 'invalid_fields']);
    expect((await command(order, 'returned', { bank: 'mexico' })).status).toBe(200);
  });

  it('have the charge of a payout that came back before it was recorded as paid, on the bank account', async () => {
    const order = await submittedByBank(running);
    await happens(running, order, 'submitted');
    expect(told(await command(order, 'returned', { bank: undefined, charge: '50.00' }))).toEqual([
      ...[400, 'invalid_fields'],
    ]);
    expect((await command(order, 'returned', { charge: '50.00' })).status).toBe(200);
    expect(await heldBy(order)).toEqual({
      'bank:MXN:mexico': -5_000,
      'charges:MXN': 5_000,
      'payout:MXN': -order.amountOut,
    });
    expect((await command(order, 'prove-paid')).status).toBe(200);
    expect(await heldBy(order)).toEqual({ 'bank:MXN:mexico': -order.amountOut });
    expect((await command(order, 'returned')).status).toBe(200);
    const version = await versionOf(running, order.id);
    const refund = { version, reason: 'beneficiary_data', note: 'Back.' };
    expect((await operate(running, `orders/${order.id}/refund`, refund)).status).toBe(200);
    expect((await get(running, order.id)).json.refunds).toMatchObject([{ amount: 100 }]);
  });

  it('have each debit once when an older payout is proved, whatever became of the newer one', async () => {
    const order = await submittedByBank(running);
    const { attempt_id: older } = await attemptOf(running, order.id);
    await happens(running, order, 'paid', { charge: '2.34' });
    await happens(running, order, 'returned');
    await retried(order);
    await happens(running, order, 'failed');
    const { rows } = await sql.query('SELECT version FROM payout_attempts WHERE attempt_id = $1', [older]);
    const proof = bodyOf('prove-paid', rows[0].version, { bank: undefined });
    const proved = await operate(running, `payouts/${older}/prove-paid`, proof);
    expect(proved.status, proved.text).toBe(200);
    expect(await statusOf(running, order.id)).toBe('COMPLETED');
    expect(await heldBy(order)).toEqual({ 'bank:MXN:mexico': -order.amountOut - 234, 'charges:MXN': 234 });
  });

  it('have the debit of the payout that is proved, though an earlier one was debited', async () => {
    const order = await submittedByBank(running);
    await happens(running, order, 'paid');
    await happens(running, order, 'returned');
    await retried(order);
    await happens(running, order, 'failed');
    expect((await command(order, 'prove-paid', { charge: '1.00' })).status).toBe(200);
    expect(await heldBy(order)).toEqual({ 'bank:MXN:mexico': -order.amountOut - 100, 'charges:MXN': 100 });
  });

  it('have a second payment by mistake beside the first, and the return of the first undone by a proof', async () => {
    const order = await submittedByBank(running);
    await happens(running, order, 'paid');
    expect((await command(order, 'paid-twice')).status).toBe(200);
    await happens(running, order, 'returned');
    expect((await command(order, 'prove-paid')).status).toBe(200);
    expect(await heldBy(order)).toEqual({ 'bank:MXN:mexico': -2 * order.amountOut });
  });
});

describe('a late proof that a payout was made', () => {
  const prove = async (attemptId: string) => {
    const { rows } = await sql.query('SELECT version FROM payout_attempts WHERE attempt_id = $1', [attemptId]);
    return operate(running, `payouts/${attemptId}/prove-paid`, bodyOf('prove-paid', rows[0].version));
  };
  const decide = async ({ id }: PaidOrder, verb: string, more: object = {}) => {
    const answer = await operate(running, `orders/${id}/${verb}`, { note: 'A test.', ...more });
    expect(answer.status, `${verb}: ${answer.text}`).toBe(200);
  };
  const versioned = async ({ id }: PaidOrder) => ({ version: await versionOf(running, id) });
  const ask = (order: PaidOrder) => decide(order, 'request-information', { items: ['beneficiary_details'] });
  const freeze = (order: PaidOrder) => decide(order, 'freeze');

  it.each([
    ['while the sender is asked', ask],
    ['in a review', (order: PaidOrder) => decide(order, 'refer')],
    ['while the order is frozen', freeze],
    [
      'in the review after a freeze',
      async (order: PaidOrder) => {
        await freeze(order);
        await decide(order, 'release');
      },
    ],
    [
      'while a refund waits to be paid',
      async (order: PaidOrder) => decide(order, 'refund', { ...(await versioned(order)), reason: 'operator' }),
    ],
    [
      'while another payout waits to be made',
      async (order: PaidOrder) => decide(order, 'retry-payout', await versioned(order)),
    ],
  ] as const)('completes the order %s, and nothing is paid besides', async (_when, prepare) => {
    const order = await failedPayout(running);
    const { attempt_id: id } = await attemptOf(running, order.id);
    await prepare(order);
    const proved = await prove(id);
    expect(proved.status, proved.text).toBe(200);
    expect(await statusOf(running, order.id)).toBe('COMPLETED');
    expect(await heldBy(order)).toEqual({ 'bank:MXN:mexico': -order.amountOut });
    const alive = await sql.query(
      `SELECT state FROM payout_attempts WHERE order_id = $1 AND state NOT IN ('REJECTED', 'RETURNED', 'RECALLED')`,
      [order.id],
    );
    expect(alive.rows).toEqual([{ state: 'PAID' }]);
  });

  it('is refused once a refund may have left', async () => {
    const order = await failedPayout(running);
    const { attempt_id: id } = await attemptOf(running, order.id);
    await decide(order, 'refund', { ...(await versioned(order)), reason: 'operator' });
    await happens(running, order, 'submitted');
    expect(told(await prove(id))).toEqual([409, 'payout_not_correctable']);
  });

  it('is told of a payout that was withdrawn for a review, when the bank had paid it already', async () => {
    const order = await submittedByBank(running);
    const { attempt_id: id } = await attemptOf(running, order.id);
    await decide(order, 'refer');
    expect(told(await command(order, 'paid'))).toEqual([409, 'payout_not_recordable']);
    expect((await prove(id)).status).toBe(200);
    expect(await statusOf(running, order.id)).toBe('COMPLETED');
    expect(await heldBy(order)).toEqual({ 'bank:MXN:mexico': -order.amountOut });
  });
});
