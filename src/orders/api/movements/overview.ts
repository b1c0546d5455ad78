/** What a merchant sees at a glance: orders that are open, and those that were created today. */
import type { MerchantId } from '../../../ids.js';
import type { Queryable } from '../../../postgres/statement.js';
import { isOpen, publicStates } from '../../order/transitions.js';
import { type CountedOrders, countOrdersIn, countOrdersOfToday } from './overview-store.js';

export type { CountedOrders } from './overview-store.js';

export interface Overview {
  readonly open: readonly CountedOrders[];
  readonly createdToday: readonly CountedOrders[];
}

export async function overviewOf(database: Queryable, merchantId: MerchantId): Promise<Overview> {
  const open = await countOrdersIn(database, merchantId, publicStates.filter(isOpen));
  return { open, createdToday: await countOrdersOfToday(database, merchantId) };
}
