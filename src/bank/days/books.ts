/** Compares what the ledger holds on our bank accounts with their lines, which alone may move it. */
import { accountOf } from '../../ledger/account.js';
import { balanceOf, listPlaces } from '../../ledger/balances/place-balances.js';
import type { Database } from '../../postgres/database.js';
import type { Job } from '../../worker/worker.js';
import { listToldAccounts, saveBooksDifference, sumOfExplained, type ToldAccount } from './day-store.js';

export function booksJobOf(database: Database): Job {
  return { name: 'bank.compare-books', everySeconds: 300, run: (signal) => compareBooks(database, signal) };
}

async function compareBooks(database: Database, signal: AbortSignal): Promise<number> {
  const places = await listPlaces(database);
  for (const told of await listToldAccounts(database, null)) {
    if (signal.aborted) break;
    const { accountId, currency, booksDifference } = told;
    const tenants = places.get(accountOf('bank', currency, accountId)) ?? [];
    const found = await differenceOf(database, told, tenants);
    if (found === 'moving' || found === (booksDifference?.minor ?? 0n)) continue;
    await database.transaction((tx) => saveBooksDifference(tx, accountId, found === 0n ? undefined : found));
  }
  return 0;
}

/** The ledger is in many books, so it is read while the lines stand still. */
async function differenceOf(
  database: Database,
  account: ToldAccount,
  tenants: Parameters<typeof balanceOf>[2],
): Promise<bigint | 'moving'> {
  const before = await sumOfExplained(database, account);
  const held = await balanceOf(database, accountOf('bank', account.currency, account.accountId), tenants);
  return (await sumOfExplained(database, account)) === before ? held - before : 'moving';
}
