/**
 * Finds who made a payment: under a key of the instance until an order has the money, then under the key of its user.
 */
import { merchantOfPublicId } from '../../ids.js';
import type { OrderId } from '../../orders/order/order.js';
import type { Queryable } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { Payer, Payment } from '../payment.js';
import { type InstanceSealer, ofApplication, ofPayment, openPayer } from '../sealed.js';
import { findSealedPayer } from '../store.js';
import { type Application, listApplicationsOf } from './application-store.js';

export interface PayerKeys {
  readonly users: UserService;
  readonly sealer: InstanceSealer;
}

/**
 * `orders`: those that have the money, or seem to be meant; the one that the payment names is always asked. Returns
 * undefined after the retained key of the user was destroyed. Throws `BrokenSeal`.
 */
export async function findPayer(
  keys: PayerKeys,
  database: Queryable,
  payment: Payment,
  orders: readonly OrderId[] = [],
): Promise<Payer | undefined> {
  const { ownerId, paymentId, order } = payment;
  const sealed = await findSealedPayer(database, payment);
  if (sealed) return keys.sealer.open(ofPayment(ownerId, paymentId), sealed);
  const merchants = new Set([order?.orderId, ...orders].map((id) => id && merchantOfPublicId(id)));
  for (const merchantId of merchants) {
    if (!merchantId) continue;
    for (const application of await listApplicationsOf(database, merchantId, paymentId)) {
      const payer = await payerIn(keys, database, application);
      if (payer) return payer;
    }
  }
  return undefined;
}

async function payerIn(
  { users, sealer }: PayerKeys,
  database: Queryable,
  { merchantId, userId, paymentId, outcome, sealedPayer }: Application,
): Promise<Payer | undefined> {
  if (!sealedPayer) return undefined;
  const binding = ofApplication(merchantId, userId, paymentId);
  if (outcome === 'suspense') return sealer.open(binding, sealedPayer);
  const key = await users.retainedKey(database, merchantId, userId);
  return key && openPayer(key, binding, sealedPayer);
}
