/** Why an order has not moved although it should have. */
import type { Order } from '../../order/order.js';

export const stuckReasons = [
  'no_rail',
  'rail_paused',
  'corridor_paused',
  'merchant_paused',
  'screening_lists',
  'ledger_fault',
  'not_moved_on',
  'outcome_unknown',
  'payout_overdue',
  'refund_overdue',
  'payout_failed',
  'payout_returned',
  'refund_failed',
] as const;
export type StuckReason = (typeof stuckReasons)[number];

export interface StuckOrder {
  readonly order: Order;
  readonly reason: StuckReason;
}
