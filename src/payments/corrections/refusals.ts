/** Why a payment is not reversed by one command. */
import { RemesaError } from '../../errors.js';

export function notReversible(message: string): RemesaError {
  return new RemesaError('conflict', 'payment_not_reversible', `The payment cannot be reversed. ${message}`);
}
