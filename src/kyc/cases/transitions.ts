/** The one table of the states of a case. A trigger of the database refuses everything that is not listed here too. */
import type { CaseState } from './case.js';

/** The names of the transitions, as history and audit log record them. */
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
  /** Null when the case, or its renewal, is opened. */
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
  // There is one case for each level and zone, so an expired one starts again.
  { move: 'reopen', from: 'EXPIRED', to: 'PENDING' },
];

/** Returns undefined when the table does not list the transition. */
export function stateAfter(from: CaseState | null, move: CaseTransition): CaseState | undefined {
  return transitions.find((transition) => transition.from === from && transition.move === move)?.to;
}
