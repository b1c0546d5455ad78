/** Goes through all merchants that have a ledger. */
import type { TenantId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import { listMerchantsWithLedger } from './progress-store.js';

const merchantsAtOnce = 500;

export async function* allLedgers(database: Queryable): AsyncGenerator<TenantId> {
  let last = -1;
  for (;;) {
    const merchants = await listMerchantsWithLedger(database, last, merchantsAtOnce);
    yield* merchants;
    const newest = merchants.at(-1);
    if (newest === undefined) return;
    last = newest;
  }
}
