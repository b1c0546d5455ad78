/** The error codes of the sandbox, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const sandboxProblems: ProblemCatalogue = {
  clock_is_moving: {
    kind: 'conflict',
    title: 'Your clock is being moved',
    remedy: 'Wait until the other call has answered, then call again.',
  },
  too_many_merchants: {
    kind: 'conflict',
    title: 'The sandbox has too many merchants',
    remedy: 'Use one of your merchants again, or start a sandbox with a new database.',
    exampleMembers: { max: 1000 },
  },
  scenario_run_not_found: {
    kind: 'not_found',
    title: 'No such run of a scenario',
    remedy: 'Take the id from the answer of `POST /sandbox/scenarios`.',
  },
};
