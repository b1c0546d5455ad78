/** The statements of an account against its lines, day by day, and its lines against the ledger. */
import { amount } from '../../money/amount.js';
import { minorUnits } from '../../money/currency.js';
import { writeFixed } from '../../money/decimal.js';
import type { Queryable } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { BankAccount } from '../accounts/bank-account.js';
import type { BankAccountService } from '../accounts/service.js';
import { type CheckedDay, checkDays, type DayFault, dueSince } from './day.js';
import { listStatementDays, listToldAccounts, type ToldAccount } from './day-store.js';

export interface DaysOfAccount {
  readonly account: BankAccount;
  /** The newest first. */
  readonly days: readonly CheckedDay[];
}

/** Throws `bank_account_not_found`. */
export async function daysOf(
  accounts: BankAccountService,
  database: Queryable,
  asked: { readonly accountId: string; readonly from: string; readonly to: string },
): Promise<DaysOfAccount> {
  const account = await accounts.get(database, asked.accountId);
  const { accountId, currency } = account;
  return { account, days: checkDays(await listStatementDays(database, { ...asked, accountId, currency })) };
}

/**
 * Each day that is not closed, a statement that did not come, and an account of which the ledger does not hold what its
 * lines say. There are few accounts, so all are looked at.
 */
export async function listDayTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const { sinceMicros, afterId, only, limit } = pageValues(page);
  const tasks: Task[] = [];
  // The id of a task is that of its account and a word or a day, neither of which has a dot.
  const accountId = only?.slice(0, only.lastIndexOf('.')) ?? null;
  for (const account of await listToldAccounts(database, accountId)) tasks.push(...(await tasksOf(database, account)));
  return tasks
    .filter(({ id }) => only === null || id === only)
    .filter(({ sinceMicros: at, id }) => at > sinceMicros || (at === sinceMicros && id > afterId))
    .sort((left, right) => Number(left.sinceMicros - right.sinceMicros) || (left.id < right.id ? -1 : 1))
    .slice(0, limit);
}

async function tasksOf(database: Queryable, told: ToldAccount): Promise<Task[]> {
  const { accountId, currency, days, today, booksDifference } = told;
  const taskOf = (id: string, sinceMicros: bigint, summary: string): Task => ({
    id: `${accountId}.${id}`,
    merchantId: undefined,
    sinceMicros,
    summary,
    path: `/operator/bank/accounts/${accountId}/days`,
  });
  const tasks: Task[] = [];
  if (booksDifference) {
    const { minor, sinceMicros } = booksDifference;
    const summary = `Find out why the ledger and the lines of ${accountId} differ by ${currency} ${writeFixed(minor, minorUnits(currency))}`;
    const difference = amount(currency, minor < 0n ? -minor : minor);
    tasks.push({ ...taskOf('books', sinceMicros, summary), amount: difference });
  }
  const due = dueSince(days, today);
  if (due !== undefined) {
    const summary = `Get the statement of ${accountId} after ${days[0]}, which was due on ${due}`;
    tasks.push(taskOf('late', BigInt(Date.parse(`${due}T00:00:00Z`)) * 1000n, summary));
  }
  if (days.length === 0) return tasks;
  const asked = { accountId, currency, from: '0001-01-01', to: '9999-12-31' };
  const faulty = checkDays(await listStatementDays(database, asked)).filter(({ faults }) => faults.length > 0);
  for (const day of new Set(faulty.map(({ statement }) => statement.day))) {
    const ofDay = faulty.filter(({ statement }) => statement.day === day);
    const faults = new Set<DayFault>(ofDay.flatMap((checked) => checked.faults));
    const summary = `Find out why ${day} does not close on ${accountId}: ${[...faults].join(', ')}`;
    tasks.push(taskOf(day, ofDay.map(({ statement }) => statement.readMicros).reduce(max), summary));
  }
  return tasks;
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
