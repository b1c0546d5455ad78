/** The events of an order: what each does, who may cause it, and which journals it may write. Pure data. */

export const orderEvents = [
  'create',
  'change_beneficiary',
  'record_payment',
  'complete_payment',
  'record_unapplied_payment',
  'requote',
  'refuse_requote',
  'take_off_payment',
  'reverse_payment',
  'record_loss',
  'record_clawback',
  'cancel',
  'cancel_and_refund',
  'request_cancellation',
  'expire',
  'expire_and_refund',
  'refer',
  'approve',
  'refuse',
  'close',
  'request_information',
  'record_information',
  'provide_information',
  'freeze',
  'release',
  'convert',
  'submit_payout',
  'complete',
  'fail_payout',
  'record_paid_twice',
  'prove_payout',
  'correct_completion',
  'return',
  'refund',
  'retry_refund',
  'update_refund',
  'settle_refund',
  'fail_refund',
  'prove_refund',
  'prove_refund_part',
  'record_overpaid_refund',
] as const;
export type OrderEvent = (typeof orderEvents)[number];

export type OrderActor = 'merchant' | 'user' | 'operator' | 'system';

/**
 * The journals of the ledger that a transition may write, by the names of `src/ledger/postings.ts` or of a reversal.
 */
export type OrderPostings = PaymentPostings | LossPostings | ConversionPostings | PayoutPostings | RefundPostings;
type PaymentPostings =
  | ('payment_received' | 'payment_over' | 'suspense_matched')
  | ('payment_taken_off' | 'payment_voided' | 'payment_unassigned');
type LossPostings = 'clawback' | 'loss_recovered' | 'paid_twice' | 'refund_overpaid';
type ConversionPostings = 'converted' | 'conversion_reversed' | 'frozen' | 'released';
type PayoutPostings =
  | ('payout_submitted' | 'payout_withdrawn' | 'payout_withdrawal_reversed')
  | ('payout_debited' | 'payout_debit_reversed' | 'payout_failed' | 'payout_failure_reversed')
  | ('payout_charged' | 'payout_charge_reversed' | 'payout_returned' | 'payout_return_reversed');
type RefundPostings =
  | ('refund_due' | 'refund_due_reversed' | 'refunded' | 'refund_returned')
  | ('movement_in' | 'movement_reversed');

/** What an event does, whatever the state. */
interface EventRule {
  readonly meaning: string;
  readonly by: readonly OrderActor[];
  /** Which journals the transition may write. */
  readonly postings?: readonly OrderPostings[];
  /** A second operator must approve it. */
  readonly needsTwoOperators?: true;
  /** The type of the notification where the status stays the same; a change of status is called `order.<status>`. */
  readonly notice?: string;
  /** The order remembers the state that it leaves, and a later event resumes there. */
  readonly remembers?: Memory;
  /** The order goes back to the state that it remembers. */
  readonly resumes?: Memory;
}

/** A review may be interrupted by a request for information, so an order remembers one state for each. */
export type Memory = 'review' | 'information';

const sender = ['merchant', 'user'] as const;
const service = ['system'] as const;
const reviewer = ['operator'] as const;
const serviceOrReviewer = ['system', 'operator'] as const;
const anyone = ['merchant', 'user', 'operator'] as const;

export const eventRules: Readonly<Record<OrderEvent, EventRule>> = {
  create: { meaning: 'A quote is taken and the order begins.', by: sender },
  change_beneficiary: {
    meaning: 'The details of the beneficiary are corrected.',
    notice: 'order.beneficiary_changed',
    by: sender,
  },
  record_payment: {
    meaning: 'A part of the money has arrived, or the rest while the sender is asked for information.',
    notice: 'order.payment_recorded',
    by: serviceOrReviewer,
    postings: ['payment_received', 'payment_over', 'suspense_matched'],
  },
  complete_payment: {
    meaning: 'All of the money has arrived, and nothing else is open.',
    by: serviceOrReviewer,
    postings: ['payment_received', 'payment_over', 'suspense_matched'],
  },
  record_unapplied_payment: {
    meaning: 'Money has arrived that the order does not take.',
    notice: 'order.payment_recorded',
    by: serviceOrReviewer,
  },
  requote: {
    meaning: 'Money came late, so the order gets the rate of today; or it was taken off, and the earlier terms return.',
    notice: 'order.requoted',
    by: serviceOrReviewer,
  },
  refuse_requote: {
    meaning: 'The sender does not accept the rate of today, and the money goes back.',
    by: anyone,
    postings: ['refund_due'],
  },
  take_off_payment: {
    meaning: 'A payment that was recorded by mistake is taken off, also while the sender is asked about its new terms.',
    notice: 'order.payment_recorded',
    by: reviewer,
    postings: ['payment_taken_off', 'payment_unassigned', 'payment_voided'],
    needsTwoOperators: true,
  },
  reverse_payment: {
    meaning: 'The bank claws the payment back before anybody was instructed to pay the money out.',
    by: serviceOrReviewer,
    postings: [
      ...(['payout_withdrawn', 'released', 'conversion_reversed', 'clawback'] as const),
      ...(['loss_recovered', 'payment_taken_off', 'payment_unassigned'] as const),
    ],
  },
  record_loss: {
    meaning: 'The bank claws the payment back after the payout was instructed.',
    notice: 'order.payment_reversed',
    by: serviceOrReviewer,
    postings: ['clawback'],
  },
  record_clawback: {
    meaning: 'The bank claws one of several payments back while the order is reviewed or refunded.',
    notice: 'order.payment_reversed',
    by: reviewer,
    postings: ['conversion_reversed', 'clawback', 'released', 'frozen'],
    needsTwoOperators: true,
  },
  cancel: { meaning: 'The order is cancelled before any money arrived.', by: anyone },
  cancel_and_refund: {
    meaning: 'The order is cancelled and the money goes back.',
    by: anyone,
    postings: ['conversion_reversed', 'loss_recovered', 'refund_due'],
  },
  request_cancellation: {
    meaning: 'The order is to be cancelled once its review is over.',
    notice: 'order.cancellation_requested',
    by: anyone,
  },
  expire: { meaning: 'No money arrived in time.', by: service },
  expire_and_refund: {
    meaning: 'Time ran out and the money that arrived goes back.',
    by: service,
    postings: ['conversion_reversed', 'loss_recovered', 'refund_due'],
  },
  refer: {
    meaning: 'A person must look at the order.',
    by: serviceOrReviewer,
    postings: ['payout_withdrawn'],
    remembers: 'review',
  },
  // A freeze reverses the conversion. The approval of an order that was converted makes it again.
  approve: { meaning: 'The review is passed.', by: reviewer, postings: ['converted'], resumes: 'review' },
  refuse: { meaning: 'The review is not passed.', by: reviewer },
  close: {
    meaning: 'The review of an order that nobody paid is not passed, or was requested to be cancelled.',
    by: reviewer,
  },
  request_information: {
    meaning: 'Information or a correction is needed.',
    by: serviceOrReviewer,
    remembers: 'information',
  },
  record_information: {
    meaning: 'A part of what was needed has been provided.',
    notice: 'order.information_recorded',
    by: anyone,
  },
  provide_information: {
    meaning: 'What was needed has been provided.',
    by: anyone,
    resumes: 'information',
  },
  freeze: {
    meaning: 'The money must not move.',
    by: reviewer,
    postings: ['payout_withdrawn', 'conversion_reversed', 'frozen'],
    remembers: 'review',
  },
  release: {
    meaning: 'A freeze ends; the review goes on.',
    by: reviewer,
    postings: ['released'],
    needsTwoOperators: true,
  },
  convert: {
    meaning: 'The money is converted and income is recognised.',
    by: service,
    postings: ['converted'],
  },
  submit_payout: {
    meaning: 'The payout is decided. The rail is asked afterwards.',
    by: serviceOrReviewer,
    postings: ['payout_submitted'],
  },
  complete: {
    meaning: 'The beneficiary has the money.',
    by: serviceOrReviewer,
    postings: ['payout_debited', 'payout_charged'],
  },
  fail_payout: {
    meaning: 'The rail refuses or recalls the payout.',
    by: serviceOrReviewer,
    postings: ['payout_failed', 'payout_charged'],
  },
  record_paid_twice: {
    meaning: 'The beneficiary was paid twice by mistake. The loss is ours.',
    notice: 'order.paid_twice',
    by: reviewer,
    postings: ['paid_twice', 'payout_debited', 'payout_charged'],
    needsTwoOperators: true,
  },
  prove_payout: {
    meaning: 'A late proof shows that the beneficiary has the money.',
    by: reviewer,
    postings: [
      ...(['payout_withdrawn', 'released', 'refund_due_reversed', 'converted'] as const),
      ...(['payout_failure_reversed', 'payout_withdrawal_reversed', 'payout_charge_reversed'] as const),
      ...(['payout_return_reversed', 'movement_reversed', 'payout_debited', 'payout_charged'] as const),
    ],
    needsTwoOperators: true,
  },
  correct_completion: {
    meaning: 'The order was marked as paid by mistake.',
    by: reviewer,
    postings: ['payout_debit_reversed', 'payout_charge_reversed'],
    needsTwoOperators: true,
  },
  return: {
    meaning: 'The money came back after it was paid.',
    by: serviceOrReviewer,
    postings: ['movement_in', 'payout_returned'],
  },
  refund: {
    meaning: 'The money is to go back to the payer.',
    by: serviceOrReviewer,
    postings: ['conversion_reversed', 'released', 'loss_recovered', 'refund_due'],
  },
  retry_refund: {
    meaning: 'No refund waits any more because it failed: it is tried again, or no longer owed.',
    by: serviceOrReviewer,
  },
  update_refund: {
    meaning: 'Something about a refund changed.',
    notice: 'order.refund_updated',
    by: serviceOrReviewer,
    postings: ['refunded'],
  },
  settle_refund: { meaning: 'All payers have their money back.', by: serviceOrReviewer, postings: ['refunded'] },
  fail_refund: {
    meaning: 'A refund was refused or bounced.',
    by: serviceOrReviewer,
    postings: ['movement_in', 'refund_returned'],
  },
  prove_refund: {
    meaning: 'A late proof shows that a payer has the money back, and nobody is owed anything any more.',
    by: reviewer,
    postings: ['released', 'refunded', 'refund_overpaid'],
    needsTwoOperators: true,
  },
  prove_refund_part: {
    meaning: 'A late proof shows that one of several payers has the money back.',
    notice: 'order.refund_updated',
    by: reviewer,
    postings: ['released', 'refunded', 'refund_overpaid', 'frozen'],
    needsTwoOperators: true,
  },
  record_overpaid_refund: {
    meaning: 'A payer was paid back twice, or although nothing was owed. The loss is ours.',
    notice: 'order.paid_twice',
    by: reviewer,
    postings: ['refund_overpaid'],
    needsTwoOperators: true,
  },
};
