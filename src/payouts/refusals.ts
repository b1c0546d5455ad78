/** Why a command on a payout is refused. */
import { RemesaError } from '../errors.js';
import type { Attempt } from './attempt.js';

export function payoutNotFound(): RemesaError {
  return new RemesaError('not_found', 'payout_not_found', 'There is no such payout.');
}

/** `since` is a sentence that says what has happened. */
export function payoutChanged({ state, version }: Attempt, since = ''): RemesaError {
  const message = `The payout has changed since you read it.${since}`;
  return new RemesaError('conflict', 'payout_changed', message, { members: { state, version } });
}

export function notRecordable({ state, version }: Attempt, since = ''): RemesaError {
  const message = `This cannot be recorded for a payout that is ${state}.${since}`;
  return new RemesaError('conflict', 'payout_not_recordable', message, { members: { state, version } });
}

export function notCorrectable({ state, version }: Attempt): RemesaError {
  const message = `This is not possible for a payout that is ${state}, or for the state of its order.`;
  return new RemesaError('conflict', 'payout_not_correctable', message, { members: { state, version } });
}
