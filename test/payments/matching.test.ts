/** Which order a payment is for, and what becomes of it: against an oracle of its own, with references as banks mangle them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merchantId, newMerchantPublicId } from '../../src/ids.js';
import { amount } from '../../src/money/amount.js';
import type { Order } from '../../src/orders/order.js';
import { payinReferenceOf } from '../../src/orders/payin-reference.js';
import { type OrderState, orderStates } from '../../src/orders/transitions.js';
import { decide } from '../../src/payments/matching.js';
import { isUnlike } from '../../src/payments/payer-name.js';
import { nearReferencesIn, referencesIn } from '../../src/payments/references.js';

const freshReference = fc
  .integer({ min: 1, max: 32 ** 6 - 1 })
  .map((merchant) => payinReferenceOf(newMerchantPublicId('ord', merchantId(merchant))));

const isDigit = (character: string) => /\d/.test(character);

/** What stands between the characters of a reference on a bank statement: nothing, mostly. */
const gap = fc.constantFrom('', '', '', '', '', ' ', '  ', '-', '\n', '/', '.', '\u00A0');
const mangled = (reference: string) =>
  fc.tuple(fc.array(gap, { minLength: 25, maxLength: 25 }), fc.boolean()).map(([gaps, isLower]) => {
    const text = [...reference].map((character, index) => character + gaps[index]).join('');
    return isLower ? text.toLowerCase() : text;
  });
/** Words of payers. None of them ends in R, so that the reference does not begin in the middle of one. */
const words = fc.constantFrom('', 'Zahlung ', 'INVOICE 2026-11 ', 'für Oma: ', 'REF:', '//EREF+', 'pago, ');

describe('a reference in a text', () => {
  it('is found however banks print it and whatever stands around it', () => {
    const cases = freshReference.chain((reference) =>
      fc.tuple(fc.constant(reference), mangled(reference), words, words),
    );
    fc.assert(
      fc.property(cases, ([reference, text, before, after]) => {
        expect(referencesIn(`${before}${text} ${after}`)).toEqual([reference]);
      }),
    );
  });

  it('is never found after a digit became another digit or a letter another letter, and is then among the near ones', () => {
    const others = fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZOIL');
    fc.assert(
      fc.property(freshReference, fc.nat({ max: 24 }), others, (reference, place, other) => {
        const replaced = reference[place] ?? '';
        // The check digits cannot detect every letter in the place of a digit: a letter counts as two digits.
        fc.pre(replaced !== other && isDigit(replaced) === isDigit(other));
        const typed = reference.slice(0, place) + other + reference.slice(place + 1);
        expect(referencesIn(typed)).toEqual([]);
        expect(nearReferencesIn(typed)).toContain(reference);
      }),
    );
  });

  it('is not imagined: any text of 500 characters takes little time and gives what has check digits only', () => {
    const texts = fc.oneof(
      fc.string({ maxLength: 500 }),
      fc.constant('RF11'.repeat(125)),
      fc.constant('R'.repeat(500)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        for (const found of [...referencesIn(text), ...nearReferencesIn(text)]) {
          const digits = [...`${found.slice(4)}${found.slice(0, 4)}`]
            .map((one) => Number.parseInt(one, 36))
            .join('');
          expect(BigInt(digits) % 97n).toBe(1n);
        }
      }),
    );
  });
});

describe('the decision', () => {
  const dueAt = new Date('2026-11-16T12:00:00Z');
  const order = ({ state, received, isForReview }: Case) =>
    ({
      state,
      memories: { information: isForReview ? 'IN_REVIEW' : 'AWAITING_PAYMENT' },
      amountIn: amount('EUR', 10_000n),
      amountReceived: amount('EUR', received),
      rateGuaranteedUntil: dueAt,
    }) as Order;

  interface Case {
    readonly state: OrderState;
    readonly received: bigint;
    readonly minor: bigint;
    readonly currency: 'EUR' | 'USD';
    readonly isLate: boolean;
    /** A reviewer has asked for information. */
    readonly isForReview: boolean;
  }

  /** Written from the text of the design: the first line that holds is the answer. */
  function oracle({ state, received, minor, currency, isLate, isForReview }: Case): string {
    const isPaid = received === 10_000n;
    const isAsked = state === 'ACTION_REQUIRED' && !isForReview;
    const isOpen = state === 'AWAITING_PAYMENT' || (isAsked && received === 0n);
    const lines: [boolean, string][] = [
      [state === 'CANCELLED', 'order_cancelled'],
      [state === 'EXPIRED', 'order_expired'],
      [isPaid && minor === 10_000n && currency === 'EUR', 'duplicate'],
      [isPaid || !isOpen, 'order_not_payable'],
      [currency !== 'EUR', 'wrong_currency'],
      [isLate, 'late'],
      [received + minor < 10_000n, 'short'],
      [received + minor > 10_000n, 'over'],
    ];
    return lines.find(([holds]) => holds)?.[1] ?? 'exact';
  }

  it('is exact for what is missing, in time, and otherwise suspense with the reason of the oracle', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...orderStates),
        fc.constantFrom(0n, 4_000n, 10_000n),
        fc.constantFrom(1n, 5_999n, 6_000n, 6_001n, 9_999n, 10_000n, 10_001n),
        fc.constantFrom('EUR' as const, 'USD' as const),
        fc.constantFrom(-1, 0, 1),
        fc.boolean(),
        (state, received, minor, currency, ms, isForReview) => {
          const bookedAt = new Date(dueAt.getTime() + ms);
          const drawn: Case = { state, received, minor, currency, isLate: ms > 0, isForReview };
          const decision = decide({ amount: amount(currency, minor), bookedAt }, { order: order(drawn) });
          const said = decision.kind === 'exact' ? 'exact' : decision.reason;
          expect(said).toBe(oracle(drawn));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

it('a payer is like the user whatever banks do to names, and unlike for another person', () => {
  const user = { firstName: 'Ana María', lastName: 'Reyes Núñez' };
  const like = ['ANA MARIA REYES NUNEZ', 'Reyes Nunez, Ana Maria', 'ana reyes núñez', 'REYES NUNEZ ANA M'];
  const unlike = ['Boris Petrov', 'Reyes SL', 'Luis Gil Ortega', '---'];
  expect(like.filter((name) => isUnlike(name, user))).toEqual([]);
  expect(unlike.filter((name) => !isUnlike(name, user))).toEqual([]);
});
