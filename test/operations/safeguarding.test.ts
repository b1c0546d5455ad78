/** GET /operator/reports/safeguarding: what customers are owed, against what is kept apart for them. */
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { compactVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../src/ledger/account.js';
import * as book from '../../src/ledger/postings.js';
import { amount } from '../../src/money/amount.js';
import { type Rate, rateFromLiteral } from '../../src/money/rate.js';
import { daysToRecord, safeguardedFunds } from '../../src/operations/safeguarding/safeguarding.js';
import { SafeguardingService } from '../../src/operations/safeguarding/service.js';
import { QuoteProver } from '../../src/rates/quote-proof.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { told } from '../harness/users.js';
import { orderJobNames, placed, sender } from '../orders/orders.js';

const running = useRemesa({ hasRates: true, idleJobs: orderJobNames });
const { sql } = running;
const dayMs = 86_400_000;
const at = (daysAhead: number) => new Date(Date.now() + daysAhead * dayMs);
const dayOf = (daysAhead: number) => at(daysAhead).toISOString().slice(0, 10);

const report = (day: string, path = '') =>
  running.api.get(`/operator/reports/safeguarding${path}?day=${day}`, { token: running.viewer });
const shortages = async () =>
  (await running.api.get('/operator/tasks?kind=safeguarding_short', { token: running.viewer })).json.map(
    ({ id, summary }: { id: string; summary: string }) => [id, summary],
  );
const paying = (body: object) => running.api.post('/sandbox/payments', { token: running.acme.token, body });

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
/** Records as the job does on that day. */
const recordOn = (daysAhead: number, simulatedAccount: string | undefined) =>
  new SafeguardingService({
    prover: new QuoteProver(privateKey),
    clock: { now: () => at(daysAhead) },
    simulatedAccount,
  }).record(running.service.database, AbortSignal.timeout(60_000));

describe('what customers are owed', () => {
  it('is recorded once and signed when the day has ended, and a shortage is a task until a day ends without it', async () => {
    const order = await placed(running, await sender(running));
    done(await paying({ orderId: order.id }));
    done(await paying({ reference: 'rent', amount: 40, currency: 'USD', payerName: 'Ana Reyes' }));
    const figures = { currency: 'USD', liability: '100.00', suspense: '40.00', owed: '140.00' };
    // A balance counts journals that have their number.
    const today = await eventually(
      async () => {
        const answer = done(await report(dayOf(0)));
        return answer.funds[0]?.owed === '140.00' ? answer : undefined;
      },
      { what: 'journals with a number' },
    );
    expect(today).toMatchObject({ recordedAt: null, proof: null });
    // The simulated account of a sandbox counts as kept apart.
    expect(today.funds).toMatchObject([{ ...figures, held: '140.00', difference: '0.00', isShort: false }]);

    await recordOn(1, undefined);
    const recorded = done(await report(dayOf(0)));
    expect(recorded.funds).toMatchObject([{ ...figures, held: '0.00', difference: '-140.00', isShort: true }]);
    const { payload, protectedHeader } = await compactVerify(recorded.proof, publicKey);
    expect(protectedHeader.typ).toBe('remesa-safeguarding+json');
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ day: dayOf(0), funds: recorded.funds });
    const summary = `Move 140.00 USD to an account that is kept apart: customers were owed more on ${dayOf(0)}.`;
    expect(await shortages()).toEqual([['safeguarding_short.USD', summary]]);

    await recordOn(1, 'simulated');
    expect(done(await report(dayOf(0)))).toEqual(recorded);
    await recordOn(2, undefined);
    const { rows } = await sql.query('SELECT count(DISTINCT short_since)::int AS beginnings FROM safeguarding_figures');
    expect(rows).toEqual([{ beginnings: 1 }]);
    await recordOn(3, 'simulated');
    expect(await shortages()).toEqual([]);
    await expect(sql.query('DELETE FROM safeguarding_figures')).rejects.toThrow('not allowed');
    await expect(sql.query(`UPDATE safeguarding_days SET report = '{}'`)).rejects.toThrow('not allowed');
  });

  it('is a table for a spreadsheet, and is not known of days to come', async () => {
    expect((await report(dayOf(0), '/csv')).text.split('\r\n').slice(0, 2)).toEqual([
      'day,currency,liability,payin,payout,refund,suspense,frozen,settlement,owed,held,difference',
      `${dayOf(0)},USD,100.00,0.00,0.00,0.00,40.00,0.00,0.00,140.00,0.00,-140.00`,
    ]);
    expect(told(await report(dayOf(9)))).toEqual([400, 'invalid_fields']);
  });

  it.each([
    ['the first day', undefined, '2026-11-15', ['2026-11-15']],
    ['nothing new', '2026-11-15', '2026-11-15', []],
    ['a weekend without service', '2026-11-13', '2026-11-15', ['2026-11-14', '2026-11-15']],
  ])('is recorded day by day: %s', (_case, newest, last, days) => {
    expect(daysToRecord(newest, last)).toEqual(days);
    expect(daysToRecord('2020-01-01', last)).toHaveLength(31);
  });
});

describe('the figures of a day', () => {
  const [paidIn, paidOut] = [amount('EUR', 100_00n), amount('MXN', 1_952_04n)];
  const terms = {
    amountIn: paidIn,
    amountOut: paidOut,
    fee: amount('EUR', 2_00n),
    midRate: rateFromLiteral('20.12') as Rate,
    marginBasisPoints: 100,
  };
  /** What may happen to the money of a customer: what is booked, what is owed afterwards, and what may follow. */
  const steps = {
    arrive: { book: () => book.movementIn('pay_1', 'kept', paidIn), owes: 'EUR', next: ['pay', 'park'] },
    pay: {
      book: () => book.paymentReceived('pay_1', 'ord_1', paidIn),
      owes: 'EUR',
      next: ['convert', 'giveBack', 'freeze'],
    },
    park: { book: () => book.paymentUnassigned('pay_1', 'sus_1', paidIn), owes: 'EUR', next: ['match'] },
    match: { book: () => book.suspenseMatched('sus_1', 'ord_1', paidIn), owes: 'EUR', next: ['convert', 'giveBack'] },
    freeze: { book: () => book.frozen('ord_1', 'liability', paidIn), owes: 'EUR', next: [] },
    convert: { book: () => book.converted('ord_1', terms), owes: 'MXN', next: ['submit'] },
    submit: { book: () => book.payoutSubmitted('ord_1', 'manual', paidOut), owes: 'MXN', next: ['debit', 'fail'] },
    fail: { book: () => book.payoutFailed('ord_1', 'manual', paidOut), owes: 'MXN', next: ['submit'] },
    debit: {
      book: () => book.payoutDebited('ord_1', { rail: 'manual', bank: 'pesos' }, paidOut, amount('MXN', 0n)),
      owes: undefined,
      next: [],
    },
    giveBack: { book: () => book.refundDue('ord_1', paidIn), owes: 'EUR', next: ['refund'] },
    refund: { book: () => book.refunded('ord_1', 'kept', paidIn), owes: undefined, next: [] },
  } as const;
  type Step = keyof typeof steps;

  /** The story of one customer: at each step the number chooses what follows. */
  function storyOf(choices: readonly number[]): Step[] {
    const story: Step[] = ['arrive'];
    for (const choice of choices) {
      const following: readonly Step[] = steps[story.at(-1) as Step].next;
      if (following.length === 0) break;
      story.push(following[choice % following.length] as Step);
    }
    return story;
  }

  /** Each customer is owed what the last step says, and the bank has what came and was not paid back. */
  function modelOf(stories: readonly (readonly Step[])[]) {
    const owing = (currency: string) => stories.filter((story) => steps[story.at(-1) as Step].owes === currency).length;
    const kept = stories.filter((story) => !story.includes('refund')).length;
    return {
      EUR: BigInt(owing('EUR')) * 100_00n,
      MXN: BigInt(owing('MXN')) * 1_952_04n,
      onBank: BigInt(kept) * 100_00n,
    };
  }

  function balancesAfter(stories: readonly (readonly Step[])[], prefund: bigint): Map<Account, bigint> {
    const balances = new Map<Account, bigint>();
    const post = (account: string, minor: bigint) =>
      balances.set(account as Account, (balances.get(account as Account) ?? 0n) + minor);
    for (const step of stories.flat())
      for (const { account, minor } of steps[step].book().postings) post(account, minor);
    // What a partner holds for us ahead changes nothing.
    post('settlement:MXN:partner', prefund);
    post('funding:MXN', -prefund);
    return balances;
  }

  it('is what an independent model of the customers is owed, whatever happened to their money', () => {
    const customers = fc.array(fc.array(fc.nat(5), { maxLength: 9 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(customers, fc.bigInt(0n, 10n ** 9n), (all, prefund) => {
        const stories = all.map(storyOf);
        const funds = safeguardedFunds(balancesAfter(stories, prefund), (account) => account === 'bank:EUR:kept');
        const of = (currency: string) => funds.find((each) => each.currency === currency);
        const found = { EUR: of('EUR')?.owedMinor, MXN: of('MXN')?.owedMinor, onBank: of('EUR')?.heldMinor };
        expect(found).toEqual(modelOf(stories));
      }),
      { numRuns: rounds(200, 5_000) },
    );
  });
});
