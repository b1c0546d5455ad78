/**
 * Random payments and decisions, against books that are kept apart from the code: every cent is in exactly one place.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { KeyVault } from '../../src/keys/vault.js';
import { LedgerSealer } from '../../src/ledger/sealing/seal.js';
import { verifyLedger } from '../../src/ledger/verify/verify.js';
import { orderBalances } from '../../src/orders/owed/balances.js';
import { testMasterKey } from '../harness/master-key.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { cancel, operate, orderJobNames } from '../orders/orders.js';
import { usePayInAccounts } from '../payments/payments.js';
import { awaiting, declare, lateFor, payIn, shown } from './mismatches.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
usePayInAccounts(running);
const { sql } = running;

interface Drawn {
  readonly policies: {
    readonly short: string;
    readonly over: string;
    readonly late: string;
    readonly duplicate: string;
    readonly wrongCurrency: string;
    readonly afterEnd: string;
  };
  readonly steps: readonly Step[];
}
interface Payment {
  readonly kind: 'pay';
  readonly cents: number;
  readonly currency: 'USD' | 'EUR';
  readonly isLate: boolean;
}
interface Act {
  readonly kind: 'cancel' | 'accept' | 'refuse' | 'refer' | 'approve';
}
type Step = Payment | Act;

/** Written from the design: where the money of one order is. Amounts in cents. */
class Books {
  status = 'AWAITING_PAYMENT';
  agreed = 10_000;
  received = 0;
  readonly suspense = { USD: 0, EUR: 0 };
  readonly returned = { USD: 0, EUR: 0 };

  constructor(readonly policies: Drawn['policies']) {}

  pay({ cents, currency, isLate }: Payment): void {
    const missing = this.agreed - this.received;
    const taken = Math.min(cents, missing);
    const isWaited = cents >= missing || this.policies.short === 'wait';
    if (this.status !== 'AWAITING_PAYMENT') this.#keep(cents, currency, this.#policyAfterwards(cents, currency));
    else if (currency !== 'USD') this.#keep(cents, currency, this.policies.wrongCurrency);
    else if (isLate) this.#payLate(cents, taken);
    else if (isWaited) this.#take(cents, taken);
    else this.#keep(cents, 'USD', this.policies.short);
    if (this.status === 'AWAITING_PAYMENT' && this.received === this.agreed) this.status = 'PAYMENT_RECEIVED';
  }

  #payLate(cents: number, taken: number): void {
    const total = this.received + taken;
    if (this.policies.late !== 'requote') this.#keep(cents, 'USD', this.policies.late);
    // The corridor takes 5 dollars or more.
    else if (total < 500) this.#keep(cents, 'USD', 'suspense');
    else {
      // The rate of the day is the same, so only an order that becomes much smaller is worse.
      if (total * 100 < this.agreed * 99) this.status = 'ACTION_REQUIRED';
      this.agreed = total;
      this.#take(cents, taken);
    }
  }

  act(kind: Act['kind']): void {
    const next = this.#next[`${this.status} ${kind}`];
    const isAnswer = kind === 'accept' || kind === 'refuse';
    if (next !== undefined && !(isAnswer && this.#isCancelled)) this.status = next();
    if (kind === 'cancel' && ['IN_REVIEW', 'ACTION_REQUIRED'].includes(this.status)) this.#isCancelled = true;
  }

  /** A cancellation waits for the end of a review, and for the worker where the sender is asked. */
  #isCancelled = false;
  readonly #next: Readonly<Record<string, () => string>> = {
    'AWAITING_PAYMENT cancel': () => (this.received > 0 ? 'REFUND_PENDING' : 'CANCELLED'),
    'PAYMENT_RECEIVED cancel': () => 'REFUND_PENDING',
    'ACTION_REQUIRED accept': () => 'PAYMENT_RECEIVED',
    'ACTION_REQUIRED refuse': () => 'REFUND_PENDING',
    'PAYMENT_RECEIVED refer': () => 'IN_REVIEW',
    'IN_REVIEW approve': () => (this.#isCancelled ? 'REFUND_PENDING' : 'PAYMENT_RECEIVED'),
  };

  #policyAfterwards(cents: number, currency: string): string {
    if (this.status === 'IN_REVIEW') return 'suspense';
    const isAgain =
      this.status !== 'CANCELLED' && this.received === this.agreed && cents === this.agreed && currency === 'USD';
    return isAgain ? this.policies.duplicate : this.policies.afterEnd;
  }

  #take(cents: number, taken: number): void {
    this.received += taken;
    if (cents > taken) this.#keep(cents - taken, 'USD', this.policies.over);
  }

  #keep(cents: number, currency: 'USD' | 'EUR', policy: string): void {
    this[policy === 'refund' ? 'returned' : 'suspense'][currency] += cents;
  }

  /** What the ledger must owe. */
  owed(): Record<string, number> {
    const place = this.status === 'REFUND_PENDING' ? 'refund:USD' : 'liability:USD';
    const sums = { [place]: this.received };
    for (const currency of ['USD', 'EUR'] as const) {
      sums[`suspense:${currency}`] = this.suspense[currency];
      const refund = `refund:${currency}`;
      sums[refund] = (sums[refund] ?? 0) + this.returned[currency];
    }
    return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0));
  }
}

const choice = <const Values extends readonly string[]>(...values: Values) => fc.constantFrom(...values);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      cents: fc.constantFrom(1, 100, 2_500, 5_000, 9_999, 10_000, 10_000, 10_001, 15_000),
      currency: fc.constantFrom('USD' as const, 'USD' as const, 'USD' as const, 'EUR' as const),
      isLate: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Act['kind'][]>('cancel', 'accept', 'refuse', 'refer', 'approve')
      .map((kind) => ({ kind })),
  },
);
const stories: fc.Arbitrary<Drawn> = fc.record({
  policies: fc.record({
    short: choice('wait', 'wait', 'refund', 'suspense'),
    over: choice('refund', 'suspense'),
    late: choice('requote', 'requote', 'refund', 'suspense'),
    duplicate: choice('refund', 'suspense'),
    wrongCurrency: choice('refund', 'suspense'),
    afterEnd: choice('refund', 'suspense'),
  }),
  steps: fc.array(step, { minLength: 1, maxLength: 7 }),
});

// biome-ignore lint/suspicious/noExplicitAny: the order as JSON.
async function carryOut(order: any, drawn: Step): Promise<void> {
  const { token } = running.acme;
  if (drawn.kind === 'pay') {
    const { cents, currency, isLate } = drawn;
    const bookedAt = isLate ? { bookedAt: lateFor(order) } : {};
    await payIn(running, { orderId: order.id, amount: cents / 100, currency, ...bookedAt });
  } else if (drawn.kind === 'cancel') await cancel(running, order.id);
  else if (drawn.kind === 'accept' || drawn.kind === 'refuse') {
    const body = { answers: [{ code: 'requote', answer: drawn.kind }] };
    await running.api.post(`/orders/${order.id}/information`, { token, body });
  } else await decide(order.id, drawn.kind);
}

async function decide(id: string, verb: 'refer' | 'approve'): Promise<void> {
  const { status } = await shown(running, id);
  if (status === (verb === 'refer' ? 'PAYMENT_RECEIVED' : 'IN_REVIEW')) await operate(running, id, verb);
}

/** All that we owe for the order and for what is in suspense under it. */
async function owedFor(id: string): Promise<Record<string, number>> {
  const { rows } = await sql.query(
    `SELECT account, -sum(amount_minor)::int AS minor FROM ledger_postings
      WHERE (reference = $1 OR reference IN (SELECT suspense_id FROM suspense_records WHERE order_id = $1))
      GROUP BY account HAVING sum(amount_minor) <> 0`,
    [id],
  );
  return Object.fromEntries(rows.map(({ account, minor }) => [account, minor]));
}

it('every cent of every payment is in exactly one place, and the merchant is told of each', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(stories, async ({ policies, steps }) => {
      await declare(running, policies);
      const order = await awaiting(running);
      const books = new Books(policies);
      for (const drawn of steps) {
        if (drawn.kind === 'pay') books.pay(drawn);
        else books.act(drawn.kind);
        const before = (await shown(running, order.id)).version;
        await carryOut(order, drawn);
        const after = await shown(running, order.id);
        expect([after.status, after.amountReceived]).toEqual([books.status, books.received / 100]);
        expect(after.amountMissing).toBe(
          books.status === 'AWAITING_PAYMENT' ? (books.agreed - books.received) / 100 : 0,
        );
        if (drawn.kind === 'pay') expect(after.version).toBeGreaterThan(before);
        expect(await owedFor(order.id)).toEqual(books.owed());
      }
    }),
    { numRuns: rounds(8, 2000), endOnFailure: true },
  );
  const { rows } = await sql.query(
    `SELECT split_part(account, ':', 2) AS currency FROM ledger_postings GROUP BY 1 HAVING sum(amount_minor) <> 0`,
  );
  expect(rows).toEqual([]);
  const { database } = running.service;
  const current = Buffer.from(testMasterKey, 'base64');
  const { rootKey } = await KeyVault.open(database, { current, previous: undefined });
  const context = { database, sealer: new LedgerSealer(rootKey), owedBalances: orderBalances };
  const { faults } = await verifyLedger(context, merchantId(running.acme.merchant), { isFull: true });
  expect(faults).toEqual([]);
});

it('paying and cancelling at once are both recorded, and the money ends in a refund or in suspense', {
  timeout: 600_000,
}, async () => {
  await declare(running);
  const count = rounds(12, 500);
  const orders = [];
  for (let made = 0; made < count; made += 1) orders.push(await awaiting(running));
  const outcomes: string[] = [];
  for (let from = 0; from < count; from += 10) {
    await Promise.all(
      orders.slice(from, from + 10).map(async ({ id }, index) => {
        const both = [() => payIn(running, { orderId: id, amount: 100 }), () => cancel(running, id)];
        const [first, second] = index % 2 === 0 ? both : [...both].reverse();
        await Promise.all([first?.(), second?.()]);
        const { status, amountReceived } = await shown(running, id);
        outcomes.push(`${status} ${amountReceived} ${JSON.stringify(await owedFor(id))}`);
      }),
    );
  }
  const possible = ['CANCELLED 0 {"suspense:USD":10000}', 'REFUND_PENDING 100 {"refund:USD":10000}'];
  expect(outcomes.filter((outcome) => !possible.includes(outcome))).toEqual([]);
  expect(outcomes).toHaveLength(count);
});
