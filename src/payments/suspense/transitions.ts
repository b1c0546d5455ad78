/**
 * The one table of the states of a suspense record. A trigger of the database refuses every change of state that is not
 * listed here, and a test tries every pair.
 */
export const suspenseStates = [
  'OPEN',
  'MATCHED',
  'HANDED_OVER',
  'REFUND_PENDING',
  'REFUND_FAILED',
  'FROZEN',
  'RETURNED',
  'WRITTEN_OFF',
  'CLAWED_BACK',
  'VOIDED',
] as const;
/**
 * `HANDED_OVER`: from the books of the instance to those of the merchant whose order it is for. `FROZEN`: it must not
 * move. `CLAWED_BACK`: the payer's bank took it back. `VOIDED`: the payment never arrived like this.
 */
export type SuspenseState = (typeof suspenseStates)[number];

export const suspenseEvents = [
  'match',
  'match_part',
  'hand_over',
  'return',
  'withdraw',
  'settle_refund',
  'fail_refund',
  'write_off',
  'freeze',
  'release',
  'claw_back',
  'void',
  'prove_refund',
  'record_overpaid',
] as const;
/**
 * `match_part`: an order took a part, and the rest stays. `withdraw`: a refund that nobody was instructed to pay.
 * `prove_refund`: the payer has the money, although the refund was thought to have ended. `record_overpaid`: the payer
 * has it although nothing of the record was left.
 */
export type SuspenseEvent = (typeof suspenseEvents)[number];

interface SuspenseTransition {
  readonly event: SuspenseEvent;
  readonly from: readonly SuspenseState[];
  readonly to: SuspenseState;
}

/** Nothing is left of the record. */
const endStates = ['MATCHED', 'HANDED_OVER', 'RETURNED', 'WRITTEN_OFF', 'CLAWED_BACK', 'VOIDED'] as const;

const suspenseTransitions: readonly SuspenseTransition[] = [
  { event: 'match', from: ['OPEN'], to: 'MATCHED' },
  { event: 'match_part', from: ['OPEN'], to: 'OPEN' },
  { event: 'hand_over', from: ['OPEN'], to: 'HANDED_OVER' },
  { event: 'return', from: ['OPEN', 'REFUND_FAILED'], to: 'REFUND_PENDING' },
  { event: 'withdraw', from: ['REFUND_PENDING'], to: 'OPEN' },
  { event: 'settle_refund', from: ['REFUND_PENDING'], to: 'RETURNED' },
  { event: 'fail_refund', from: ['REFUND_PENDING', 'RETURNED'], to: 'REFUND_FAILED' },
  { event: 'write_off', from: ['OPEN'], to: 'WRITTEN_OFF' },
  // While a refund is pending only if nobody was instructed to pay it.
  { event: 'freeze', from: ['OPEN', 'REFUND_PENDING', 'REFUND_FAILED'], to: 'FROZEN' },
  { event: 'release', from: ['FROZEN'], to: 'OPEN' },
  { event: 'claw_back', from: ['OPEN', 'REFUND_PENDING', 'REFUND_FAILED', 'FROZEN'], to: 'CLAWED_BACK' },
  { event: 'void', from: ['OPEN'], to: 'VOIDED' },
  { event: 'prove_refund', from: ['OPEN', 'REFUND_PENDING', 'REFUND_FAILED', 'FROZEN'], to: 'RETURNED' },
  ...endStates.map((state) => ({ event: 'record_overpaid', from: [state], to: state }) as const),
];

/** Undefined when the table does not list the event for this state. */
export function suspenseStateAfter(from: SuspenseState, event: SuspenseEvent): SuspenseState | undefined {
  return suspenseTransitions.find((row) => row.event === event && row.from.includes(from))?.to;
}

/** The account that the money is on; undefined when we hold nothing of it any more. */
export function placeOfMoney(state: SuspenseState): 'suspense' | 'refund' | 'frozen' | undefined {
  if (state === 'OPEN') return 'suspense';
  if (state === 'FROZEN') return 'frozen';
  return state === 'REFUND_PENDING' || state === 'REFUND_FAILED' ? 'refund' : undefined;
}
