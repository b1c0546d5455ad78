/** The statements of an account against its lines, day by day, and its lines against the ledger. */
import { amount } from '../../money/amount.js';
import { minorUnits } from '../../money/currency.js';
import { writeFixed } from '../../money/decimal.js';
import { isTimeLimit } from '../../postgres/failure.js';
import type { Queryable } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import { doEach } from '../../worker/claim.js';
import type { BankAccount } from '../accounts/bank-account.js';
import type { BankAccountService } from '../accounts/service.js';
import { type CheckedDay, checkDays, type DayFault, dueSince, type StatementDay } from './day.js';
import { listToldAccounts, listToldDays, type ToldAccount, type ToldDay } from './day-store.js';
import { type DaySums, findClosedDay, listDaySums, type SummedAccount } from './sum-store.js';

export interface DaysOfAccount {
  readonly account: BankAccount;
  /** The newest first. */
  readonly days: readonly CheckedDay[];
}

const mostShown = 400;
/** Statements are few beside their lines: this is a bank that writes ten of them a day for years. */
const mostChecked = 10_000;
const always = { from: '0001-01-01', to: '9999-12-31' } as const;

/** The newest statements of these days, at most 400. Throws `bank_account_not_found`. */
export async function daysOf(
  accounts: BankAccountService,
  database: Queryable,
  asked: { readonly accountId: string; readonly from: string; readonly to: string },
): Promise<DaysOfAccount> {
  const account = await accounts.get(database, asked.accountId);
  const told = await listToldDays(database, { ...asked, accountId: account.accountId, limit: mostShown });
  return { account, days: checkDays(await withSums(database, account, told)) };
}

/** A statement beside the lines until its day. */
async function withSums(
  database: Queryable,
  account: SummedAccount,
  told: readonly ToldDay[],
): Promise<StatementDay[]> {
  const [last, first] = [told[0]?.day, told.at(-1)?.day];
  if (first === undefined || last === undefined) return [];
  const sums = await listDaySums(database, account, { first, last });
  return told.map((statement) => ({ ...statement, ...sumsAt(sums, statement.day) }));
}

function sumsAt(sums: readonly DaySums[], on: string): Omit<DaySums, 'day'> {
  const found = sums.findLast(({ day }) => day <= on);
  const nothing = { breaksMinor: 0n, breakCount: 0, ledgerMinor: 0n, unconfirmedMinor: 0n };
  if (!found) return nothing;
  const { day: _, ...sum } = found;
  return sum;
}

/**
 * All statements of an account. Those until the newest day that is closed agree with the lines, so only those after it
 * are compared with them.
 */
export async function checkAllDays(database: Queryable, account: SummedAccount): Promise<CheckedDay[]> {
  const told = await listToldDays(database, { ...always, accountId: account.accountId, limit: mostChecked });
  const closed = await findClosedDay(database, account.accountId);
  const open = closed === undefined ? told : told.filter(({ day }) => day > closed);
  const compared = await withSums(database, account, open);
  return checkDays([...compared, ...told.slice(compared.length).map(agreeing)]);
}

function agreeing(statement: ToldDay): StatementDay {
  const ledgerMinor = statement.closingMinor ?? 0n;
  return { ...statement, ledgerMinor, breaksMinor: 0n, breakCount: 0, unconfirmedMinor: 0n };
}

/**
 * Each day that is not closed, a statement that did not come, and an account of which the ledger does not hold what its
 * lines say. There are few accounts, so all are looked at, each by itself.
 */
export async function listDayTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const { sinceMicros, afterId, only, limit } = pageValues(page);
  // The id of a task is that of its account and a word or a day, neither of which has a dot.
  const accountId = only?.slice(0, only.lastIndexOf('.')) ?? null;
  const accounts = await listToldAccounts(database, accountId);
  const done = await doEach(accounts, (account) =>
    tasksOf(database, account).catch((error: unknown) => {
      if (!isTimeLimit(error)) throw error;
      return [uncheckedTask(account)];
    }),
  );
  return done
    .flatMap((each) => ('error' in each ? [uncheckedTask(each.row)] : each.result))
    .filter(({ id }) => only === null || id === only)
    .filter(({ sinceMicros: at, id }) => at > sinceMicros || (at === sinceMicros && id > afterId))
    .sort((left, right) => Number(left.sinceMicros - right.sinceMicros) || (left.id < right.id ? -1 : 1))
    .slice(0, limit);
}

async function tasksOf(database: Queryable, told: ToldAccount): Promise<Task[]> {
  const { accountId, currency, days, today, booksDifference } = told;
  const tasks: Task[] = [];
  if (booksDifference) {
    const { minor, sinceMicros } = booksDifference;
    const summary = `Find out why the ledger and the lines of ${accountId} differ by ${currency} ${writeFixed(minor, minorUnits(currency))}`;
    const difference = amount(currency, minor < 0n ? -minor : minor);
    tasks.push({ ...taskOf(told, 'books', sinceMicros, summary), amount: difference });
  }
  const due = dueSince(days, today);
  if (due !== undefined) {
    const summary = `Get the statement of ${accountId} after ${days[0]}, which was due on ${due}`;
    tasks.push(taskOf(told, 'late', microsOf(due), summary));
  }
  if (days.length === 0) return tasks;
  const faulty = (await checkAllDays(database, told)).filter(({ faults }) => faults.length > 0);
  for (const day of new Set(faulty.map(({ statement }) => statement.day))) {
    const ofDay = faulty.filter(({ statement }) => statement.day === day);
    const faults = new Set<DayFault>(ofDay.flatMap((checked) => checked.faults));
    const summary = `Find out why ${day} does not close on ${accountId}: ${[...faults].join(', ')}`;
    tasks.push(taskOf(told, day, ofDay.map(({ statement }) => statement.readMicros).reduce(max), summary));
  }
  return tasks;
}

/** The days of one account cannot be read, such as within the time that a statement may take. */
function uncheckedTask(told: ToldAccount): Task {
  const { accountId, days, today } = told;
  const summary = `Find out why the days of ${accountId} cannot be checked`;
  return taskOf(told, 'unchecked', microsOf(days[0] ?? today), summary);
}

function taskOf({ accountId }: ToldAccount, id: string, sinceMicros: bigint, summary: string): Task {
  const path = `/operator/bank/accounts/${accountId}/days`;
  return { id: `${accountId}.${id}`, merchantId: undefined, sinceMicros, summary, path };
}

function microsOf(day: string): bigint {
  return BigInt(Date.parse(`${day}T00:00:00Z`)) * 1000n;
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
