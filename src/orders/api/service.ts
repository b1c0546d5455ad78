/** What merchants and their users do with an order once it is placed: see and correct its beneficiary, cancel it. */
import { isDeepStrictEqual } from 'node:util';
import type { Details } from '../../beneficiaries/beneficiary.js';
import type { By } from '../../caller.js';
import { requireUntouched } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { isZero } from '../../money/amount.js';
import type { Queryable, SealedQueryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { findUsdValue } from '../limits/store.js';
import { beneficiaryOf, senderOf } from '../order/copies/copies.js';
import { sealBeneficiary } from '../order/copies/sealed.js';
import { findOrderOf, lockOrderOf } from '../order/finding.js';
import type { Order } from '../order/order.js';
import type { OrderEvent } from '../order/order-events.js';
import { owedToPayer } from '../order/refund.js';
import { isUnderReview, reasonOfCancellation } from '../order/review.js';
import { digestedOrder } from '../order/row.js';
import { saveBeneficiary } from '../order/store.js';
import { changedMeanwhile, type OrderTransitions, requireAllowed } from '../order/transition.js';
import { publicState, stateAfter } from '../order/transitions.js';
import type { OrderScope } from '../order/wire/scope.js';
import type { OrderCreation } from '../placing/creation.js';
import { type BeneficiaryChoice, payeeOf, requirePayable } from '../placing/new-order.js';
import type { Originators } from '../placing/originators.js';
import type { Refunds } from '../refunds/refunds.js';
import type { AccountIndex } from '../rules/account-index.js';

export interface OrderOptions {
  readonly users: UserService;
  readonly creation: OrderCreation;
  readonly transitions: OrderTransitions;
  readonly refunds: Refunds;
  /** What must be known of the sender for the new country of a corrected beneficiary. */
  readonly originators: Pick<Originators, 'require'>;
  /** Recognises the account of a corrected beneficiary. */
  readonly accounts: Pick<AccountIndex, 'save'>;
}

export interface BeneficiaryChange {
  readonly scope: OrderScope;
  readonly id: string;
  readonly choice: BeneficiaryChoice;
}

export class OrderService {
  readonly #options: OrderOptions;

  constructor(options: OrderOptions) {
    this.#options = options;
  }

  /**
   * An order that somebody else has changed in the database is shown to nobody: senders would pay to a wrong account.
   * Throws `order_not_found` and `ledger_fault`.
   */
  async look(database: SealedQueryable, scope: OrderScope, id: string): Promise<Order> {
    let order = await findOrderOf(database, scope, id);
    await requireUntouched(database, order.merchantId, digestedOrder(order), async () => {
      order = await findOrderOf(database, scope, id);
      return digestedOrder(order);
    });
    return order;
  }

  /** The order's own copy. Throws `order_not_found`, and `beneficiary_not_found` after the user was deleted. */
  async beneficiary(database: Queryable, scope: OrderScope, id: string): Promise<Details> {
    const order = await findOrderOf(database, scope, id);
    const isActive = await this.#options.users.profile(database, order.merchantId, order.userId);
    const details = isActive && (await beneficiaryOf(this.#options.users, database, order));
    if (!details) throw beneficiaryGone();
    return details;
  }

  /**
   * Corrects the beneficiary before the order is paid, or when asked, which answers the question. If a payout had
   * failed and nothing else was asked for, the payout is tried again; after a clawback, an operator decides. Sending
   * the same beneficiary again changes nothing. Throws `order_not_found`, `order_transition_not_allowed`,
   * `payout_unavailable`, for another country `country_prohibited` and `originator_incomplete`, and as the
   * beneficiaries room does.
   */
  async changeBeneficiary(tx: Transaction, by: By, { scope, id, choice }: BeneficiaryChange): Promise<Order> {
    const { users, creation, transitions, accounts } = this.#options;
    const before = await lockOrderOf(tx, users, scope, id);
    const { retainedKey } = await users.sender(tx, before.merchantId, before.userId);
    requireAllowed(by, before, 'change_beneficiary');
    const { details, beneficiaryId } = await creation.chooseBeneficiary(tx, before, choice);
    requirePayable(creation.corridorOf(before), before.amountOut, details);
    const isSame = isDeepStrictEqual(await beneficiaryOf(users, tx, before), details);
    if (isSame && beneficiaryId === before.payee.beneficiaryId) return before;
    if (details.country !== before.payee.country) await this.#requireCountry(tx, before, details);
    const payee = payeeOf(details, beneficiaryId, before.payee.version + 1);
    const sealedBeneficiary = sealBeneficiary(retainedKey, before, payee.version, details);
    const saved = await saveBeneficiary(tx, before, { payee, sealedBeneficiary });
    if (!saved) throw changedMeanwhile(before);
    await transitions.record(tx, by, { ...saved, event: 'change_beneficiary', before });
    await accounts.save(tx, saved.order, details);
    return this.#answerByCorrection(tx, by, saved.order);
  }

  /** Another country can ask more of the order and of the sender than the one that it was placed for. */
  async #requireCountry(tx: Transaction, order: Order, details: Details): Promise<void> {
    const { users, creation, originators } = this.#options;
    const sender = await senderOf(users, tx, order);
    if (!sender?.originator) throw new Error('an open order has no copy of its sender');
    creation.requireCountries(order, { details, beneficiaryId: undefined }, sender.country);
    const place = { licensee: creation.requireLicensee(), residence: sender.country, payout: details.country };
    originators.require(sender.originator, place, await findUsdValue(tx, order));
  }

  /** A corrected beneficiary answers the question for it. The gate screens it before each payout. */
  #answerByCorrection(tx: Transaction, by: By, order: Order): Promise<Order> | Order {
    const { state, requirements, memories, cancellationRequestedAt } = order;
    const isForReview = memories.information === 'IN_REVIEW';
    const isAsked = state === 'ACTION_REQUIRED' && requirements.includes('beneficiary_details');
    if (!isAsked || (cancellationRequestedAt && !isForReview)) return order;
    const missing = requirements.filter((code) => code !== 'beneficiary_details');
    const isAfterFailure = memories.information === 'PAYOUT_FAILED' || memories.information === 'RETURNED';
    // Where no payout had failed, an operator wondered about the beneficiary, and reads what became of it.
    const hasUnreadAnswers = order.hasUnreadAnswers || !(isAfterFailure || isForReview);
    const change = { requirements: missing, hasUnreadAnswers };
    const { transitions } = this.#options;
    if (missing.length > 0) return transitions.applyTransition(tx, by, order, { event: 'record_information', change });
    // The worker tries the payout again, through the gate, unless the payer's bank has taken the money back meanwhile.
    const retriesPayout = isAfterFailure && isZero(order.amountReversed);
    return transitions.applyTransition(tx, by, order, {
      event: 'provide_information',
      change: { ...change, retriesPayout },
    });
  }

  /**
   * Before a payout was submitted: at once, with all of the money that came; during a review, once the review is over.
   * An order that does not pass the gate is reviewed first. Cancelling twice returns the same order. Throws
   * `order_not_found`, `order_not_cancellable` and `ledger_fault`.
   */
  async cancel(tx: Transaction, by: By, scope: OrderScope, id: string): Promise<Order> {
    const { users, transitions, refunds } = this.#options;
    const order = await lockOrderOf(tx, users, scope, id);
    if (order.cancellationRequestedAt) return order;
    const event = cancellationOf(order);
    if (!event) throw notCancellable(order);
    if (event === 'request_cancellation') return transitions.applyTransition(tx, by, order, { event });
    const change = { statusReason: reasonOfCancellation(order) };
    if (event === 'cancel') return transitions.applyTransition(tx, by, order, { event, change });
    const ended = await refunds.open(tx, by, order, { event, change });
    if (!isUnderReview(ended)) return ended;
    return transitions.applyTransition(tx, by, ended, { event: 'request_cancellation' });
  }
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

function beneficiaryGone(): RemesaError {
  return new RemesaError('not_found', 'beneficiary_not_found', 'The user of this order was deleted.');
}

function notCancellable({ state }: Order): RemesaError {
  const status = publicState(state);
  return new RemesaError('conflict', 'order_not_cancellable', `An order that is ${status} cannot be cancelled.`, {
    members: { orderStatus: status },
  });
}
