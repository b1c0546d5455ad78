/** The error codes of tasks, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const taskProblems: ProblemCatalogue = {
  task_not_found: {
    kind: 'not_found',
    title: 'No such task',
    remedy: 'Take the id from `GET /operator/tasks`. Another operator may have done it.',
  },
  task_claimed: {
    kind: 'conflict',
    title: 'Another operator has claimed the task',
    remedy: 'Ask `claimedBy`, or wait until `expiresAt`. An admin may release the claim.',
    exampleMembers: { claimedBy: 'rita', expiresAt: '2026-11-15T10:11:00.000Z' },
  },
};
