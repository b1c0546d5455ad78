/** The error codes of the sandbox, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problem-catalogue.js';

export const sandboxProblems: ProblemCatalogue = {
  scenario_run_not_found: {
    kind: 'not_found',
    title: 'No such run of a scenario',
    remedy: 'Take the id from the answer of `POST /sandbox/scenarios`.',
  },
};
