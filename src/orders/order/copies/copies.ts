/** Opens the copies of people that an order keeps, while the user's retained key exists. */
import type { Details } from '../../../beneficiaries/beneficiary.js';
import type { Queryable } from '../../../postgres/statement.js';
import type { UserService } from '../../../users/service.js';
import type { Order } from '../order.js';
import * as store from '../store.js';
import { openBeneficiary, openSender, type Sender } from './sealed.js';

/** Undefined after the retained key was destroyed. */
export async function beneficiaryOf(
  users: UserService,
  database: Queryable,
  order: Order,
): Promise<Details | undefined> {
  const [key, copy] = await Promise.all([
    users.retainedKey(database, order.merchantId, order.userId),
    store.findSealedBeneficiary(database, order),
  ]);
  return key && copy && openBeneficiary(key, order, copy.version, copy.sealed);
}

/** Undefined after the retained key was destroyed. */
export async function senderOf(users: UserService, database: Queryable, order: Order): Promise<Sender | undefined> {
  const [key, sealed] = await Promise.all([
    users.retainedKey(database, order.merchantId, order.userId),
    store.findSealedSender(database, order),
  ]);
  return key && sealed && openSender(key, order, sealed);
}
