/** The error codes of limits, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../../http/problems/problem-catalogue.js';

export const limitProblems: ProblemCatalogue = {
  kyc_level_required: {
    kind: 'forbidden',
    title: 'The user needs a higher KYC level',
    remedy: 'Show the user the form at `formPath`, and try again when the level is approved.',
    exampleMembers: { requiredLevel: 'LEVEL_2', zone: 'EEA', formPath: '/kyc/register/LEVEL_2/EEA' },
  },
  limit_exceeded: {
    kind: 'impossible',
    title: 'The order exceeds a limit of the user',
    remedy:
      'Send at most what is `left` of each limit in `exceeded`. Or raise the limits: show the user the form at `formPath` of `nextLevel`. `GET /user/limits` shows all limits.',
    exampleMembers: {
      kycLevel: 'LEVEL_1',
      amountUsd: 108.37,
      exceeded: [{ name: 'amount_24h', unit: 'USD', max: 500, used: 450, left: 50 }],
      nextLevel: {
        kycLevel: 'LEVEL_2',
        zone: 'EEA',
        formPath: '/kyc/register/LEVEL_2/EEA',
        limits: [{ name: 'amount_24h', unit: 'USD', max: 25_000, used: 450, left: 24_550 }],
      },
    },
  },
};
