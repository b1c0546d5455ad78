/** The orders of a merchant, for the comparison with what their changes remember. */
import type { RowSource } from '../../changes/row.js';
import { instanceTenant, storedPublicId } from '../../ids.js';
import { digestedOrder, orderSubjectPrefix as prefix } from '../order/row.js';
import { findOrders, listOrderIdsAfter } from './store.js';

export const orderRows: RowSource = {
  prefix,
  async list(database, merchantId, after, limit) {
    if (merchantId === instanceTenant) return [];
    const ids = await listOrderIdsAfter(database, merchantId, after.slice(prefix.length), limit);
    return ids.map((orderId) => `${prefix}${orderId}`);
  },
  async find(database, merchantId, subjects) {
    if (merchantId === instanceTenant) return [];
    const ids = subjects.map((subject) => storedPublicId('ord', subject.slice(prefix.length)));
    return (await findOrders(database, merchantId, ids)).map(digestedOrder);
  },
};
