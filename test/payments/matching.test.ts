/**
 * Which order a payment is for, and what becomes of it: against an oracle of its own, with references as banks mangle
 * them.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merchantId, newMerchantPublicId } from '../../src/ids.js';
import { amount } from '../../src/money/amount.js';
import { rateFromLiteral } from '../../src/money/rate.js';
import type { Order } from '../../src/orders/order/order.js';
import { type OrderState, orderStates } from '../../src/orders/order/transitions.js';
import { payinReferenceOf } from '../../src/orders/payin/payin-reference.js';
import { isMuchWorse, type RequoteOffer, type RequoteRefusal } from '../../src/orders/requote/requote.js';
import { isUnlike } from '../../src/payments/applications/payer-name.js';
import { type Decision, decide, type Rules } from '../../src/payments/matching/matching.js';
import { nearReferencesIn, orderIdsIn, referencesIn } from '../../src/payments/matching/references.js';
import type { Policies } from '../../src/payments/policies/policies.js';

const freshReference = fc
  .integer({ min: 1, max: 32 ** 6 - 1 })
  .map((merchant) => payinReferenceOf(newMerchantPublicId('ord', merchantId(merchant))));

const isDigit = (character: string) => /\d/.test(character);

/** What stands between the characters of a reference on a bank statement: nothing, mostly. */
const gap = fc.constantFrom('', '', '', '', '', ' ', '  ', '-', '\n', '/', '.', '\u00A0');
const mangled = (reference: string) =>
  fc
    .tuple(fc.array(gap, { minLength: reference.length, maxLength: reference.length }), fc.boolean())
    .map(([gaps, isLower]) => {
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

  it('may also be the id of the order, as the API or a bank writes it', () => {
    const ids = fc
      .integer({ min: 1, max: 32 ** 6 - 1 })
      .map((merchant) => newMerchantPublicId('ord', merchantId(merchant)));
    const cases = ids.chain((id) => fc.tuple(fc.constant(id), mangled(id.replace('_', '')), words, words));
    fc.assert(
      fc.property(cases, ([id, text, before, after]) => {
        expect(orderIdsIn(`${before}${text} ${after}`)).toEqual([id]);
        expect(orderIdsIn(`${before}${id}/${id.toUpperCase()}`)).toEqual([id]);
        expect(orderIdsIn(`${before}${id.slice(0, -1)}`)).toEqual([]);
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
          const digits = [...`${found.slice(4)}${found.slice(0, 4)}`].map((one) => Number.parseInt(one, 36)).join('');
          expect(BigInt(digits) % 97n).toBe(1n);
        }
      }),
    );
  });
});

describe('the decision', () => {
  const dueAt = new Date('2026-11-16T12:00:00Z');
  const order = ({ state, received, isForReview, isCancelled }: Case) =>
    ({
      state,
      memories: isForReview
        ? { information: 'IN_REVIEW', review: 'AWAITING_PAYMENT' }
        : { information: 'AWAITING_PAYMENT', review: 'AWAITING_PAYMENT' },
      amountIn: amount('EUR', 10_000n),
      amountReceived: amount('EUR', received),
      rateGuaranteedUntil: dueAt,
      payinAccount: {},
      cancellationRequestedAt: isCancelled ? dueAt : undefined,
    }) as Order;

  interface Case {
    readonly state: OrderState;
    readonly received: bigint;
    readonly minor: bigint;
    readonly currency: 'EUR' | 'USD';
    readonly isLate: boolean;
    /** A reviewer has asked for information. */
    readonly isForReview: boolean;
    readonly isCancelled: boolean;
    readonly policies: Policies;
    /** What the rates of today say. */
    readonly today: 'fine' | 'worse' | RequoteRefusal;
  }

  const isReviewed = ({ state, isForReview }: Case) =>
    ['IN_REVIEW', 'FROZEN'].includes(state) || (state === 'ACTION_REQUIRED' && isForReview);
  const back = (drawn: Case, policy: string) => (policy === 'refund' && !isReviewed(drawn) ? ' returned' : '');

  /** What an order says that takes the money. */
  function takes(drawn: Case): string {
    const { received, minor, policies } = drawn;
    const excess = received + minor - 10_000n;
    return excess > 0n ? `taken ${minor - excess} excess ${excess}${back(drawn, policies.over)}` : `taken ${minor}`;
  }

  /** Written from the text of the design: the first line that holds is the answer. */
  function oracle(drawn: Case): string {
    const { state, received, minor, currency, isLate, isCancelled, policies, today } = drawn;
    const isPaid = received === 10_000n;
    const isOpen = ['AWAITING_PAYMENT', 'ACTION_REQUIRED'].includes(state) && !isPaid && !isCancelled;
    const isPaidAgain = !isOpen && isPaid && minor === 10_000n && currency === 'EUR';
    const total = received + minor;
    const suspense = (reason: string, policy: string) => `suspense ${reason}${back(drawn, policy)}`;
    const requoted = `${takes(drawn)} requoted ${total > 10_000n ? 10_000n : total} ${today}`;
    const lines: [boolean, string][] = [
      [state === 'CANCELLED', suspense('order_cancelled', policies.afterEnd)],
      [state === 'EXPIRED', suspense('order_expired', policies.afterEnd)],
      [isPaidAgain, suspense('duplicate', policies.duplicate)],
      [!isOpen, suspense('order_not_payable', policies.afterEnd)],
      [currency !== 'EUR', suspense('wrong_currency', policies.wrongCurrency)],
      [isLate && (isReviewed(drawn) || policies.late !== 'requote'), suspense('late', policies.late)],
      [isLate && !['fine', 'worse'].includes(today), suspense(today, 'suspense')],
      [isLate, requoted],
      [total < 10_000n && policies.short !== 'wait', suspense('short', policies.short)],
    ];
    return lines.find(([holds]) => holds)?.[1] ?? takes(drawn);
  }

  function said(decision: Decision): string {
    if (decision.kind === 'suspense') {
      return `suspense ${decision.reason}${decision.isReturned ? ' returned' : ''}`;
    }
    const { excess, requote } = decision;
    const over = excess ? ` excess ${excess.amount.minor}${excess.isReturned ? ' returned' : ''}` : '';
    const asked = requote?.needsAcceptance ? 'worse' : 'fine';
    const terms = requote ? ` requoted ${requote.terms.amountIn.minor} ${asked}` : '';
    return `taken ${decision.amount.minor}${over}${terms}`;
  }

  const cases: fc.Arbitrary<Case & { ms: number }> = fc
    .record({
      state: fc.oneof(
        fc.constantFrom(...orderStates),
        fc.constantFrom('AWAITING_PAYMENT' as const, 'ACTION_REQUIRED' as const),
      ),
      received: fc.constantFrom(0n, 4_000n, 10_000n),
      minor: fc.constantFrom(1n, 5_999n, 6_000n, 6_001n, 9_999n, 10_000n, 10_001n),
      currency: fc.constantFrom('EUR' as const, 'EUR' as const, 'USD' as const),
      ms: fc.constantFrom(-1, 0, 1),
      isForReview: fc.boolean(),
      isCancelled: fc.constantFrom(false, false, true),
      policies: fc.record({
        short: fc.constantFrom('wait' as const, 'refund' as const, 'suspense' as const),
        over: fc.constantFrom('refund' as const, 'suspense' as const),
        late: fc.constantFrom('requote' as const, 'refund' as const, 'suspense' as const),
        duplicate: fc.constantFrom('refund' as const, 'suspense' as const),
        wrongCurrency: fc.constantFrom('refund' as const, 'suspense' as const),
        afterEnd: fc.constantFrom('refund' as const, 'suspense' as const),
      }),
      today: fc.constantFrom(
        ...(['fine', 'worse', 'rates_unavailable', 'corridor_unavailable', 'amount_out_of_range'] as const),
      ),
    })
    .map((drawn) => ({ ...drawn, isLate: drawn.ms > 0 }));

  const decided = ({ ms, ...drawn }: Case & { ms: number }) => {
    const { policies, today, currency, minor } = drawn;
    const requote: Rules['requote'] = (_, amountIn) =>
      today === 'fine' || today === 'worse'
        ? ({ terms: { amountIn }, needsAcceptance: today === 'worse' } as RequoteOffer)
        : today;
    const bookedAt = new Date(dueAt.getTime() + ms);
    const arrived = { amount: amount(currency, minor), bookedAt, bookedOn: undefined };
    return decide(arrived, order(drawn), { policies, requote });
  };

  it('is what the oracle says, for every state, amount, currency, time and policy', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        expect(said(decided(drawn))).toBe(oracle(drawn));
      }),
      { numRuns: 4000 },
    );
  });

  it('puts every cent in exactly one place, and gives an order no more than it is missing', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const decision = decided(drawn);
        if (decision.kind === 'suspense') return;
        const { amount: taken, excess } = decision;
        expect(taken.minor + (excess?.amount.minor ?? 0n)).toBe(drawn.minor);
        expect(taken.minor).toBeLessThanOrEqual(10_000n - drawn.received);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same for an order in review and a frozen one', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const [reviewed, frozen] = (['IN_REVIEW', 'FROZEN'] as const).map((state) =>
          said(decided({ ...drawn, state })),
        );
        expect(frozen).toBe(reviewed);
      }),
    );
  });
});

describe('new terms', () => {
  const terms = (out: bigint, rate: string) => {
    const read = rateFromLiteral(rate);
    if ('fault' in read) throw new Error(rate);
    const eur = amount('EUR', 10_000n);
    return { amountIn: eur, fee: amount('EUR', 0n), amountOut: amount('MXN', out), rate: read };
  };

  it.each([
    ['the same', 200_000n, '20', false],
    ['better', 210_000n, '21', false],
    ['exactly 1 % worse', 198_000n, '19.8', false],
    ['worse by a cent more', 197_999n, '19.7999', true],
    ['at a worse rate although more arrives', 250_000n, '19.7', true],
    ['at a better rate although less arrives', 100_000n, '25', true],
  ])('are compared with the earlier ones when they are %s', (_, out, rate, isWorse) => {
    expect(isMuchWorse(terms(200_000n, '20'), terms(out, rate))).toBe(isWorse);
  });
});

it('a payer is like the user whatever banks do to names, and unlike for another person', () => {
  const user = { firstName: 'Ana María', lastName: 'Reyes Núñez' };
  const like = [
    'ANA MARIA REYES NUNEZ',
    'Reyes Nunez, Ana Maria',
    'ana reyes núñez',
    'REYES NUNEZ ANA M',
    'Ana Mar\u200bia Re\u00adyes Nunez',
  ];
  const unlike = ['Boris Petrov', 'Reyes SL', 'Luis Gil Ortega', '---'];
  expect(like.filter((name) => isUnlike(name, user))).toEqual([]);
  expect(unlike.filter((name) => !isUnlike(name, user))).toEqual([]);
});
