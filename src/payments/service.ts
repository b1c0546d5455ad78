/**
 * The verbs of payments: record a movement once, and apply it once to its order. Where the account is shared, the
 * merchant of the order takes the payment over in a transaction of its own, because a transaction writes rows of one
 * merchant only.
 */
import { bankReferenceUsed, explainReported, findOrTakeBankLine } from '../bank/lines/service.js';
import type { ReportedMovement } from '../bank/matching/taker.js';
import type { By } from '../caller.js';
import { recordChange, requireUntouched } from '../changes/service.js';
import { RemesaError } from '../errors.js';
import { instanceTenant, newMerchantPublicId, publicId } from '../ids.js';
import type { JournalContent, PreparedJournal } from '../ledger/journal.js';
import * as postings from '../ledger/postings.js';
import type { LedgerService } from '../ledger/service.js';
import { lockOrder } from '../orders/order/finding.js';
import type { Order } from '../orders/order/order.js';
import type { Requotes } from '../orders/requote/service.js';
import { readMerchantClock } from '../postgres/merchant-clock.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import { listApplicationsOf } from './applications/application-store.js';
import { findPayer } from './applications/payers.js';
import { type Candidate, type Decision, decide, withoutOrder } from './matching/matching.js';
import type { AccountRef, Movement, Payer, Payment, PaymentId, PaymentSource, SuspenseReason } from './payment.js';
import { digestedPayment } from './payment.js';
import { policiesOf } from './policies/service.js';
import { differencesOf, requirePlausible } from './recorded.js';
import { type InstanceSealer, ofPayment } from './sealed.js';
import { type PaymentSettlement, recordTakeOver } from './settlement.js';
import * as store from './store.js';

export interface PaymentOptions {
  readonly requotes: Pick<Requotes, 'offer'>;
  readonly users: UserService;
  readonly sealer: InstanceSealer;
  readonly settlement: PaymentSettlement;
  readonly ledger: LedgerService;
}

export interface Entry {
  readonly account: AccountRef;
  readonly movement: Movement;
  readonly source: PaymentSource;
  /** What its text leads to, read before the transaction. */
  readonly candidate: Candidate;
  /** The line of the bank that this payment is. Without it, a line is looked for, or made. */
  readonly reported?: ReportedMovement;
  /** Lines with which two people have compared the movement: it is none of them. */
  readonly otherThan?: readonly string[];
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

/** A payment that has just been written, with the journals that follow. */
interface Recorded {
  readonly payment: Payment;
  readonly payer: Payer;
  readonly arrival: PreparedJournal;
  /** Where the merchant of the order takes the money over. */
  readonly handedOver: readonly PreparedJournal[];
}

export const takeOverJob = 'payments.take-over';

export class PaymentService {
  readonly #options: PaymentOptions;

  constructor(options: PaymentOptions) {
    this.#options = options;
  }

  /**
   * Records a movement under the owner of its account. An order of that merchant takes the payment at once; on a shared
   * account the job hands it over. The same movement again returns the first record. Throws `payment_differs` when the
   * first record has other contents, `possible_duplicate` when a line with another reference is probably the same
   * movement, and `invalid_fields` when it was booked in the future.
   */
  async record(tx: Transaction, by: By, entry: Entry): Promise<RecordedPayment> {
    const plan = await this.#plan(tx, entry);
    const paymentId = newMerchantPublicId('pay', entry.account.ownerId);
    const recorded = await takeLine(tx, entry, paymentId, this.#counterpartyOf(entry));
    if (recorded !== paymentId) return { payment: await this.#recordedBefore(tx, entry, recorded), isNew: false };
    const payment = await this.#add(tx, entry, plan, paymentId);
    requirePlausible(payment);
    const { payer } = entry.movement;
    const { ownerId, accountId, amount, recordedAt: occurredAt } = payment;
    const prepare = (content: JournalContent) => this.#options.ledger.prepare(ownerId, { ...content, occurredAt });
    const arrival = prepare(postings.movementIn(paymentId, accountId, amount));
    const handedOver = plan.outcome === 'handed_over' ? [prepare(postings.handedOver(paymentId, amount))] : [];
    await Promise.all([
      auditPayment(tx, by, payment, [arrival, ...handedOver]),
      this.#carryOut(tx, by, plan, { payment, payer, arrival, handedOver }),
    ]);
    return { payment, isNew: true };
  }

  /**
   * Takes over a payment on a shared account, under the merchant of its order: applies it, or puts it in suspense.
   * Doing it again changes nothing.
   */
  async takeOver(tx: Transaction, by: By, payment: store.HandedOver): Promise<void> {
    const { ledger, sealer, settlement } = this.#options;
    const { ownerId, paymentId, amount } = payment;
    await requireUntouched(tx, ownerId, digestedPayment(payment));
    const order = await lockOrder(tx, this.#options.users, payment.order);
    const { merchantId, orderId } = order;
    const [applications, sealed, occurredAt] = await Promise.all([
      listApplicationsOf(tx, merchantId, paymentId),
      store.findSealedPayer(tx, payment),
      readMerchantClock(tx, merchantId),
    ]);
    if (applications.length > 0 || !sealed) return;
    const payer = sealer.open(ofPayment(ownerId, paymentId), sealed);
    const decision = await this.#decide(tx, payment, order);
    const arrival = ledger.prepare(merchantId, { ...postings.takenOver(paymentId, amount), occurredAt });
    await Promise.all([
      recordTakeOver(tx, by, { paymentId, merchantId, orderId }, arrival),
      settlement.settle(tx, by, { payment, payer, order, decision, arrival }),
    ]);
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
  async #decide(
    tx: Transaction,
    payment: Pick<Movement, 'amount' | 'bookedAt' | 'bookedOn'>,
    order: Order,
  ): Promise<Decision> {
    const policies = await policiesOf(tx, order.merchantId);
    const { requotes } = this.#options;
    return decide(payment, order, { policies, requote: (...asked) => requotes.offer(...asked) });
  }

  #add(tx: Transaction, { account, movement, source }: Entry, plan: Plan, paymentId: PaymentId): Promise<Payment> {
    const { bankReference, amount, bookedAt, bookedOn, payer } = movement;
    const decision = plan.outcome === 'handed_over' ? undefined : plan.decision;
    const hasApplication = decision !== undefined && plan.order !== undefined;
    const order = plan.order ?? decision?.order;
    return store.addPayment(tx, {
      ...account,
      paymentId,
      bankReference,
      amount,
      bookedAt,
      bookedOn,
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
    { payment, payer, arrival, handedOver }: Recorded,
  ): Promise<void> {
    const { ledger, settlement } = this.#options;
    const { ownerId } = payment;
    if (plan.outcome === 'handed_over') {
      tx.wake(takeOverJob);
      await Promise.all([arrival, ...handedOver].map((journal) => ledger.write(tx, journal)));
      return;
    }
    const { order, decision } = plan;
    if (order) return settlement.settle(tx, by, { payment, payer, order, decision, arrival });
    if (decision.kind === 'taken') throw new Error('a payment without an order is not taken');
    const { reason } = decision;
    const orderId = decision.order?.orderId;
    await settlement.suspend(tx, by, { payment, tenant: ownerId, reason, orderId, arrival });
  }

  /** Who paid, and for which order, as keyed marks. */
  #counterpartyOf({ movement, candidate }: Entry): string[] {
    const { name, account } = this.#options.sealer.digestsOf(movement.payer);
    const order = 'order' in candidate ? candidate.order?.orderId : undefined;
    const marks = { name, account, order };
    return Object.entries(marks).flatMap(([kind, mark]) => (mark === undefined ? [] : `${kind}.${mark}`));
  }

  /** Throws `payment_differs`. */
  async #recordedBefore(tx: Transaction, { account, movement }: Entry, paymentId: PaymentId): Promise<Payment> {
    const payment = await store.findPayment(tx, account.ownerId, paymentId);
    if (!payment) throw new Error('a payment that was recorded before is gone');
    const differences = differencesOf(movement, payment, await this.payerOf(tx, payment));
    if (differences.length === 0) return payment;
    const message = `This movement was recorded before with another ${differences.join(', ')}.`;
    throw new RemesaError('conflict', 'payment_differs', message, {
      members: { paymentId: payment.paymentId, differences },
    });
  }
}

/**
 * Returns the payment that the line of the bank is: this one, or the one that was recorded before. Throws
 * `bank_reference_used` when the line is something else, such as a payout that came back, and `possible_duplicate`.
 */
async function takeLine(
  tx: Transaction,
  { account, movement, source, reported, otherThan }: Entry,
  paymentId: PaymentId,
  counterparty: readonly string[],
): Promise<PaymentId> {
  if (reported) {
    await explainReported(tx, reported, `payment:${paymentId}`, counterparty);
    return paymentId;
  }
  const { amount, bookedAt, bookedOn = bookedAt.toISOString().slice(0, 10), bankReference: reference } = movement;
  const line = {
    bank: account.accountId,
    currency: amount.currency,
    sign: 'credit',
    amountMinor: amount.minor,
  } as const;
  const from = source === 'operator' ? 'hand' : source === 'sandbox' ? 'sandbox' : 'csv';
  const compared = from === 'sandbox' ? {} : { counterparty, ...(otherThan ? { otherThan } : {}) };
  const taken = { ...line, ...compared, bookedOn, reference, source: from } as const;
  const record = await findOrTakeBankLine(tx, taken, `payment:${paymentId}`);
  const before = record.startsWith('payment:') ? publicId('pay', record.slice('payment:'.length)) : undefined;
  if (before) return before;
  throw bankReferenceUsed(`This line of ${account.accountId} was recorded before, for ${record}.`);
}

/** Why some of the money is in suspense. */
function reasonOf(decision: Decision): SuspenseReason | undefined {
  if (decision.kind === 'suspense') return decision.reason;
  return decision.excess && 'over';
}

function auditPayment(tx: Transaction, by: By, payment: Payment, journals: readonly PreparedJournal[]): Promise<void> {
  const { ownerId, accountId, outcome, order } = payment;
  return recordChange(tx, by, {
    ...digestedPayment(payment),
    merchantId: ownerId,
    action: 'payment.recorded',
    version: 1,
    journals,
    details: { accountId, outcome, ...(order ? { orderId: order.orderId } : {}) },
  });
}
