/** The error codes of beneficiaries, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';
import { maxBeneficiaries } from './beneficiary.js';

export const beneficiaryProblems: ProblemCatalogue = {
  beneficiary_not_found: {
    kind: 'not_found',
    title: 'No such beneficiary',
    remedy: 'Take the id from `GET /beneficiaries`. It may have been deleted, or belong to another user.',
  },
  too_many_beneficiaries: {
    kind: 'conflict',
    title: 'The user has too many beneficiaries',
    remedy: 'Delete one that is not needed any more; a user may have `max`.',
    exampleMembers: { max: maxBeneficiaries },
  },
};
