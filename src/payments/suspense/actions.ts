/** What can be done with money in suspense: an order takes it, it goes back to who paid it, or it becomes ours. */
import type { By } from '../../caller.js';
import type { FindPending } from '../../http/four-eyes.js';
import { tenantOfPublicId } from '../../ids.js';
import * as postings from '../../ledger/postings.js';
import { type Amount, amount, isZero, subtract } from '../../money/amount.js';
import { correctingActions } from '../../orders/gate/corrected.js';
import type { Order } from '../../orders/order/order.js';
import type { ExitVerdict } from '../../orders/order/ports.js';
import { type Receiving, takesNoMoney } from '../../orders/payin/receiving.js';
import type { RequoteOffer } from '../../orders/requote/requote.js';
import type { Requotes } from '../../orders/requote/service.js';
import type { Queryable, SealedQueryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { countAgain, removeInstanceCopies } from '../applications/application-store.js';
import { addApplied } from '../applications/applications.js';
import { findPayer } from '../applications/payers.js';
import { termsFor } from '../matching/matching.js';
import type { Payer, Payment } from '../payment.js';
import type { SuspenseRefunds } from '../ports.js';
import { findPayment, markSettled } from '../store.js';
import { type ChangeOptions, changeSuspense, requireAllowed } from './changes.js';
import { cluesOf, type ExitFindings, type ExitGate, obstacleOf } from './exits/exit-gate.js';
import { withdrawRefund } from './exits/withdrawal.js';
import { matchableAmount } from './matchable.js';
import { exitBlocked, notMatchable, recipientNotNeeded } from './refusals.js';
import type { SuspenseRecord, SuspenseRef } from './suspense.js';
import { lockSuspense } from './suspense-store.js';

export interface SuspenseActionOptions extends ChangeOptions {
  readonly receiving: Pick<Receiving, 'match'>;
  readonly requotes: Pick<Requotes, 'require'>;
  readonly users: UserService;
  readonly refunds: SuspenseRefunds;
  readonly gate: Pick<ExitGate, 'examine'>;
  readonly findPending: FindPending;
}

/** An account that money goes to, as a bank knows it. */
export interface Recipient {
  readonly name: string;
  readonly account: string;
}

const byGate: By = { actor: { kind: 'system', name: 'gate' } };

/**
 * Every verb throws `suspense_transition_not_allowed`, and `suspense_changed` when the record is at another version.
 */
export class SuspenseActions {
  readonly #options: SuspenseActionOptions;

  constructor(options: SuspenseActionOptions) {
    this.#options = options;
  }

  /**
   * The money goes back to the account that paid it, because the merchant's policy says so. While the owner's ledger
   * has a fault, and when anybody whose money it is may be on a list, it stays in suspense, for an operator.
   */
  async returnToPayer(tx: Transaction, by: By, record: SuspenseRecord): Promise<void> {
    if (!(await this.#options.ledger.isSound(tx, record.ownerId))) return;
    const found = await this.examine(tx, record, undefined);
    if (obstacleOf(found) === undefined && cluesOf(found).length === 0)
      await this.#payBack(tx, by, record, { despite: [] });
  }

  /** What the gate says about whoever paid the money, and whose account it would go to. */
  async examine(
    database: SealedQueryable,
    record: SuspenseRecord,
    recipient: (Pick<Recipient, 'name'> & Partial<Recipient>) | undefined,
  ): Promise<ExitFindings> {
    const { payer } = await this.#origin(database, record);
    const people = [payer, recipient].flatMap((person) => person ?? []);
    return this.#options.gate.examine(database, record, people);
  }

  /**
   * The money goes back. `recipient` says where, when the account that paid is not known or a refund to it has failed;
   * without any account an operator finds out. Two operators decide where somebody matches a list. Throws
   * `ledger_fault`, `suspense_blocked`, and `invalid_fields` for a recipient that is not needed.
   */
  async payBack(
    tx: Transaction,
    by: By,
    record: SuspenseRecord,
    asked: { readonly note: string; readonly recipient: Recipient | undefined },
  ): Promise<SuspenseRecord> {
    await this.#options.ledger.requireSound(tx, record.ownerId);
    const found = await this.examine(tx, record, asked.recipient);
    const obstacle = obstacleOf(found);
    if (obstacle) throw exitBlocked(record, obstacle);
    const { note, recipient } = asked;
    return this.#payBack(tx, by, record, { note, recipient, despite: cluesOf(found) });
  }

  /**
   * The order takes what it is missing, and the rest stays in suspense. The caller has locked the order, then the
   * record. Money that was booked late gets the rate of today. Throws `suspense_not_matchable`,
   * `order_transition_not_allowed` for late money during a review, and as `Requotes.require` does.
   */
  async match(
    tx: Transaction,
    by: By,
    record: SuspenseRecord,
    { order, note }: { readonly order: Order; readonly note?: string },
  ): Promise<SuspenseRecord> {
    requireAllowed(record, 'match');
    const moved = matchedAmount(record, order);
    const { suspenseId, paymentId } = record;
    const { payment, payer } = await this.#origin(tx, record);
    if (!payer) throw new Error(`the payer of ${suspenseId} is not known`);
    await addApplied(this.#options, tx, { paymentId, payer, order });
    if (record.reason === 'taken_off' && record.orderId === order.orderId) await countAgain(tx, order, paymentId);
    const requote = this.#termsFor({ ...payment, amount: moved }, order);
    await this.#options.receiving.match(tx, by, order, { suspenseId, amount: moved, requote });
    const remaining = subtract(record.remaining, moved);
    if (isZero(remaining)) await removeCopies(tx, payment, order);
    const event = isZero(remaining) ? 'match' : 'match_part';
    // The transition of the order books the journal.
    const change = { by, event, moved, remaining, note, orderId: order.orderId, journals: [] } as const;
    return changeSuspense(this.#options, tx, record, change);
  }

  /** Money in the books of the instance goes to those of the merchant of the order. Throws `suspense_not_matchable`. */
  handOver(
    tx: Transaction,
    by: By,
    record: SuspenseRecord,
    { order, note }: { readonly order: Order; readonly note: string },
  ): Promise<SuspenseRecord> {
    requireAllowed(record, 'hand_over');
    matchedAmount(record, order);
    const { suspenseId, paymentId, remaining: moved } = record;
    return changeSuspense(this.#options, tx, record, {
      by,
      event: 'hand_over',
      moved,
      remaining: nothing(moved),
      note,
      orderId: order.orderId,
      journals: [postings.suspenseHandedOver(suspenseId, paymentId, moved)],
    });
  }

  /** Nobody claims the money: it becomes ours. */
  writeOff(tx: Transaction, by: By, record: SuspenseRecord, note: string): Promise<SuspenseRecord> {
    const { suspenseId, remaining: moved } = record;
    return changeSuspense(this.#options, tx, record, {
      by,
      event: 'write_off',
      moved,
      remaining: nothing(moved),
      note,
      journals: [postings.writtenOff(suspenseId, moved, 'unclaimed')],
    });
  }

  /**
   * The gate once more when a refund is about to be sent. One that does not pass is withdrawn, and the money is in
   * suspense again. It waits while a clawback of the payment waits for a second operator. `recipient`: the account that
   * it is sent to, if it is known.
   */
  async mayLeave(tx: Transaction, ref: SuspenseRef, recipient: Recipient | undefined): Promise<ExitVerdict> {
    const record = await lockSuspense(tx, ref);
    if (record?.state !== 'REFUND_PENDING') return 'withdrawn';
    const records = [`suspense:${record.suspenseId}`, `payment:${record.paymentId}`];
    if ((await this.#options.findPending(tx, records, correctingActions)).size > 0) return 'wait';
    const found = await this.examine(tx, record, recipient);
    const obstacle = obstacleOf(found);
    if (obstacle === 'screening_lists') return 'wait';
    if (obstacle === undefined && cluesOf(found).every((clue) => record.despite.includes(clue))) return 'pass';
    await this.withdraw(tx, byGate, record, undefined);
    return 'withdrawn';
  }

  /** The refund is not paid, and somebody decides anew. Throws also when a bank was instructed to pay it. */
  async withdraw(tx: Transaction, by: By, record: SuspenseRecord, note: string | undefined): Promise<SuspenseRecord> {
    requireAllowed(record, 'withdraw');
    await withdrawRefund(this.#options.refunds, tx, record);
    const { suspenseId, remaining } = record;
    const journals = [postings.suspenseRefundWithdrawn(suspenseId, remaining)];
    const change = { by, event: 'withdraw', moved: remaining, remaining, note, journals } as const;
    return changeSuspense(this.#options, tx, record, change);
  }

  /** The money must not move. Throws also when a bank was instructed to pay it back. */
  async freeze(tx: Transaction, by: By, record: SuspenseRecord, note: string): Promise<SuspenseRecord> {
    requireAllowed(record, 'freeze');
    await withdrawRefund(this.#options.refunds, tx, record);
    const { suspenseId, remaining, state } = record;
    const journals = [postings.frozen(suspenseId, state === 'OPEN' ? 'suspense' : 'refund', remaining)];
    const change = { by, event: 'freeze', moved: remaining, remaining, note, journals } as const;
    return changeSuspense(this.#options, tx, record, change);
  }

  /** The freeze ends, and somebody decides anew. */
  release(tx: Transaction, by: By, record: SuspenseRecord, note: string): Promise<SuspenseRecord> {
    const { suspenseId, remaining } = record;
    const journals = [postings.suspenseReleased(suspenseId, remaining)];
    const change = { by, event: 'release', moved: remaining, remaining, note, journals } as const;
    return changeSuspense(this.#options, tx, record, change);
  }

  async #payBack(
    tx: Transaction,
    by: By,
    record: SuspenseRecord,
    {
      note,
      recipient,
      despite,
    }: { readonly note?: string; readonly recipient?: Recipient | undefined; readonly despite: readonly string[] },
  ): Promise<SuspenseRecord> {
    const { ownerId, suspenseId, remaining, state } = record;
    requireAllowed(record, 'return');
    const { payment, payer } = await this.#origin(tx, record);
    const known = payer?.account === undefined ? undefined : { name: payer.name, account: payer.account };
    if (recipient && known && state !== 'REFUND_FAILED') throw recipientNotNeeded();
    // The money of a refund that failed is on the account of refunds already.
    const journals = state === 'OPEN' ? [postings.suspenseRefundDue(suspenseId, remaining)] : [];
    const change = { by, event: 'return', moved: remaining, remaining, note, journals, despite } as const;
    const saved = await changeSuspense(this.#options, tx, record, change);
    const bank = payment.accountId;
    const named = payer && { name: payer.name, account: null };
    const to = recipient ?? known ?? named;
    await this.#options.refunds.open(tx, { ownerId, suspenseId, due: remaining, bank, payer: to });
    return saved;
  }

  #termsFor(arrived: Pick<Payment, 'amount' | 'bookedAt' | 'bookedOn'>, order: Order): RequoteOffer | undefined {
    const { requotes } = this.#options;
    const terms = termsFor(arrived, order, (...asked) => requotes.require(...asked));
    if (typeof terms === 'string') throw takesNoMoney(order);
    return terms;
  }

  /** The movement that brought the money, and who paid it. */
  async #origin(
    database: Queryable,
    { paymentId, orderId }: SuspenseRecord,
  ): Promise<{ payment: Payment; payer: Payer | undefined }> {
    const payment = await findPayment(database, tenantOfPublicId(paymentId), paymentId);
    if (!payment) throw new Error(`the payment ${paymentId} is gone`);
    const orders = orderId === undefined ? [] : [orderId];
    return { payment, payer: await findPayer(this.#options, database, payment, orders) };
  }
}

/** Throws `suspense_not_matchable`. */
function matchedAmount(record: SuspenseRecord, order: Order): Amount {
  const matchable = matchableAmount(record, order);
  if (typeof matchable === 'string') throw notMatchable(record, order, matchable);
  return matchable;
}

/** Orders have all of the money, so the payer is known under the keys of their users. */
async function removeCopies(tx: Transaction, payment: Payment, { merchantId }: Order): Promise<void> {
  if (payment.ownerId === merchantId) await markSettled(tx, payment);
  await removeInstanceCopies(tx, merchantId, payment.paymentId);
}

function nothing({ currency }: Amount): Amount {
  return amount(currency, 0n);
}
