/** Why an order cannot be refused, reviewed or frozen now. */

import { RemesaError } from '../../errors.js';
import type { HitId } from '../../kyc/hits/hit.js';
import type { KycLevel } from '../../kyc-level.js';
import type { BlockId } from '../../persons/blocks/block.js';
import type { Order } from '../order/order.js';

export function notRefusable(order: Order): RemesaError {
  return new RemesaError(
    'conflict',
    'order_transition_not_allowed',
    'The money of this order is already going back. To continue the refund, approve the review.',
    { members: { orderStatus: order.state } },
  );
}

/** A payout or refund that may have left cannot be stopped. */
export function underWay({ state }: Order): RemesaError {
  const what = state === 'PAYOUT_SUBMITTED' ? 'payout' : 'refund';
  return new RemesaError(
    'conflict',
    'order_transition_not_allowed',
    `The ${what} of this order may already have been sent. Wait until its outcome is known.`,
    { members: { orderStatus: state } },
  );
}

export function termsDiffer(): RemesaError {
  const message = 'The order does not have the terms of its quote, so it cannot be paid out.';
  return new RemesaError('conflict', 'order_terms_differ', message);
}

export function senderBlocked(blocks: readonly BlockId[]): RemesaError {
  const message = 'The sender is on the block list. Lift the block first: until then the money stays where it is.';
  return new RemesaError('conflict', 'order_review_blocked', message, {
    members: { hits: [], missingLevel: null, blocks },
  });
}

export function senderNotAccepted(): RemesaError {
  const message =
    'The sender is politically exposed. Two admins accept that first (POST /operator/users/{userId}/exposure), or you refuse the order.';
  return new RemesaError('conflict', 'order_review_blocked', message, { members: { hits: [], missingLevel: null } });
}

/** `hits`: of the sender, which stand in the way. */
export function reviewBlocked(
  hits: readonly HitId[],
  missingLevel: KycLevel | undefined,
  isPaidOut: boolean,
): RemesaError {
  const message = isPaidOut
    ? 'The sender has screening hits that are not dismissed, or does not hold the KYC level of the amount.'
    : 'The sender has screening hits that nobody has decided. Dismiss or confirm them first.';
  const members = { hits, missingLevel: missingLevel ?? null };
  return new RemesaError('conflict', 'order_review_blocked', message, { members });
}
