/** The error codes of users, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const userProblems: ProblemCatalogue = {
  user_has_open_orders: {
    kind: 'conflict',
    title: 'The user has open orders',
    remedy: 'Wait until they are finished, or cancel them; then delete the user.',
  },
};
