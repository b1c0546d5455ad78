/** SQL on the accounts that are compared with their statements. Every machine of a cluster has this table in full. */
import type { Account } from '../../ledger/account.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { AccountWatch } from './balance.js';

interface WatchRow {
  account: Account;
  minimum_minor: bigint | null;
  version: number;
  differs_since: Date | null;
  low_since: Date | null;
}
const columns = 'account, minimum_minor, version, differs_since, low_since';

const insertWatch = statement(
  'watch-store.insert',
  'INSERT INTO account_watches (account, version) VALUES ($account, 1) ON CONFLICT (account) DO NOTHING',
);
const listAll = statement(
  'watch-store.list',
  `SELECT ${columns} FROM account_watches ORDER BY account`,
).rows<WatchRow>();
const updateMinimum = statement(
  'watch-store.update-minimum',
  `UPDATE account_watches SET minimum_minor = $minimumMinor, version = version + 1
    WHERE account = $account AND version = $version RETURNING ${columns}`,
).rows<WatchRow>();
const beginDifference = statement(
  'watch-store.begin-difference',
  `UPDATE account_watches SET differs_since = statement_timestamp()
    WHERE account = $account AND differs_since IS NULL RETURNING ${columns}`,
).rows<WatchRow>();
const endDifference = statement(
  'watch-store.end-difference',
  `UPDATE account_watches SET differs_since = NULL
    WHERE account = $account AND differs_since IS NOT NULL RETURNING ${columns}`,
).rows<WatchRow>();
const beginLow = statement(
  'watch-store.begin-low',
  `UPDATE account_watches SET low_since = statement_timestamp()
    WHERE account = $account AND low_since IS NULL RETURNING ${columns}`,
).rows<WatchRow>();
const endLow = statement(
  'watch-store.end-low',
  `UPDATE account_watches SET low_since = NULL WHERE account = $account AND low_since IS NOT NULL
     RETURNING ${columns}`,
).rows<WatchRow>();
const listDiffering = statement(
  'watch-store.list-differing',
  `SELECT account, (extract(epoch FROM differs_since) * 1000000)::bigint::text AS at_micros FROM account_watches
    WHERE differs_since <= statement_timestamp() - make_interval(secs => $afterSeconds)
      AND (differs_since, account) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR account = $only)
    ORDER BY differs_since, account LIMIT $limit`,
).rows<{ account: string; at_micros: string }>();
const listLow = statement(
  'watch-store.list-low',
  `SELECT account, (extract(epoch FROM low_since) * 1000000)::bigint::text AS at_micros FROM account_watches
    WHERE low_since IS NOT NULL
      AND (low_since, account) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR account = $only)
    ORDER BY low_since, account LIMIT $limit`,
).rows<{ account: string; at_micros: string }>();

/** A difference may last so long: the lines of a statement are recorded by people. */
const differenceIsTaskAfterSeconds = 86_400;

export async function watchAccount(tx: Transaction, account: Account): Promise<void> {
  await tx.query(insertWatch, { account });
}

/** Sorted by account. */
export async function listWatches(database: Queryable): Promise<AccountWatch[]> {
  return (await database.query(listAll)).map(toWatch);
}

/** Undefined when the version is another. */
export async function saveMinimum(
  tx: Transaction,
  account: Account,
  version: number,
  minimumMinor: bigint | undefined,
): Promise<AccountWatch | undefined> {
  const [row] = await tx.query(updateMinimum, { account, version, minimumMinor });
  return row && toWatch(row);
}

/** Returns whether that is new. */
export async function saveDiffers(tx: Transaction, account: Account, differs: boolean): Promise<boolean> {
  return (await tx.query(differs ? beginDifference : endDifference, { account })).length > 0;
}

/** Returns whether that is new. */
export async function saveLow(tx: Transaction, account: Account, low: boolean): Promise<boolean> {
  return (await tx.query(low ? beginLow : endLow, { account })).length > 0;
}

export async function listDifferingTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listDiffering, {
    ...pageValues(page),
    afterSeconds: differenceIsTaskAfterSeconds,
  });
  return rows.map((row) => taskOf(row, `Find out why the statement of ${row.account} differs from the ledger.`));
}

export async function listLowTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listLow, pageValues(page));
  return rows.map((row) => taskOf(row, `Fund ${row.account}: it is below its minimum.`));
}

function taskOf({ account, at_micros }: { account: string; at_micros: string }, summary: string): Task {
  return {
    id: account,
    merchantId: undefined,
    sinceMicros: BigInt(at_micros),
    summary,
    path: '/operator/bank-balances',
  };
}

function toWatch(row: WatchRow): AccountWatch {
  return {
    account: row.account,
    version: row.version,
    minimumMinor: row.minimum_minor ?? undefined,
    differsSince: row.differs_since ?? undefined,
    lowSince: row.low_since ?? undefined,
  };
}
