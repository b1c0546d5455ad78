/** The error codes of the request log, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const requestLogProblems: ProblemCatalogue = {
  request_log_off: {
    kind: 'not_found',
    title: 'No list of requests is kept',
    remedy: 'Ask the operator of the service about a request by its `requestId`, or to set `REQUEST_LOG=true`.',
  },
};
