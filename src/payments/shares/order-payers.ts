/** Who paid an order, and how much of it: each account is a payer, whoever holds it. */
import { type MerchantId, publicId, tenantOfPublicId } from '../../ids.js';
import { add } from '../../money/amount.js';
import type { Order, OrderId } from '../../orders/order/order.js';
import type { NamedPayer, NamedPayment, PaidPart, Payers } from '../../orders/order/ports.js';
import type { Queryable } from '../../postgres/statement.js';
import { listAppliedPayments, listSealedPayers, type SealedPayer } from '../applications/application-store.js';
import { plainName } from '../applications/payer-name.js';
import { findPayer, type PayerKeys } from '../applications/payers.js';
import { ofApplication, openPayer, plainAccount } from '../sealed.js';
import { findPayment } from '../store.js';
import { locatePayment } from './payment-location.js';

/** Who made payments: one payer, from one account. */
export interface OrderPayer {
  readonly name: string;
  /** Undefined when the bank did not tell. */
  readonly account: string | undefined;
  /** The name is unlike the user's. */
  readonly isAnother: boolean;
}

export class OrderPayers implements Payers {
  readonly #keys: PayerKeys;

  constructor(keys: PayerKeys) {
    this.#keys = keys;
  }

  async listOf(database: Queryable, merchantId: MerchantId, orderIds: readonly OrderId[]) {
    const found = new Map<OrderId, SealedPayer[]>();
    for (const payer of await listSealedPayers(database, merchantId, orderIds))
      found.set(payer.orderId, [...(found.get(payer.orderId) ?? []), payer]);
    return new Map([...found].map(([orderId, payers]) => [orderId, (key: Buffer) => payers.map(openedBy(key))]));
  }

  /** Throws `BrokenSeal`. */
  async partsOf(database: Queryable, order: Order): Promise<readonly PaidPart[]> {
    const parts = new Map<string, PaidPart>();
    for (const { paymentId, payerDiffers } of (await listAppliedPayments(database, order)).reverse()) {
      const found = await locatePayment(database, paymentId);
      const share = found?.shares.find(({ orderId }) => orderId === order.orderId);
      if (!share) continue;
      const key = keyOf(await this.#payerOf(database, order, paymentId, payerDiffers));
      const before = parts.get(key);
      parts.set(key, {
        paymentIds: [...(before?.paymentIds ?? []), paymentId],
        amount: before ? add(before.amount, share.amount) : share.amount,
      });
    }
    return [...parts.values()];
  }

  /** Throws `BrokenSeal`. */
  async namesOf(database: Queryable, order: Order): Promise<readonly NamedPayment[]> {
    const applied = (await listAppliedPayments(database, order)).reverse();
    return Promise.all(
      applied.map(async ({ paymentId, payerDiffers: isAnother }) => {
        const payer = await this.#payerOf(database, order, paymentId, isAnother);
        return { paymentId, payerName: payer?.name, isAnother };
      }),
    );
  }

  /**
   * Who made these payments: the newest, where an account has several names. `several`: not one payer from one account.
   * Undefined when that is not known. Throws `BrokenSeal`.
   */
  async find(
    database: Queryable,
    order: Order,
    paymentIds: readonly string[],
  ): Promise<OrderPayer | 'several' | undefined> {
    const applied = (await listAppliedPayments(database, order)).filter(({ paymentId }) =>
      paymentIds.includes(paymentId),
    );
    const payers = await Promise.all(
      applied.map(({ paymentId, payerDiffers }) => this.#payerOf(database, order, paymentId, payerDiffers)),
    );
    return new Set(payers.map(keyOf)).size > 1 ? 'several' : payers[0];
  }

  async #payerOf(database: Queryable, order: Order, id: string, isAnother: boolean): Promise<OrderPayer | undefined> {
    const paymentId = publicId('pay', id);
    const payment = paymentId && (await findPayment(database, tenantOfPublicId(paymentId), paymentId));
    const payer = payment && (await findPayer(this.#keys, database, payment, [order.orderId]));
    return payer && { name: payer.name, account: payer.account, isAnother };
  }
}

/** Payments of one payer have the same key. Without an account, the name tells payers apart. */
function keyOf(payer: OrderPayer | undefined): string {
  if (!payer) return 'unknown';
  return payer.account === undefined ? `name ${plainName(payer.name)}` : `account ${plainAccount(payer.account)}`;
}

function openedBy(retainedKey: Buffer) {
  return ({ merchantId, userId, paymentId, payerDiffers, sealedPayer }: SealedPayer): NamedPayer => {
    const { name, account } = openPayer(retainedKey, ofApplication(merchantId, userId, paymentId), sealedPayer);
    return { name, account, isAnother: payerDiffers };
  };
}
