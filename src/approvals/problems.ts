/** The error codes of approvals, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

const approvalId = 'apr_0000003J8V2T9X5B3N6H0C7D2F';

export const approvalProblems: ProblemCatalogue = {
  approval_not_found: {
    kind: 'not_found',
    title: 'No such request for approval',
    remedy: 'Take the id from `GET /operator/approvals`.',
  },
  approval_pending: {
    kind: 'conflict',
    title: 'The same action already waits for approval',
    remedy:
      'Nothing was done. Wait until the request `approvalId` is decided, or ask `requestedBy` to withdraw it, then send yours again.',
    exampleMembers: { approvalId, requestedBy: 'ana' },
  },
  approval_own: {
    kind: 'forbidden',
    title: 'You asked for it yourself',
    remedy: 'Another operator must decide it. You can withdraw it.',
  },
  approval_not_own: {
    kind: 'forbidden',
    title: 'Another operator asked for it',
    remedy: 'Only the operator who asked can withdraw a request. You can refuse it.',
  },
  approval_decided: {
    kind: 'conflict',
    title: 'The request has ended already',
    remedy: '`approvalState` says how it ended.',
    exampleMembers: { approvalState: 'approved' },
  },
  approval_expired: {
    kind: 'conflict',
    title: 'The request has expired',
    remedy: 'Nothing was done. Ask for the action again.',
    exampleMembers: { expiresAt: '2026-11-18T09:41:00.000Z' },
  },
  approval_void: {
    kind: 'conflict',
    title: 'The request is void',
    remedy:
      'Nothing was done. The operator who asked was disabled or has a lower role now, or the data was erased. If the data is still there, another operator can ask again.',
  },
  approval_stale: {
    kind: 'conflict',
    title: 'What the request is about has changed',
    remedy:
      'Nothing was done, and the request is closed as `outdated`. `outdatedBy` of the request names the change. Look at the record, and ask for the action again if it is still needed.',
    exampleMembers: { approvalState: 'outdated' },
  },
  approval_not_independent: {
    kind: 'forbidden',
    title: 'The two accounts may be one person',
    remedy:
      'One of the two operators got a one-time code from the other, or both from the same operator, in the last 72 hours. Let another operator approve, or wait.',
  },
  approval_without_answer: {
    kind: 'conflict',
    title: 'There is no answer to fetch',
    remedy:
      'Only an approved command whose answer contains a secret has an answer to fetch. It can be fetched once, within 24 hours. Ask for the action again if it was lost.',
  },
  approval_payload_altered: {
    kind: 'conflict',
    title: 'The stored request was altered',
    remedy:
      'Nothing was done. The stored request was changed in the database, so it cannot be approved. Find out who changed it.',
  },
};
