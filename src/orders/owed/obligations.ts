/**
 * Who must act on the money of an order, by its state and the account that the money is on. Data only. What is said of
 * reviews is also true of freezes, because merchants read it.
 */
import type { Obligation } from '../../tasks/obligation.js';
import type { OrderState } from '../order/transitions.js';

/** Where customers' money of an order can be. */
type Account = 'liability' | 'payout' | 'refund' | 'frozen' | 'settlement';

const safeguarding = 'Directive (EU) 2015/2366 art. 10: the money of customers is safeguarded until it has left';
const execution = 'Directive (EU) 2015/2366 art. 83: credited by the end of the next business day';
const failed =
  'Directive (EU) 2015/2366 art. 89 and 12 CFR 1005.33: what was not carried out is refunded without delay';
const refunding = 'Directive (EU) 2015/2366 art. 89 and 12 CFR 1005.34(c): refunded within three business days';
const diligence = 'Directive (EU) 2015/849 art. 13, 18 and 35, 31 CFR 1022.210: examined before it is carried out';
const blocking = '31 CFR 501.603: reported within 10 business days; Regulation (EU) No 269/2014 art. 2 and 8';

const review = {
  nextActor: 'operator',
  action: 'decides the review',
  due: 'one day after the review began',
  afterwards: 'An admin decides. Nothing happens by itself.',
  task: 'order_review',
  legalBasis: diligence,
} as const;
const question = {
  nextActor: 'sender',
  action: 'answers what is in `requirements`',
  due: '`actionRequiredBy`',
  afterwards: 'The money goes back to the payer; in a review, an operator decides.',
  task: 'order_review',
  legalBasis: diligence,
} as const;
const failure = {
  nextActor: 'operator',
  action: 'asks for a correction, tries the payout again, or pays back',
  due: 'one day after the payout failed or came back',
  afterwards: 'An admin decides. The sender can cancel at any time.',
  task: 'payout_failed',
  legalBasis: failed,
} as const;
const rejection = {
  nextActor: 'service',
  action: 'opens the refund',
  due: 'at once',
  afterwards: 'An operator finds out what it waits for.',
  task: 'order_stuck',
  legalBasis: refunding,
} as const;

interface OrderObligation extends Obligation {
  readonly state: OrderState;
  readonly account: Account;
}

const of = (
  state: OrderState,
  account: Account,
  rule: Omit<Obligation, 'record' | 'state' | 'account'>,
): OrderObligation => ({ record: 'order', state, account, ...rule });

export const orderObligations: readonly OrderObligation[] = [
  of('AWAITING_PAYMENT', 'liability', {
    nextActor: 'sender',
    action: 'pays the rest, or cancels',
    due: '`paymentDueAt`, and a day for banks that report late',
    afterwards: 'The part that was paid goes back to the payer.',
    legalBasis: safeguarding,
  }),
  of('PAYMENT_RECEIVED', 'liability', {
    nextActor: 'service',
    action: 'converts the money',
    due: 'at once; for senders in the United States at `cancellableUntil`',
    afterwards: 'An operator finds out what it waits for.',
    task: 'order_stuck',
    legalBasis: `${execution}; 12 CFR 1005.34(a): 30 minutes to cancel`,
  }),
  of('IN_REVIEW', 'liability', review),
  of('IN_REVIEW', 'payout', review),
  of('IN_REVIEW', 'refund', review),
  of('ACTION_REQUIRED', 'liability', question),
  of('ACTION_REQUIRED', 'payout', question),
  of('ACTION_REQUIRED', 'refund', question),
  of('CONVERTED', 'payout', {
    nextActor: 'service',
    action: 'submits the payout',
    due: 'at once',
    afterwards: 'An operator finds out what it waits for.',
    task: 'order_stuck',
    legalBasis: execution,
  }),
  of('PAYOUT_SUBMITTED', 'settlement', {
    nextActor: 'bank',
    action: 'pays the beneficiary',
    due: '`estimatedArrivalAt`',
    afterwards: 'An operator finds out where the money is.',
    task: 'order_stuck',
    legalBasis: execution,
  }),
  of('COMPLETED', 'settlement', {
    nextActor: 'operator',
    action: 'books the debit that the bank statement shows',
    due: 'one day after the statement',
    afterwards: 'The balance of the bank account differs from the ledger.',
    task: 'balance_differs',
    legalBasis: safeguarding,
  }),
  of('PAYOUT_FAILED', 'payout', failure),
  of('RETURNED', 'payout', failure),
  of('REJECTED', 'liability', rejection),
  of('REJECTED', 'payout', rejection),
  of('REFUND_PENDING', 'refund', {
    nextActor: 'bank',
    action: 'pays the payer back',
    due: '`refundDueBy`',
    afterwards: 'An operator finds out why it was not paid.',
    task: 'refund_failed',
    legalBasis: refunding,
  }),
  of('REFUND_FAILED', 'refund', {
    nextActor: 'operator',
    action: 'pays back to the same or to another account of the payer',
    due: '`refundDueBy`',
    afterwards: 'An admin decides.',
    task: 'refund_failed',
    legalBasis: refunding,
  }),
  of('FROZEN', 'frozen', {
    nextActor: 'operator',
    action: 'reports the blocked money to the authority, and releases it when that is allowed',
    due: 'ten days after the freeze',
    afterwards: 'An admin answers for the report. The money does not move.',
    task: 'order_frozen',
    legalBasis: blocking,
    isConfidential: true,
  }),
];
