/** The error codes of the console, with the texts that explain them. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const consoleProblems: ProblemCatalogue = {
  form_refused: {
    kind: 'forbidden',
    title: 'The form was not accepted',
    remedy: 'Open the page again and send the form from there.',
  },
  page_not_found: {
    kind: 'not_found',
    title: 'There is no such page',
    remedy: 'Check the address, or begin at Work.',
  },
  prefetch_refused: {
    kind: 'unavailable',
    title: 'This page is not fetched in advance',
    remedy: 'Open it: each reading of it is recorded.',
  },
};
