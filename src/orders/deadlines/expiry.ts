/** Ends the waiting of orders that were not paid or not answered in time. */
import type { By } from '../../caller.js';
import type { FindPending } from '../../http/four-eyes.js';
import { isZero } from '../../money/amount.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { ordersBeingCorrected } from '../gate/corrected.js';
import { lockOrder } from '../order/finding.js';
import type { Order, StatusReason } from '../order/order.js';
import { isRequoteOpen } from '../order/requirement.js';
import type { OrderTransitions } from '../order/transition.js';
import { keptWhenUnanswered } from '../refunds/refund-terms.js';
import type { Refunds } from '../refunds/refunds.js';
import type { ReviewService } from '../review/service.js';
import { type ExpiredOrder, isExpired } from './expiry-store.js';

export interface ExpiryOptions {
  readonly users: UserService;
  readonly transitions: OrderTransitions;
  readonly refunds: Refunds;
  readonly reviews: Pick<ReviewService, 'resume'>;
  readonly findPending: FindPending;
}

export class Expiry {
  readonly #options: ExpiryOptions;

  constructor(options: ExpiryOptions) {
    this.#options = options;
  }

  /**
   * Returns false when the order is no longer due, because it was paid, cancelled, answered or expired meanwhile, and
   * while a correction of it waits for a second operator.
   */
  async expire(tx: Transaction, by: By, due: ExpiredOrder): Promise<boolean> {
    const { users, findPending } = this.#options;
    const order = await lockOrder(tx, users, due);
    if (!(await isExpired(tx, order))) return false;
    if ((await ordersBeingCorrected(findPending, tx, [order])).size > 0) return false;
    await this.endWaiting(tx, by, order);
    return true;
  }

  /**
   * The order has waited long enough for its payment or for answers, whatever the clock says: the sandbox decides that
   * too. The caller has locked the user and the order. Throws `order_transition_not_allowed` and `ledger_fault`.
   */
  async endWaiting(tx: Transaction, by: By, order: Order): Promise<void> {
    const { transitions, refunds, reviews } = this.#options;
    const isAsked = order.state === 'ACTION_REQUIRED';
    const change = { statusReason: expiryReasonOf(order) };
    // A person decides what the missing answer means, so that nobody learns from the outcome what was being looked for.
    if (isAsked && order.memories.information === 'IN_REVIEW') await reviews.resume(tx, by, order);
    else if (isZero(order.amountReceived))
      await transitions.applyTransition(tx, by, order, { event: 'expire', change });
    else
      await refunds.open(tx, by, order, {
        event: 'expire_and_refund',
        change,
        kept: keptWhenUnanswered(order),
      });
  }
}

function expiryReasonOf(order: Order): StatusReason {
  if (order.state !== 'ACTION_REQUIRED') return 'not_paid_in_time';
  return isRequoteOpen(order) ? 'requote_not_accepted' : 'information_not_provided';
}
