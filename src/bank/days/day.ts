/** The check of a statement: opening and entries make the closing balance, none is missing, the ledger agrees. Pure. */

export const dayFaults = ['unread_entries', 'sum_differs', 'statement_missing', 'ledger_differs'] as const;
export type DayFault = (typeof dayFaults)[number];

/** Amounts in minor units; what we owe the bank is negative. */
export interface StatementDay extends LineSums {
  readonly day: string;
  readonly bankId: string | undefined;
  /** Undefined where the bank does not count. */
  readonly sequence: bigint | undefined;
  readonly openingMinor: bigint | undefined;
  readonly closingMinor: bigint | undefined;
  readonly netMinor: bigint;
  readonly entries: number;
  readonly isWhole: boolean;
  /** Of the statement before; undefined for the first. */
  readonly closingBeforeMinor: bigint | undefined;
  readonly sequenceBefore: bigint | undefined;
  readonly readMicros: bigint;
}

/** What the lines of an account say until the end of a day. */
export interface LineSums {
  readonly breaksMinor: bigint;
  readonly breakCount: number;
  readonly ledgerMinor: bigint;
  readonly unconfirmedMinor: bigint;
}

export interface CheckedDay {
  readonly statement: StatementDay;
  readonly faults: readonly DayFault[];
}

/** Undefined without a closing balance. */
export function differenceOf({ closingMinor, breaksMinor, ledgerMinor }: StatementDay): bigint | undefined {
  return closingMinor === undefined ? undefined : closingMinor - breaksMinor - ledgerMinor;
}

/** In their order. A statement that came again, or was corrected, takes the faults of its first copy away. */
export function checkDays(statements: readonly StatementDay[]): CheckedDay[] {
  const byDay = new Map<string, StatementDay[]>();
  for (const statement of statements) byDay.set(statement.day, [...(byDay.get(statement.day) ?? []), statement]);
  const checked = statements.map((statement) => {
    const sameDay = byDay.get(statement.day) ?? [];
    return { statement, sameDay, faults: faultsOf(statement, sameDay) };
  });
  const clean = new Set(checked.filter(({ faults }) => faults.length === 0).map(({ statement }) => statement));
  return checked.map(({ statement, sameDay, faults }) => {
    const isReplaced = sameDay.some((other) => clean.has(other) && isCopy(statement, other));
    return { statement, faults: isReplaced ? [] : faults };
  });
}

function faultsOf(day: StatementDay, sameDay: readonly StatementDay[]): DayFault[] {
  const { openingMinor, closingMinor, netMinor, closingBeforeMinor } = day;
  const faults: DayFault[] = [];
  if (!day.isWhole) faults.push('unread_entries');
  if (openingMinor !== undefined && closingMinor !== undefined && openingMinor + netMinor !== closingMinor)
    faults.push('sum_differs');
  const isMoved = closingBeforeMinor !== undefined && openingMinor !== undefined && closingBeforeMinor !== openingMinor;
  if (isMoved || hasGap(day)) faults.push('statement_missing');
  const isLast = !sameDay.some((other) => isFollowedBy(day, other));
  if (isLast && (differenceOf(day) ?? 0n) !== 0n) faults.push('ledger_differs');
  return faults;
}

/** The numbers of some banks begin again with 1, each year. The same number again is a copy. */
function hasGap({ sequence, sequenceBefore }: StatementDay): boolean {
  if (sequence === undefined || sequenceBefore === undefined || sequence === sequenceBefore) return false;
  return sequence > sequenceBefore ? sequence > sequenceBefore + 1n : sequence > 1n;
}

/** Whether another statement of the same day goes on where this one ends. */
function isFollowedBy(day: StatementDay, other: StatementDay): boolean {
  if (day.sequence !== undefined && other.sequence !== undefined) return other.sequence > day.sequence;
  const { closingMinor } = day;
  return other !== day && closingMinor !== undefined && other.openingMinor === closingMinor && !isCopy(day, other);
}

function isCopy(day: StatementDay, other: StatementDay): boolean {
  if (other === day) return false;
  if (day.sequence !== undefined && other.sequence !== undefined) return day.sequence === other.sequence;
  if (day.openingMinor === undefined || day.openingMinor !== other.openingMinor) return false;
  return day.closingMinor === other.closingMinor || (day.bankId !== undefined && day.bankId === other.bankId);
}

const dayMs = 86_400_000;

/**
 * When a statement that should have come was due; undefined while none is late. `days` are the newest days that have
 * one, the newest first: the bank is one day later than its longest pause was, and a pause is over weekends too.
 */
export function dueSince(days: readonly string[], today: string): string | undefined {
  const times = days.map((day) => Date.parse(`${day}T00:00:00Z`));
  const [newest, before] = times;
  if (newest === undefined || before === undefined) return undefined;
  const pauses = times.slice(1).map((time, index) => (times[index] ?? time) - time);
  const due = new Date(newest + Math.max(...pauses) + dayMs).toISOString().slice(0, 10);
  return today > due ? due : undefined;
}
