/** How long each kind of task may wait, and whom it concerns after that. Pure data. */
import type { KindOfTask, TaskKind, TaskPlace } from './task.js';

export interface Duty {
  /** Hours until it is due, for a task without a due time of its own. */
  readonly withinHours: number;
  /** Who answers for it once it is overdue. */
  readonly escalatesTo: 'reviewer' | 'admin';
}

const day = 24;

export const duties: Readonly<Record<TaskKind, Duty>> = {
  alert: { withinHours: 3 * day, escalatesTo: 'admin' },
  approval: { withinHours: day, escalatesTo: 'admin' },
  balance_differs: { withinHours: day, escalatesTo: 'admin' },
  balance_low: { withinHours: day, escalatesTo: 'admin' },
  bank_answer: { withinHours: day, escalatesTo: 'admin' },
  bank_batch: { withinHours: 4, escalatesTo: 'admin' },
  bank_break: { withinHours: 3 * day, escalatesTo: 'admin' },
  bank_day: { withinHours: day, escalatesTo: 'admin' },
  bank_file: { withinHours: day, escalatesTo: 'admin' },
  bank_payment_unfit: { withinHours: day, escalatesTo: 'admin' },
  bank_transfer: { withinHours: day, escalatesTo: 'admin' },
  block_unapplied: { withinHours: 1, escalatesTo: 'admin' },
  complaint: { withinHours: 15 * day, escalatesTo: 'admin' },
  complaint_remedy: { withinHours: day, escalatesTo: 'admin' },
  compliance_case: { withinHours: 30 * day, escalatesTo: 'admin' },
  exposure: { withinHours: 5 * day, escalatesTo: 'admin' },
  failing_endpoint: { withinHours: 3 * day, escalatesTo: 'reviewer' },
  held_rate: { withinHours: 4, escalatesTo: 'admin' },
  hit_unapplied: { withinHours: 1, escalatesTo: 'admin' },
  import_fault: { withinHours: day, escalatesTo: 'admin' },
  kyc_review: { withinHours: day, escalatesTo: 'admin' },
  ledger_fault: { withinHours: 1, escalatesTo: 'admin' },
  loss: { withinHours: 3 * day, escalatesTo: 'admin' },
  monitoring: { withinHours: day, escalatesTo: 'admin' },
  order_frozen: { withinHours: 10 * day, escalatesTo: 'admin' },
  order_review: { withinHours: day, escalatesTo: 'admin' },
  order_stuck: { withinHours: 4, escalatesTo: 'admin' },
  payout_failed: { withinHours: day, escalatesTo: 'admin' },
  payout_to_make: { withinHours: 8, escalatesTo: 'admin' },
  payout_unknown: { withinHours: day, escalatesTo: 'admin' },
  rail_failing: { withinHours: 1, escalatesTo: 'admin' },
  rate_source_failing: { withinHours: 4, escalatesTo: 'admin' },
  safeguarding_short: { withinHours: day, escalatesTo: 'admin' },
  refund_failed: { withinHours: day, escalatesTo: 'admin' },
  risk_review: { withinHours: 30 * day, escalatesTo: 'admin' },
  screening_hit: { withinHours: day, escalatesTo: 'admin' },
  statement_file: { withinHours: day, escalatesTo: 'admin' },
  suspense: { withinHours: 3 * day, escalatesTo: 'admin' },
  unmatched_report: { withinHours: day, escalatesTo: 'admin' },
};

const hourMs = 3_600_000;

export function dueAtOf({ kind, sinceMicros, dueAt }: KindOfTask): Date {
  return dueAt ?? new Date(Number(sinceMicros / 1000n) + duties[kind].withinHours * hourMs);
}

/** Its place in the list that is sorted by when tasks are due. */
export function placeByDue(task: KindOfTask): TaskPlace {
  return { sinceMicros: BigInt(dueAtOf(task).getTime()) * 1000n, kind: task.kind, id: task.id };
}

/** What is due first comes first. `after`: only what comes after this place. */
export function sortedByDue(tasks: readonly KindOfTask[], after: TaskPlace | undefined): KindOfTask[] {
  return tasks
    .map((task) => ({ task, place: placeByDue(task) }))
    .filter(({ place }) => !after || comparePlaces(place, after) > 0)
    .sort((left, right) => comparePlaces(left.place, right.place))
    .map(({ task }) => task);
}

function comparePlaces(left: TaskPlace, right: TaskPlace): number {
  if (left.sinceMicros !== right.sinceMicros) return left.sinceMicros < right.sinceMicros ? -1 : 1;
  const [one, other] = [`${left.kind}.${left.id}`, `${right.kind}.${right.id}`];
  return one === other ? 0 : one < other ? -1 : 1;
}
