/** What an order waits for and who must act, in words for operators. Pure. */
import type { Row } from './page.js';

const obstacles: Readonly<Record<string, string>> = {
  no_rail: 'No rail can pay it out: open one for this country and method.',
  rail_paused: 'Its rail is paused.',
  corridor_paused: 'Its corridor is paused.',
  merchant_paused: 'Its merchant is paused.',
  screening_lists: 'A screening list is missing or too old, so nobody is cleared.',
  ledger_fault: 'The ledger of its merchant has a fault: find the cause first.',
};

const states: Readonly<Record<string, string>> = {
  AWAITING_PAYMENT: 'Waits for the sender’s money.',
  PAYMENT_RECEIVED: 'Paid. It moves on by itself once the time to cancel is over and the gate lets it through.',
  IN_REVIEW: 'Waits for a reviewer.',
  ACTION_REQUIRED: 'Waits for the sender to answer.',
  FROZEN: 'Frozen: no money moves, and nobody may tell the customer why.',
  CONVERTED: 'Converted. The payout opens by itself.',
  PAYOUT_SUBMITTED: 'Waits for the payout.',
  COMPLETED: 'The recipient has the money.',
  PAYOUT_FAILED: 'The payout failed: try again, or send the money back.',
  RETURNED: 'The money came back: try again, or send it back to the payer.',
  REJECTED: 'Refused.',
  REFUND_PENDING: 'Waits for the refund to be paid.',
  REFUND_FAILED: 'The refund failed: try it again.',
  REFUNDED: 'The payer has the money back.',
  CANCELLED: 'Cancelled before it was paid.',
  EXPIRED: 'Never paid in time.',
};

export function nextStep({ state, waitsFor, attempts }: Row): string {
  const obstacle = obstacles[String(waitsFor)];
  if (obstacle !== undefined) return obstacle;
  const open = Array.isArray(attempts) ? attempts.filter((attempt: Row) => attempt.state === 'READY') : [];
  if (state === 'PAYOUT_SUBMITTED' && open.length > 0) return 'Waits for an operator to instruct the bank.';
  return states[String(state)] ?? '';
}
