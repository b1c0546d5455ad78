/**
 * Sends orders through the gate again whose payout is about to leave: it may have waited for days since it was decided,
 * and lists, hits, levels and rules may have changed.
 */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { FindPending } from '../../http/four-eyes.js';
import type { MerchantId } from '../../ids.js';
import type { ListsSnapshot } from '../../kyc/hits/service.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { UserService } from '../../users/service.js';
import { ordersBeingCorrected } from '../gate/corrected.js';
import { type Examination, type Examined, type Gate, newReviewOf } from '../gate/examination.js';
import { lockOrder } from '../order/finding.js';
import type { Order, OrderId } from '../order/order.js';
import { changedMeanwhile } from '../order/transition.js';
import { findOrders } from '../owed/store.js';
import type { ReviewService } from '../review/service.js';

export interface RecheckOptions {
  readonly database: Database;
  readonly users: UserService;
  readonly gate: Gate;
  readonly reviews: ReviewService;
  readonly snapshot: () => ListsSnapshot;
  readonly findPending: FindPending;
  readonly log: Log;
}

/** `withdrawn`: the payout has ended, and a person looks at the order. */
export type Rechecked = 'pass' | 'wait' | 'withdrawn';

const byGate: By = { actor: { kind: 'system', name: 'gate' } };

export class Recheck {
  readonly #options: RecheckOptions;

  constructor(options: RecheckOptions) {
    this.#options = options;
  }

  /** Orders of one merchant. What cannot be examined waits. Throws what the database throws. */
  async check(merchantId: MerchantId, orderIds: readonly OrderId[]): Promise<ReadonlyMap<OrderId, Rechecked>> {
    const { database, gate, snapshot, findPending } = this.#options;
    const orders = await findOrders(database, merchantId, orderIds);
    const [examination, corrected] = await Promise.all([
      gate.gather(merchantId, orders, snapshot()),
      ordersBeingCorrected(findPending, database, orders),
    ]);
    const checked = new Map<OrderId, Rechecked>();
    for (const order of orders) {
      const isCorrected = corrected.has(order.orderId);
      checked.set(order.orderId, isCorrected ? 'wait' : await this.#checkOne(order, examination));
    }
    return checked;
  }

  async #checkOne(order: Order, examination: Examination): Promise<Rechecked> {
    try {
      const examined = await examination.examine(order);
      const { decision } = examined;
      if (decision.outcome === 'refer') return await this.#withdraw(order, examined);
      // Which way a new payout would take, and whether it is paused, is asked where this one is sent.
      const mustWait = decision.outcome === 'wait' && ['ledger_fault', 'screening_lists'].includes(decision.obstacle);
      return mustWait ? 'wait' : 'pass';
    } catch (err) {
      if (err instanceof RemesaError && err.kind === 'unavailable') throw err;
      this.#options.log.error({ orderId: order.orderId, err }, 'payout cannot be checked again');
      return 'wait';
    }
  }

  /** Somebody who changed the order meanwhile wins, and a payout that may have left is not withdrawn. */
  async #withdraw(order: Order, examined: Examined): Promise<Rechecked> {
    const { database, users, reviews } = this.#options;
    await database.transaction(async (tx) => {
      const locked = await lockOrder(tx, users, order);
      if (locked.version !== order.version) throw changedMeanwhile(locked);
      await reviews.refer(tx, byGate, locked, newReviewOf(locked, examined));
    });
    return 'withdrawn';
  }
}
