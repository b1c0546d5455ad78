/** The error code of a country that is not served, with the text that explains it to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const countryProblems: ProblemCatalogue = {
  country_prohibited: {
    kind: 'impossible',
    title: 'The operator does not serve this country',
    remedy: '`country` cannot be used as `use` says (`residence` or `payout`). Nothing that you change helps.',
    exampleMembers: { country: 'KP', use: 'payout' },
  },
};
