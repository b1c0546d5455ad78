/** The verbs of operators that stop an order: put it under review, freeze, release, ask for information. */
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { BlockedPerson } from '../../kyc/hits/review-service.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { type Amount, isZero } from '../../money/amount.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { type LockedOrder, lockOrder, lockOrderById, recordOf } from '../order/finding.js';
import type { Order, OrderId } from '../order/order.js';
import { inBooks, owedToPayer } from '../order/refund.js';
import { isRequoteOpen, type RequirementCode } from '../order/requirement.js';
import { reverseConversion, reverseFreeze } from '../order/reversals.js';
import { isBeingRefunded, isUnderReview, type NewReview, nothingFound, underlyingState } from '../order/review.js';
import { requireAllowed } from '../order/transition.js';
import { isOpen, publicState } from '../order/transitions.js';
import { listOrdersOfUser } from './review-store.js';
import type { ReviewService } from './service.js';

export interface InformationRequest {
  readonly items: readonly RequirementCode[];
  readonly days: number;
  readonly note: string;
}

const dayMs = 86_400_000;

export interface FreezeOptions {
  readonly users: UserService;
  readonly ledger: LedgerService;
  readonly reviews: ReviewService;
}

export class FreezeService {
  readonly #options: FreezeOptions;

  constructor(options: FreezeOptions) {
    this.#options = options;
  }

  /**
   * Throws `order_not_found`, and `order_transition_not_allowed` also when we hold no money of an order that is not
   * waiting for its payment.
   */
  async refer(tx: Transaction, by: By, id: string, note: string): Promise<Order> {
    const locked = await this.#lock(tx, id);
    requireAllowed(by, locked.order, 'refer');
    if (underlyingState(locked.order) !== 'AWAITING_PAYMENT') requireHeld(locked.order);
    const journals = await this.#options.reviews.withdrawUnsent(tx, locked.order);
    const referred = await this.#options.reviews.applyWithNote(tx, by, locked, { event: 'refer', note, journals });
    await this.#options.reviews.begin(tx, { ...locked, order: referred }, { reasons: ['operator'] });
    return referred;
  }

  /**
   * The money must not move. A conversion is reversed, so that the frozen money is what was paid. Throws
   * `order_not_found`, and `order_transition_not_allowed` also when we hold no money of the order.
   */
  async freeze(tx: Transaction, by: By, id: string, note: string): Promise<Order> {
    return this.#freeze(tx, by, await this.#lock(tx, id), { note, review: { reasons: ['freeze'] } });
  }

  /**
   * Freezes every order of the person in which we hold money, and returns the ids of all the person's orders. What a
   * bank has been instructed to pay cannot be stopped: if it comes back, it meets the gate. The caller has locked the
   * user.
   */
  async block(tx: Transaction, by: By, person: BlockedPerson): Promise<readonly OrderId[]> {
    const { merchantId, userId, hitId, note } = person;
    const found = await listOrdersOfUser(tx, merchantId, userId);
    for (const { orderId, state } of found) {
      if (state === 'FROZEN' || !isOpen(state)) continue;
      const order = await lockOrder(tx, this.#options.users, { merchantId, orderId, userId });
      const key = await this.#options.reviews.key(tx, order);
      const findings = { ...nothingFound(order), hits: hitId ? [hitId] : [] };
      const review: NewReview = { reasons: hitId ? ['sender_match', 'freeze'] : ['freeze'], findings };
      await this.#freeze(tx, by, { order, key }, { note, review }).catch(unlessOutOfReach);
    }
    return found.map(({ orderId }) => orderId);
  }

  async #freeze(
    tx: Transaction,
    by: By,
    locked: LockedOrder,
    { note, review }: { readonly note: string; readonly review: NewReview },
  ): Promise<Order> {
    const { order } = locked;
    requireAllowed(by, order, 'freeze');
    const held = requireHeld(order);
    const withdrawn = await this.#options.reviews.withdrawUnsent(tx, order);
    const from = isBeingRefunded(underlyingState(order)) ? 'refund' : 'liability';
    const reversed = await reverseConversion(this.#options.ledger, tx, order);
    const journals = [...withdrawn, ...reversed, postings.frozen(order.orderId, from, held)];
    const frozen = await this.#options.reviews.applyWithNote(tx, by, locked, { event: 'freeze', note, journals });
    if (!isUnderReview(order)) await this.#options.reviews.begin(tx, { ...locked, order: frozen }, review);
    return frozen;
  }

  /** What a release is about. Throws `order_not_found`. */
  async reviewRelease(tx: Transaction, id: string): Promise<ApprovalSubject> {
    const { order } = await this.#lock(tx, id);
    return { subject: recordOf(order), version: String(order.version) };
  }

  /** The freeze ends and the review goes on. Throws `order_not_found` and `order_transition_not_allowed`. */
  async release(tx: Transaction, by: By, id: string, note: string): Promise<Order> {
    const locked = await this.#lock(tx, id);
    requireAllowed(by, locked.order, 'release');
    const journals = await reverseFreeze(this.#options.ledger, tx, locked.order);
    return this.#options.reviews.applyWithNote(tx, by, locked, { event: 'release', note, journals });
  }

  /** The order waits for the sender. Throws `order_not_found` and `order_transition_not_allowed`. */
  async requestInformation(tx: Transaction, by: By, id: string, request: InformationRequest): Promise<Order> {
    const { items, days, note } = request;
    const locked = await this.#lock(tx, id);
    requireAllowed(by, locked.order, 'request_information');
    const now = await readMerchantClock(tx, locked.order.merchantId);
    const actionRequiredBy = new Date(now.getTime() + days * dayMs);
    // What was asked for before is replaced, but for new terms: the order does not go on without an answer to these.
    const requirements = isRequoteOpen(locked.order) ? [...items, 'requote' as const] : items;
    const change = { requirements, actionRequiredBy };
    return this.#options.reviews.applyWithNote(tx, by, locked, { event: 'request_information', note, change });
  }

  #lock(tx: Transaction, id: string) {
    return lockOrderById(tx, this.#options.users, id);
  }
}

/** We hold no money of the order, or a bank has been instructed to pay it. Nothing was written. */
function unlessOutOfReach(error: unknown): void {
  if (!(error instanceof RemesaError) || error.code !== 'order_transition_not_allowed') throw error;
}

/** What we hold of the order's money. Throws `order_transition_not_allowed` when that is nothing. */
function requireHeld(order: Order): Amount {
  const { state } = order;
  const held = isBeingRefunded(underlyingState(order)) ? owedToPayer(order) : inBooks(order);
  if (!isZero(held)) return held;
  throw new RemesaError(
    'conflict',
    'order_transition_not_allowed',
    'We hold no money of this order, so there is nothing to stop.',
    { members: { orderStatus: publicState(state) } },
  );
}
