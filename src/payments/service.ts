/**
 * The verbs of payments: record a movement once, and apply it once to its order. Where the account is shared, the
 * merchant of the order takes the payment over in a transaction of its own, because a transaction writes rows of one
 * merchant only.
 */
import type { By } from '../caller.js';
import { recordChange } from '../changes/service.js';
import { RemesaError } from '../errors.js';
import { instanceTenant, newMerchantPublicId } from '../ids.js';
import * as postings from '../ledger/postings.js';
import { lockOrder } from '../orders/order/finding.js';
import type { Order } from '../orders/order/order.js';
import type { Requotes } from '../orders/requote/service.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import { listApplicationsOf } from './applications/application-store.js';
import { findPayer } from './applications/payers.js';
import { type Candidate, type Decision, decide, withoutOrder } from './matching/matching.js';
import type { AccountRef, Movement, Payer, Payment, PaymentSource, SuspenseReason } from './payment.js';
import { policiesOf } from './policies/service.js';
import { differencesOf, requirePlausible } from './recorded.js';
import { type InstanceSealer, ofPayment } from './sealed.js';
import type { PaymentSettlement } from './settlement.js';
import * as store from './store.js';

export interface PaymentOptions {
  readonly requotes: Pick<Requotes, 'offer'>;
  readonly users: UserService;
  readonly sealer: InstanceSealer;
  readonly settlement: PaymentSettlement;
}

export interface Entry {
  readonly account: AccountRef;
  readonly movement: Movement;
  readonly source: PaymentSource;
  /** What its text leads to, read before the transaction. */
  readonly candidate: Candidate;
}

export interface RecordedPayment {
  readonly payment: Payment;
  /** False when the movement had been recorded before. */
  readonly isNew: boolean;
}

/** What is to become of a movement. */
type Plan =
  | { readonly outcome: 'handed_over'; readonly order: Order }
  /** `order` is locked. Undefined when the text leads to no order. */
  | {
      readonly outcome: 'applied' | 'suspense';
      readonly order: Order | undefined;
      readonly decision: Decision;
    };

export const takeOverJob = 'payments.take-over';

export class PaymentService {
  readonly #options: PaymentOptions;

  constructor(options: PaymentOptions) {
    this.#options = options;
  }

  /**
   * Records a movement under the owner of its account. An order of that merchant takes the payment at once; on a shared
   * account the job hands it over. The same movement again returns the first record. Throws `payment_differs` when the
   * first record has other contents, and `invalid_fields` when it was booked in the future.
   */
  async record(tx: Transaction, by: By, entry: Entry): Promise<RecordedPayment> {
    const plan = await this.#plan(tx, entry);
    const payment = await this.#add(tx, entry, plan);
    if (!payment) return { payment: await this.#recordedBefore(tx, entry), isNew: false };
    requirePlausible(payment);
    const { payer } = entry.movement;
    await Promise.all([auditPayment(tx, by, payment), this.#carryOut(tx, by, plan, { payment, payer })]);
    return { payment, isNew: true };
  }

  /**
   * Takes over a payment on a shared account, under the merchant of its order: applies it, or puts it in suspense.
   * Doing it again changes nothing.
   */
  async takeOver(tx: Transaction, by: By, payment: store.HandedOver): Promise<void> {
    const { sealer, settlement } = this.#options;
    const { ownerId, paymentId, amount } = payment;
    const order = await lockOrder(tx, this.#options.users, payment.order);
    const [applications, sealed] = await Promise.all([
      listApplicationsOf(tx, order.merchantId, paymentId),
      store.findSealedPayer(tx, payment),
    ]);
    if (applications.length > 0 || !sealed) return;
    const payer = sealer.open(ofPayment(ownerId, paymentId), sealed);
    const decision = await this.#decide(tx, payment, order);
    const arrival = postings.takenOver(paymentId, amount);
    await settlement.settle(tx, by, { payment, payer, order, decision, arrival });
  }

  /** Ends what `takeOver` has done: the owner of the account needs no copy of the payer any more. */
  async endHandOver(tx: Transaction, payment: store.HandedOver): Promise<void> {
    await store.markSettled(tx, payment);
  }

  /** Undefined after the user's retained key was destroyed. Throws `BrokenSeal`. */
  payerOf(database: Queryable, payment: Payment): Promise<Payer | undefined> {
    return findPayer(this.#options, database, payment);
  }

  /** Locks the order where the owner of the account is its merchant, and decides on it as it is then. */
  async #plan(tx: Transaction, { account, movement, candidate }: Entry): Promise<Plan> {
    if (!('order' in candidate)) {
      return { outcome: 'suspense', order: undefined, decision: withoutOrder(candidate) };
    }
    if (account.ownerId === instanceTenant) return { outcome: 'handed_over', order: candidate.order };
    const order = await lockOrder(tx, this.#options.users, candidate.order);
    const decision = await this.#decide(tx, movement, order);
    return { outcome: decision.kind === 'taken' ? 'applied' : 'suspense', order, decision };
  }

  /** By the policies of the order's merchant and the rates of this moment. */
  async #decide(tx: Transaction, payment: Pick<Movement, 'amount' | 'bookedAt'>, order: Order): Promise<Decision> {
    const policies = await policiesOf(tx, order.merchantId);
    const { requotes } = this.#options;
    return decide(payment, order, { policies, requote: (...asked) => requotes.offer(...asked) });
  }

  /** Returns undefined when the movement was recorded before. */
  #add(tx: Transaction, { account, movement, source }: Entry, plan: Plan): Promise<Payment | undefined> {
    const { bankReference, amount, bookedAt, payer } = movement;
    const paymentId = newMerchantPublicId('pay', account.ownerId);
    const decision = plan.outcome === 'handed_over' ? undefined : plan.decision;
    const hasApplication = decision !== undefined && plan.order !== undefined;
    const order = plan.order ?? decision?.order;
    return store.addPayment(tx, {
      ...account,
      paymentId,
      bankReference,
      amount,
      bookedAt,
      source,
      outcome: plan.outcome,
      reason: decision && reasonOf(decision),
      order: order && { merchantId: order.merchantId, orderId: order.orderId },
      digests: this.#options.sealer.digestsOf(payer),
      sealedPayer: hasApplication ? undefined : this.#options.sealer.seal(ofPayment(account.ownerId, paymentId), payer),
    });
  }

  async #carryOut(
    tx: Transaction,
    by: By,
    plan: Plan,
    { payment, payer }: { readonly payment: Payment; readonly payer: Payer },
  ): Promise<void> {
    const { settlement } = this.#options;
    const { ownerId, paymentId, accountId, amount, recordedAt: at } = payment;
    const arrival = postings.movementIn(paymentId, accountId, amount);
    if (plan.outcome === 'handed_over') {
      tx.wake(takeOverJob);
      return settlement.book(tx, ownerId, at, [arrival, postings.handedOver(paymentId, amount)]);
    }
    const { order, decision } = plan;
    if (order) return settlement.settle(tx, by, { payment, payer, order, decision, arrival });
    if (decision.kind === 'taken') throw new Error('a payment without an order is not taken');
    const { reason } = decision;
    const orderId = decision.order?.orderId;
    await settlement.suspend(tx, by, { payment, tenant: ownerId, reason, orderId, arrival, at });
  }

  /** Throws `payment_differs`. */
  async #recordedBefore(tx: Transaction, { account, movement }: Entry): Promise<Payment> {
    const payment = await store.findPaymentByBankReference(tx, account, movement.bankReference);
    if (!payment) throw new Error('a payment that was recorded before is gone');
    const differences = differencesOf(movement, payment, await this.payerOf(tx, payment));
    if (differences.length === 0) return payment;
    const message = `This movement was recorded before with another ${differences.join(', ')}.`;
    throw new RemesaError('conflict', 'payment_differs', message, {
      members: { paymentId: payment.paymentId, differences },
    });
  }
}

/** Why some of the money is in suspense. */
function reasonOf(decision: Decision): SuspenseReason | undefined {
  if (decision.kind === 'suspense') return decision.reason;
  return decision.excess && 'over';
}

function auditPayment(tx: Transaction, by: By, payment: Payment): Promise<void> {
  const { ownerId, paymentId, accountId, outcome, order } = payment;
  return recordChange(tx, by, {
    merchantId: ownerId,
    action: 'payment.recorded',
    subject: `payment:${paymentId}`,
    details: { accountId, outcome, ...(order ? { orderId: order.orderId } : {}) },
  });
}
