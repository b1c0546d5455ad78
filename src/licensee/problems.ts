/** The error code of a missing licensee, with the text that explains it to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const licenseeProblems: ProblemCatalogue = {
  licensee_missing: {
    kind: 'impossible',
    title: 'The operator has not entered its licence',
    remedy:
      'Ask the operator: a live instance takes no orders until `PUT /operator/licensee` says who moves the money and who supervises it.',
  },
};
