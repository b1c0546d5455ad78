/** Two operators together take a payment off its order, or record that the payer's bank took it back. Each happens once. */
import type { ApprovalSubject } from '../../approval.js';
import { recordAudit } from '../../audit/service.js';
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant, newMerchantPublicId, publicId, type TenantId, tenantOfPublicId } from '../../ids.js';
import type { OrderCorrections, TakenOff } from '../../orders/corrections/service.js';
import type { OrderRef } from '../../orders/order.js';
import type { LockedOrder } from '../../orders/review/operator-order.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Payment, PaymentId, SuspenseReason } from '../payment.js';
import { findPayment } from '../store.js';
import type { ChangeOptions } from '../suspense/changes.js';
import { addSuspense, findSuspenseOfPayment } from '../suspense/suspense-store.js';
import type { BankClawback, Correction } from './correction.js';
import { notReversible } from './refusals.js';
import { addReversal, listAppliedPayments, listReversalsOf, markLossSettled } from './reversal-store.js';
import { clawBackSuspense, findRecord } from './suspense-clawback.js';

/** A payment that an order has. */
interface OfOrder {
  readonly payment: Payment;
  readonly order: OrderRef;
}

export class PaymentCorrections {
  constructor(
    readonly orders: OrderCorrections,
    readonly changes: ChangeOptions,
  ) {}

  /** Whose books the money is in. Throws `payment_not_found` and `payment_not_reversible`. */
  async merchantOf(database: Queryable, id: string): Promise<TenantId> {
    const record = await findRecord(database, id);
    return record ? record.ownerId : (await this.#find(database, id)).order.merchantId;
  }

  /** What a correction is about. Throws as `merchantOf` does. */
  async review(tx: Transaction, id: string): Promise<ApprovalSubject> {
    const record = await findRecord(tx, id);
    if (record) return { subject: `suspense:${record.suspenseId}`, version: String(record.version) };
    const { payment, order } = await this.#find(tx, id);
    const locked = await this.orders.lock(tx, order.orderId);
    const subject = `payment:${payment.paymentId}`;
    return {
      ...{ subject, version: String(locked.order.version) },
      records: [subject, `order:${order.orderId}`],
    };
  }

  /**
   * The payment was recorded for the wrong order: its money goes to suspense, and the order waits for its payment again.
   * Throws `payment_not_found`, `payment_changed`, `payment_not_reversible` and `order_transition_not_allowed`.
   */
  async takeOff(tx: Transaction, by: By, id: string, { version, note }: Correction): Promise<Payment> {
    const { payment, locked } = await this.#lock(tx, id, version);
    const takenOff = takenOffOf(locked, payment);
    await this.orders.takeOffPayment(tx, by, locked, { ...takenOff, note });
    await this.#suspend(tx, by, locked, [{ payment, takenOff }], 'taken_off');
    return payment;
  }

  /**
   * The payer's bank took the payment back. Before the payout was submitted, the order ends, and its other payments go to
   * suspense; later the state stays, and the loss becomes a task. Throws as `takeOff` does, and for money in suspense as a
   * change of its record.
   */
  async clawBack(tx: Transaction, by: By, id: string, clawback: BankClawback): Promise<Payment> {
    const record = await findRecord(tx, id);
    if (record) return clawBackSuspense(this.changes, tx, by, { record, clawback });
    const { payment, locked } = await this.#lock(tx, id, clawback.version);
    const { paymentId, ownerId, accountId, amount } = payment;
    if (ownerId === instanceTenant) throw notReversible('It arrived on an account that merchants share.');
    const others = await this.#others(tx, locked, payment);
    const { order, lost } = await this.orders.clawBack(tx, by, locked, {
      ...{ paymentId, taken: amount, bank: accountId, note: clawback.note },
      others: others.map(({ takenOff }) => takenOff),
    });
    const isEnded = order.state === 'CANCELLED';
    if (isEnded) await this.#suspend(tx, by, locked, others, 'order_cancelled');
    const { merchantId, orderId } = order;
    await addReversal(tx, {
      ...{ ownerId: merchantId, paymentId, kind: 'clawback', orderId, amount, lost, booking: clawback },
    });
    await recordAudit(tx, merchantId, {
      ...by,
      action: 'payment.clawed_back',
      subject: `payment:${paymentId}`,
      details: { orderId, isLoss: lost.minor > 0n },
    });
    return payment;
  }

  /** An operator has dealt with a loss: it is no task any more. Throws `payment_not_found` and `loss_not_found`. */
  async settleLoss(tx: Transaction, by: By, id: string, note: string): Promise<void> {
    if (by.actor.kind !== 'operator') throw new Error('only operators settle losses');
    const { payment, order } = await this.#find(tx, id);
    const { paymentId } = payment;
    if (!(await markLossSettled(tx, order.merchantId, paymentId, by.actor.operatorId)))
      throw new RemesaError('not_found', 'loss_not_found', 'No loss of this payment waits for an operator.');
    await recordAudit(tx, order.merchantId, {
      ...by,
      action: 'payment.loss_settled',
      subject: `payment:${paymentId}`,
      details: { note },
    });
  }

  async #lock(tx: Transaction, id: string, version: number) {
    const { payment, order } = await this.#find(tx, id);
    const locked = await this.orders.lock(tx, order.orderId);
    if ((await listReversalsOf(tx, order.merchantId, payment.paymentId)).length > 0)
      throw notReversible('It was taken off or taken back before.');
    const applied = await listAppliedPayments(tx, order);
    if (!applied.includes(payment.paymentId)) throw notReversible('No order has it.');
    if (await findSuspenseOfPayment(tx, order.merchantId, payment.paymentId))
      throw notReversible('A part of its money is or was in suspense.');
    if (locked.order.version !== version) throw changed(locked);
    return { payment, locked };
  }

  async #find(database: Queryable, id: string): Promise<OfOrder> {
    const paymentId = publicId('pay', id);
    const payment = paymentId && (await findPayment(database, tenantOfPublicId(paymentId), paymentId));
    if (!payment) throw new RemesaError('not_found', 'payment_not_found', 'There is no such payment.');
    if (!payment.order) throw notReversible('No order has it.');
    return { payment, order: payment.order };
  }

  async #others(tx: Transaction, locked: LockedOrder, { paymentId }: Payment) {
    const ids = (await listAppliedPayments(tx, locked.order)).filter((other) => other !== paymentId);
    const payments = await Promise.all(ids.map((other) => findApplied(tx, other)));
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
      await addSuspense(tx, { ownerId: merchantId, suspenseId, paymentId, reason, amount, orderId });
      await addReversal(tx, {
        ...{ ownerId: merchantId, paymentId, kind: 'taken_off', orderId, amount },
        ...{ lost: undefined, booking: undefined },
      });
      await recordAudit(tx, merchantId, {
        ...by,
        action: 'payment.taken_off',
        subject: `payment:${paymentId}`,
        details: { orderId, suspenseId },
      });
    }
  }
}

async function findApplied(tx: Transaction, paymentId: PaymentId): Promise<Payment> {
  const payment = await findPayment(tx, tenantOfPublicId(paymentId), paymentId);
  if (!payment) throw new Error(`the payment ${paymentId} is gone`);
  return payment;
}

function takenOffOf({ order }: LockedOrder, { paymentId, amount }: Payment): TakenOff {
  return { paymentId, amount, suspenseId: newMerchantPublicId('sus', order.merchantId) };
}

function changed({ order }: LockedOrder): RemesaError {
  return new RemesaError('conflict', 'payment_changed', 'The order has changed since you read it.', {
    members: { orderId: order.orderId, version: order.version },
  });
}
