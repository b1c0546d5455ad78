/** Why a command on a complaint is refused. */
import { RemesaError } from '../errors.js';
import { type Complaint, complaintsAtMost } from './complaint.js';

export function complaintNotFound(): RemesaError {
  return new RemesaError('not_found', 'complaint_not_found', 'There is no such complaint.');
}

export function tooManyComplaints(): RemesaError {
  const message = `The user has ${complaintsAtMost} complaints that wait for an answer.`;
  return new RemesaError('conflict', 'too_many_complaints', message, { members: { max: complaintsAtMost } });
}

export function complaintChanged({ version: currentVersion }: Complaint, version: number): RemesaError {
  const members = { version, currentVersion };
  return new RemesaError('conflict', 'version_conflict', 'The complaint has changed since you read it.', { members });
}

export function notHoldable({ state }: Complaint): RemesaError {
  return new RemesaError('conflict', 'complaint_not_holdable', 'The answer to this complaint cannot be put off.', {
    members: { complaintState: state },
  });
}

export function answeredAlready({ state }: Complaint): RemesaError {
  return new RemesaError('conflict', 'complaint_answered', 'This complaint was answered already.', {
    members: { complaintState: state },
  });
}

export function withoutRemedy({ state }: Complaint): RemesaError {
  return new RemesaError('conflict', 'complaint_without_remedy', 'This complaint waits for no remedy.', {
    members: { complaintState: state },
  });
}
