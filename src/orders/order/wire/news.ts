/**
 * What a sender is told of by mail. It is decided from what merchants are shown, as everything that senders learn.
 * Pure.
 */
import type { SenderNews } from '../../../mail/senders/sender-mail.js';
import type { Order } from '../order.js';
import { type OrderState, publicState } from '../transitions.js';

/** Undefined for what needs no mail, and for what looks the same as before: a freeze or a review. */
export function newsOf(from: OrderState | null, order: Order): SenderNews | undefined {
  const status = publicState(order.state);
  if (from === null || publicState(from) === status) return undefined;
  switch (status) {
    case 'PAYMENT_RECEIVED':
      return order.amountReceived.minor > 0n ? 'paid' : undefined;
    case 'ACTION_REQUIRED':
      return 'answer';
    case 'PAYOUT_SUBMITTED':
      return order.payee.method === 'cash_pickup' ? 'collect' : 'sent';
    case 'COMPLETED':
      return 'arrived';
    case 'REFUNDED':
      return 'refunded';
    default:
      return undefined;
  }
}
