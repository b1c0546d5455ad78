/** What several stories have in common: transfers, steps and lists of events. */
import { anaOfSpain, guadalupe } from '../values/people.js';
import * as step from './steps.js';

export const toMexico: step.Transfer = {
  fiatIn: 'EUR',
  fiatOut: 'MXN',
  amountIn: '100',
  beneficiary: () => guadalupe(),
};

export const approvedKyc = ['kyc.pending', 'kyc.submitted', 'kyc.approved'];
export const paidEvents = ['order.awaiting_payment', 'order.payment_received'];
export const payoutEvents = ['order.converted', 'order.payout_submitted'];
export const completedEvents = [...paidEvents, ...payoutEvents, 'order.completed'];
export const refundEvents = ['order.refund_pending', 'order.refund_updated', 'order.refunded'];

export const placed = (transfer = toMexico) => [step.newSender(anaOfSpain), step.verified(), step.ordered(transfer)];
export const paidInFull = step.paid('The money arrives');
export const paidBySomebodyElse = step.paid('The money arrives from a payer with another name', {
  payerName: 'Wilhelmina Oakenshaw',
});
