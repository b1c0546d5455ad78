/**
 * Owns the list of everything that waits for a person, and the claims of operators on it. Does not own what waits: each
 * room offers its own tasks through a `TaskSource` in its `room.ts`, and decides them by its own routes.
 */
import type { MerchantId, OperatorId, UserId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import type { Queryable } from '../postgres/statement.js';

export const taskKinds = [
  'alert',
  'approval',
  'balance_differs',
  'balance_low',
  'bank_answer',
  'bank_batch',
  'bank_break',
  'bank_day',
  'bank_file',
  'bank_payment_unfit',
  'bank_transfer',
  'block_unapplied',
  'complaint',
  'complaint_remedy',
  'compliance_case',
  'exposure',
  'failing_endpoint',
  'held_rate',
  'hit_unapplied',
  'import_fault',
  'kyc_review',
  'ledger_fault',
  'loss',
  'monitoring',
  'order_frozen',
  'order_review',
  'order_stuck',
  'payout_failed',
  'payout_to_make',
  'payout_unknown',
  'rail_failing',
  'rate_source_failing',
  'refund_failed',
  'risk_review',
  'safeguarding_short',
  'screening_hit',
  'statement_file',
  'suspense',
  'unmatched_report',
] as const;
export type TaskKind = (typeof taskKinds)[number];

/** Something that waits for a person. It contains nothing personal. */
export interface Task {
  /** The id of what waits, unique within its kind. */
  readonly id: string;
  readonly merchantId: MerchantId | undefined;
  /** Since when it waits, in microseconds since 1970. */
  readonly sinceMicros: bigint;
  /** What there is to do, in one sentence. */
  readonly summary: string;
  /** Where operators find it, in the operator API. */
  readonly path: string;
  /** When somebody should have acted. Absent: so long after `sinceMicros` as the kind of task may wait. */
  readonly dueAt?: Date | undefined;
  /** How many things it stands for, such as orders that wait for the same reason. Absent: one. */
  readonly count?: number;
  /** The money that it is about. */
  readonly amount?: Amount;
  readonly orderId?: string | undefined;
  readonly userId?: UserId | undefined;
  /** The KYC case that it belongs to. */
  readonly caseId?: string | undefined;
}

export interface TaskPage {
  /** Only tasks after this one: a later time, or the same time and a greater id. */
  readonly after: { readonly sinceMicros: bigint; readonly id: string };
  readonly limit: number;
  /** Only the task with this id. */
  readonly only?: string | undefined;
  /** Who asks. Something that this operator cannot do, because somebody else must, is left out. */
  readonly reader: OperatorId;
}

/** The page as the statement of a source takes it. */
export function pageValues({ after, limit, only }: TaskPage) {
  return { sinceMicros: after.sinceMicros, afterId: after.id, limit, only: only ?? null };
}

export interface TaskSource {
  readonly kind: TaskKind;
  /** Sorted by time, then by id. */
  list(database: Queryable, page: TaskPage): Promise<readonly Task[]>;
}

export interface KindOfTask extends Task {
  readonly kind: TaskKind;
}

/** A place in the list of all kinds, which is sorted by time, then by kind, then by id. */
export interface TaskPlace {
  readonly sinceMicros: bigint;
  readonly kind: string;
  readonly id: string;
}

export const firstPlace: TaskPlace = { sinceMicros: 0n, kind: '', id: '' };

/** Where a source continues after a place that may belong to a task of another kind. */
export function placeWithin(kind: TaskKind, place: TaskPlace): TaskPage['after'] {
  if (kind === place.kind) return { sinceMicros: place.sinceMicros, id: place.id };
  return { sinceMicros: kind > place.kind ? place.sinceMicros : place.sinceMicros + 1n, id: '' };
}

/** Merges the pages of all sources. Within a kind, the order is that of the source. */
export function mergeTasks(pages: readonly (readonly KindOfTask[])[], limit: number): KindOfTask[] {
  return pages
    .flat()
    .map((task, index) => ({ task, index }))
    .sort((left, right) => compareTasks(left.task, right.task) || left.index - right.index)
    .slice(0, limit)
    .map(({ task }) => task);
}

function compareTasks(left: KindOfTask, right: KindOfTask): number {
  if (left.sinceMicros !== right.sinceMicros) return left.sinceMicros < right.sinceMicros ? -1 : 1;
  return left.kind === right.kind ? 0 : left.kind < right.kind ? -1 : 1;
}
