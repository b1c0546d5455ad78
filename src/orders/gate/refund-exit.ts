/** The gate once more when a refund is about to be sent: much may be known since it was decided. */
import type { By } from '../../caller.js';
import type { ListsSnapshot } from '../../kyc/hits/service.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { lockOrder } from '../order/finding.js';
import type { OrderRef } from '../order/order.js';
import type { ExitVerdict } from '../order/ports.js';
import type { ReviewService } from '../review/service.js';
import type { RefundGate } from './refund-gate.js';

export interface RefundExitOptions {
  readonly users: UserService;
  readonly gate: RefundGate;
  readonly reviews: Pick<ReviewService, 'refer'>;
  readonly snapshot: () => ListsSnapshot;
}

const byGate: By = { actor: { kind: 'system', name: 'gate' } };

export class RefundExit {
  readonly #options: RefundExitOptions;

  constructor(options: RefundExitOptions) {
    this.#options = options;
  }

  /** A refund that does not pass is withdrawn, and its order is under review. Locks the order. */
  async mayLeave(tx: Transaction, ref: OrderRef): Promise<ExitVerdict> {
    const { users, gate, reviews, snapshot } = this.#options;
    const order = await lockOrder(tx, users, ref);
    if (order.state !== 'REFUND_PENDING') return 'withdrawn';
    const found = await gate.examine(tx, order);
    if (found) {
      await reviews.refer(tx, byGate, order, found);
      return 'withdrawn';
    }
    return snapshot().usability.isUsable ? 'pass' : 'wait';
  }
}
