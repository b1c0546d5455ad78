/** Tells the ledger's verification what we owe for each order. */
import { instanceTenant, merchantId as merchantIdOf, publicId } from '../../ids.js';
import type { OwedBalances } from '../../ledger/verify/owed.js';
import { owedFor } from './owed.js';
import { findOrders } from './store.js';

/** References that are not orders, such as movements, are left out. */
export const orderBalances: OwedBalances = {
  async owedFor(database, tenant, references) {
    const orderIds = references.flatMap((reference) => publicId('ord', reference) ?? []);
    if (tenant === instanceTenant || orderIds.length === 0) return new Map();
    const orders = await findOrders(database, merchantIdOf(tenant), orderIds);
    return new Map(orders.map((order) => [order.orderId, owedFor(order)]));
  },
};
