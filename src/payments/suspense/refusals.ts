/** The refusals of commands on suspense records. */
import { invalidField, RemesaError } from '../../errors.js';
import type { Order } from '../../orders/order/order.js';
import { publicState } from '../../orders/order/transitions.js';
import type { ExitObstacle } from './exits/exit-gate.js';
import type { MatchObstacle } from './matchable.js';
import type { SuspenseRecord } from './suspense.js';

export function suspenseNotFound(): RemesaError {
  return new RemesaError('not_found', 'suspense_not_found', 'There is no such suspense record.');
}

export function suspenseChanged({ state, version }: SuspenseRecord): RemesaError {
  const message = 'The suspense record has changed since you read it.';
  return new RemesaError('conflict', 'suspense_changed', message, { members: { state, version } });
}

export function transitionNotAllowed({ state, version }: SuspenseRecord): RemesaError {
  const message = `This is not possible for a suspense record that is ${state}.`;
  const members = { state, version };
  return new RemesaError('conflict', 'suspense_transition_not_allowed', message, { members });
}

const obstacleTexts: Readonly<Record<MatchObstacle, string>> = {
  other_merchant: 'The money belongs to another merchant than the order.',
  wrong_currency: 'The money is in another currency than the order.',
  not_payable: 'The order does not take a payment now.',
};

export function notMatchable(
  { remaining }: SuspenseRecord,
  { orderId, state, amountIn }: Order,
  obstacle: MatchObstacle,
): RemesaError {
  return new RemesaError('conflict', 'suspense_not_matchable', obstacleTexts[obstacle], {
    members: {
      obstacle,
      orderId,
      orderStatus: publicState(state),
      currency: remaining.currency,
      orderCurrency: amountIn.currency,
    },
  });
}

const exitTexts: Readonly<Record<ExitObstacle, string>> = {
  open_hit: 'The user of the order has screening hits that nobody has decided. Dismiss or confirm them first.',
  order_frozen: 'The order that the money came for is frozen.',
  screening_lists: 'The screening lists cannot be used now, so the payer cannot be compared with them.',
  blocked: 'The block list names the user, or an account of the payer or the recipient. Lift the block first.',
};

export function exitBlocked({ state, version }: SuspenseRecord, obstacle: ExitObstacle): RemesaError {
  return new RemesaError('conflict', 'suspense_blocked', exitTexts[obstacle], {
    members: { state, version, obstacle },
  });
}

/** A refund that a bank was instructed to pay cannot be stopped. */
export function refundUnderWay({ state, version }: SuspenseRecord): RemesaError {
  const message = 'The refund of this money may already have been sent. Wait until its outcome is known.';
  return new RemesaError('conflict', 'suspense_transition_not_allowed', message, { members: { state, version } });
}

export function recipientNotNeeded(): RemesaError {
  const message = 'must be absent: the account that paid is known, and the money goes back there';
  return invalidField('recipient', 'not_allowed', message);
}
