/** Compares a movement with what was recorded before. Pure. */
import { invalidField } from '../errors.js';
import type { Movement, Payer, Payment } from './payment.js';

/** The fields of the movement that differ from the record. A payer who is no longer known is not compared. */
export function differencesOf(movement: Movement, payment: Payment, payer: Payer | undefined): string[] {
  const { amount, bookedAt } = movement;
  const isSame: Record<string, boolean> = {
    amount: amount.minor === payment.amount.minor,
    currency: amount.currency === payment.amount.currency,
    bookedAt: bookedAt.getTime() === payment.bookedAt.getTime(),
    'payer.name': !payer || payer.name === movement.payer.name,
    'payer.account': !payer || payer.account === movement.payer.account,
    remittanceText: !payer || payer.remittanceText === movement.payer.remittanceText,
  };
  return Object.keys(isSame).filter((field) => !isSame[field]);
}

/** Banks date some bookings ahead, over a weekend at most. */
const daysAhead = 5;

/**
 * Throws `invalid_fields` for a booking in the future: it would be a typing error, and a late payment would look
 * timely.
 */
export function requirePlausible({ bookedAt, recordedAt }: Payment): void {
  if (bookedAt.getTime() <= recordedAt.getTime() + daysAhead * 86_400_000) return;
  throw invalidField('bookedAt', 'too_large', `must not be more than ${daysAhead} days in the future`);
}
