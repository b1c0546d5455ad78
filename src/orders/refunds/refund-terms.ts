/** How much of the payment goes back, by who caused the end of the transfer. Pure. */
import { chargeInPayinCurrency } from '../../ledger/postings.js';
import { type Amount, amount, compare } from '../../money/amount.js';
import type { Order, StatusReason } from '../order/order.js';
import { owedToPayer } from '../order/refund.js';
import { isConverted, underlyingState } from '../order/review.js';

/**
 * Why an operator pays an order back. The sender bears charges of banks only after wrong details of the beneficiary.
 */
export const refundReasons = ['beneficiary_data', 'corridor', 'compliance', 'sender', 'operator'] as const;
export type RefundReason = (typeof refundReasons)[number];

/** k: what banks charged for payouts of the order that failed or came back, in the currency that was paid. */
export function chargesOf(order: Order): Amount {
  const { payoutCharges, amountIn } = order;
  return payoutCharges.minor === 0n ? amount(amountIn.currency, 0n) : chargeInPayinCurrency(payoutCharges, order);
}

/** Whether something would be left for the payer. */
export function isLessThanOwed(order: Order, kept: Amount): boolean {
  return compare(kept, owedToPayer(order)) < 0;
}

/** What is kept when a sender who was asked to correct the beneficiary of a failed payout does not answer. */
export function keptWhenUnanswered(order: Order): Amount {
  const isAskedToCorrect = order.requirements.includes('beneficiary_details') && isConverted(underlyingState(order));
  const charges = chargesOf(order);
  return isAskedToCorrect && isLessThanOwed(order, charges) ? charges : amount(charges.currency, 0n);
}

/** What merchants and users are told. What a bank said about the payout is kept; `compliance` looks like any other. */
export function statusReasonOf({ statusReason }: Order, reason: RefundReason): StatusReason {
  if (reason === 'sender') return 'cancelled_by_sender';
  if (statusReason !== undefined) return statusReason;
  return reason === 'beneficiary_data' ? 'beneficiary_details_incomplete' : 'payout_not_possible';
}
