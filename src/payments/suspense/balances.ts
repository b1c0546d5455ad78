/** Tells the ledger's verification what we owe for money in suspense: each record, and all of them together. */
import { publicId } from '../../ids.js';
import { type Account, accountOf } from '../../ledger/account.js';
import type { OwedBalances, OwedSet } from '../../ledger/verify/owed.js';
import type { SuspenseId, SuspenseRecord } from './suspense.js';
import { listSuspenseByIds, sumHeldSuspense } from './suspense-store.js';
import { placeOfMoney } from './transitions.js';

export const suspenseBalances: OwedBalances = {
  /** Other references are left out. For a record that does not exist we owe nothing. */
  async owedFor(database, tenant, references) {
    const ids = references.flatMap((reference) => publicId('sus', reference) ?? []);
    if (ids.length === 0) return new Map();
    const records = await listSuspenseByIds(database, tenant, ids);
    const known = new Map<SuspenseId, SuspenseRecord>(records.map((record) => [record.suspenseId, record]));
    return new Map(ids.map((id) => [id, [owedFor(known.get(id))]]));
  },
  wholeAccounts: [
    {
      kind: 'suspense',
      async sum(database, tenant) {
        const held = await sumHeldSuspense(database, tenant);
        const open = held.filter(({ state }) => placeOfMoney(state) === 'suspense');
        return new Map<Account, bigint>(open.map(({ currency, minor }) => [accountOf('suspense', currency), minor]));
      },
    },
  ],
};

function owedFor(record: SuspenseRecord | undefined): OwedSet {
  const place = record && placeOfMoney(record.state);
  if (!place) return [];
  const { currency, minor } = record.remaining;
  return [{ account: accountOf(place, currency), least: minor, most: minor }];
}
