/** How much waits: the numbers that a day begins with. Pure. */
import type { Amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import { dueAtOf } from './duty.js';
import type { KindOfTask, TaskKind } from './task.js';

export interface CountOfKind {
  readonly kind: TaskKind;
  readonly count: number;
  readonly overdue: number;
  readonly oldestSinceMicros: bigint;
  /** One for each currency. */
  readonly amounts: readonly Amount[];
}

/** Takes the oldest task first. */
export function countTasks(kind: TaskKind, tasks: readonly KindOfTask[], now: Date): CountOfKind {
  const sums = new Map<CurrencyCode, bigint>();
  for (const { amount } of tasks)
    if (amount) sums.set(amount.currency, (sums.get(amount.currency) ?? 0n) + amount.minor);
  return {
    kind,
    count: tasks.reduce((total, { count = 1 }) => total + count, 0),
    overdue: tasks.filter((task) => dueAtOf(task) < now).length,
    oldestSinceMicros: tasks[0]?.sinceMicros ?? 0n,
    amounts: [...sums].map(([currency, minor]) => ({ currency, minor })),
  };
}
