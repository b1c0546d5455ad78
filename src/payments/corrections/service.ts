/**
 * Two operators together take a payment off its order, or record that the payer's bank took it back. Each happens once.
 */
import type { ApprovalSubject } from '../../approval.js';
import { takeBankLine } from '../../bank/lines/service.js';
import { type By, operatorOf } from '../../caller.js';
import { recordChange, requireUntouched } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { newMerchantPublicId, publicId, type TenantId, tenantOfPublicId } from '../../ids.js';
import { isZero, subtract } from '../../money/amount.js';
import type { OrderCorrections, TakenOff } from '../../orders/corrections/service.js';
import { type LockedOrder, lockOrderById } from '../../orders/order/finding.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { listAppliedPayments } from '../applications/application-store.js';
import type { Payment, PaymentId, SuspenseReason } from '../payment.js';
import { digestedPayment } from '../payment.js';
import type { Share } from '../shares/payment-location.js';
import { findPayment } from '../store.js';
import { openSuspense } from '../suspense/changes.js';
import { type BankClawback, type Correction, changed, locate, notReversible } from './correction.js';
import { addReversal, listReversalsOf, markLossSettled } from './reversal-store.js';
import { type ClawbackOptions, clawBackRest, clawBackSuspense } from './suspense-clawback.js';

export class PaymentCorrections {
  readonly #users: UserService;
  readonly #orders: OrderCorrections;
  readonly #changes: ClawbackOptions;

  constructor(users: UserService, orders: OrderCorrections, changes: ClawbackOptions) {
    this.#users = users;
    this.#orders = orders;
    this.#changes = changes;
  }

  /** Whose books the money is in. Throws `payment_not_found`. */
  async merchantOf(database: Queryable, id: string): Promise<TenantId> {
    return (await locate(database, id)).tenant;
  }

  /** What a correction is about. Throws `payment_not_found` and `payment_not_reversible`. */
  async review(tx: Transaction, id: string): Promise<ApprovalSubject> {
    const { payment, shares, record } = await locate(tx, id);
    if (record && shares.length === 0)
      return { subject: `suspense:${record.suspenseId}`, version: String(record.version) };
    const { orderId } = onlyShare(shares);
    const locked = await lockOrderById(tx, this.#users, orderId);
    const subject = `payment:${payment.paymentId}`;
    return { subject, version: String(locked.order.version), records: [subject, `order:${orderId}`] };
  }

  /**
   * The payment was recorded for the wrong order: its money goes to suspense, and the order waits for its payment
   * again. Throws `payment_not_found`, `payment_changed`, `payment_not_reversible` and `order_transition_not_allowed`.
   */
  async takeOff(tx: Transaction, by: By, id: string, { version, note }: Correction): Promise<Payment> {
    const { payment, record, locked } = await this.#lock(tx, id, version);
    if (record) throw notReversible('A part of its money is or was in suspense.');
    const takenOff = takenOffOf(locked, payment);
    await this.#orders.takeOffPayment(tx, by, locked, { ...takenOff, note });
    await this.#suspend(tx, by, locked, [{ payment, takenOff }], 'taken_off');
    return payment;
  }

  /**
   * The payer's bank took the payment back. Before the payout was instructed, the order ends, and its other payments go
   * to suspense; later the state stays, and the loss becomes a task. What the order does not have of the payment is
   * taken from suspense. Throws as `takeOff` does, `bank_reference_used`, and for money in suspense as a change of its
   * record.
   */
  async clawBack(tx: Transaction, by: By, id: string, clawback: BankClawback): Promise<Payment> {
    const found = await locate(tx, id);
    await requireUntouched(tx, found.payment.ownerId, digestedPayment(found.payment), async () =>
      digestedPayment((await locate(tx, id)).payment),
    );
    if (found.record && found.shares.length === 0) {
      await clawBackSuspense(this.#changes, tx, by, { ...found, record: found.record, clawback });
      await takeLine(tx, found.payment, clawback);
      return found.payment;
    }
    const { payment, record, share, locked } = await this.#lock(tx, id, clawback.version);
    const others = await this.#others(tx, locked, payment);
    const { paymentId, accountId: bank, amount } = payment;
    const { note } = clawback;
    const { order, lost, suspended } = await this.#orders.clawBack(tx, by, locked, {
      paymentId,
      taken: share.amount,
      bank,
      note,
      others: others.map(({ takenOff }) => takenOff),
    });
    const rest = subtract(amount, share.amount);
    const journals =
      record && !isZero(rest) ? await clawBackRest(this.#changes, tx, by, { payment, record, rest, note }) : [];
    const inSuspense = others.filter(({ takenOff }) => suspended.includes(takenOff));
    await this.#suspend(tx, by, locked, inSuspense, 'order_cancelled');
    const { merchantId, orderId } = order;
    await addReversal(tx, {
      ownerId: merchantId,
      paymentId,
      kind: 'clawback',
      orderId,
      amount,
      lost,
      booking: clawback,
    });
    await takeLine(tx, payment, clawback);
    await recordChange(tx, by, {
      merchantId,
      action: 'payment.clawed_back',
      subject: `payment:${paymentId}`,
      details: { orderId, isLoss: lost.minor > 0n },
      journals,
    });
    return payment;
  }

  /** An operator has dealt with a loss: it is no task any more. Throws `payment_not_found` and `loss_not_found`. */
  async settleLoss(tx: Transaction, by: By, id: string, note: string): Promise<void> {
    const { payment, tenant } = await locate(tx, id);
    const { paymentId } = payment;
    if (!(await markLossSettled(tx, tenant, paymentId, operatorOf(by))))
      throw new RemesaError('not_found', 'loss_not_found', 'No loss of this payment waits for an operator.');
    await recordChange(tx, by, {
      merchantId: tenant,
      action: 'payment.loss_settled',
      subject: `payment:${paymentId}`,
      details: { note },
    });
  }

  /** Locks the order that has the payment, and then looks again where its money is. */
  async #lock(tx: Transaction, id: string, version: number) {
    const { orderId } = onlyShare((await locate(tx, id)).shares);
    const locked = await lockOrderById(tx, this.#users, orderId);
    const { payment, tenant, shares, record } = await locate(tx, id);
    await requireUntouched(tx, payment.ownerId, digestedPayment(payment));
    const reversals = await listReversalsOf(tx, tenant, payment.paymentId);
    if (reversals.includes('clawback')) throw notReversible('It was taken back before.');
    if (reversals.includes('void')) throw notReversible('It was voided before.');
    const share = onlyShare(shares);
    if (share.orderId !== orderId || locked.order.version !== version) throw changed(locked.order);
    return { payment, record, share, locked };
  }

  async #others(tx: Transaction, locked: LockedOrder, { paymentId }: Payment) {
    const applied = await listAppliedPayments(tx, locked.order);
    const others = applied.filter((other) => other.paymentId !== paymentId).reverse();
    const payments = await Promise.all(others.map((other) => findApplied(tx, other.paymentId)));
    return payments.map((payment) => ({ payment, takenOff: takenOffOf(locked, payment) }));
  }

  async #suspend(
    tx: Transaction,
    by: By,
    { order: { merchantId, orderId } }: LockedOrder,
    suspended: readonly { readonly payment: Payment; readonly takenOff: TakenOff }[],
    reason: SuspenseReason,
  ): Promise<void> {
    for (const { payment, takenOff } of suspended) {
      const { paymentId, amount } = payment;
      const suspenseId = publicId('sus', takenOff.suspenseId);
      if (!suspenseId) throw new Error('a suspense record has no id');
      await openSuspense(tx, by, { ownerId: merchantId, suspenseId, paymentId, reason, amount, orderId });
      await addReversal(tx, {
        ownerId: merchantId,
        paymentId,
        kind: 'taken_off',
        orderId,
        amount,
        lost: undefined,
        booking: undefined,
      });
      await recordChange(tx, by, {
        merchantId,
        action: 'payment.taken_off',
        subject: `payment:${paymentId}`,
        details: { orderId, suspenseId },
      });
    }
  }
}

/** The same line of a statement takes one payment back. Throws `bank_reference_used`. */
function takeLine(tx: Transaction, payment: Payment, clawback: BankClawback): Promise<void> {
  const { accountId: bank, amount, paymentId } = payment;
  const { bankReference: reference, bookedAt } = clawback;
  const bookedOn = bookedAt.toISOString().slice(0, 10);
  const moved = { bank, currency: amount.currency, sign: 'debit', amountMinor: amount.minor } as const;
  return takeBankLine(tx, { ...moved, bookedOn, reference, source: 'hand' }, `payment:${paymentId}`);
}

/** Throws `payment_not_reversible`. */
function onlyShare([share, another]: readonly Share[]): Share {
  if (!share) throw notReversible('No order has it.');
  if (another) throw notReversible('Several orders have parts of it.');
  return share;
}

async function findApplied(tx: Transaction, paymentId: PaymentId): Promise<Payment> {
  const payment = await findPayment(tx, tenantOfPublicId(paymentId), paymentId);
  if (!payment) throw new Error(`the payment ${paymentId} is gone`);
  await requireUntouched(tx, payment.ownerId, digestedPayment(payment));
  return payment;
}

function takenOffOf({ order }: LockedOrder, { paymentId, amount }: Payment): TakenOff {
  return { paymentId, amount, suspenseId: newMerchantPublicId('sus', order.merchantId) };
}
