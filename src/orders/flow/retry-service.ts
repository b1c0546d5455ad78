/** An operator tries a payout again that failed or came back. It passes the gate like the first one. */
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { ListsSnapshot } from '../../kyc/hits/service.js';
import { isZero } from '../../money/amount.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { type Examined, type Gate, newReviewOf } from '../gate/examination.js';
import { findOrderById, lockOrderById, recordOf } from '../order/finding.js';
import type { Order } from '../order/order.js';
import type { Obstacle } from '../order/pending.js';
import type { Payouts } from '../order/ports.js';
import { changedMeanwhile, requireAllowed } from '../order/transition.js';
import { stateAfter } from '../order/transitions.js';
import type { Decision, ReviewService } from '../review/service.js';
import type { GatedSteps } from './gated-steps.js';

export interface RetryOptions {
  readonly users: UserService;
  readonly gate: Gate;
  readonly snapshot: () => ListsSnapshot;
  readonly steps: GatedSteps;
  readonly reviews: ReviewService;
  readonly payouts: () => Pick<Payouts, 'hasEndedByDocument'>;
}

/** What the gate said about one version of an order. */
interface Prepared extends Examined {
  readonly version: number;
}

export class RetryService {
  readonly #options: RetryOptions;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  /**
   * Asks the gate, outside any transaction. Undefined for an order without a payout to try again. Throws
   * `order_not_found`.
   */
  async prepare(database: Queryable, id: string): Promise<Prepared | undefined> {
    const { gate, snapshot } = this.#options;
    const order = await findOrderById(database, id);
    if (stateAfter(order.state, 'submit_payout') === undefined) return undefined;
    const examination = await gate.gather(order.merchantId, [order], snapshot());
    return { ...(await examination.examine(order)), version: order.version };
  }

  /**
   * A document says that the payout was not made, and one person may have handed it in: paying again needs a second
   * one. Throws `order_not_found`.
   */
  async review(tx: Transaction, id: string): Promise<ApprovalSubject | undefined> {
    const { users, payouts } = this.#options;
    const { order } = await lockOrderById(tx, users, id);
    if (!(await payouts().hasEndedByDocument?.(tx, order))) return undefined;
    return { subject: recordOf(order), version: String(order.version) };
  }

  /**
   * Submits the payout, or puts the order under review when the gate found something. Throws `order_not_found`, and
   * `order_transition_not_allowed` also when no way to pay out is open or the order has changed.
   */
  async retry(
    tx: Transaction,
    by: By,
    id: string,
    { note, version, prepared }: Decision & { readonly prepared: Prepared | undefined },
  ): Promise<Order> {
    const { users, steps, reviews } = this.#options;
    const locked = await lockOrderById(tx, users, id);
    const { order } = locked;
    requireAllowed(by, order, 'submit_payout');
    if (order.version !== version || prepared?.version !== version) throw changedMeanwhile(order);
    if (!isZero(order.amountReversed)) throw notNow(order, 'The bank of the payer has taken the payment back.');
    const { decision } = prepared;
    if (decision.outcome === 'wait') throw notNow(order, explanations[decision.obstacle]);
    if (decision.outcome === 'refer') {
      const referred = await reviews.applyWithNote(tx, by, locked, { event: 'refer', note });
      await reviews.begin(tx, { ...locked, order: referred }, newReviewOf(order, prepared));
      return referred;
    }
    const submitted = await steps.submitPayout(tx, by, order, decision.pass);
    await reviews.note(tx, by, { ...locked, order: submitted }, { event: 'submit_payout', note });
    return submitted;
  }
}

const explanations: Readonly<Record<Obstacle, string>> = {
  no_rail: 'No rail pays out to this destination.',
  rail_paused: 'The rail is paused.',
  corridor_paused: 'The corridor is paused.',
  merchant_paused: 'Payouts of the merchant are paused.',
  screening_lists: 'The screening lists cannot be used.',
  ledger_fault: 'The ledger of the merchant has a fault.',
};

function notNow({ state }: Order, explanation: string): RemesaError {
  const message = `The payout cannot be tried now. ${explanation}`;
  return new RemesaError('conflict', 'order_transition_not_allowed', message, {
    members: { orderStatus: state },
  });
}
