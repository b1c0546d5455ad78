/**
 * Recognises the account that orders are paid out to without storing it in clear. The hash is under a key of the
 * merchant: rules compare accounts within a merchant. A second one, under a key of the instance, is for operators, who
 * look for an account at all merchants.
 */
import { createHmac } from 'node:crypto';
import type { Details } from '../../beneficiaries/beneficiary.js';
import { identifyingValues } from '../../beneficiaries/requirements.js';
import { accountIdentity } from '../../beneficiaries/sealed.js';
import type { MerchantId, UserId } from '../../ids.js';
import { deriveKey } from '../../keys/derive.js';
import { accountText } from '../../persons/identifier.js';
import type { Account, PersonIndex } from '../../persons/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Order } from '../order/order.js';
import { forgetAccountsOf, listSendersOf, saveAccountOf } from './facts-store.js';

export class AccountIndex {
  constructor(
    readonly rootKey: Buffer,
    readonly persons: Pick<PersonIndex, 'digestOf'>,
  ) {}

  digestOf(merchantId: MerchantId, details: Details): Buffer {
    const key = deriveKey(this.rootKey, 'order accounts', String(merchantId));
    return createHmac('sha256', key).update(accountIdentity(details)).digest();
  }

  /** In the transaction that creates the order, or that corrects its beneficiary. */
  save(tx: Transaction, order: Order, details: Details): Promise<void> {
    const shared = this.sharedDigestOf(...identifyingValues(details));
    return saveAccountOf(tx, order, { digest: this.digestOf(order.merchantId, details), shared });
  }

  /** For operators, who compare accounts over all merchants. `numbers` are what identifies the account. */
  sharedDigestOf(...numbers: readonly string[]): Buffer {
    return this.persons.digestOf('account', accountText(...numbers));
  }

  /** The users of all merchants with an order to the account. */
  findSenders(database: Queryable, number: string): Promise<readonly Account[]> {
    return listSendersOf(database, this.sharedDigestOf(number));
  }

  /** When nothing of the user is kept any more. */
  forget(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
    return forgetAccountsOf(tx, merchantId, userId);
  }
}
