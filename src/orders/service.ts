/** The verbs of orders: create, find, correct the beneficiary, cancel, expire, and what the users room asks. */
import { isDeepStrictEqual } from 'node:util';
import type { Details } from '../beneficiaries/beneficiary.js';
import type { By } from '../caller.js';
import { hasPosted } from '../changes/service.js';
import { RemesaError } from '../errors.js';
import { type MerchantId, publicId, type UserId } from '../ids.js';
import { isZero } from '../money/amount.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import { type ExpiredOrder, isExpired } from './deadlines/expiry-store.js';
import { dropMetadata, hasOpenOrder, listOrderIds } from './erasure-store.js';
import { beneficiaryOf } from './order/copies/copies.js';
import { sealBeneficiary } from './order/copies/sealed.js';
import { recordOf } from './order/operator-order.js';
import type { Order, OrderRef, StatusReason } from './order/order.js';
import type { OrderEvent } from './order/order-events.js';
import { owedToPayer } from './order/refund.js';
import { isRequoteOpen } from './order/requirement.js';
import * as store from './order/store.js';
import { changedMeanwhile, type OrderTransitions, requireAllowed } from './order/transition.js';
import { publicState, stateAfter } from './order/transitions.js';
import type { OrderScope } from './order/wire/scope.js';
import { type BeneficiaryChoice, type OrderCreation, payeeOf, requirePayable } from './placing/creation.js';
import { keptAfterSilence } from './refunds/refund-terms.js';
import type { Refunds } from './refunds/refunds.js';
import type { ReviewService } from './review/service.js';

export interface OrderOptions {
  readonly users: UserService;
  readonly creation: OrderCreation;
  readonly transitions: OrderTransitions;
  readonly refunds: Refunds;
  readonly reviews: Pick<ReviewService, 'resume'>;
}

export interface BeneficiaryChange {
  readonly scope: OrderScope;
  readonly id: string;
  readonly choice: BeneficiaryChoice;
}

const externalIdPrefix = 'ext-';

export class OrderService {
  constructor(readonly options: OrderOptions) {}

  /** Finds an order by its id, or by `ext-` and the merchant's own id. Throws `order_not_found`. */
  async find(database: Queryable, { merchantId, userId }: OrderScope, id: string): Promise<Order> {
    const order = await findByText(database, merchantId, id);
    if (!order || (userId !== undefined && order.userId !== userId)) throw orderNotFound();
    return order;
  }

  /** The order's own copy. Throws `order_not_found`, and `beneficiary_not_found` after the user was deleted. */
  async beneficiary(database: Queryable, scope: OrderScope, id: string): Promise<Details> {
    const order = await this.find(database, scope, id);
    const isActive = await this.options.users.profile(database, order.merchantId, order.userId);
    const details = isActive && (await beneficiaryOf(this.options.users, database, order));
    if (!details) throw beneficiaryGone();
    return details;
  }

  /**
   * Corrects the beneficiary before the order is paid, or when asked. If a payout had failed and nothing else was asked for,
   * the payout is tried again; after a clawback, an operator decides. Sending the same beneficiary again changes nothing. Throws
   * `order_not_found`, `order_transition_not_allowed`, `payout_unavailable`, and as the beneficiaries room does.
   */
  async changeBeneficiary(tx: Transaction, by: By, { scope, id, choice }: BeneficiaryChange): Promise<Order> {
    const found = await this.find(tx, scope, id);
    const { retainedKey } = await this.options.users.lockSender(tx, found.merchantId, found.userId);
    const before = await lockFound(tx, found);
    requireAllowed(by, before, 'change_beneficiary');
    const { details, beneficiaryId } = await this.options.creation.chooseBeneficiary(tx, before, choice);
    requirePayable(this.options.creation.corridorOf(before), before.amountOut, details);
    const isSame = isDeepStrictEqual(await beneficiaryOf(this.options.users, tx, before), details);
    if (isSame && beneficiaryId === before.payee.beneficiaryId) return before;
    const payee = payeeOf(details, beneficiaryId, before.payee.version + 1);
    const sealedBeneficiary = sealBeneficiary(retainedKey, before, payee.version, details);
    const saved = await store.saveBeneficiary(tx, before, { payee, sealedBeneficiary });
    if (!saved) throw changedMeanwhile(before);
    const { transitions, creation } = this.options;
    await Promise.all([
      transitions.record(tx, by, { ...saved, event: 'change_beneficiary', from: before.state }),
      creation.options.accounts.save(tx, saved.order, details),
    ]);
    if (!isAllThatWasAsked(saved.order)) return saved.order;
    // The worker tries the payout again, through the gate, unless the payer's bank has taken the money back meanwhile.
    const change = { retriesPayout: isZero(saved.order.amountReversed) };
    return transitions.applyTransition(tx, by, saved.order, { event: 'provide_information', change });
  }

  /** Locks the user, then the order. Throws `order_not_found`. */
  async lock(tx: Transaction, scope: OrderScope, id: string): Promise<Order> {
    const found = await this.find(tx, scope, id);
    await this.options.users.lock(tx, found.merchantId, found.userId);
    return lockFound(tx, found);
  }

  /**
   * Before a payout was submitted: at once, with all of the money that came; during a review, once the review is over.
   * Cancelling twice returns the same order. Throws `order_not_found`, `order_not_cancellable` and `ledger_fault`.
   */
  async cancel(tx: Transaction, by: By, scope: OrderScope, id: string): Promise<Order> {
    const { transitions, refunds } = this.options;
    const order = await this.lock(tx, scope, id);
    if (order.cancellationRequestedAt) return order;
    const event = cancellationOf(order);
    if (!event) throw notCancellable(order);
    if (event === 'request_cancellation') return transitions.applyTransition(tx, by, order, { event });
    const change = { statusReason: 'cancelled_by_sender' } as const;
    if (event === 'cancel') return transitions.applyTransition(tx, by, order, { event, change });
    return refunds.open(tx, by, order, { event, change });
  }

  /** Returns false when the order is no longer due, because it was paid, cancelled, answered or expired meanwhile. */
  async expire(tx: Transaction, by: By, due: ExpiredOrder): Promise<boolean> {
    await this.options.users.lock(tx, due.merchantId, due.userId);
    const order = await lockFound(tx, due);
    if (!(await isExpired(tx, order))) return false;
    await this.endWaiting(tx, by, order);
    return true;
  }

  /**
   * The order has waited long enough for its payment or for answers, whatever the clock says: the sandbox decides that too.
   * The caller has locked the user and the order. Throws `order_transition_not_allowed` and `ledger_fault`.
   */
  async endWaiting(tx: Transaction, by: By, order: Order): Promise<void> {
    const { transitions, refunds, reviews } = this.options;
    const isAsked = order.state === 'ACTION_REQUIRED';
    const change = { statusReason: silenceOf(order) };
    // A person decides what the silence means, so that nobody learns from the outcome what was being looked for.
    if (isAsked && order.memories.information === 'IN_REVIEW') await reviews.resume(tx, by, order);
    else if (isZero(order.amountReceived))
      await transitions.applyTransition(tx, by, order, { event: 'expire', change });
    else
      await refunds.open(tx, by, order, {
        event: 'expire_and_refund',
        change,
        kept: keptAfterSilence(order),
      });
  }

  /** Whether a transfer of the user is not finished. A payout may come back after the user was erased. */
  hasOpenOrders(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<boolean> {
    return hasOpenOrder(tx, merchantId, userId);
  }

  /**
   * Called when a user is erased, under the lock of the user. Removes the merchant's notes. The copies of beneficiaries
   * are sealed under the retained key, which the law requires to be kept only when money came.
   */
  async erase(
    tx: Transaction,
    merchantId: MerchantId,
    userId: UserId,
  ): Promise<{ hasOpenOrders: boolean; mustRetain: boolean }> {
    const hasOpenOrders = await this.hasOpenOrders(tx, merchantId, userId);
    // Also an order whose payment was taken off again: the law wants to know who paid, and so does whoever pays it back.
    const ids = await listOrderIds(tx, merchantId, userId);
    const subjects = ids.map((orderId) => recordOf({ orderId }));
    const mustRetain = await hasPosted(tx, merchantId, subjects);
    if (!hasOpenOrders) await dropMetadata(tx, merchantId, userId);
    return { hasOpenOrders, mustRetain };
  }
}

async function findByText(database: Queryable, merchantId: MerchantId, id: string): Promise<Order | undefined> {
  if (id.startsWith(externalIdPrefix)) {
    return store.findOrderByExternalId(database, merchantId, id.slice(externalIdPrefix.length));
  }
  const orderId = publicId('ord', id);
  return orderId && store.findOrder(database, { merchantId, orderId });
}

/** Orders are never deleted, so an order that was found can be locked. */
async function lockFound(tx: Transaction, found: OrderRef): Promise<Order> {
  const order = await store.lockOrder(tx, found);
  if (!order) throw orderNotFound();
  return order;
}

function silenceOf(order: Order): StatusReason {
  if (order.state !== 'ACTION_REQUIRED') return 'not_paid_in_time';
  return isRequoteOpen(order) ? 'requote_not_accepted' : 'information_not_provided';
}

/** The sender was asked to correct the beneficiary of a payout that failed or came back, and for nothing else. */
function isAllThatWasAsked({ state, memories, requirements, cancellationRequestedAt }: Order): boolean {
  const isPayout = memories.information === 'PAYOUT_FAILED' || memories.information === 'RETURNED';
  const isOnly = requirements.length === 1 && requirements[0] === 'beneficiary_details';
  return state === 'ACTION_REQUIRED' && isPayout && isOnly && !cancellationRequestedAt;
}

/** Undefined when the order can no longer be cancelled, also because the payer's bank has taken the payment back. */
function cancellationOf(order: Order): CancellationEvent | undefined {
  const { state, amountReceived } = order;
  if (!isZero(amountReceived) && isZero(owedToPayer(order))) return undefined;
  const atOnce = isZero(amountReceived) ? 'cancel' : 'cancel_and_refund';
  const events: readonly CancellationEvent[] = [atOnce, 'request_cancellation'];
  return events.find((event) => stateAfter(state, event) !== undefined);
}

type CancellationEvent = Extract<OrderEvent, 'cancel' | 'cancel_and_refund' | 'request_cancellation'>;

function orderNotFound(): RemesaError {
  return new RemesaError('not_found', 'order_not_found', 'There is no such order.');
}

function beneficiaryGone(): RemesaError {
  return new RemesaError('not_found', 'beneficiary_not_found', 'The user of this order was deleted.');
}

function notCancellable({ state }: Order): RemesaError {
  const status = publicState(state);
  return new RemesaError('conflict', 'order_not_cancellable', `An order that is ${status} cannot be cancelled.`, {
    members: { orderStatus: status },
  });
}
