/** Why a payment cannot be reversed by one command. */
import { RemesaError } from '../../errors.js';

export function notTakenOff(): RemesaError {
  return notReversible('The order did not get this money as one payment of its own.');
}

export function severalPayments(): RemesaError {
  return notReversible('The order was paid by several payments, and the others cannot be given back as it is now.');
}

function notReversible(message: string): RemesaError {
  return new RemesaError('conflict', 'payment_not_reversible', message);
}
