/** The error codes of the sandbox, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const sandboxProblems: ProblemCatalogue = {
  clock_is_moving: {
    kind: 'conflict',
    title: 'Your clock is being moved',
    remedy: 'Wait until the other call has answered, then call again.',
  },
  scenario_run_not_found: {
    kind: 'not_found',
    title: 'No such run of a scenario',
    remedy: 'Take the id from the answer of `POST /sandbox/scenarios`.',
  },
};
