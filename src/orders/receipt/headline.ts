/** The amount that a receipt shows in the largest type: what arrives, or what goes back. Pure. */
import type { Amount } from '../../money/amount.js';
import type { Order } from '../order/order.js';
import { owedToPayer } from '../order/refund.js';
import { type PublicState, publicState } from '../order/transitions.js';

export type HeadlineKind = 'receives' | 'notReceived' | 'goesBack' | 'refunded' | 'reversed';

const kinds: Readonly<Record<PublicState, HeadlineKind>> = {
  AWAITING_PAYMENT: 'receives',
  PAYMENT_RECEIVED: 'receives',
  IN_REVIEW: 'receives',
  ACTION_REQUIRED: 'receives',
  CONVERTED: 'receives',
  PAYOUT_SUBMITTED: 'receives',
  COMPLETED: 'receives',
  PAYOUT_FAILED: 'notReceived',
  RETURNED: 'notReceived',
  REJECTED: 'goesBack',
  REFUND_PENDING: 'goesBack',
  REFUND_FAILED: 'goesBack',
  REFUNDED: 'refunded',
  // A paid order ends so when the bank of the payer takes the payment back.
  CANCELLED: 'reversed',
  EXPIRED: 'reversed',
};

const amounts: Readonly<Record<HeadlineKind, (order: Order) => Amount>> = {
  receives: ({ amountOut }) => amountOut,
  notReceived: ({ amountOut }) => amountOut,
  goesBack: owedToPayer,
  refunded: ({ amountRefunded }) => amountRefunded,
  reversed: ({ amountReversed }) => amountReversed,
};

export function headlineOf(order: Order): { readonly kind: HeadlineKind; readonly amount: Amount } {
  const kind = kinds[publicState(order.state)];
  return { kind, amount: amounts[kind](order) };
}
