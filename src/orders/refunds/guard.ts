/** What refunds ask of the folders above: whether money may go back, and a review when it may not. */
import type { By } from '../../caller.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Order } from '../order/order.js';
import type { RefundRecipient } from '../order/ports.js';
import type { NewReview } from '../order/review.js';

export interface RefundGuard {
  /** Why a person must look at the order first; undefined when its money may go back. Locks the user. */
  examine(tx: Transaction, order: Order, recipients?: readonly RefundRecipient[]): Promise<NewReview | undefined>;
  /** Puts the order under review. A refund that was not sent yet is withdrawn. */
  refer(tx: Transaction, by: By, order: Order, review: NewReview): Promise<Order>;
}
