/** The statements of an account against its lines, day by day. */
import type { Queryable } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { BankAccount } from '../accounts/bank-account.js';
import type { BankAccountService } from '../accounts/service.js';
import { faultsOfDay, type StatementDay } from './day.js';
import { listNewestDays, listStatementDays } from './day-store.js';

export interface DaysOfAccount {
  readonly account: BankAccount;
  /** The newest first. */
  readonly days: readonly StatementDay[];
}

/** Throws `bank_account_not_found`. */
export async function daysOf(
  accounts: BankAccountService,
  database: Queryable,
  asked: { readonly accountId: string; readonly from: string; readonly to: string },
): Promise<DaysOfAccount> {
  const account = await accounts.get(database, asked.accountId);
  const { accountId, currency } = account;
  return { account, days: await listStatementDays(database, { ...asked, accountId, currency }) };
}

/**
 * An account whose newest statement does not fit. What is missing on an earlier day is missing on this one too. There
 * are few accounts, so all are looked at.
 */
export async function listDayTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const { sinceMicros, afterId, only, limit } = pageValues(page);
  const tasks: Task[] = [];
  for (const { accountId, currency, day, readMicros } of await listNewestDays(database, only)) {
    const days = await listStatementDays(database, { accountId, currency, from: day, to: day });
    const faults = days.map(faultsOfDay);
    // A statement that came again fits, although its first copy did not.
    if (faults.length === 0 || faults.some((ofStatement) => ofStatement.length === 0)) continue;
    tasks.push({
      id: accountId,
      merchantId: undefined,
      sinceMicros: readMicros,
      summary: `Find out why ${day} does not close on ${accountId}: ${(faults[0] ?? []).join(', ')}`,
      path: `/operator/bank/accounts/${accountId}/days`,
    });
  }
  return tasks
    .filter(({ sinceMicros: at, id }) => at > sinceMicros || (at === sinceMicros && id > afterId))
    .sort((left, right) => Number(left.sinceMicros - right.sinceMicros) || (left.id < right.id ? -1 : 1))
    .slice(0, limit);
}
