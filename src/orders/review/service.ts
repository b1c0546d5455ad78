/** The verbs of reviews: refer an order, approve, refuse, and what the gate asks. Each is one transition. */
import type { ApprovalSubject } from '../../approval.js';
import { type By, operatorOf } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { HitService } from '../../kyc/hits/service.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { RequiredLevels } from '../limits/required-levels.js';
import { type LockedOrder, lockOrderById, recordOf } from '../order/finding.js';
import type { ReviewReason } from '../order/gate.js';
import type { Order, OrderRef, StatusReason } from '../order/order.js';
import type { OrderEvent } from '../order/order-events.js';
import type { Payouts } from '../order/ports.js';
import { isRequoteOpen } from '../order/requirement.js';
import { reverseConversion } from '../order/reversals.js';
import {
  Cleared,
  isBeingRefunded,
  isConverted,
  nothingFound,
  type RefusalReason,
  type ReviewFindings,
  underlyingState,
} from '../order/review.js';
import {
  changedMeanwhile,
  type Move,
  type OrderJournal,
  type OrderTransitions,
  requireAllowed,
} from '../order/transition.js';
import type { Refunds } from '../refunds/refunds.js';
import * as store from './review-store.js';
import { openFindings, sealFindings, sealNote } from './sealed.js';

export interface ReviewOptions {
  readonly users: UserService;
  readonly hits: HitService;
  readonly ledger: LedgerService;
  readonly transitions: OrderTransitions;
  readonly refunds: Refunds;
  readonly payouts: () => Payouts;
  readonly levels: Pick<RequiredLevels, 'missing'>;
}

export interface NewReview {
  readonly reasons: readonly ReviewReason[];
  readonly findings?: ReviewFindings;
}

/** An operator's decision, on the version of the order that the operator saw. */
export interface Decision {
  readonly note: string;
  readonly version: number;
}

export class ReviewService {
  readonly #options: ReviewOptions;

  constructor(options: ReviewOptions) {
    this.#options = options;
  }

  /**
   * A person must look at the order. For an order that is refunded, the refund is withdrawn first. Throws
   * `order_transition_not_allowed`, also when the order has changed since it was read.
   */
  async refer(tx: Transaction, by: By, order: Order, review: NewReview): Promise<Order> {
    await this.withdrawRefund(tx, order);
    const referred = await this.#options.transitions.applyTransition(tx, by, order, { event: 'refer' });
    await this.begin(tx, { order: referred, key: await this.key(tx, referred) }, review);
    return referred;
  }

  /** What a reviewer asked for did not come in time; the review goes on without it. */
  resume(tx: Transaction, by: By, order: Order): Promise<Order> {
    const change = { statusReason: 'information_not_provided' } as const;
    return this.#options.transitions.applyTransition(tx, by, order, { event: 'refer', change });
  }

  /** Writes the review of an order that has just been put under review. */
  async begin(
    tx: Transaction,
    { order, key }: LockedOrder,
    { reasons, findings = nothingFound(order) }: NewReview,
  ): Promise<void> {
    const { version } = order;
    const sealedFindings = sealFindings(key, order, version, findings);
    await store.addReview(tx, order, { version, reasons, sealedFindings });
  }

  /** What operators have cleared by approving earlier reviews of this order. */
  async clearedOf(database: Queryable, order: Order): Promise<Cleared> {
    const approved = await store.listApprovedReviews(database, order);
    if (approved.length === 0) return new Cleared(order, []);
    const key = await this.key(database, order);
    const findings = approved.map((review) => openFindings(key, order, review.version, review.sealedFindings));
    return new Cleared(order, findings);
  }

  /**
   * A second operator is needed to clear a strong match of the beneficiary, as to dismiss a strong hit. Throws
   * `order_not_found`.
   */
  async reviewApproval(tx: Transaction, id: string): Promise<ApprovalSubject | undefined> {
    const { order, key } = await lockOrderById(tx, this.#options.users, id);
    const newest = await store.findNewestReview(tx, order);
    if (!newest) return undefined;
    const { matches } = openFindings(key, order, newest.review.version, newest.sealedFindings);
    const isStrong = matches.some((match) => match.isStrong);
    return isStrong ? { subject: recordOf(order), version: String(order.version) } : undefined;
  }

  /**
   * The order goes on where it was, and what was found does not stop it again. If its cancellation was requested, or
   * the sender did not accept its new terms, the money goes back instead. Throws `order_not_found`,
   * `order_transition_not_allowed`, `ledger_fault`, and `order_review_blocked` while the sender has hits that are not
   * dismissed or lacks the KYC level.
   */
  async approve(tx: Transaction, by: By, id: string, { note, version }: Decision): Promise<Order> {
    const locked = await lockOrderById(tx, this.#options.users, id);
    const { order } = locked;
    requireVersion(order, version);
    requireAllowed(by, order, 'approve');
    const resumes = underlyingState(order);
    const ending = isGoingBack(resumes) ? undefined : endingOf(order);
    await this.#requireCleared(tx, order, { isPaidOut: ending === undefined && !isGoingBack(resumes) });
    await this.#decide(tx, by, order, { decision: 'approved', reason: undefined });
    if (ending) {
      const change = { statusReason: ending };
      const refunded = await this.#options.refunds.open(tx, by, order, { event: 'refund', change });
      await this.note(tx, by, { ...locked, order: refunded }, { event: 'refund', note });
      return refunded;
    }
    const journals = await this.#restoredConversion(tx, order);
    const approved = await this.applyWithNote(tx, by, locked, { event: 'approve', note, journals });
    // Its refunds were withdrawn when the review began.
    return isBeingRefunded(approved.state) ? this.#options.refunds.resume(tx, by, approved) : approved;
  }

  /** The money goes back. Throws `order_not_found` and `order_transition_not_allowed`. */
  async refuse(
    tx: Transaction,
    by: By,
    id: string,
    { note, version, reason }: Decision & { readonly reason: RefusalReason },
  ): Promise<Order> {
    const locked = await lockOrderById(tx, this.#options.users, id);
    const { order } = locked;
    requireVersion(order, version);
    requireAllowed(by, order, 'refuse');
    // The money is on its way back already: an approval lets it go.
    if (isGoingBack(underlyingState(order))) throw notRefusable(order);
    await this.#decide(tx, by, order, { decision: 'refused', reason });
    const change = { statusReason: 'refused' } as const;
    return this.applyWithNote(tx, by, locked, { event: 'refuse', note, change });
  }

  /** Makes a transition and keeps the operator's note with it. */
  async applyWithNote(
    tx: Transaction,
    by: By,
    { order, key }: LockedOrder,
    { note, ...move }: Move & { readonly note: string },
  ): Promise<Order> {
    const changed = await this.#options.transitions.applyTransition(tx, by, order, move);
    await this.note(tx, by, { order: changed, key }, { event: move.event, note });
    return changed;
  }

  async note(
    tx: Transaction,
    by: By,
    { order, key }: LockedOrder,
    { event, note }: { readonly event: OrderEvent; readonly note: string },
  ): Promise<void> {
    const { version } = order;
    const sealedNote = sealNote(key, order, version, note);
    await store.addNote(tx, order, { version, event, operatorId: operatorOf(by), sealedNote });
  }

  /** Throws `order_transition_not_allowed` when a refund is on its way and may already have left. */
  async withdrawRefund(tx: Transaction, order: Order): Promise<void> {
    if (!isBeingRefunded(order.state)) return;
    if (await this.#options.payouts().withdrawRefund?.(tx, order)) return;
    throw refundUnderWay();
  }

  async key(database: Queryable, { merchantId, userId }: OrderRef & Pick<Order, 'userId'>): Promise<Buffer> {
    const key = await this.#options.users.retainedKey(database, merchantId, userId);
    if (!key) throw new Error('the user of an open order has no retained key');
    return key;
  }

  async #requireCleared(tx: Transaction, order: Order, { isPaidOut }: { readonly isPaidOut: boolean }): Promise<void> {
    const { hits, levels } = this.#options;
    const [blocking, missing] = await Promise.all([
      hits.listBlocking(tx, order.merchantId, order.userId),
      isPaidOut ? levels.missing(tx, order) : undefined,
    ]);
    if (blocking.length === 0 && missing === undefined) return;
    throw new RemesaError(
      'conflict',
      'order_review_blocked',
      'The sender has screening hits that are not dismissed, or does not hold the KYC level of the amount.',
      { members: { hits: blocking.map(({ hitId }) => hitId), missingLevel: missing ?? null } },
    );
  }

  async #decide(
    tx: Transaction,
    by: By,
    order: Order,
    decision: Pick<store.ReviewDecision, 'decision' | 'reason'>,
  ): Promise<void> {
    const newest = await store.findNewestReview(tx, order);
    if (newest) await store.saveDecision(tx, order, newest.review, { ...decision, decidedBy: operatorOf(by) });
  }

  /** A freeze has reversed the conversion, so that an order that goes on as converted is converted again. */
  async #restoredConversion(tx: Transaction, order: Order): Promise<OrderJournal[]> {
    if (!isConverted(underlyingState(order))) return [];
    const { ledger } = this.#options;
    const inForce = await reverseConversion(ledger, tx, order);
    if (inForce.length > 0) return [];
    await ledger.requireSound(tx, order.merchantId);
    return [postings.converted(order.orderId, order)];
  }
}

/** The money is going back, or will. */
function isGoingBack(state: ReturnType<typeof underlyingState>): boolean {
  return state === 'REJECTED' || isBeingRefunded(state);
}

/** Why the money goes back although the review is passed; undefined when the order goes on. */
function endingOf(order: Order): StatusReason | undefined {
  if (order.cancellationRequestedAt) return 'cancelled_by_sender';
  const goesOnWaiting = order.memories.review === 'ACTION_REQUIRED';
  return isRequoteOpen(order) && !goesOnWaiting ? 'requote_not_accepted' : undefined;
}

function requireVersion(order: Order, version: number): void {
  if (order.version !== version) throw changedMeanwhile(order);
}

function notRefusable(order: Order): RemesaError {
  return new RemesaError(
    'conflict',
    'order_transition_not_allowed',
    'The money of this order is already going back. To continue the refund, approve the review.',
    { members: { orderStatus: order.state } },
  );
}

function refundUnderWay(): RemesaError {
  return new RemesaError(
    'conflict',
    'order_transition_not_allowed',
    'The refund of this order may already have been sent. Wait until its outcome is known.',
    { members: { orderStatus: 'REFUND_PENDING' } },
  );
}
