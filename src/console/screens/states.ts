/** In which states a command is offered. The tables of the rooms decide; the service checks again. Pure. */
import { orderStates, type stateAfter, transitions } from '../../orders/order/transitions.js';
import { suspenseStateAfter, suspenseStates } from '../../payments/suspense/transitions.js';
import { attemptStateAfter, attemptStates } from '../../payouts/transitions.js';
import type { Variant } from './screen.js';

type OrderEvent = Parameters<typeof stateAfter>[1];
type AttemptEvent = Parameters<typeof attemptStateAfter>[1];
type SuspenseEvent = Parameters<typeof suspenseStateAfter>[1];

const orders: Readonly<Record<string, OrderEvent>> = {
  approveOrderReview: 'approve',
  refuseOrderReview: 'refuse',
  freezeOrder: 'freeze',
  releaseOrder: 'release',
  referOrder: 'refer',
  requestOrderInformation: 'request_information',
  refundOrder: 'refund',
  retryOrderRefund: 'retry_refund',
};
const payouts: Readonly<Record<string, AttemptEvent>> = {
  recordPayoutSubmitted: 'accept',
  recordPayoutPaid: 'pay',
  recordPayoutFailed: 'reject',
  recordPayoutReturned: 'return',
  correctPayoutNotPaid: 'correct',
  provePayoutPaid: 'prove',
};
const suspense: Readonly<Record<string, SuspenseEvent>> = {
  matchSuspense: 'match',
  returnSuspense: 'return',
  writeOffSuspense: 'write_off',
  withdrawSuspenseReturn: 'withdraw',
  freezeSuspense: 'freeze',
  releaseSuspense: 'release',
};
const others: Readonly<Record<string, readonly string[]>> = {
  retryOrderPayout: ['PAYOUT_FAILED', 'RETURNED'],
  dismissScreeningHit: ['open'],
  confirmScreeningHit: ['open'],
  approveRequest: ['pending'],
  refuseRequest: ['pending'],
  withdrawRequest: ['pending'],
  fetchApprovedAnswer: ['approved'],
  suspendMerchant: ['active'],
  resumeMerchant: ['suspended'],
};

/** Why this operator cannot do it, whatever the state. Undefined when the operator may. */
export function reasonAgainst(
  operationId: string,
  { requestedBy }: Readonly<Record<string, unknown>>,
  login: string,
): string | undefined {
  if (/^(approve|refuse)Request$/.test(operationId) && requestedBy === login) return 'another operator decides it';
  if (/^(withdrawRequest|fetchApprovedAnswer)$/.test(operationId) && requestedBy !== login)
    return 'for the operator who asked';
  return undefined;
}

/** Why one of several forms of a command is not possible: the record names those that are. */
export function reasonAgainstVariant(
  { name }: Variant,
  { decisions, hits }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (Array.isArray(decisions) && !decisions.includes(name)) return 'not in this state';
  // Who is known to be politically exposed is approved, once management has accepted it.
  const isBlocking = ({ kind, state }: Readonly<Record<string, unknown>>) => kind === 'sanction' || state === 'open';
  if (name === 'approve' && Array.isArray(hits) && hits.some(isBlocking))
    return 'a screening hit is open or confirmed: decide the hit first';
  return undefined;
}

/** Undefined when the state does not matter, or only the service knows. */
export function statesFor(operationId: string): readonly string[] | undefined {
  const [order, payout, record] = [orders[operationId], payouts[operationId], suspense[operationId]];
  if (order) return orderStates.filter((from) => transitions.some((row) => row.event === order && row.from === from));
  if (payout) return attemptStates.filter((from) => attemptStateAfter(from, payout));
  if (record) return suspenseStates.filter((from) => suspenseStateAfter(from, record));
  return others[operationId];
}
