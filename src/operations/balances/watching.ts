/**
 * Compares the watched accounts again and again. What is found becomes a task, a metric and a line in the log, and ends
 * by itself.
 */
import type { RoomGauge } from '../../http/monitoring/metrics.js';
import type { Account } from '../../ledger/account.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { TaskSource } from '../../tasks/task.js';
import type { Job } from '../../worker/worker.js';
import { isLow, unexplainedOf } from './balance.js';
import { type AccountBalance, type BalanceService, compareJob } from './service.js';
import * as watches from './watch-store.js';

export const balanceTaskSources: readonly TaskSource[] = [
  { kind: 'balance_differs', list: watches.listDifferingTasks },
  { kind: 'balance_low', list: watches.listLowTasks },
];

export function compareBalancesJob(database: Database, balances: BalanceService, log: Log): Job {
  return {
    name: compareJob,
    everySeconds: 60,
    async run(signal) {
      for (const balance of await balances.listWatched(database)) {
        if (signal.aborted) break;
        await judge(database, balance, log);
      }
      return 0;
    },
  };
}

async function judge(database: Database, balance: AccountBalance, log: Log): Promise<void> {
  const { account, compared, watch, ledgerNowMinor } = balance;
  if (!watch) return;
  const differs = compared !== undefined && unexplainedOf(compared) !== 0n;
  if (differs !== (watch.differsSince !== undefined))
    await note(database, log, {
      account,
      isNow: differs,
      save: watches.saveDiffers,
      begins: 'a statement differs from the ledger',
      ends: 'the statement agrees with the ledger again',
    });
  const low = isLow(watch.minimumMinor, ledgerNowMinor, compared?.statement);
  if (low !== (watch.lowSince !== undefined))
    await note(database, log, {
      account,
      isNow: low,
      save: watches.saveLow,
      begins: 'an account is below its minimum',
      ends: 'the account is above its minimum again',
    });
}

interface Finding {
  readonly account: Account;
  readonly isNow: boolean;
  readonly save: typeof watches.saveLow;
  readonly begins: string;
  readonly ends: string;
}

/** Only the process that writes the change logs it. */
async function note(database: Database, log: Log, finding: Finding): Promise<void> {
  const { account, isNow, save, begins, ends } = finding;
  if (!(await database.transaction((tx) => save(tx, account, isNow)))) return;
  if (isNow) log.warn({ account }, begins);
  else log.info({ account }, ends);
}

export function balanceGauges(database: Database): RoomGauge[] {
  const since = (field: 'lowSince' | 'differsSince') => async () =>
    new Map((await watches.listWatches(database)).map((watch) => [watch.account as string, watch[field] ? 1 : 0]));
  return [
    {
      name: 'remesa_account_low',
      help: '1 while an account is below its minimum, by the ledger or by its newest statement.',
      label: 'account',
      read: since('lowSince'),
    },
    {
      name: 'remesa_account_differs',
      help: '1 while the newest statement of an account differs from the ledger and nothing explains it.',
      label: 'account',
      read: since('differsSince'),
    },
  ];
}
