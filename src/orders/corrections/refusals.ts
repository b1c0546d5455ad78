/** Why a payment cannot be reversed by one command. */
import { RemesaError } from '../../errors.js';
import type { Order } from '../order/order.js';
import { publicState } from '../order/transitions.js';

export function notTakenOff(): RemesaError {
  return notReversible('The order did not get this money as one payment of its own.');
}

/** What the sender is asked must be answered, whatever becomes of the payment. */
export function isAsked({ state }: Order): RemesaError {
  const message = 'The sender is asked for information. Take the payment off after the answer.';
  const members = { orderStatus: publicState(state) };
  return new RemesaError('conflict', 'order_transition_not_allowed', message, { members });
}

export function severalPayments(): RemesaError {
  return notReversible('The order was paid by several payments, and the others cannot be given back as it is now.');
}

export function refundUnderWay(): RemesaError {
  return new RemesaError(
    'conflict',
    'order_transition_not_allowed',
    'The refund of this payment may already have been sent. Wait until its outcome is known.',
    { members: { orderStatus: 'REFUND_PENDING' } },
  );
}

function notReversible(message: string): RemesaError {
  return new RemesaError('conflict', 'payment_not_reversible', message);
}
