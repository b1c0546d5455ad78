/** The rows of the block list, for the comparison with what their changes remember. They belong to the instance. */
import type { RowSource } from '../../changes/row.js';
import { instanceTenant, storedPublicId } from '../../ids.js';
import { blockPrefix, digestedBlock } from './block.js';
import { listBlockIdsAfter, listBlocksByIds } from './store.js';

export const blockRows: RowSource = {
  prefix: blockPrefix,
  async list(database, merchantId, after, limit) {
    if (merchantId !== instanceTenant) return [];
    const ids = await listBlockIdsAfter(database, after.slice(blockPrefix.length), limit);
    return ids.map((id) => `${blockPrefix}${id}`);
  },
  async find(database, merchantId, subjects) {
    if (merchantId !== instanceTenant) return [];
    const ids = subjects.map((subject) => storedPublicId('blk', subject.slice(blockPrefix.length)));
    return (await listBlocksByIds(database, ids)).map(digestedBlock);
  },
};
