/**
 * Takes over money in suspense from the books of the instance, under the merchant of the order that an operator named.
 * A transaction writes rows of one merchant only, so there are three after the operator's; each can be repeated.
 */
import type { By } from '../../caller.js';
import { requireUntouched } from '../../changes/service.js';
import { merchantOfPublicId, tenantOfPublicId } from '../../ids.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import { lockOrder } from '../../orders/order/finding.js';
import type { Order, OrderId } from '../../orders/order/order.js';
import type { Transaction } from '../../postgres/statement.js';
import { addSuspended } from '../applications/applications.js';
import { findPayer, type PayerKeys } from '../applications/payers.js';
import { type PaymentSettlement, recordTakeOver } from '../settlement.js';
import { findPayment, markSettled } from '../store.js';
import type { SuspenseActions } from './actions.js';
import { type HandedOverRecord, settleHandedOver } from './hand-over-store.js';
import { digestedSuspense } from './suspense.js';
import { findSuspenseOfPayment, lockSuspense } from './suspense-store.js';

export const handOverJob = 'payments.hand-over-suspense';

export interface HandOverOptions extends PayerKeys {
  readonly settlement: PaymentSettlement;
  readonly ledger: LedgerService;
  readonly actions: SuspenseActions;
}

export class HandOverService {
  readonly #options: HandOverOptions;

  constructor(options: HandOverOptions) {
    this.#options = options;
  }

  /** The money is in suspense under the merchant of the order. */
  async receive(tx: Transaction, by: By, { record, orderId }: HandedOverRecord): Promise<void> {
    const { ledger, settlement } = this.#options;
    const { paymentId, reason, amount } = record;
    await requireUntouched(tx, record.ownerId, digestedSuspense(record));
    const order = await this.#lock(tx, orderId);
    if (await findSuspenseOfPayment(tx, order.merchantId, paymentId)) return;
    const payment = await findPayment(tx, tenantOfPublicId(paymentId), paymentId);
    const payer = payment && (await findPayer(this.#options, tx, payment));
    if (!payer) throw new Error(`the payer of ${paymentId} is not known`);
    const at = await addSuspended(this.#options, tx, { paymentId, payer, order });
    const { merchantId: tenant } = order;
    const arrival = ledger.prepare(tenant, { ...postings.takenOver(paymentId, amount), occurredAt: at });
    await Promise.all([
      recordTakeOver(tx, by, { paymentId, merchantId: tenant, orderId }, arrival),
      settlement.suspend(tx, by, { payment: { ...payment, amount }, tenant, reason, orderId, arrival }),
    ]);
  }

  /**
   * The order takes what it is missing. Throws `suspense_not_matchable` when it does not take it any more: then the
   * money stays in suspense for an operator.
   */
  async match(tx: Transaction, by: By, { record: { paymentId }, orderId }: HandedOverRecord): Promise<void> {
    const order = await this.#lock(tx, orderId);
    const received = await findSuspenseOfPayment(tx, order.merchantId, paymentId);
    const record = received && (await lockSuspense(tx, received));
    // Somebody has decided about it since.
    if (!record || record.version > 1) return;
    await this.#options.actions.match(tx, by, record, { order });
  }

  /** The books of the instance need no copy of the payer any more. */
  async settle(tx: Transaction, { record }: HandedOverRecord): Promise<void> {
    const payment = await findPayment(tx, record.ownerId, record.paymentId);
    if (payment) await markSettled(tx, payment);
    await settleHandedOver(tx, record);
  }

  async #lock(tx: Transaction, orderId: OrderId): Promise<Order> {
    const merchantId = merchantOfPublicId(orderId);
    if (merchantId === undefined) throw new Error(`the order ${orderId} names no merchant`);
    return lockOrder(tx, this.#options.users, { merchantId, orderId });
  }
}
