/** What orders count for: the sums of the database against a plain model. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merchantId, newMerchantPublicId, newPublicId, userId } from '../../src/ids.js';
import type { Usage } from '../../src/orders/limits/limits.js';
import { findUsage } from '../../src/orders/limits/store.js';
import { orderStates } from '../../src/orders/order/transitions.js';
import { merchantNow } from '../../src/postgres/merchant-clock.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';
import { withoutTriggers } from '../harness/without-triggers.js';

const now = merchantNow.replaceAll('$merchantId', '$1');

const { database, sql } = useTestDatabase();
const merchant = merchantId(1);

interface StoredOrder {
  readonly ageMinutes: number;
  readonly state: (typeof orderStates)[number];
  readonly received: number;
  readonly refunded: number;
  readonly usd: number;
}

const amountIn = 100;
const day = 24 * 60;

/** Ages on both sides of the end of each window, and anything else in two years. */
const ages = fc.oneof(
  fc.constantFrom(...[1, 30, 365].flatMap((days) => [days * day - 1, days * day + 1])),
  fc.integer({ min: 0, max: 730 * day }),
);
const storedOrder: fc.Arbitrary<StoredOrder> = fc
  .record({
    ageMinutes: ages,
    state: fc.constantFrom(...orderStates),
    received: fc.constantFrom(0, 40, amountIn, 130),
    share: fc.constantFrom(0, 0.5, 1),
    usd: fc.integer({ min: 1, max: 100_000_000 }),
  })
  .map(({ share, ...order }) => ({ ...order, refunded: Math.floor(order.received * share) }));

let lastUser = 0;

/** Writes rows in any state without the history that led to it. */
async function store(orders: readonly StoredOrder[], owner = merchant): Promise<number> {
  lastUser += 1;
  const text = `INSERT INTO orders (merchant_id, user_id, order_id, quote_code, payin_reference, payin_account, state, fiat_in, fiat_out,
         amount_in_minor, amount_out_minor, fee_minor, rate, mid_rate, margin_basis_points, amount_received_minor,
         amount_refunded_minor, usd_minor, usd_rate_source, payout_country, payout_method, sealed_beneficiary,
         sealed_sender, purpose, rate_guaranteed_until, payment_due_at, expires_at, version, public_version,
         created_at, updated_at)
     SELECT $1, $2, order_id, quote_code, order_id, '{}', state, 'EUR', 'MXN', ${amountIn}, 2000, 0, 20, 20, 0, received, refunded,
            usd, 'ecb', 'MX', 'bank_account', '', '', 'gift', at, at, at, 1, 1, at, at
       FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::int[])
              AS stored (order_id, quote_code, state, received, refunded, usd, age_minutes),
            LATERAL (SELECT ${now} - make_interval(mins => age_minutes) AS at) AS created`;
  const values = [
    owner,
    lastUser,
    orders.map(() => newMerchantPublicId('ord', owner)),
    orders.map(() => newPublicId('rt')),
    orders.map(({ state }) => state),
    orders.map(({ received }) => received),
    orders.map(({ refunded }) => refunded),
    orders.map(({ usd }) => usd),
    orders.map(({ ageMinutes }) => ageMinutes),
  ];
  await withoutTriggers(sql, (client) => client.query(text, values));
  return lastUser;
}

/** The rules in plain words of another author: count, then add up. */
function model(orders: readonly StoredOrder[]): Usage {
  const counting = orders.filter((order) => {
    const ended = order.state === 'CANCELLED' || order.state === 'EXPIRED';
    return !(ended && order.received === 0);
  });
  const within = (days: number) => counting.filter(({ ageMinutes }) => ageMinutes < days * day);
  const worth = ({ state, received, refunded, usd }: StoredOrder) => {
    const cameBack = refunded >= amountIn || refunded === received;
    return state === 'REFUNDED' && cameBack ? 0 : usd;
  };
  const sum = (days: number) => BigInt(within(days).reduce((total, order) => total + worth(order), 0));
  const isUnpaid = ({ state, received }: StoredOrder) => state === 'AWAITING_PAYMENT' && received === 0;
  return {
    amount: { '24h': sum(1), '30d': sum(30), '365d': sum(365) },
    orders: { '24h': within(1).length, '30d': within(30).length },
    unpaidPairs: within(365)
      .filter(isUnpaid)
      .map(() => 'EURMXN'),
  };
}

describe('the usage of a user', () => {
  it('is what a plain model says, for any orders of any age in any state', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(storedOrder, { maxLength: 40 }), async (orders) => {
        const user = await store(orders);
        expect(await findUsage(database, merchant, userId(user), [])).toEqual(model(orders));
      }),
      { numRuns: rounds(100, 2_000) },
    );
  });

  it('counts only the orders of this user of this merchant', async () => {
    const order: StoredOrder = { ageMinutes: 5, state: 'COMPLETED', received: 100, refunded: 0, usd: 7_00 };
    const user = await store([order]);
    lastUser -= 1;
    await store([order, order], merchantId(2));
    await store([order, order, order]);
    expect(await findUsage(database, merchant, userId(user), [])).toMatchObject({
      amount: { '24h': 7_00n },
      orders: { '24h': 1 },
    });
  });

  it('follows the clock of the merchant', async () => {
    const owner = merchantId(3);
    const paid = { state: 'COMPLETED', received: 100, refunded: 0, usd: 7_00 } as const;
    const user = await store([{ ...paid, ageMinutes: 0 }], owner);
    const clock =
      'INSERT INTO merchant_clocks VALUES ($1, $2) ON CONFLICT (merchant_id) DO UPDATE SET ahead = excluded.ahead';
    const moveClock = (ahead: string) => withoutTriggers(sql, (client) => client.query(clock, [owner, ahead]));
    const counted = async () => (await findUsage(database, owner, userId(user), [])).orders;
    await moveClock('23 hours 58 minutes');
    expect(await counted()).toEqual({ '24h': 1, '30d': 1 });
    await moveClock('24 hours');
    expect(await counted()).toEqual({ '24h': 0, '30d': 1 });
    await moveClock('30 days');
    expect(await counted()).toEqual({ '24h': 0, '30d': 0 });
  });

  it('is read through the index of the user’s orders, however many orders there are', async () => {
    const order: StoredOrder = { ageMinutes: 5, state: 'COMPLETED', received: 100, refunded: 0, usd: 7_00 };
    for (let made = 0; made < 20; made += 1) await store(Array.from({ length: 100 }, () => order));
    await sql.query('ANALYZE orders');
    const values = ['1', '1', '24', '720', '8760', "'{}'"];
    const text = (await usageText()).replaceAll(/\$([1-6])/g, (_, place) => values[place - 1] ?? '');
    const { rows } = await sql.query(`EXPLAIN (COSTS OFF) ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('orders_by_user');
    expect(plan).not.toContain('Seq Scan on orders');
  });
});

/** The statement as the service sends it. */
async function usageText(): Promise<string> {
  let text = '';
  const recorder = {
    query: async (statement: { text: string }) => {
      text = statement.text;
      return [];
    },
  };
  await findUsage(recorder as never, merchant, userId(1), []).catch(() => {});
  return text;
}
