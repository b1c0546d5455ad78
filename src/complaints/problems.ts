/** The error codes of complaints, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const complaintProblems: ProblemCatalogue = {
  complaint_not_found: {
    kind: 'not_found',
    title: 'No such complaint',
    remedy: 'Take the id from `GET /operator/complaints`. What is known of a deleted user may have been erased.',
  },
  complaint_answered: {
    kind: 'conflict',
    title: 'The complaint was answered already',
    remedy: '`complaintState` is its state. File another complaint if the customer is not content.',
    exampleMembers: { complaintState: 'answered' },
  },
  complaint_not_holdable: {
    kind: 'conflict',
    title: 'The answer cannot be put off',
    remedy: 'The customer was told before that it takes longer, or the law gives no more time. Answer it.',
    exampleMembers: { complaintState: 'held' },
  },
  complaint_without_remedy: {
    kind: 'conflict',
    title: 'The complaint waits for no refund and no other transfer',
    remedy: 'Answer it with the remedy `refund` or `resend` first. A remedy is named once.',
    exampleMembers: { complaintState: 'answered' },
  },
  too_many_complaints: {
    kind: 'conflict',
    title: 'Too many complaints wait for an answer',
    remedy: 'The user has `max` complaints that wait for an answer. Wait for those.',
    exampleMembers: { max: 20 },
  },
};
