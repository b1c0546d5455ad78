/** What goes back to each payer, over any payments, charges and clawbacks. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { amount } from '../../src/money/amount.js';
import { divideByWeight } from '../../src/money/division.js';
import { afterClawback } from '../../src/orders/corrections/refund-clawback.js';
import type { Refund } from '../../src/orders/order/order.js';
import { newRefund, owedFor } from '../../src/orders/order/refund.js';
import { divideRefund, mostRefunds } from '../../src/orders/refunds/division.js';

const eur = (minor: bigint) => amount('EUR', minor);
const partsOf = (minors: readonly bigint[]) =>
  minors.map((minor, index) => ({ paymentIds: [`pay_${index}`], amount: eur(minor) }));
const sumOf = (parts: readonly { amount: { minor: bigint } }[]) =>
  parts.reduce((sum, part) => sum + part.amount.minor, 0n);
const paidMinors = fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: 60 });

it('each payer gets back exactly what that payer paid when nothing is kept', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: mostRefunds }),
      (minors) => {
        const parts = partsOf(minors);
        expect(divideRefund(eur(sumOf(parts)), parts)).toEqual(parts);
      },
    ),
  );
});

it('what is kept is borne in proportion: nobody gets more than was paid, and less by at most a unit of the exact share', () => {
  fc.assert(
    fc.property(paidMinors, fc.bigInt({ min: 1n, max: 10n ** 14n }), (minors, wanted) => {
      const paid = minors.reduce((sum, minor) => sum + minor, 0n);
      const due = wanted % paid === 0n ? paid : wanted % paid;
      const shares = divideByWeight(due, minors);
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(due);
      for (const [index, minor] of minors.entries()) {
        const share = shares[index] ?? 0n;
        expect(share).toBeLessThanOrEqual(minor);
        const error = share * paid - minor * due;
        expect(error > -paid && error < paid).toBe(true);
      }
    }),
  );
  expect(divideByWeight(99n, [1n, 1n, 1n])).toEqual([33n, 33n, 33n]);
  expect(divideByWeight(100n, [60n, 30n, 30n])).toEqual([50n, 25n, 25n]);
  expect(divideByWeight(1n, [40n, 60n])).toEqual([0n, 1n]);
  expect(divideByWeight(1n, [50n, 50n])).toEqual([1n, 0n]);
});

it('refunds sum to what is due, name each payment once, and are never more than a bound', () => {
  fc.assert(
    fc.property(paidMinors, fc.bigInt({ min: 1n, max: 10n ** 14n }), (minors, due) => {
      const refunds = divideRefund(eur(due), partsOf(minors));
      expect(sumOf(refunds)).toBe(due);
      expect(refunds.length).toBeLessThanOrEqual(mostRefunds);
      expect(refunds.every((part) => part.amount.minor > 0n)).toBe(true);
      const named = refunds.flatMap(({ paymentIds }) => paymentIds);
      expect(new Set(named).size).toBe(named.length);
    }),
  );
  expect(divideRefund(eur(100n), [])).toEqual([{ paymentIds: [], amount: eur(100n) }]);
});

it('a clawback takes from the refund of its payer alone, and the rest of it is a loss', () => {
  const states = fc.constantFrom('pending' as const, 'failed' as const, 'paid' as const);
  const minor = fc.bigInt({ min: 1n, max: 10n ** 12n });
  fc.assert(
    fc.property(states, minor, fc.array(minor, { minLength: 1, maxLength: 3 }), (state, due, taken) => {
      const owner = { merchantId: merchantId(1) };
      let refund: Refund = {
        ...newRefund(owner, { amount: eur(due), reason: undefined, paymentIds: [] }, new Date(0)),
        state,
      };
      let lost = 0n;
      for (const part of taken) {
        const after = afterClawback(refund, eur(part), new Date(1));
        lost += after.lost.minor;
        refund = after.refund;
      }
      const all = taken.reduce((sum, part) => sum + part, 0n);
      // What bounces of a refund that was paid is owed less what the bank took.
      const owed = owedFor(state === 'paid' ? { ...refund, state: 'failed' } : refund).minor;
      expect(owed).toBe(all < due ? due - all : 0n);
      expect(lost).toBe(state === 'paid' ? all : all > due ? all - due : 0n);
    }),
  );
});
