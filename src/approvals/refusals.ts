/** The errors with which approvals refuse. */
import type { OperatorRole } from '../caller.js';
import { RemesaError } from '../errors.js';
import type { Approval } from './approval.js';

export function approvalNotFound(): RemesaError {
  return new RemesaError('not_found', 'approval_not_found', 'There is no such request for approval.');
}

export function alreadyPending({ approvalId }: Approval, requestedBy: string): RemesaError {
  const message = `The same action already waits for approval; ${requestedBy} asked for it.`;
  return new RemesaError('conflict', 'approval_pending', message, { members: { approvalId, requestedBy } });
}

export function isOwn(): RemesaError {
  return new RemesaError('forbidden', 'approval_own', 'You asked for it yourself; another operator must decide.');
}

export function isNotOwn(): RemesaError {
  return new RemesaError('forbidden', 'approval_not_own', 'Another operator asked for it.');
}

export function roleMissing(requiredRole: OperatorRole): RemesaError {
  return new RemesaError('forbidden', 'role_missing', `This request needs the role ${requiredRole}.`, {
    members: { requiredRole },
  });
}

/** For a request that is not pending any more. */
export function hasEnded({ state, expiresAt }: Approval): RemesaError {
  if (state === 'expired') {
    const members = { expiresAt: expiresAt.toISOString() };
    return new RemesaError('conflict', 'approval_expired', 'The request has expired.', { members });
  }
  if (state === 'void') return isVoided();
  if (state === 'outdated') return isStale();
  return new RemesaError('conflict', 'approval_decided', `The request was already ${state}.`, {
    members: { approvalState: state },
  });
}

export function isVoided(): RemesaError {
  return new RemesaError(
    'conflict',
    'approval_void',
    'The operator who asked was disabled or has a lower role now, or the data was erased.',
  );
}

export function accountsDepend(): RemesaError {
  const message =
    'One of you got a one-time code from the other, or both from the same operator, in the last 72 hours. Another operator must approve.';
  return new RemesaError('forbidden', 'approval_not_independent', message);
}

export function isStale(): RemesaError {
  const message =
    'What the request is about has changed since it was made. It is closed: ask again if it is still needed.';
  return new RemesaError('conflict', 'approval_stale', message, { members: { approvalState: 'outdated' } });
}

export function hasNoAnswer(): RemesaError {
  const message = 'There is no answer to fetch: it had no secret, was fetched before, or is older than 24 hours.';
  return new RemesaError('conflict', 'approval_without_answer', message);
}

export function isAltered(): RemesaError {
  return new RemesaError('conflict', 'approval_payload_altered', 'The stored request was altered in the database.');
}
