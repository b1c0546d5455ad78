/**
 * Recognises the account that orders are paid out to without storing it in clear. The hash is under a key of the
 * merchant: accounts are compared within a merchant, and nobody can tell from two hashes that two merchants pay the
 * same account.
 */
import { createHmac } from 'node:crypto';
import type { Details } from '../../beneficiaries/beneficiary.js';
import { accountIdentity } from '../../beneficiaries/sealed.js';
import type { MerchantId, UserId } from '../../ids.js';
import { deriveKey } from '../../keys/derive.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Order } from '../order/order.js';
import { forgetAccountsOf, saveAccountOf } from './facts-store.js';

export class AccountIndex {
  constructor(readonly rootKey: Buffer) {}

  digestOf(merchantId: MerchantId, details: Details): Buffer {
    const key = deriveKey(this.rootKey, 'order accounts', String(merchantId));
    return createHmac('sha256', key).update(accountIdentity(details)).digest();
  }

  /** In the transaction that creates the order, or that corrects its beneficiary. */
  save(tx: Transaction, order: Order, details: Details): Promise<void> {
    return saveAccountOf(tx, order, this.digestOf(order.merchantId, details));
  }

  /** When nothing of the user is kept any more. */
  forget(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
    return forgetAccountsOf(tx, merchantId, userId);
  }
}
