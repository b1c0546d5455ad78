/**
 * The one table of the states of an attempt. A trigger of the database refuses every change of state that is not listed
 * here, and a test tries every pair.
 */
export const attemptStates = [
  'READY',
  'SENDING',
  'ACCEPTED',
  'PAID',
  'REJECTED',
  'RETURNED',
  'RECALLED',
  'UNKNOWN',
] as const;
export type AttemptState = (typeof attemptStates)[number];

export const attemptEvents = [
  ...(['send', 'accept', 'pay', 'reject', 'return', 'recall', 'lose'] as const),
  ...(['correct', 'prove'] as const),
] as const;
/**
 * `lose`: nobody can say what became of the payment. `correct`: it was recorded as paid by mistake. `prove`: it was
 * paid, although it was thought dead.
 */
export type AttemptEvent = (typeof attemptEvents)[number];

interface AttemptTransition {
  readonly event: AttemptEvent;
  readonly from: readonly AttemptState[];
  readonly to: AttemptState;
}

/**
 * READY leaves to ACCEPTED, PAID and REJECTED only by hand: an operator paid it without a rail. It is recalled when the
 * order is reviewed or frozen before anything was sent. Two operators together correct a mistake; no report does.
 */
const attemptTransitions: readonly AttemptTransition[] = [
  { event: 'send', from: ['READY', 'UNKNOWN'], to: 'SENDING' },
  { event: 'accept', from: ['READY', 'SENDING', 'UNKNOWN'], to: 'ACCEPTED' },
  { event: 'pay', from: ['READY', 'SENDING', 'ACCEPTED', 'UNKNOWN'], to: 'PAID' },
  { event: 'reject', from: ['READY', 'SENDING', 'ACCEPTED', 'UNKNOWN'], to: 'REJECTED' },
  { event: 'return', from: ['SENDING', 'ACCEPTED', 'UNKNOWN', 'PAID'], to: 'RETURNED' },
  { event: 'recall', from: ['READY', 'SENDING', 'ACCEPTED', 'UNKNOWN'], to: 'RECALLED' },
  { event: 'lose', from: ['SENDING', 'ACCEPTED'], to: 'UNKNOWN' },
  { event: 'correct', from: ['PAID'], to: 'ACCEPTED' },
  { event: 'prove', from: ['REJECTED', 'RETURNED', 'RECALLED'], to: 'PAID' },
];

/** Undefined when the table does not list the event for this state. */
export function attemptStateAfter(from: AttemptState, event: AttemptEvent): AttemptState | undefined {
  return attemptTransitions.find((row) => row.event === event && row.from.includes(from))?.to;
}

/** Nothing is left of the attempt, so the order may have another one. An unknown outcome is never dead. */
export function isDead(state: AttemptState): boolean {
  return state === 'REJECTED' || state === 'RETURNED' || state === 'RECALLED';
}
