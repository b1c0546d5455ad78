/** Everything that the ledger's verification can compare: what orders and money in suspense say that we owe. */
import type { OwedBalances } from '../../ledger/verify/owed.js';
import { orderBalances } from '../../orders/owed/balances.js';
import { suspenseBalances } from '../suspense/balances.js';

const sources: readonly OwedBalances[] = [orderBalances, suspenseBalances];

export const owedBalances: OwedBalances = {
  async owedFor(...asked) {
    const found = await Promise.all(sources.map((source) => source.owedFor(...asked)));
    return new Map(found.flatMap((owed) => [...owed]));
  },
  wholeAccounts: sources.flatMap(({ wholeAccounts = [] }) => wholeAccounts),
};
