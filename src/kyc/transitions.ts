/** The one table of a case's states. What is not listed here can't happen; the database refuses it too. */
import type { CaseState } from './case.js';

/** Who or what makes the change. */
export type CaseTransition =
  | 'open'
  | 'submit'
  | 'approve_automatically'
  | 'refer'
  | 'approve'
  | 'reject'
  | 'request'
  | 'identity_changed'
  | 'expire'
  | 'revoke'
  | 'reopen';

export interface Transition {
  readonly move: CaseTransition;
  /** Null: there was no case before. */
  readonly from: CaseState | null;
  readonly to: CaseState;
}

export const transitions: readonly Transition[] = [
  { move: 'open', from: null, to: 'PENDING' },
  { move: 'submit', from: 'PENDING', to: 'SUBMITTED' },
  { move: 'submit', from: 'ACTION_REQUIRED', to: 'SUBMITTED' },
  { move: 'approve_automatically', from: 'SUBMITTED', to: 'APPROVED' },
  { move: 'refer', from: 'SUBMITTED', to: 'IN_REVIEW' },
  { move: 'approve', from: 'IN_REVIEW', to: 'APPROVED' },
  { move: 'reject', from: 'IN_REVIEW', to: 'REJECTED' },
  { move: 'request', from: 'IN_REVIEW', to: 'ACTION_REQUIRED' },
  { move: 'request', from: 'APPROVED', to: 'ACTION_REQUIRED' },
  { move: 'identity_changed', from: 'APPROVED', to: 'ACTION_REQUIRED' },
  { move: 'expire', from: 'APPROVED', to: 'EXPIRED' },
  { move: 'revoke', from: 'APPROVED', to: 'REVOKED' },
  // Unless the rejection was final.
  { move: 'reopen', from: 'REJECTED', to: 'PENDING' },
  // Who let a level run out identifies himself anew; there is one case for each level and zone.
  { move: 'reopen', from: 'EXPIRED', to: 'PENDING' },
];

/** Undefined when the table does not have it. */
export function stateAfter(from: CaseState | null, move: CaseTransition): CaseState | undefined {
  return transitions.find((transition) => transition.from === from && transition.move === move)?.to;
}
