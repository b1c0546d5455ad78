/** The check of a statement: opening and entries make the closing balance, none is missing, the ledger agrees. Pure. */

export type DayFault = 'unread_entries' | 'sum_differs' | 'statement_missing' | 'ledger_differs';

/** Amounts in minor units; what we owe the bank is negative. */
export interface StatementDay {
  readonly day: string;
  readonly bankId: string | undefined;
  readonly sequence: string | undefined;
  readonly openingMinor: bigint | undefined;
  readonly closingMinor: bigint | undefined;
  readonly netMinor: bigint;
  readonly entries: number;
  readonly isWhole: boolean;
  /** Of the statement before; undefined for the first. */
  readonly closingBeforeMinor: bigint | undefined;
  /** Whether its number follows that of the statement before; undefined where the bank does not count. */
  readonly isNext: boolean | undefined;
  /** All until the end of the day. */
  readonly breaksMinor: bigint;
  readonly breakCount: number;
  readonly ledgerMinor: bigint;
  readonly unconfirmedMinor: bigint;
}

/** Undefined without a closing balance. */
export function differenceOf({ closingMinor, breaksMinor, ledgerMinor }: StatementDay): bigint | undefined {
  return closingMinor === undefined ? undefined : closingMinor - breaksMinor - ledgerMinor;
}

export function faultsOfDay(day: StatementDay): DayFault[] {
  const { openingMinor, closingMinor, netMinor, closingBeforeMinor } = day;
  const faults: DayFault[] = [];
  if (!day.isWhole) faults.push('unread_entries');
  if (openingMinor !== undefined && closingMinor !== undefined && openingMinor + netMinor !== closingMinor)
    faults.push('sum_differs');
  const isMoved = closingBeforeMinor !== undefined && openingMinor !== undefined && closingBeforeMinor !== openingMinor;
  // The numbers of some banks begin again each year, so balances that fit together are enough.
  if (isMoved || (day.isNext === false && closingBeforeMinor === undefined)) faults.push('statement_missing');
  if ((differenceOf(day) ?? 0n) !== 0n) faults.push('ledger_differs');
  return faults;
}
