/**
 * Decides what becomes of a payment. Pure: nothing is guessed, and whatever no order takes goes to suspense with a
 * reason.
 */

import { dayAt, nextBankDay } from '../../bank/accounts/bank-day.js';
import { type Amount, add, compare, subtract } from '../../money/amount.js';
import type { Order } from '../../orders/order/order.js';
import { isPaid, isPayable } from '../../orders/order/payable.js';
import { isUnderReview } from '../../orders/order/review.js';
import type { RequoteOffer, RequoteRefusal } from '../../orders/requote/requote.js';
import type { Movement, SuspenseReason } from '../payment.js';
import type { Policies } from '../policies/policies.js';

/** What the text of a payment leads to. */
export type Candidate =
  | { readonly order: Order }
  | {
      readonly reason: 'no_reference' | 'unknown_reference' | 'several_references' | 'mistyped_reference';
      /** The only order whose reference differs in one character, or whose id the text names. */
      readonly suggested?: Order;
    };

/** What holds for the merchant of the order at this moment. */
export interface Rules {
  readonly policies: Policies;
  /** The terms of today for an order that was paid late, or why there are none. */
  readonly requote: (order: Order, amountIn: Amount) => RequoteOffer | RequoteRefusal;
}

/** The order takes the payment, or all that it needs of it. */
export interface Taken {
  readonly kind: 'taken';
  readonly order: Order;
  readonly amount: Amount;
  /** What the order does not need. */
  readonly excess: { readonly amount: Amount; readonly isReturned: boolean } | undefined;
  /** The terms that the order gets, because the money came late. */
  readonly requote: RequoteOffer | undefined;
}

export interface Suspended {
  readonly kind: 'suspense';
  readonly reason: SuspenseReason;
  readonly order: Order | undefined;
  /** It goes back to the payer at once. */
  readonly isReturned: boolean;
}

export type Decision = Taken | Suspended;

type Arrived = Pick<Movement, 'amount' | 'bookedAt' | 'bookedOn'>;

export function decide(payment: Arrived, order: Order, rules: Rules): Decision {
  const { policies } = rules;
  const reason = obstacle(payment.amount, order);
  if (reason) return suspended(order, reason, policyFor(reason, policies));
  if (isLate(payment, order) && policies.late !== 'requote') return suspended(order, 'late', policies.late);
  const taken = take(payment.amount, order, policies);
  const terms = termsFor({ ...payment, amount: taken.amount }, order, rules.requote);
  if (typeof terms === 'string') return suspended(order, terms, 'suspense');
  if (terms) return { ...taken, requote: terms };
  const isShort = compare(taken.amount, missingFrom(order)) < 0;
  return isShort && policies.short !== 'wait' ? suspended(order, 'short', policies.short) : taken;
}

/**
 * The rate of today for money that came late, for all that was paid; undefined for money that came in time. `late`: an
 * order under review gets no new terms.
 */
export function termsFor(
  arrived: Arrived,
  order: Order,
  requote: Rules['requote'],
): RequoteOffer | RequoteRefusal | 'late' | undefined {
  if (!isLate(arrived, order)) return undefined;
  return isUnderReview(order) ? 'late' : requote(order, add(order.amountReceived, arrived.amount));
}

/** For a text that leads to no order. A person decides. */
export function withoutOrder({ reason, suggested }: Exclude<Candidate, { order: Order }>): Suspended {
  return { kind: 'suspense', reason, order: suggested, isReturned: false };
}

type Obstacle = 'order_cancelled' | 'order_expired' | 'duplicate' | 'order_not_payable' | 'wrong_currency';

/** Why the order takes no such money at all; undefined when it does. */
function obstacle(amount: Amount, order: Order): Obstacle | undefined {
  if (order.state === 'CANCELLED') return 'order_cancelled';
  if (order.state === 'EXPIRED') return 'order_expired';
  const isRightCurrency = amount.currency === order.amountIn.currency;
  if (isPayable(order)) return isRightCurrency ? undefined : 'wrong_currency';
  const isPaidAgain = isRightCurrency && isPaid(order) && compare(amount, order.amountIn) === 0;
  return isPaidAgain ? 'duplicate' : 'order_not_payable';
}

function policyFor(reason: Obstacle, policies: Policies): Policies['afterEnd'] {
  if (reason === 'duplicate') return policies.duplicate;
  return reason === 'wrong_currency' ? policies.wrongCurrency : policies.afterEnd;
}

/**
 * Banks book by days, and nothing at the weekend: whoever ordered a transfer on a Friday evening must not lose the rate
 * on Monday. So the guarantee holds until the end of the bank's day, at the place of the account that the order names.
 * The simulated account is no bank and has exact times.
 */
function isLate({ bookedAt, bookedOn }: Arrived, { rateGuaranteedUntil, payinAccount }: Order): boolean {
  const { timeZone } = payinAccount;
  if (timeZone === undefined || bookedOn === undefined) return bookedAt > rateGuaranteedUntil;
  return bookedOn > nextBankDay(dayAt(rateGuaranteedUntil, timeZone));
}

function take(amount: Amount, order: Order, policies: Policies): Taken {
  const missing = missingFrom(order);
  const isOver = compare(amount, missing) > 0;
  const isReturned = policies.over === 'refund' && !isUnderReview(order);
  return {
    kind: 'taken',
    order,
    amount: isOver ? missing : amount,
    excess: isOver ? { amount: subtract(amount, missing), isReturned } : undefined,
    requote: undefined,
  };
}

/** During a review no money moves by itself, whatever the policy: a frozen order looks like a reviewed one. */
function suspended(order: Order, reason: SuspenseReason, policy: string): Suspended {
  return { kind: 'suspense', reason, order, isReturned: policy === 'refund' && !isUnderReview(order) };
}

function missingFrom({ amountIn, amountReceived }: Order): Amount {
  return subtract(amountIn, amountReceived);
}
