/**
 * Who must act on money that we hold, until when, and what follows if nobody does. Each room that holds money lists its
 * own; a test refuses a state with money that has no entry.
 */
import type { TaskKind } from './task.js';

/** `service`: the program itself. `bank`: a rail or a bank has the instruction. */
export const nextActors = ['sender', 'service', 'operator', 'bank'] as const;
export type NextActor = (typeof nextActors)[number];

export interface Obligation {
  readonly record: 'order' | 'suspense' | 'import_line' | 'bank_line' | 'bank_statement';
  readonly state: string;
  /** The kind of the ledger's account that the money is on. */
  readonly account: string;
  readonly nextActor: NextActor;
  /** What the next actor does. */
  readonly action: string;
  readonly due: string;
  /** What happens when the time is over. */
  readonly afterwards: string;
  /** The task of operators that comes of it, at once or when it is overdue. Absent: the service ends it by itself. */
  readonly task?: TaskKind;
  readonly legalBasis: string;
  /** Merchants and users must not learn of it. */
  readonly isConfidential?: true;
}

/** What merchants may read: it looks the same whatever an operator is doing. */
export function publicObligations(all: readonly Obligation[]): Obligation[] {
  return all.filter(({ record, isConfidential }) => record === 'order' && !isConfidential);
}
