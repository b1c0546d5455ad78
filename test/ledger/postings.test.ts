/** The postings of each event, against plain arithmetic on big integers that knows nothing of `src`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JournalContent, negated, type Posting } from '../../src/ledger/journal.js';
import { bankFee, coverTrade, funding, interest, ownTransfer } from '../../src/ledger/operator/treasury-postings.js';
import * as book from '../../src/ledger/postings.js';
import { type Amount, amount } from '../../src/money/amount.js';
import type { CurrencyCode } from '../../src/money/currency.js';
import { rounds } from '../harness/rounds.js';
import { decimalsOf } from '../money/oracle.js';

/** Two of each number of decimals: 0, 2, 3 and 4. */
const currencies = ['JPY', 'KRW', 'EUR', 'USD', 'KWD', 'BHD', 'CLF', 'UYW'] as const;
const pairs = currencies.flatMap((from) => currencies.filter((to) => to !== from).map((to) => [from, to] as const));

interface Case {
  readonly terms: book.OrderTerms;
  /** N, G, P, R by the definitions of the design. */
  readonly N: bigint;
  readonly G: bigint;
  readonly P: bigint;
  readonly R: bigint;
  readonly c: Amount;
  readonly k: bigint;
}

const ten = (exponent: number) => 10n ** BigInt(exponent);
/** Both operands are never negative here, so that `/` rounds down. */
const floor = (over: bigint, under: bigint) => over / under;
const ceil = (over: bigint, under: bigint) => (over + under - 1n) / under;

const cases = fc
  .record({
    pair: fc.constantFrom(...pairs),
    amountIn: fc.bigInt(2n, 10n ** 9n),
    feePart: fc.bigInt(0n, 999n),
    coefficient: fc.bigInt(1n, 10n ** 7n),
    scale: fc.integer({ min: 0, max: 9 }),
    margin: fc.integer({ min: 0, max: 5000 }),
    roundingOut: fc.bigInt(-2n, 2n),
    charge: fc.bigInt(0n, 5000n),
  })
  .map(({ pair: [from, to], amountIn: A, feePart, coefficient, scale, margin, roundingOut, charge }) => {
    const F = (A * feePart) / 1000n;
    const N = A - F;
    const over = N * coefficient * ten(decimalsOf(to));
    const under = ten(scale + decimalsOf(from));
    const G = floor(over, under);
    const P = floor(over * BigInt(margin), under * 10_000n);
    const O = G - P - roundingOut > 0n ? G - P - roundingOut : 1n;
    const k = ceil(charge * ten(scale + decimalsOf(from)), coefficient * ten(decimalsOf(to)));
    return { from, to, A, F, N, G, P, O, k, midRate: { coefficient, scale }, margin, charge };
  })
  .filter(({ G, k }) => G < 10n ** 14n && k < 10n ** 14n)
  .map(({ from, to, A, F, N, G, P, O, k, midRate, margin, charge }): Case => {
    const [amountIn, fee, amountOut] = [money(from, A), money(from, F), money(to, O)];
    const terms = { amountIn, fee, midRate, marginBasisPoints: margin, amountOut };
    return { terms, N, G, P, R: G - P - O, k, c: money(to, charge) };
  });

function money(currency: CurrencyCode, minor: bigint): Amount {
  return amount(currency, minor);
}

const isCustomer = (account: string) => /^(payin|payout|refund|liability|frozen|suspense):/.test(account);

/** What each account holds after these journals: customer money for each reference, other money in all. */
function balances(journals: readonly { postings: readonly Posting[] }[]): Map<string, bigint> {
  const held = new Map<string, bigint>();
  for (const { account, minor, reference } of journals.flatMap(({ postings }) => postings)) {
    const key = isCustomer(account) ? `${account} ${reference}` : account;
    const sum = (held.get(key) ?? 0n) + minor;
    if (sum === 0n) held.delete(key);
    else held.set(key, sum);
  }
  return held;
}

function expectZeroSums({ postings }: JournalContent): void {
  const sums: Record<string, bigint> = {};
  for (const { account, minor } of postings) {
    const currency = account.split(':')[1] ?? '';
    sums[currency] = (sums[currency] ?? 0n) + minor;
  }
  expect(Object.values(sums).every((sum) => sum === 0n)).toBe(true);
}

const customerMoney = (journals: readonly { postings: readonly Posting[] }[]) =>
  Object.fromEntries([...balances(journals)].filter(([key]) => isCustomer(key)));
const one = (key: string, minor: bigint) => (minor === 0n ? {} : { [key]: minor });

const places = { bank: 'main', rail: 'manual' };
const order = 'ord_1';
const runs = { numRuns: rounds(300, 5000) };

/** Every event, with amounts that belong together. */
function everyEvent({ terms, c, k }: Case): JournalContent[] {
  const { amountIn: A, amountOut: O } = terms;
  const kept = money(A.currency, k < A.minor ? k : 0n);
  const charge = money(O.currency, c.minor < O.minor ? c.minor : 0n);
  const E = money(A.currency, 3n);
  return [
    book.movementIn('pay_1', 'main', A),
    book.paymentReceived('pay_1', order, A),
    book.paymentOver('pay_1', { reference: order, due: A }, { reference: 'sus_1', excess: E }),
    book.paymentUnassigned('pay_1', 'sus_1', A),
    book.suspenseMatched('sus_1', order, A),
    book.converted(order, terms),
    book.payoutSubmitted(order, 'manual', O),
    book.payoutDebited(order, places, O, charge),
    book.payoutFailed(order, 'manual', O),
    book.payoutReturned(order, { movement: 'pay_2' }, O, charge),
    book.payoutReturned(order, { rail: 'manual' }, O, charge),
    book.refundDue(order, A),
    book.refundDue(order, A, { amount: kept, as: 'charges' }),
    book.refundDue(order, A, { amount: kept, as: 'fee' }),
    book.suspenseRefundDue('sus_1', E),
    book.suspenseRefundWithdrawn('sus_1', E),
    book.suspenseReleased('sus_1', E),
    book.frozen('sus_1', 'suspense', E),
    book.refunded(order, 'main', A),
    book.refundReturned('pay_3', order, A),
    book.writtenOff('sus_1', E, 'unclaimed'),
    book.writtenOff('sus_1', E, 'missing'),
    book.frozen(order, 'liability', A),
    book.frozen(order, 'refund', A),
    book.clawback('pay_4', order, 'liability', { taken: A, bank: 'main' }),
    book.clawback('pay_4', order, 'writeoff', { taken: A, bank: 'main' }),
    book.clawback('pay_4', order, 'refund', { taken: A, bank: 'main', lost: kept }),
    book.paymentVoided('pay_4', order, 'liability', A),
    book.movementVoided('pay_4', 'main', A),
    book.lossRecovered(order, A),
    book.refundReturned('pay_3', order, A, kept),
    book.paidTwice(order, 'manual', O),
    book.handedOver('pay_1', A),
    book.takenOver('pay_1', A),
    funding('main', A, 'in'),
    funding('main', A, 'out'),
    bankFee('main', E),
    interest('main', E, 'in'),
    interest('main', E, 'out'),
    ownTransfer('main', E, 'in'),
    ownTransfer('main', E, 'out'),
    coverTrade({
      sold: A,
      soldFrom: 'main',
      bought: O,
      boughtTo: 'out',
      closed: money(O.currency, O.minor + 5n),
    }),
  ];
}

describe('the postings', () => {
  it('sum to zero in each currency for every event, and none is zero', () => {
    fc.assert(
      fc.property(cases, (example) => {
        for (const journal of everyEvent(example)) {
          expectZeroSums(journal);
          expect(journal.postings.every(({ minor }) => minor !== 0n)).toBe(true);
        }
      }),
      runs,
    );
  });

  it('name an order, a suspense record or a movement wherever customer money is posted', () => {
    fc.assert(
      fc.property(cases, (example) => {
        const all = everyEvent(example).flatMap(({ postings }) => postings);
        expect(all.filter(({ account, reference }) => isCustomer(account) && !reference)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it('split a conversion into N, G, P, O and R as designed, and R has either sign', () => {
    const signs = new Set<number>();
    fc.assert(
      fc.property(cases, (example) => {
        const { terms, N, G, P, R } = example;
        expect(book.conversionOf(terms)).toEqual({
          converted: money(terms.amountIn.currency, N),
          gross: money(terms.amountOut.currency, G),
          margin: money(terms.amountOut.currency, P),
          rounding: money(terms.amountOut.currency, R),
        });
        signs.add(Number(R > 0n) - Number(R < 0n));
      }),
      runs,
    );
    expect([...signs].sort()).toEqual([-1, 0, 1]);
  });

  it('give the R of the design’s example: mid 3.3333…, A 10.00, F 1.00, O 30.00, G 29.99', () => {
    const midRate = { coefficient: 3_333_333_333n, scale: 9 };
    const terms = { amountIn: money('EUR', 1000n), fee: money('EUR', 100n), midRate, marginBasisPoints: 0 };
    const { gross, rounding } = book.conversionOf({ ...terms, amountOut: money('USD', 3000n) });
    expect([gross.minor, rounding.minor]).toEqual([2999n, -1n]);
  });

  it('turn a charge into the pay-in currency rounded up', () => {
    fc.assert(
      fc.property(cases, ({ terms, c, k }) => {
        expect(book.chargeInPayinCurrency(c, terms)).toEqual(money(terms.amountIn.currency, k));
      }),
      runs,
    );
  });

  it('are undone by a reversal', () => {
    fc.assert(
      fc.property(cases, (example) => {
        const journals = everyEvent(example);
        const reversals = journals.map(({ postings }) => ({ postings: negated(postings) }));
        expect(balances([...journals, ...reversals]).size).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});

describe('what we owe for an order', () => {
  it('is A in liability once paid, O in payout once converted, and nothing once submitted', () => {
    fc.assert(
      fc.property(cases, fc.bigInt(0n, 1000n), ({ terms }, share) => {
        const { amountIn: A, amountOut: O } = terms;
        const first = money(A.currency, (A.minor * share) / 1000n);
        const rest = money(A.currency, A.minor - first.minor);
        const story = [book.movementIn('pay_1', 'main', first), book.paymentReceived('pay_1', order, first)];
        expect(customerMoney(story)).toEqual(one(`liability:${A.currency} ${order}`, -first.minor));
        story.push(book.movementIn('pay_2', 'main', rest), book.paymentReceived('pay_2', order, rest));
        expect(customerMoney(story)).toEqual(one(`liability:${A.currency} ${order}`, -A.minor));
        story.push(book.converted(order, terms));
        expect(customerMoney(story)).toEqual(one(`payout:${O.currency} ${order}`, -O.minor));
        story.push(book.payoutSubmitted(order, 'manual', O));
        expect(customerMoney(story)).toEqual({});
      }),
      runs,
    );
  });

  it('is O in payout again when the payout fails or is returned, and the refund in refund until it is paid', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom('failed', 'returned'), ({ terms, c, k }, ending) => {
        const { amountIn: A, amountOut: O } = terms;
        const charge = money(O.currency, c.minor < O.minor ? c.minor : 0n);
        const kept = money(A.currency, k < A.minor ? k : 0n);
        const conversion = book.converted(order, terms);
        const story: { postings: readonly Posting[] }[] = [
          book.movementIn('pay_1', 'main', A),
          book.paymentReceived('pay_1', order, A),
          conversion,
          book.payoutSubmitted(order, 'manual', O),
        ];
        if (ending === 'failed') story.push(book.payoutFailed(order, 'manual', O));
        else {
          const back = money(O.currency, O.minor - charge.minor);
          story.push(
            book.payoutDebited(order, { rail: 'manual', bank: 'out' }, O, money(O.currency, 0n)),
            book.movementIn('pay_2', 'out', back),
            book.payoutReturned(order, { movement: 'pay_2' }, O, charge),
          );
        }
        expect(customerMoney(story)).toEqual(one(`payout:${O.currency} ${order}`, -O.minor));
        story.push({ postings: negated(conversion.postings) });
        expect(customerMoney(story)).toEqual(one(`liability:${A.currency} ${order}`, -A.minor));
        story.push(book.refundDue(order, A, { amount: kept, as: 'charges' }));
        const refund = money(A.currency, A.minor - kept.minor);
        expect(customerMoney(story)).toEqual(one(`refund:${A.currency} ${order}`, -refund.minor));
        story.push(book.refunded(order, 'main', refund));
        expect(customerMoney(story)).toEqual({});
        story.push(book.movementIn('pay_3', 'main', refund), book.refundReturned('pay_3', order, refund));
        expect(customerMoney(story)).toEqual(one(`refund:${A.currency} ${order}`, -refund.minor));
      }),
      runs,
    );
  });

  it('is the excess in suspense, A in frozen while frozen, and nothing after a clawback', () => {
    fc.assert(
      fc.property(cases, ({ terms: { amountIn: A } }) => {
        const E = money(A.currency, 7n);
        const both = money(A.currency, A.minor + 7n);
        const inSuspense = { [`suspense:${A.currency} sus_1`]: -7n };
        const freeze = book.frozen(order, 'liability', A);
        const story: { postings: readonly Posting[] }[] = [
          book.movementIn('pay_1', 'main', both),
          book.paymentOver('pay_1', { reference: order, due: A }, { reference: 'sus_1', excess: E }),
          freeze,
        ];
        expect(customerMoney(story)).toEqual({ [`frozen:${A.currency} ${order}`]: -A.minor, ...inSuspense });
        story.push({ postings: negated(freeze.postings) });
        expect(customerMoney(story)).toEqual({
          [`liability:${A.currency} ${order}`]: -A.minor,
          ...inSuspense,
        });
        story.push(book.suspenseRefundDue('sus_1', E), book.refunded('sus_1', 'main', E));
        story.push(book.clawback('pay_2', order, 'liability', { taken: A, bank: 'main' }));
        expect(Object.fromEntries(balances(story))).toEqual({});
      }),
      runs,
    );
  });

  it('moves with a movement on a shared account, through intermerchant, which nets to zero', () => {
    const A = money('EUR', 500n);
    const owner = [book.movementIn('pay_1', 'shared', A), book.handedOver('pay_1', A)];
    const merchant = [book.takenOver('pay_1', A), book.paymentReceived('pay_1', order, A)];
    expect(Object.fromEntries(balances(owner))).toEqual({
      'bank:EUR:shared': 500n,
      'intermerchant:EUR': -500n,
    });
    expect(Object.fromEntries(balances([...owner, ...merchant]))).toEqual({
      'bank:EUR:shared': 500n,
      'liability:EUR ord_1': -500n,
    });
  });
});

describe('a cover trade', () => {
  it('closes the position that conversions opened, and books the difference as the result', () => {
    fc.assert(
      fc.property(cases, fc.bigInt(-100n, 100n), ({ terms, N, G }, better) => {
        fc.pre(G + better > 0n && N > 0n && G > 0n);
        const { amountIn, amountOut } = terms;
        const sold = money(amountIn.currency, N);
        const closed = money(amountOut.currency, G);
        const bought = money(amountOut.currency, G + better);
        const trade = coverTrade({ sold, soldFrom: 'main', bought, boughtTo: 'out', closed });
        const after = balances([book.converted(order, terms), trade]);
        expect([...after.keys()].filter((account) => account.startsWith('fx:'))).toEqual([]);
        expect(after.get(`fxresult:${amountOut.currency}`) ?? 0n).toBe(-better);
      }),
      runs,
    );
  });
});
