/** The rows of corridors, for the comparison with what their changes remember. */
import type { RowSource } from '../../changes/row.js';
import { findAltered } from '../../changes/service.js';
import { instanceTenant } from '../../ids.js';
import type { SealedQueryable } from '../../postgres/statement.js';
import { type Corridor, corridorPrefix, digestedCorridor } from './corridor.js';
import { listCorridors } from './store.js';

/** Corridors that an operator has saved. Those of a new installation come without a change. */
export const corridorRows: RowSource = {
  prefix: corridorPrefix,
  async find(database, merchantId, subjects) {
    if (merchantId !== instanceTenant) return [];
    const corridors = (await listCorridors(database)).map(digestedCorridor);
    return corridors.filter(({ subject }) => subjects.includes(subject));
  },
};

/** Those that somebody has changed in the database, past the service. */
export function alteredCorridors(
  database: SealedQueryable,
  corridors: readonly Corridor[],
): Promise<readonly Corridor[]> {
  const digested = (corridor: Corridor) => ({ ...corridor, ...digestedCorridor(corridor) });
  return findAltered(database, instanceTenant, corridors.map(digested), {
    areInstalled: true,
    readAgain: async () => (await listCorridors(database)).map(digested),
  });
}
