/** What becomes of a user's orders when the user is erased. */
import { hasPosted } from '../../changes/service.js';
import type { MerchantId, UserId } from '../../ids.js';
import type { Transaction } from '../../postgres/statement.js';
import type { OrderDocuments } from '../documents/service.js';
import { recordOf } from '../order/finding.js';
import type { AccountIndex } from '../rules/account-index.js';
import { dropMetadata, hasOpenOrder, listOrderIds } from './erasure-store.js';

export class OrderErasure {
  readonly #accounts: AccountIndex;
  readonly #documents: OrderDocuments;

  constructor(accounts: AccountIndex, documents: OrderDocuments) {
    this.#accounts = accounts;
    this.#documents = documents;
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
    // Also an order whose payment was taken off again: the law wants to know who paid, and so does whoever pays it
    // back.
    const ids = await listOrderIds(tx, merchantId, userId);
    const subjects = ids.map((orderId) => recordOf({ orderId }));
    const mustRetain = await hasPosted(tx, merchantId, subjects);
    if (!hasOpenOrders) await dropMetadata(tx, merchantId, userId);
    return { hasOpenOrders, mustRetain };
  }

  /** When nothing of the user is kept any more: deletes what belongs to the user's orders and can be deleted. */
  async forget(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
    await this.#accounts.forget(tx, merchantId, userId);
    await this.#documents.forget(tx, merchantId, userId);
  }
}
