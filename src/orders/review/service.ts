/** The verbs of reviews: refer an order, approve, refuse, and what the gate asks. Each is one transition. */
import type { ApprovalSubject } from '../../approval.js';
import { type By, operatorOf } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { isZero } from '../../money/amount.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { type LockedOrder, lockOrderById, recordOf } from '../order/finding.js';
import type { Order, OrderRef, StatusReason } from '../order/order.js';
import type { OrderEvent } from '../order/order-events.js';
import type { Payouts } from '../order/ports.js';
import { inBooks } from '../order/refund.js';
import { reverseConversion } from '../order/reversals.js';
import {
  Cleared,
  endingOf,
  isBeingRefunded,
  isConverted,
  isGoingBack,
  type NewReview,
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
import { type ClearanceOptions, requireCleared } from './clearance.js';
import { notRefusable, underWay } from './refusals.js';
import * as store from './review-store.js';
import { openFindings, sealFindings, sealNote } from './sealed.js';

export interface ReviewOptions extends ClearanceOptions {
  readonly users: UserService;
  readonly ledger: LedgerService;
  readonly transitions: OrderTransitions;
  readonly refunds: Refunds;
  readonly payouts: () => Payouts;
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
   * A person must look at the order. A payout or refund that was not sent yet is withdrawn first. Throws
   * `order_transition_not_allowed`, also when the order has changed since it was read.
   */
  async refer(tx: Transaction, by: By, order: Order, review: NewReview): Promise<Order> {
    const journals = await this.withdrawUnsent(tx, order);
    const referred = await this.#options.transitions.applyTransition(tx, by, order, { event: 'refer', journals });
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

  /** What operators have cleared by deciding earlier reviews of this order. */
  async clearedOf(database: Queryable, order: Order): Promise<Cleared> {
    const decided = await store.listDecidedReviews(database, order);
    if (decided.length === 0) return new Cleared(order, []);
    const key = await this.key(database, order);
    const opened = decided.map(({ version, sealedFindings, decision, despiteHits }) => ({
      decision,
      despiteHits,
      findings: openFindings(key, order, version, sealedFindings),
    }));
    return new Cleared(order, opened);
  }

  /**
   * A second operator is needed to clear a strong match of the beneficiary or of a payer, as to dismiss a strong hit,
   * and to let money go back to a sender with a confirmed hit, or that was frozen. Throws `order_not_found`.
   */
  async reviewApproval(tx: Transaction, id: string): Promise<ApprovalSubject | undefined> {
    const locked = await lockOrderById(tx, this.#options.users, id);
    const { order } = locked;
    const { matches, payerMatches, isHeld } = await this.#newestFindings(tx, locked);
    const isStrong = [...matches, ...payerMatches].some((match) => match.isStrong);
    const goesBack = isGoingBack(underlyingState(order)) || endingOf(order) !== undefined;
    const needsTwo = isStrong || (goesBack && isHeld);
    return needsTwo ? { subject: recordOf(order), version: String(order.version) } : undefined;
  }

  /** The same for a refusal, which lets the money go back to those who paid. Throws `order_not_found`. */
  async reviewRefusal(tx: Transaction, id: string): Promise<ApprovalSubject | undefined> {
    const locked = await lockOrderById(tx, this.#options.users, id);
    const { order } = locked;
    const { payerMatches, isHeld } = await this.#newestFindings(tx, locked);
    if (!isHeld && !payerMatches.some((match) => match.isStrong)) return undefined;
    return { subject: recordOf(order), version: String(order.version) };
  }

  /**
   * The order goes on where it was, and what was found does not stop it again. If its cancellation was requested, or
   * the sender did not accept its new terms, the money goes back instead. Throws `order_not_found`,
   * `order_transition_not_allowed`, `ledger_fault`, `order_review_blocked` while the sender has hits that are not
   * dismissed (for money that goes back: not decided) or lacks the KYC level or the acceptance of management, and
   * `order_terms_differ`.
   */
  async approve(tx: Transaction, by: By, id: string, { note, version }: Decision): Promise<Order> {
    const locked = await lockOrderById(tx, this.#options.users, id);
    const { order } = locked;
    requireVersion(order, version);
    requireAllowed(by, order, 'approve');
    const resumes = underlyingState(order);
    const ending = isGoingBack(resumes) ? undefined : endingOf(order);
    const isPaidOut = ending === undefined && !isGoingBack(resumes);
    const despiteHits = await requireCleared(this.#options, tx, order, { isPaidOut });
    await this.#decide(tx, by, order, { decision: 'approved', reason: undefined, despiteHits });
    if (ending && isZero(inBooks(order))) return this.#close(tx, by, locked, { note, statusReason: ending });
    if (ending) {
      const change = { statusReason: ending };
      const refunded = await this.#options.refunds.open(tx, by, order, { event: 'refund', change });
      await this.note(tx, by, { ...locked, order: refunded }, { event: 'refund', note });
      return refunded;
    }
    const journals = await this.#restoredConversion(tx, order);
    // What the sender did not answer is not asked for any more, unless the review had interrupted the question.
    const isAskedStill = order.memories.review === 'ACTION_REQUIRED';
    const change = { hasUnreadAnswers: false, requirements: isAskedStill ? order.requirements : [] };
    const approved = await this.applyWithNote(tx, by, locked, { event: 'approve', note, change, journals });
    // Its refunds were withdrawn when the review began.
    return isBeingRefunded(approved.state) ? this.#options.refunds.resume(tx, by, approved) : approved;
  }

  /**
   * The money goes back; an order that nobody paid ends. Throws `order_not_found`, `order_transition_not_allowed`, and
   * `order_review_blocked` while the sender has hits that nobody has decided.
   */
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
    const despiteHits = await requireCleared(this.#options, tx, order, { isPaidOut: false });
    await this.#decide(tx, by, order, { decision: 'refused', reason, despiteHits });
    if (isZero(inBooks(order))) return this.#close(tx, by, locked, { note, statusReason: 'refused' });
    return this.applyWithNote(tx, by, locked, { event: 'refuse', note, change: { statusReason: 'refused' } });
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

  /**
   * Withdraws a payout or refunds that nobody was instructed to make, and returns the journals of that. Throws
   * `order_transition_not_allowed` when money may already have left; nothing was written then.
   */
  async withdrawUnsent(tx: Transaction, order: Order): Promise<OrderJournal[]> {
    const { orderId, state, amountOut } = order;
    const isPaidOut = state === 'PAYOUT_SUBMITTED';
    if (!isPaidOut && !isBeingRefunded(state)) return [];
    const withdrawn = await this.#options.payouts().withdrawUnsent?.(tx, order);
    const rail = withdrawn?.rail;
    if (!withdrawn || (isPaidOut && rail === undefined)) throw underWay(order);
    return isPaidOut && rail !== undefined ? [postings.payoutWithdrawn(orderId, rail, amountOut)] : [];
  }

  async key(database: Queryable, { merchantId, userId }: OrderRef & Pick<Order, 'userId'>): Promise<Buffer> {
    const key = await this.#options.users.retainedKey(database, merchantId, userId);
    if (!key) throw new Error('the user of an open order has no retained key');
    return key;
  }

  /** Nobody has paid the order, so nothing goes back. */
  #close(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    { note, statusReason }: { readonly note: string; readonly statusReason: StatusReason },
  ): Promise<Order> {
    return this.applyWithNote(tx, by, locked, { event: 'close', note, change: { statusReason } });
  }

  /** `isHeld`: the sender has a confirmed hit, or the money was frozen, so that one person alone does not let it go. */
  async #newestFindings(
    tx: Transaction,
    { order, key }: LockedOrder,
  ): Promise<ReviewFindings & { readonly isHeld: boolean }> {
    const newest = await store.findNewestReview(tx, order);
    const blocking = await this.#options.hits.listBlocking(tx, order.merchantId, order.userId);
    const isHeld =
      blocking.some(({ state }) => state === 'confirmed') ||
      (newest !== undefined && (await store.wasFrozen(tx, order, newest.review)));
    if (!newest) return { ...nothingFound(order), isHeld };
    return { ...openFindings(key, order, newest.review.version, newest.sealedFindings), isHeld };
  }

  async #decide(
    tx: Transaction,
    by: By,
    order: Order,
    decision: Omit<store.ReviewDecision, 'decidedBy'>,
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

function requireVersion(order: Order, version: number): void {
  if (order.version !== version) throw changedMeanwhile(order);
}
