/** The error codes of operators, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const operatorProblems: ProblemCatalogue = {
  operator_not_found: { kind: 'not_found', title: 'No such operator', remedy: 'Check the login.' },
  login_taken: { kind: 'conflict', title: 'The login is taken', remedy: 'Choose another one.' },
  last_admin: {
    kind: 'conflict',
    title: 'The last admin cannot be removed',
    remedy: 'Make another operator an admin first.',
  },
};
