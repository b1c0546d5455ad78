/** Why a payment cannot be reversed by one command. */
import { RemesaError } from '../../errors.js';

export function notTakenOff(): RemesaError {
  return notReversible('The order did not get this money as one payment of its own.');
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
