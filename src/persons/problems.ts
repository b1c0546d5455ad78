/** The error codes of the block list, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const personProblems: ProblemCatalogue = {
  block_not_found: {
    kind: 'not_found',
    title: 'No such block',
    remedy: 'Take the id from `GET /operator/blocks`.',
  },
  block_lifted: {
    kind: 'conflict',
    title: 'The block was lifted already',
    remedy: 'It stops nothing any more. Block again if money must not move.',
  },
};
