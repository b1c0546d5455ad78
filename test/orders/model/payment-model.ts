/**
 * What becomes of a payment, by the design: the order takes it, or it is in suspense with a reason. Without code of the
 * service.
 */
import type { LaneModel } from './lane.js';
import type { ModelOrder } from './order-model.js';
import type { Outcome, Surroundings } from './order-record.js';
import { isListed } from './people.js';
import type { ModelPolicies } from './policy-model.js';
import { ModelSuspense } from './suspense-model.js';

/** The corridor sends nothing smaller, so that there are no new terms for less. */
const leastMinor = 500;

export interface ModelPayment {
  readonly minor: number;
  readonly currency: 'USD' | 'EUR';
  readonly payer: string;
}

/** A payment that names this order. */
export function receive(model: LaneModel, order: ModelOrder, payment: ModelPayment, around: Surroundings): Outcome {
  const { policies } = model;
  const { minor, currency, payer } = payment;
  const isLate = order.isLate(model.hour);
  const reason = reasonAgainst(model, order, payment, isLate);
  if (reason) return suspend(model, order, { ...payment, reason }, around);
  model.pay(currency, minor);
  const taken = Math.min(minor, order.missingMinor);
  const excess = minor - taken;
  if (excess > 0) {
    const record = new ModelSuspense('over', currency, excess, model.hour, payer, accountOf(model, order));
    record.order = model.orders.indexOf(order);
    record.numbers[record.order] = order.takenSoFar;
    model.suspense.push(record);
    if (policies.over === 'refund' && !order.isUnderReview) payBackByPolicy(model, record, around);
  }
  const account = accountOf(model, order);
  take(model, order, { minor: taken, payer, isListed: isListed(payer, around), isLate, account });
  return ['applied'];
}

/** Why the order does not take the payment; undefined when it does. */
function reasonAgainst(
  { policies }: LaneModel,
  order: ModelOrder,
  payment: ModelPayment,
  isLate: boolean,
): Reason | undefined {
  const { minor } = payment;
  const obstacle = obstacleOf(order, payment);
  if (obstacle) return obstacle;
  const isShort = minor < order.missingMinor;
  if (!isLate) return isShort && policies.short !== 'wait' ? 'short' : undefined;
  if (policies.late !== 'requote' || order.isUnderReview) return 'late';
  const total = order.receivedMinor + Math.min(minor, order.missingMinor);
  return total < leastMinor ? 'amount_out_of_range' : undefined;
}

type Reason =
  | ('order_cancelled' | 'order_expired' | 'order_not_payable' | 'duplicate' | 'wrong_currency')
  | ('short' | 'late' | 'amount_out_of_range');

/** Which policy decides about money in suspense. Nothing was declared about money that is too little for new terms. */
const policyFor: Readonly<Record<Reason, keyof ModelPolicies | undefined>> = {
  ...{ order_cancelled: 'afterEnd', order_expired: 'afterEnd', order_not_payable: 'afterEnd' },
  ...{ duplicate: 'duplicate', wrong_currency: 'wrongCurrency', short: 'short', late: 'late' },
  amount_out_of_range: undefined,
};

/** A payment that names no order, or not clearly. */
export function receiveUnnamed(
  model: LaneModel,
  reason: string,
  payment: ModelPayment,
  account = 'of nobody',
): Outcome {
  const { minor, currency, payer } = payment;
  model.pay(currency, minor);
  model.suspense.push(new ModelSuspense(reason, currency, minor, model.hour, payer, account));
  return [reason];
}

/** An operator finds out that money in suspense is for this order. What the order does not need stays. */
export function takeFromSuspense(
  model: LaneModel,
  record: ModelSuspense,
  { order, seen }: { readonly order: ModelOrder; readonly seen: number },
  around: Surroundings,
): Outcome {
  const obstacle = record.obstacle(seen, ['OPEN']);
  if (obstacle) return obstacle;
  const isLate = order.isLate(record.bookedHour);
  const isTaken = order.isPayable && record.currency === 'USD' && !(isLate && order.isUnderReview);
  if (!isTaken) return [409, 'suspense_not_matchable'];
  const taken = Math.min(record.leftMinor, order.missingMinor);
  if (isLate && order.receivedMinor + taken < leastMinor) return [422, 'amount_out_of_range'];
  record.match(taken);
  // Operators have seen its payer already.
  const isCleared = record.clearedFor === model.orders.indexOf(order);
  const index = model.orders.indexOf(order);
  const { account, numbers, payer } = record;
  const who = { payer, isListed: isListed(payer, around), isCleared };
  numbers[index] = take(model, order, { minor: taken, ...who, isLate, account, number: numbers[index] });
  return [200];
}

interface Taken {
  readonly minor: number;
  readonly payer: string;
  readonly isListed: boolean;
  readonly isCleared?: boolean;
  readonly isLate: boolean;
  readonly account: string;
  readonly number?: number | undefined;
}

/** The bank of the sandbox has one account for each user. Each order is one user's. */
function accountOf(model: LaneModel, order: ModelOrder): string {
  return `of ${model.orders.indexOf(order)}`;
}

function take({ hour }: LaneModel, order: ModelOrder, { isLate, ...taken }: Taken): number {
  const { minor } = taken;
  // What was ordered, or what the sender accepted for a payment that was taken off since.
  const agreedMinor = order.amountInMinor;
  if (isLate) order.requote(minor);
  const number = order.take(hour, taken);
  // The rate of the sandbox is the same every day, so that only a smaller amount is worse.
  if (isLate && order.amountInMinor < agreedMinor * 0.99) order.askForAcceptance(hour);
  return number;
}

function obstacleOf(order: ModelOrder, { minor, currency }: ModelPayment): Reason | undefined {
  if (order.state === 'CANCELLED') return 'order_cancelled';
  if (order.state === 'EXPIRED') return 'order_expired';
  const isRightCurrency = currency === 'USD';
  if (order.isPayable) return isRightCurrency ? undefined : 'wrong_currency';
  const isAgain = isRightCurrency && order.isPaid && minor === order.amountInMinor;
  return isAgain ? 'duplicate' : 'order_not_payable';
}

/** Its merchant is told that money came for the order. During a review no money moves by itself. */
function suspend(
  model: LaneModel,
  order: ModelOrder,
  { reason, ...payment }: ModelPayment & { readonly reason: Reason },
  around: Surroundings,
): Outcome {
  order.tell('order.payment_recorded');
  const outcome = receiveUnnamed(model, reason, payment, accountOf(model, order));
  const policy = policyFor[reason];
  const record = model.suspense.at(-1);
  if (record) record.order = model.orders.indexOf(order);
  if (record && policy && model.policies[policy] === 'refund' && !order.isUnderReview)
    payBackByPolicy(model, record, around);
  return outcome;
}

/** Nobody is asked, so nothing may be known against anybody. */
function payBackByPolicy(model: LaneModel, record: ModelSuspense, around: Surroundings): void {
  const { isStopped, clues } = model.examine(record, around);
  if (!isStopped && clues.length === 0) record.payBack(record.version, []);
}
