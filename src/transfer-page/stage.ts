/**
 * What a sender understands of the state of an order. It is decided from the order as its GET shows it, so a page never
 * tells more than the API: a freeze looks like a review, and a review like any other preparation. Pure.
 */
import type { viewOfOrder } from '../orders/order/wire/order-view.js';

export const stages = [
  'pay',
  'payRest',
  'notYet',
  'preparing',
  'answer',
  'choose',
  'cancelling',
  'sent',
  'collect',
  'arrived',
  'delayed',
  'refunding',
  'refunded',
  'cancelled',
  'expired',
] as const;
export type Stage = (typeof stages)[number];

export type OrderView = ReturnType<typeof viewOfOrder>;

export function stageOf(order: OrderView): Stage {
  const { status, requirements, amountReceived, cancellationRequestedAt, payoutMethod } = order;
  switch (status) {
    case 'AWAITING_PAYMENT':
      return amountReceived > 0 ? 'payRest' : 'pay';
    case 'PAYMENT_RECEIVED':
    case 'IN_REVIEW':
    case 'CONVERTED':
      if (cancellationRequestedAt !== null) return 'cancelling';
      return amountReceived > 0 ? 'preparing' : 'notYet';
    case 'ACTION_REQUIRED':
      if (cancellationRequestedAt !== null) return 'cancelling';
      return requirements.some(({ code }) => code === 'requote') ? 'choose' : 'answer';
    case 'PAYOUT_SUBMITTED':
      return payoutMethod === 'cash_pickup' ? 'collect' : 'sent';
    case 'COMPLETED':
      return 'arrived';
    case 'PAYOUT_FAILED':
    case 'RETURNED':
      return 'delayed';
    case 'REJECTED':
    case 'REFUND_PENDING':
    case 'REFUND_FAILED':
      return 'refunding';
    case 'REFUNDED':
      return 'refunded';
    case 'CANCELLED':
      return 'cancelled';
    case 'EXPIRED':
      return 'expired';
  }
}

/** Money is expected: the page says how to pay. An order that asks for information may be waiting for it too. */
export function takesMoney({ status, amountMissing, cancellationRequestedAt }: OrderView): boolean {
  const isWaiting = status === 'AWAITING_PAYMENT' || status === 'ACTION_REQUIRED';
  return isWaiting && amountMissing > 0 && cancellationRequestedAt === null;
}

/** The recipient may be corrected until the money has come, and while something is asked. */
export function allowsCorrection({ status, cancellationRequestedAt }: OrderView): boolean {
  return (status === 'AWAITING_PAYMENT' || status === 'ACTION_REQUIRED') && cancellationRequestedAt === null;
}

export const stepNames = ['paid', 'prepared', 'sent', 'arrived', 'goingBack', 'back'] as const;
export type StepName = (typeof stepNames)[number];
export interface Step {
  readonly name: StepName;
  readonly progress: 'done' | 'current' | 'open';
}

const forward: readonly StepName[] = ['paid', 'prepared', 'sent', 'arrived'];
const backward: readonly StepName[] = ['paid', 'goingBack', 'back'];

/** The step that is under way; one beyond the last when all are done. */
const currentStep: Readonly<Record<Stage, { readonly way: readonly StepName[]; readonly index: number } | undefined>> =
  {
    pay: { way: forward, index: 0 },
    payRest: { way: forward, index: 0 },
    notYet: { way: forward, index: 0 },
    preparing: { way: forward, index: 1 },
    answer: { way: forward, index: 1 },
    choose: { way: forward, index: 1 },
    cancelling: { way: backward, index: 1 },
    sent: { way: forward, index: 3 },
    collect: { way: forward, index: 3 },
    arrived: { way: forward, index: 4 },
    delayed: { way: forward, index: 2 },
    refunding: { way: backward, index: 1 },
    refunded: { way: backward, index: 3 },
    cancelled: undefined,
    expired: undefined,
  };

/** Empty for a transfer that ended before anything was sent. */
export function stepsOf(order: OrderView): Step[] {
  const stage = stageOf(order);
  const at = currentStep[stage];
  if (!at) return [];
  // While information is asked for before the money has come, paying is still the current step.
  const index = takesMoney(order) ? 0 : at.index;
  return at.way.map((name, position) => ({
    name,
    progress: position < index ? 'done' : position === index ? 'current' : 'open',
  }));
}

/** Nothing will happen any more, so the page need not be asked again. */
export function isFinal(stage: Stage): boolean {
  return stage === 'arrived' || stage === 'refunded' || stage === 'cancelled' || stage === 'expired';
}
