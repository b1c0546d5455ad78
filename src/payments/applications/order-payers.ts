/** Tells the gate of orders who paid for them. */
import type { OrderId } from '../../orders/order/order.js';
import type { NamedPayer, Payers } from '../../orders/order/ports.js';
import { ofApplication, openPayer } from '../sealed.js';
import { listSealedPayers, type SealedPayer } from './application-store.js';

export const orderPayers: Payers = {
  async listOf(database, merchantId, orderIds) {
    const found = new Map<OrderId, SealedPayer[]>();
    for (const payer of await listSealedPayers(database, merchantId, orderIds))
      found.set(payer.orderId, [...(found.get(payer.orderId) ?? []), payer]);
    return new Map([...found].map(([orderId, payers]) => [orderId, (key: Buffer) => payers.map(openedBy(key))]));
  },
};

function openedBy(retainedKey: Buffer) {
  return ({ merchantId, userId, paymentId, payerDiffers, sealedPayer }: SealedPayer): NamedPayer => {
    const { name } = openPayer(retainedKey, ofApplication(merchantId, userId, paymentId), sealedPayer);
    return { name, isAnother: payerDiffers };
  };
}
