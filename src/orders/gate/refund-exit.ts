/** The gate once more when a refund is about to be sent: much may be known since it was decided. */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { FindPending } from '../../http/four-eyes.js';
import type { ListsSnapshot } from '../../kyc/hits/service.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { lockOrder } from '../order/finding.js';
import type { OrderRef } from '../order/order.js';
import type { ExitVerdict, RefundRecipient } from '../order/ports.js';
import { isBeingRefunded } from '../order/review.js';
import type { ReviewService } from '../review/service.js';
import { ordersBeingCorrected } from './corrected.js';
import type { RefundGate } from './refund-gate.js';

export interface RefundExitOptions {
  readonly users: UserService;
  readonly gate: RefundGate;
  readonly reviews: Pick<ReviewService, 'refer'>;
  readonly snapshot: () => ListsSnapshot;
  readonly findPending: FindPending;
}

function unlessUnderWay(error: unknown): undefined {
  if (!(error instanceof RemesaError) || error.code !== 'order_transition_not_allowed') throw error;
}

const byGate: By = { actor: { kind: 'system', name: 'gate' } };

export class RefundExit {
  readonly #options: RefundExitOptions;

  constructor(options: RefundExitOptions) {
    this.#options = options;
  }

  /**
   * A refund that does not pass is withdrawn, and its order is under review. Where a bank has the refund of another
   * payer, that begins when its outcome is known; until then this one waits, and also while a correction of the order
   * waits for a second operator. Locks the order. `recipient`: the account that it is sent to, if it is known.
   */
  async mayLeave(tx: Transaction, ref: OrderRef, recipient: RefundRecipient | undefined): Promise<ExitVerdict> {
    const { users, gate, reviews, snapshot, findPending } = this.#options;
    const order = await lockOrder(tx, users, ref);
    if (!isBeingRefunded(order.state)) return 'withdrawn';
    if ((await ordersBeingCorrected(findPending, tx, [order])).size > 0) return 'wait';
    const found = await gate.examine(tx, order, recipient ? [recipient] : []);
    if (!found) return snapshot().usability.isUsable ? 'pass' : 'wait';
    // What cannot be referred yet was not written.
    const referred = await reviews.refer(tx, byGate, order, found).catch(unlessUnderWay);
    return referred ? 'withdrawn' : 'wait';
  }
}
