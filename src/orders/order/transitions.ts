/**
 * The one table of the states of an order. The published machine, docs/order-states.md and the tests come from it, and
 * a trigger of the database refuses every change of state that is not listed here.
 */
import { eventRules, type Memory, type OrderActor, type OrderEvent, orderEvents } from './order-events.js';

export const orderStates = [
  'AWAITING_PAYMENT',
  'PAYMENT_RECEIVED',
  'IN_REVIEW',
  'ACTION_REQUIRED',
  'CONVERTED',
  'PAYOUT_SUBMITTED',
  'COMPLETED',
  'PAYOUT_FAILED',
  'RETURNED',
  'REJECTED',
  'REFUND_PENDING',
  'REFUND_FAILED',
  'REFUNDED',
  'CANCELLED',
  'EXPIRED',
  'FROZEN',
] as const;
export type OrderState = (typeof orderStates)[number];
/** What merchants and users see. A freeze looks like a review, so that nobody is warned. */
export type PublicState = Exclude<OrderState, 'FROZEN'>;

export interface Transition {
  readonly event: OrderEvent;
  /** Null when the order is created. */
  readonly from: OrderState | null;
  readonly to: OrderState;
}

/** States in which we may hold money of the customer that has not left us. */
const holding: readonly OrderState[] = [
  'AWAITING_PAYMENT',
  'PAYMENT_RECEIVED',
  'ACTION_REQUIRED',
  'CONVERTED',
  'PAYOUT_FAILED',
  'RETURNED',
  'REJECTED',
  'REFUND_PENDING',
  'REFUND_FAILED',
];
const proving: readonly OrderState[] = [
  ...(['CONVERTED', 'PAYOUT_SUBMITTED', 'ACTION_REQUIRED', 'IN_REVIEW', 'FROZEN'] as const),
  ...(['REFUND_PENDING', 'REFUND_FAILED'] as const),
];
/** States in which somebody may be owed a refund. */
const provingRefund: readonly OrderState[] = [
  ...(['REFUND_PENDING', 'REFUND_FAILED', 'IN_REVIEW', 'ACTION_REQUIRED', 'FROZEN'] as const),
];
const informed: readonly OrderState[] = [
  'AWAITING_PAYMENT',
  'PAYMENT_RECEIVED',
  'IN_REVIEW',
  'PAYOUT_FAILED',
  'RETURNED',
];

export const transitions: readonly Transition[] = [
  { event: 'create', from: null, to: 'AWAITING_PAYMENT' },
  ...staying('change_beneficiary', ['AWAITING_PAYMENT', 'ACTION_REQUIRED']),
  ...staying('record_payment', ['AWAITING_PAYMENT', 'ACTION_REQUIRED']),
  { event: 'complete_payment', from: 'AWAITING_PAYMENT', to: 'PAYMENT_RECEIVED' },
  // Money can arrive whatever the state. In a freeze this looks as in a review.
  ...staying('record_unapplied_payment', orderStates),
  ...staying('requote', ['AWAITING_PAYMENT', 'ACTION_REQUIRED']),
  { event: 'refuse_requote', from: 'ACTION_REQUIRED', to: 'REFUND_PENDING' },
  ...leading('take_off_payment', ['AWAITING_PAYMENT', 'PAYMENT_RECEIVED', 'ACTION_REQUIRED'], 'AWAITING_PAYMENT'),
  ...leading('reverse_payment', [...holding, 'IN_REVIEW', 'PAYOUT_SUBMITTED', 'FROZEN'], 'CANCELLED'),
  ...staying('record_loss', ['PAYOUT_SUBMITTED', 'COMPLETED', 'REFUNDED']),
  ...staying('record_clawback', ['REFUND_PENDING', 'REFUND_FAILED', 'IN_REVIEW', 'ACTION_REQUIRED', 'FROZEN']),
  ...leading('cancel', ['AWAITING_PAYMENT', 'ACTION_REQUIRED'], 'CANCELLED'),
  ...leading(
    'cancel_and_refund',
    ['AWAITING_PAYMENT', 'PAYMENT_RECEIVED', 'CONVERTED', 'PAYOUT_FAILED', 'RETURNED'],
    'REFUND_PENDING',
  ),
  ...staying('request_cancellation', ['IN_REVIEW', 'ACTION_REQUIRED', 'FROZEN']),
  ...leading('expire', ['AWAITING_PAYMENT', 'ACTION_REQUIRED'], 'EXPIRED'),
  ...leading('expire_and_refund', ['AWAITING_PAYMENT', 'ACTION_REQUIRED'], 'REFUND_PENDING'),
  // Wherever an order can be frozen it can also be reviewed: a change to IN_REVIEW never tells which of the two it was.
  ...leading('refer', [...holding, 'PAYOUT_SUBMITTED'], 'IN_REVIEW'),
  ...returning('approve', 'IN_REVIEW', holding),
  { event: 'refuse', from: 'IN_REVIEW', to: 'REJECTED' },
  { event: 'close', from: 'IN_REVIEW', to: 'CANCELLED' },
  ...leading('request_information', informed, 'ACTION_REQUIRED'),
  ...staying('record_information', ['ACTION_REQUIRED']),
  ...returning('provide_information', 'ACTION_REQUIRED', informed),
  ...leading('freeze', [...holding, 'PAYOUT_SUBMITTED', 'IN_REVIEW'], 'FROZEN'),
  { event: 'release', from: 'FROZEN', to: 'IN_REVIEW' },
  { event: 'convert', from: 'PAYMENT_RECEIVED', to: 'CONVERTED' },
  ...leading('submit_payout', ['CONVERTED', 'PAYOUT_FAILED', 'RETURNED'], 'PAYOUT_SUBMITTED'),
  { event: 'complete', from: 'PAYOUT_SUBMITTED', to: 'COMPLETED' },
  ...leading('fail_payout', ['CONVERTED', 'PAYOUT_SUBMITTED'], 'PAYOUT_FAILED'),
  // Money may have left whatever became of the order since.
  ...staying('record_paid_twice', orderStates),
  // A late proof can come whatever was decided since. What was not sent yet is withdrawn.
  ...leading('prove_payout', [...proving, 'PAYOUT_FAILED', 'RETURNED'], 'COMPLETED'),
  { event: 'correct_completion', from: 'COMPLETED', to: 'PAYOUT_SUBMITTED' },
  { event: 'return', from: 'COMPLETED', to: 'RETURNED' },
  ...leading(
    'refund',
    ['REJECTED', 'PAYOUT_FAILED', 'RETURNED', 'IN_REVIEW', 'ACTION_REQUIRED', 'FROZEN'],
    'REFUND_PENDING',
  ),
  { event: 'retry_refund', from: 'REFUND_FAILED', to: 'REFUND_PENDING' },
  ...staying('update_refund', ['REFUND_PENDING', 'REFUND_FAILED']),
  { event: 'settle_refund', from: 'REFUND_PENDING', to: 'REFUNDED' },
  ...leading('fail_refund', ['REFUND_PENDING', 'REFUND_FAILED', 'REFUNDED'], 'REFUND_FAILED'),
  ...leading('prove_refund', provingRefund, 'REFUNDED'),
  ...staying('prove_refund_part', provingRefund),
  ...staying('record_overpaid_refund', orderStates),
];

/**
 * Returns undefined when the table does not list the event for this state, or when the order goes back to a state that
 * it does not remember.
 */
export function stateAfter(
  from: OrderState | null,
  event: OrderEvent,
  remembered?: OrderState,
): OrderState | undefined {
  const rows = transitions.filter((row) => row.from === from && row.event === event);
  if (eventRules[event].resumes === undefined) return rows[0]?.to;
  return rows.find(({ to }) => to === remembered)?.to;
}

/** The states that an order goes back to after a review and after a request for information. */
export type Memories = Readonly<Partial<Record<Memory, OrderState>>>;

/** A review that is already under way keeps its memory, also while it waits for information. */
export function memoriesAfter(from: OrderState | null, event: OrderEvent, before: Memories): Memories {
  const memory = eventRules[event].remembers;
  if (from === null || memory === undefined) return before;
  const isInformationForReview = from === 'ACTION_REQUIRED' && before.information === 'IN_REVIEW';
  if (memory === 'review' && (from === 'IN_REVIEW' || isInformationForReview)) return before;
  // A request within a review of an order that was asked before replaces the earlier request.
  const isAskedAgain = memory === 'information' && from === 'IN_REVIEW' && before.review === 'ACTION_REQUIRED';
  const kept = isAskedAgain && before.information ? { ...before, review: before.information } : before;
  // A payout is stopped only before anybody was instructed to make it: an approval decides about it anew.
  return { ...kept, [memory]: from === 'PAYOUT_SUBMITTED' ? 'CONVERTED' : from };
}

export function publicState(state: OrderState): PublicState {
  return state === 'FROZEN' ? 'IN_REVIEW' : state;
}

/** Merchants and users see every transition except the beginning and the end of a freeze during a review. */
export function isVisible(from: OrderState | null, to: OrderState): boolean {
  return from === to || from === null || publicState(from) !== publicState(to);
}

/** A freeze is called what it looks like. */
export function publicEvent(event: OrderEvent): PublicEvent {
  return event === 'freeze' || event === 'release' ? 'refer' : event;
}

/** Who began a review is not shown: a freeze is always an operator's. */
export function publicActor(event: OrderEvent, actor: OrderActor): OrderActor {
  return publicEvent(event) === 'refer' ? 'system' : actor;
}

export type PublicEvent = Exclude<OrderEvent, 'freeze' | 'release'>;

export const publicEvents = orderEvents.filter(
  (event): event is PublicEvent => event !== 'freeze' && event !== 'release',
);

export const publicStates = orderStates.filter((state): state is PublicState => state !== 'FROZEN');

/** Whether a cancellation takes effect at once, waits for the end of a review, or is refused. */
export type Cancellable = 'yes' | 'on_request' | 'no';

export function cancellableIn(state: OrderState): Cancellable {
  const has = (event: OrderEvent) => transitions.some((row) => row.event === event && row.from === state);
  if (has('cancel') || has('cancel_and_refund')) return 'yes';
  return has('request_cancellation') ? 'on_request' : 'no';
}

/** An order in one of these states is finished, though money may still come back. It does not keep its user. */
const finished: readonly OrderState[] = ['COMPLETED', 'REFUNDED', 'CANCELLED', 'EXPIRED'];

export function isOpen(state: OrderState): boolean {
  return !finished.includes(state);
}

export const openStates = orderStates.filter(isOpen);

/** The machine without freezes: each pair of states once for each event. */
export function publicTransitions(): { event: PublicEvent; from: PublicState | null; to: PublicState }[] {
  const shown = transitions.filter(({ event, from }) => event !== 'freeze' && from !== 'FROZEN');
  return shown.map(({ event, from, to }) => ({
    event: publicEvent(event),
    from: from && publicState(from),
    to: publicState(to),
  }));
}

function leading(event: OrderEvent, states: readonly OrderState[], to: OrderState): Transition[] {
  return states.map((from) => ({ event, from, to }));
}

function staying(event: OrderEvent, states: readonly OrderState[]): Transition[] {
  return states.map((state) => ({ event, from: state, to: state }));
}

function returning(event: OrderEvent, from: OrderState, states: readonly OrderState[]): Transition[] {
  return states.map((to) => ({ event, from, to }));
}
