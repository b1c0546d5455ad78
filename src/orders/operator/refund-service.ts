/** An operator decides that an order is paid back, or tries a refund again that failed. */
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import { type Amount, isZero } from '../../money/amount.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { type LockedOrder, lockOrderById, recordOf } from '../order/finding.js';
import type { Order } from '../order/order.js';
import type { OrderEvent } from '../order/order-events.js';
import type { RefundRecipient } from '../order/ports.js';
import { inBooks } from '../order/refund.js';
import { isUnderReview } from '../order/review.js';
import { changedMeanwhile, requireAllowed } from '../order/transition.js';
import { publicState } from '../order/transitions.js';
import { chargesOf, isLessThanOwed, type RefundReason, statusReasonOf } from '../refunds/refund-terms.js';
import type { Refunds } from '../refunds/refunds.js';
import type { Decision, ReviewService } from '../review/service.js';

export interface RefundDecision extends Decision {
  readonly reason: RefundReason;
  /** False: we bear the charges of banks. Absent: the sender does, after wrong details of the beneficiary. */
  readonly keepCharges: boolean | undefined;
}

export interface RefundRetry extends Decision {
  /** The refund that is tried again. Absent: all that failed. */
  readonly refundId: string | undefined;
  /** Absent: the account that paid. */
  readonly recipient: RefundRecipient | undefined;
}

export interface RefundServiceOptions {
  readonly users: UserService;
  readonly reviews: ReviewService;
  readonly refunds: Refunds;
}

export class RefundService {
  readonly #options: RefundServiceOptions;

  constructor(options: RefundServiceOptions) {
    this.#options = options;
  }

  /**
   * Pays the order back: all of it, or less the charges of banks after wrong details of the beneficiary. Throws
   * `order_not_found`, `ledger_fault`, `refund_too_small`, `invalid_fields`, and `order_transition_not_allowed` also
   * for an order under review, which is refused instead, and for a refused one, whose money goes back by itself. An
   * order that does not pass the gate is put under review instead.
   */
  async refund(tx: Transaction, by: By, id: string, decision: RefundDecision): Promise<Order> {
    const locked = await this.#lock(tx, id, decision.version);
    const { order } = locked;
    requireAllowed(by, order, 'refund');
    if (isUnderReview(order)) throw notNow(order, 'The order is under review. Refuse the review instead.');
    if (order.state === 'REJECTED') throw notNow(order, 'The money of a refused order goes back by itself.');
    if (isZero(inBooks(order))) throw notNow(order, 'We hold no money of this order.');
    const kept = keptOf(order, decision);
    const refunded = await this.#options.refunds.open(tx, by, order, {
      event: 'refund',
      change: { statusReason: statusReasonOf(order, decision.reason) },
      ...(kept ? { kept } : {}),
    });
    const event = eventThatLedTo(refunded, 'refund');
    await this.#options.reviews.note(tx, by, { ...locked, order: refunded }, { event, note: decision.note });
    return refunded;
  }

  /** A refund to another account is changed by two people. Throws `order_not_found`. */
  async reviewRetry(
    tx: Transaction,
    id: string,
    { recipient }: Pick<RefundRetry, 'recipient'>,
  ): Promise<ApprovalSubject | undefined> {
    if (!recipient) return undefined;
    const { order } = await lockOrderById(tx, this.#options.users, id);
    return { subject: recordOf(order), version: String(order.version) };
  }

  /**
   * Tries a refund again. If the payer's bank has taken the payment back, nothing is owed any more, and the order ends
   * as CANCELLED. One that does not pass the gate is put under review instead. Throws `order_not_found`,
   * `ledger_fault`, `order_transition_not_allowed`, and `invalid_fields` when one recipient is named for several
   * refunds.
   */
  async retry(tx: Transaction, by: By, id: string, decision: RefundRetry): Promise<Order> {
    const { note, version, refundId, recipient } = decision;
    const locked = await this.#lock(tx, id, version);
    const { order } = locked;
    requireAllowed(by, order, 'retry_refund');
    const retried = await this.#options.refunds.retry(tx, by, order, { refundId, recipient });
    const event = eventThatLedTo(retried, 'retry_refund');
    await this.#options.reviews.note(tx, by, { ...locked, order: retried }, { event, note });
    return retried;
  }

  async #lock(tx: Transaction, id: string, version: number): Promise<LockedOrder> {
    const locked = await lockOrderById(tx, this.#options.users, id);
    if (locked.order.version !== version) throw changedMeanwhile(locked.order);
    return locked;
  }
}

/** Without anything to pay back, because a bank took it, an order ends; without passing the gate, it is reviewed. */
function eventThatLedTo({ state }: Order, wanted: 'refund' | 'retry_refund'): OrderEvent {
  if (state === 'CANCELLED') return 'reverse_payment';
  return state === 'IN_REVIEW' ? 'refer' : wanted;
}

/** Undefined when everything goes back. */
function keptOf(order: Order, { reason, keepCharges }: RefundDecision): Amount | undefined {
  if (reason !== 'beneficiary_data') {
    if (keepCharges !== true) return undefined;
    const message = 'may be true only with the reason beneficiary_data';
    throw new RemesaError('invalid', 'invalid_fields', `keepCharges: ${message}`, {
      errors: [{ field: 'keepCharges', code: 'not_allowed', message }],
    });
  }
  const charges = chargesOf(order);
  if (keepCharges === false || isZero(charges)) return undefined;
  if (isLessThanOwed(order, charges)) return charges;
  throw new RemesaError('conflict', 'refund_too_small', 'The charges of banks would leave nothing to refund.');
}

function notNow({ state }: Order, message: string): RemesaError {
  return new RemesaError('conflict', 'order_transition_not_allowed', message, {
    members: { orderStatus: publicState(state) },
  });
}
