/**
 * Compares what the ledger holds on our bank accounts with their lines, which alone may move it, and closes the days
 * whose statement agrees with the lines, so that the next comparison begins there.
 */
import { accountOf } from '../../ledger/account.js';
import { balanceOf, listPlaces } from '../../ledger/balances/place-balances.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable, isTimeLimit } from '../../postgres/failure.js';
import type { Queryable } from '../../postgres/statement.js';
import { doEach } from '../../worker/claim.js';
import type { Job } from '../../worker/worker.js';
import { lockBankAccount } from '../accounts/bank-account-store.js';
import { type CheckedDay, differenceOf } from './day.js';
import { listToldAccounts, saveBooksDifference, type ToldAccount } from './day-store.js';
import { checkAllDays } from './service.js';
import { addClosedDay, findClosedDay, listDaySums, mayBeClosed } from './sum-store.js';

export interface BooksOptions {
  readonly database: Database;
  readonly log: Log;
}

export function booksJobOf(options: BooksOptions): Job {
  return { name: 'bank.compare-books', everySeconds: 300, run: (signal) => compareBooks(options, signal) };
}

/**
 * Each account by itself, and each of its two parts: what takes too long does not stop the others. An account is
 * compared first, because closing only makes later comparisons faster.
 */
async function compareBooks({ database, log }: BooksOptions, signal: AbortSignal): Promise<number> {
  const places = await listPlaces(database);
  await doEach(await listToldAccounts(database, null), async (told) => {
    const { accountId, currency } = told;
    const tenants = places.get(accountOf('bank', currency, accountId)) ?? [];
    for (const step of [() => compare(database, told, tenants), () => closeDay(database, told)]) {
      if (signal.aborted) return;
      await step().catch((error: unknown) => {
        if (isDatabaseUnavailable(error) && !isTimeLimit(error)) throw error;
        log.error({ accountId, err: error }, 'the books of a bank account cannot be compared');
      });
    }
  });
  return 0;
}

async function compare(database: Database, told: ToldAccount, tenants: Parameters<typeof balanceOf>[2]): Promise<void> {
  const { accountId, booksDifference } = told;
  const found = await booksDifferenceOf(database, told, tenants);
  if (found === 'moving' || found === (booksDifference?.minor ?? 0n)) return;
  await database.transaction((tx) => saveBooksDifference(tx, accountId, found === 0n ? undefined : found));
}

/** The ledger is in many books, so it is read while the lines stand still. */
async function booksDifferenceOf(
  database: Database,
  account: ToldAccount,
  tenants: Parameters<typeof balanceOf>[2],
): Promise<bigint | 'moving'> {
  const before = await sumOfExplained(database, account);
  const held = await balanceOf(database, accountOf('bank', account.currency, account.accountId), tenants);
  return (await sumOfExplained(database, account)) === before ? held - before : 'moving';
}

/** What the explained lines of an account say that the ledger holds. */
async function sumOfExplained(database: Queryable, account: ToldAccount): Promise<bigint> {
  const end = '9999-12-31';
  return (await listDaySums(database, account, { first: end, last: end })).at(-1)?.ledgerMinor ?? 0n;
}

/**
 * The newest day that is old enough, and whose lines and statement agree. A day before it that does not agree would not
 * be looked at any more, so none is left out.
 */
async function closeDay(database: Database, told: ToldAccount): Promise<void> {
  if (told.days.length === 0) return;
  const closed = await findClosedDay(database, told.accountId);
  const open = (await checkAllDays(database, told)).filter(
    ({ statement }) => closed === undefined || statement.day > closed,
  );
  const differing = open.filter(({ faults }) => faults.includes('ledger_differs')).at(-1);
  const agreeing = open.filter(
    (checked) => isProved(checked) && (!differing || checked.statement.day < differing.statement.day),
  );
  for (const { statement } of agreeing) {
    if (!(await mayBeClosed(database, statement.day))) continue;
    await database.transaction(async (tx) => {
      // Whoever adds a line to an old day has locked the account too, so its lines are added up anew.
      await lockBankAccount(tx, told.accountId);
      const { day, closingMinor } = statement;
      const sums = (await listDaySums(tx, told, { first: day, last: day })).at(-1);
      if (!sums || sums.ledgerMinor + sums.breaksMinor !== closingMinor) return;
      // What only people recorded may change without a file, so it is added whenever the total is read.
      const totalMinor = closingMinor - sums.unconfirmedMinor;
      await addClosedDay(tx, { accountId: told.accountId, day, totalMinor });
    });
    return;
  }
}

function isProved({ statement, faults }: CheckedDay): boolean {
  return faults.length === 0 && differenceOf(statement) === 0n;
}
