/** Writes what became of a payment under the merchant of its order, with the payer under the right key. */
import type { Order } from '../../orders/order/order.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Payer, PaymentId } from '../payment.js';
import { ofApplication, sealPayer } from '../sealed.js';
import { addApplication } from './application-store.js';
import { isUnlike } from './payer-name.js';
import type { PayerKeys } from './payers.js';

export interface ForOrder {
  readonly paymentId: PaymentId;
  readonly payer: Payer;
  readonly order: Order;
}

/** The order has the money. Returns the time by the merchant's clock. */
export async function addApplied(keys: PayerKeys, tx: Transaction, applied: ForOrder): Promise<Date> {
  const { users, sealer } = keys;
  const { paymentId, payer, order } = applied;
  const { merchantId, userId, orderId } = order;
  const [key, profile] = await Promise.all([
    users.retainedKey(tx, merchantId, userId),
    users.profile(tx, merchantId, userId),
  ]);
  if (!key || !profile) throw new Error('the user of an open order is not known');
  return addApplication(tx, {
    merchantId,
    orderId,
    paymentId,
    userId,
    outcome: 'applied',
    payerDiffers: isUnlike(payer.name, profile),
    sealedPayer: sealPayer(key, ofApplication(merchantId, userId, paymentId), payer),
    digests: sealer.digestsOf(payer),
  });
}

/** The order does not take the money. Returns the time by the merchant's clock. */
export function addSuspended({ sealer }: PayerKeys, tx: Transaction, suspended: ForOrder): Promise<Date> {
  const { paymentId, payer, order } = suspended;
  const { merchantId, userId, orderId } = order;
  // Not under the user's key, which may be destroyed while we still have the money.
  const sealedPayer = sealer.seal(ofApplication(merchantId, userId, paymentId), payer);
  return addApplication(tx, {
    merchantId,
    orderId,
    paymentId,
    userId,
    outcome: 'suspense',
    sealedPayer,
    payerDiffers: false,
    digests: undefined,
  });
}
