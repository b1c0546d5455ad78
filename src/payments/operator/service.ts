/** What operators see of payments: lists of all merchants with who paid, and one payment with all that became of it. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { instanceTenant } from '../../ids.js';
import { clientIdsOf, merchantIdOf } from '../../merchants/service.js';
import { findOrderById, recordOf } from '../../orders/order/finding.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { findPayer, type PayerKeys } from '../applications/payers.js';
import { locate } from '../corrections/correction.js';
import { listReversalDetails, type Reversal } from '../corrections/reversal-store.js';
import { listPaymentsOf } from '../desk/order-payments.js';
import type { Payer, Payment } from '../payment.js';
import { locatePayment, type PaymentLocation } from '../shares/payment-location.js';
import { listPayments, type PaymentFilter, type PaymentPage, type PaymentPlace } from './payment-listing-store.js';

export interface PaymentQuery extends Omit<PaymentFilter, 'merchantId' | 'payer'> {
  /** A client id. */
  readonly merchant: string | undefined;
  /** A name or the number of an account, as a whole. */
  readonly payer: string | undefined;
}

export interface ListedPayment {
  readonly payment: Payment;
  /** The client id of the owner of the account; undefined for the instance. */
  readonly clientId: string | undefined;
  /** Undefined once this had to be erased. */
  readonly payer: Payer | undefined;
}

export interface PaymentFile extends ListedPayment, Pick<PaymentLocation, 'shares' | 'record'> {
  readonly reversals: readonly Reversal[];
}

export class PaymentDesk {
  readonly #keys: PayerKeys;

  constructor(keys: PayerKeys) {
    this.#keys = keys;
  }

  /** Each reading is audited, because it shows who paid. Throws `merchant_not_found`. */
  async list(
    tx: Transaction,
    by: By,
    { merchant, payer, ...filter }: PaymentQuery,
    page: PaymentPage,
  ): Promise<{ payments: ListedPayment[]; next: PaymentPlace | undefined }> {
    const merchantId = merchant === undefined ? undefined : await merchantIdOf(tx, merchant);
    const digests = payer === undefined ? undefined : this.#keys.sealer.digestsOf({ name: payer, account: payer });
    const asked = { ...filter, merchantId, payer: digests };
    const found = await listPayments(tx, asked, { ...page, limit: page.limit + 1 });
    const shown = found.slice(0, page.limit);
    const payments = await this.listed(
      tx,
      shown.map(({ payment }) => payment),
    );
    const details = { payments: payments.length, isByPayer: payer !== undefined };
    await recordChange(tx, by, {
      merchantId: instanceTenant,
      action: 'payment.listed',
      subject: 'payments:all',
      details,
    });
    return { payments, next: found.length > page.limit ? shown.at(-1)?.place : undefined };
  }

  /** Each reading is audited. Throws `payment_not_found`. */
  async look(tx: Transaction, by: By, id: string): Promise<PaymentFile> {
    const { payment, tenant, shares, record } = await locate(tx, id);
    const { paymentId } = payment;
    const [[listed], reversals] = await Promise.all([
      this.listed(tx, [payment]),
      listReversalDetails(tx, tenant, paymentId),
    ]);
    await recordChange(tx, by, {
      merchantId: payment.ownerId,
      action: 'payment.looked_at',
      subject: `payment:${paymentId}`,
    });
    return { ...(listed ?? { payment, clientId: undefined, payer: undefined }), shares, record, reversals };
  }

  /** The oldest first. Each reading is audited. Throws `order_not_found`. */
  async ofOrder(tx: Transaction, by: By, id: string): Promise<ListedPayment[]> {
    const order = await findOrderById(tx, id);
    const listed = await this.listed(tx, await listPaymentsOf(tx, order));
    const { merchantId } = order;
    await recordChange(tx, by, { merchantId, action: 'order.payments_looked_at', subject: recordOf(order) });
    return listed;
  }

  /** The payments with their payers. The caller audits it. */
  async listed(database: Queryable, payments: readonly Payment[]): Promise<ListedPayment[]> {
    const owners = payments.map(({ ownerId }) => ownerId);
    const [clientIds, payers] = await Promise.all([
      clientIdsOf(database, owners),
      Promise.all(payments.map((payment) => this.payerOf(database, payment))),
    ]);
    return payments.map((payment, index) => ({
      payment,
      clientId: clientIds.get(payment.ownerId),
      payer: payers[index],
    }));
  }

  /** Where the payment does not say who has it, its money does. */
  async payerOf(database: Queryable, payment: Payment): Promise<Payer | undefined> {
    const payer = await findPayer(this.#keys, database, payment);
    if (payer) return payer;
    const shares = (await locatePayment(database, payment.paymentId))?.shares ?? [];
    const orders = shares.map(({ orderId }) => orderId);
    return orders.length === 0 ? undefined : findPayer(this.#keys, database, payment, orders);
  }
}
