/**
 * Which orders are suggested for money in suspense, and how much of it an order can take: against an oracle of its own.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { merchantId, newMerchantPublicId } from '../../src/ids.js';
import { amount } from '../../src/money/amount.js';
import type { Order } from '../../src/orders/order/order.js';
import { orderStates } from '../../src/orders/order/transitions.js';
import { matchableAmount } from '../../src/payments/suspense/matchable.js';
import { candidateReasons, rankCandidates } from '../../src/payments/suspense/operator/candidate-rules.js';
import type { SuspenseRecord } from '../../src/payments/suspense/suspense.js';

const orders = fc
  .record({
    state: fc.constantFrom(...orderStates),
    currency: fc.constantFrom('EUR' as const, 'USD' as const),
    due: fc.constantFrom(5_000n, 10_000n),
    received: fc.constantFrom(0n, 4_000n, 10_000n),
    merchant: fc.constantFrom(1, 2),
    age: fc.nat({ max: 3 }),
  })
  .map(({ state, currency, due, received, merchant, age }) => ({
    ...{ state, memories: {}, merchantId: merchantId(merchant), createdAt: new Date(age) },
    orderId: newMerchantPublicId('ord', merchantId(merchant)),
    amountIn: amount(currency, due),
    amountReceived: amount(currency, received),
  }))
  .map((order) => order as Partial<Order> as Order);
const records = fc
  .record({ owner: fc.constantFrom(0, 1, 2), minor: fc.constantFrom(1n, 5_000n, 6_000n, 10_000n) })
  .map(({ owner, minor }) => ({ ownerId: owner, remaining: amount('EUR', minor) }) as SuspenseRecord);
const clues = fc.array(fc.tuple(fc.nat({ max: 7 }), fc.constantFrom(...candidateReasons)), { maxLength: 20 });

/**
 * Written from the text: the money's merchant or any, the currency, an order that waits, and never more than is
 * missing.
 */
function oracle({ ownerId, remaining }: SuspenseRecord, order: Order): bigint {
  const missing = order.amountIn.minor - order.amountReceived.minor;
  const isFree = ownerId === 0 || ownerId === order.merchantId;
  const waits = order.state === 'AWAITING_PAYMENT';
  if (!isFree || !waits || order.amountIn.currency !== 'EUR' || missing <= 0n) return 0n;
  const isEnough = remaining.minor >= missing;
  return isEnough ? missing : remaining.minor;
}

it('an order takes all of the money or what it is missing, and only of its own merchant, currency and state', () => {
  fc.assert(
    fc.property(records, orders, (record, order) => {
      const taken = matchableAmount(record, order);
      expect(typeof taken === 'string' ? 0n : taken.minor).toBe(oracle(record, order));
    }),
    { numRuns: 1000 },
  );
});

it('candidates are at most five, each once, can take the money, and those that the text names are first', () => {
  fc.assert(
    fc.property(records, fc.array(orders, { minLength: 8, maxLength: 8 }), clues, (record, all, drawn) => {
      const given = drawn.map(([index, reason]) => ({ order: all[index] as Order, reason }));
      const found = rankCandidates(record, given);
      const possible = new Set(given.map(({ order }) => order).filter((order) => oracle(record, order) > 0n));
      expect(found).toHaveLength(Math.min(5, possible.size));
      expect(new Set(found.map(({ order }) => order)).size).toBe(found.length);
      for (const { order, missing, reasons } of found) {
        expect(possible.has(order)).toBe(true);
        expect(reasons.includes('amount')).toBe(
          missing.minor === record.remaining.minor ||
            given.some((clue) => clue.order === order && clue.reason === 'amount'),
        );
      }
      const isNamed = found.map(
        ({ reasons }) => reasons.includes('reference') || reasons.includes('mistyped_reference'),
      );
      const firstOther = isNamed.indexOf(false);
      if (firstOther >= 0) expect(isNamed.slice(firstOther)).not.toContain(true);
    }),
    { numRuns: 1000 },
  );
});
