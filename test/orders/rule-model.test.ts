/** What rules decide: by facts that the database counts, against a plain count over the same random history. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { merchantId, newMerchantPublicId, newPublicId } from '../../src/ids.js';
import { amount } from '../../src/money/amount.js';
import type { Order } from '../../src/orders/order/order.js';
import { findingsOf } from '../../src/orders/rules/evaluation.js';
import { factsAskedBy } from '../../src/orders/rules/facts.js';
import { findFacts } from '../../src/orders/rules/facts-store.js';
import type { ReviewRule, RuleTerms } from '../../src/orders/rules/rule.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';
import { withoutTriggers } from '../harness/without-triggers.js';

const { database, sql } = useTestDatabase();
const hour = 3_600_000;
const epoch = Date.UTC(2026, 0, 1);

interface Past {
  readonly user: number;
  readonly account: number;
  readonly at: number;
  readonly state: string;
  readonly received: number;
  /** So long after the order. */
  readonly paidAfter: number;
  readonly refunded: number;
  readonly usd: number;
}

/** Few users, accounts and moments, so that they meet, also exactly at the ends of windows. */
const past: fc.Arbitrary<Past> = fc
  .record({
    user: fc.integer({ min: 1, max: 4 }),
    account: fc.integer({ min: 1, max: 2 }),
    at: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 24 * 40 })).map((hours) => hours * hour),
    state: fc.constantFrom('AWAITING_PAYMENT', 'CONVERTED', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'REFUNDED'),
    received: fc.constantFrom(0, 40, 100),
    paidAfter: fc.constantFrom(0, 1, 30, 72).map((hours) => hours * hour),
    refunded: fc.constantFrom(0, 40, 100),
    usd: fc.integer({ min: 1, max: 40 }).map((dollars) => dollars * 100),
  })
  .map((order) => ({ ...order, refunded: Math.min(order.refunded, order.received) }));
const small = fc.integer({ min: 1, max: 6 });
const terms: fc.Arbitrary<RuleTerms> = fc.oneof(
  fc.record({
    kind: fc.constant('amount' as const),
    parameters: fc.record({ fromUsd: fc.integer({ min: 1, max: 40 }) }),
  }),
  fc.record({
    kind: fc.constant('velocity' as const),
    parameters: fc.record({
      hours: fc.constantFrom(1, 12, 24, 720),
      maxOrders: small,
      maxUsd: fc.integer({ min: 1, max: 90 }),
    }),
  }),
  fc.record({
    kind: fc.constant('new_beneficiary' as const),
    parameters: fc.record({ fromUsd: fc.integer({ min: 1, max: 40 }), days: fc.integer({ min: 0, max: 3 }) }),
  }),
  fc.record({
    kind: fc.constant('many_senders' as const),
    parameters: fc.record({ days: fc.constantFrom(1, 30), maxSenders: fc.integer({ min: 1, max: 3 }) }),
  }),
);

type Expected<Kind extends RuleTerms['kind']> = (
  history: readonly Past[],
  self: Past,
  parameters: Extract<RuleTerms, { kind: Kind }>['parameters'],
) => string[];

const paidAt = ({ at, paidAfter }: Past) => at + paidAfter;
const within = (self: Past, hours: number) => (other: Past) => other.at <= self.at && other.at > self.at - hours * hour;

/** Each kind as its documentation says it, over the list. */
const expectedOf: { [Kind in RuleTerms['kind']]: Expected<Kind> } = {
  amount: (_history, self, parameters) =>
    'fromUsd' in parameters && self.usd >= parameters.fromUsd * 100 ? ['usd'] : [],
  velocity: (history, self, { hours, maxOrders = 0, maxUsd = 0 }) => {
    const mine = history
      .filter(within(self, hours))
      .filter(({ user }) => user === self.user)
      .filter(({ state, received }) => received > 0 || !['CANCELLED', 'EXPIRED'].includes(state));
    const isBack = ({ state, received, refunded }: Past) => state === 'REFUNDED' && refunded >= Math.min(100, received);
    const cents = mine.filter((order) => !isBack(order)).reduce((sum, { usd }) => sum + usd, 0);
    return [
      ...(mine.length > maxOrders ? [`orders in ${hours} hours`] : []),
      ...(cents > maxUsd * 100 ? [`usd in ${hours} hours`] : []),
    ];
  },
  many_senders: (history, self, { days, maxSenders }) => {
    const until = paidAt(self);
    const paid = history
      .filter(({ account, received }) => account === self.account && received > 0)
      .filter((other) => paidAt(other) <= until && paidAt(other) > until - days * 24 * hour);
    const senders = new Set(paid.map(({ user }) => user)).size;
    return senders > maxSenders ? [`senders in ${days} days to account 1`] : [];
  },
  new_beneficiary: (history, self, { fromUsd, days }) => {
    const arrived = history
      .filter(({ user, account }) => user === self.user && account === self.account)
      .filter(({ state, at }) => state === 'COMPLETED' && at < self.at);
    const isKnown = arrived.some(({ at }) => self.at - at >= days * 24 * hour);
    return !isKnown && self.usd >= fromUsd * 100 ? ['account 1'] : [];
  },
};

/** The last order is the one that is examined. */
function expected(history: readonly Past[], { kind, parameters }: RuleTerms): string[] {
  return expectedOf[kind](history, history.at(-1) as Past, parameters as never);
}

const digestOf = (account: number) => Buffer.alloc(32, account);
let lastMerchant = 0;

/** Writes the history of a merchant of its own, and returns its last order. */
async function store(history: readonly Past[]): Promise<Order> {
  lastMerchant += 1;
  const merchant = merchantId(lastMerchant);
  const ids = history.map(() => newMerchantPublicId('ord', merchant));
  const column = (name: keyof Past) => history.map((order) => order[name]);
  const times = history.map(({ at }) => new Date(epoch + at));
  await withoutTriggers(sql, async (client) => {
    await client.query(
      `INSERT INTO orders (merchant_id, user_id, order_id, quote_code, payin_reference, payin_account, state, fiat_in, fiat_out,
           amount_in_minor, amount_out_minor, fee_minor, rate, mid_rate, margin_basis_points, amount_received_minor,
           amount_refunded_minor, usd_minor, usd_rate_source, payout_country, payout_method, sealed_beneficiary,
           sealed_sender, purpose, rate_guaranteed_until, payment_due_at, expires_at, version, public_version,
           created_at, updated_at, first_paid_at)
       SELECT $1, user_id, order_id, order_id, order_id, '{}', state, 'EUR', 'MXN', 100, 2000, 0, 20, 20, 0, received,
              least(refunded, received), usd, 'ecb', 'MX', 'bank_account', '', '', 'gift', at, at, at, 1, 1, at, at,
              CASE WHEN received > 0 THEN paid_at END
         FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::timestamptz[],
                     $9::timestamptz[])
                AS stored (user_id, order_id, state, received, refunded, usd, at, paid_at)`,
      [
        ...[
          merchant,
          column('user'),
          ids,
          column('state'),
          column('received'),
          column('refunded'),
          column('usd'),
          times,
        ],
        history.map((order) => new Date(epoch + paidAt(order))),
      ],
    );
    await client.query(
      `INSERT INTO order_accounts (merchant_id, order_id, user_id, account_digest, shared_digest, ordered_at)
       SELECT $1, id, user_id, digest, digest, at
         FROM unnest($2::text[], $3::bigint[], $4::bytea[], $5::timestamptz[]) AS t (id, user_id, digest, at)`,
      [merchant, ids, column('user'), history.map(({ account }) => digestOf(account)), times],
    );
  });
  return {
    merchantId: merchant,
    orderId: ids.at(-1),
    amountIn: amount('EUR', 100n),
    amountOut: amount('MXN', 2000n),
    payee: { version: 1 },
  } as unknown as Order;
}

it('a rule fires exactly when a plain count over the history of the merchant says so', async () => {
  const fired = { yes: 0, no: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(past, { maxLength: 14 }),
      // The order that is examined was paid, and is on its way.
      past.map((order) => ({ ...order, state: 'CONVERTED', received: 100, refunded: 0 })),
      fc.array(terms, { minLength: 1, maxLength: 4 }),
      async (earlier, self, chosen) => {
        const history = [...earlier, self];
        const order = await store(history);
        const rules = chosen.map((each) => ({ ...each, ruleId: newPublicId('rul') }) as ReviewRule);
        const asked = factsAskedBy(rules);
        if (!asked) throw new Error('these rules need facts');
        const counted = [{ orderId: order.orderId, digest: digestOf(self.account) }];
        const facts = (await findFacts(database, order.merchantId, counted, asked)).get(order.orderId);
        if (!facts) throw new Error('nothing is known about the order');
        const found = findingsOf(rules, order, facts).map(({ ruleId, key }) => `${ruleId} ${key}`);
        const wanted = rules.flatMap((rule) => expected(history, rule).map((key) => `${rule.ruleId} ${key}`));
        expect(found).toEqual(wanted);
        fired[wanted.length > 0 ? 'yes' : 'no'] += 1;
      },
    ),
    { numRuns: rounds(150, 3000) },
  );
  // Neither answer is rare, or the property would show little.
  expect(Math.min(fired.yes, fired.no)).toBeGreaterThan(5);
}, 120_000);
