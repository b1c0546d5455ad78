/** The error codes of identity checks, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const kycProblems: ProblemCatalogue = {
  zone_country_mismatch: {
    kind: 'impossible',
    title: 'The user’s country is in another zone',
    remedy: 'Use the zone in `userZone`, or correct the user’s country first.',
    exampleMembers: { zone: 'US', userZone: 'EEA' },
  },
  redirect_url_not_registered: {
    kind: 'impossible',
    title: 'The redirectUrl is not registered',
    remedy: 'Use exactly one of the redirect urls that the operator registered for you, or leave it out.',
  },
  kyc_form_not_open: {
    kind: 'conflict',
    title: 'There is no form to fill in now',
    remedy:
      'The user already holds the level, waits for a decision, or was finally rejected. `caseStatus` says which; during a renewal, `renewalStatus` does. A level can be renewed from `renewableFrom` on.',
    exampleMembers: {
      caseId: 'kyc_3J8V2T9X5B3N6H0C7D2FW7ZQ4M',
      kycLevel: 'LEVEL_2',
      caseStatus: 'APPROVED',
      renewableFrom: '2028-10-16T09:41:00.000Z',
    },
  },
  kyc_case_not_found: {
    kind: 'not_found',
    title: 'No such case',
    remedy: 'Check the id. The case may belong to someone else, or its user was deleted.',
  },
  kyc_case_not_decidable: {
    kind: 'conflict',
    title: 'The decision is not possible in this state',
    remedy: 'Another operator may have decided it. `caseStatus` is its state now, `renewalStatus` that of its renewal.',
    exampleMembers: { caseStatus: 'APPROVED' },
  },
  kyc_case_has_hits: {
    kind: 'conflict',
    title: 'The user has undecided or confirmed screening hits',
    remedy: 'Dismiss or confirm each of the `hits` first. A user with a confirmed hit cannot be approved.',
    exampleMembers: { hits: ['hit_0000013J8V2T9X5B3N6H0C7D2F'] },
  },
  kyc_case_needs_management: {
    kind: 'conflict',
    title: 'Management must accept this user first',
    remedy:
      'The user is politically exposed, by the user’s own answer (`declared`) or by a confirmed hit. An admin accepts that with `POST /operator/users/{userId}/exposure`.',
    exampleMembers: { exposure: ['declared'] },
  },
  screening_hit_not_found: {
    kind: 'not_found',
    title: 'No such screening hit',
    remedy: 'Take the id from `GET /operator/screening/hits`. The data of a deleted user may have been erased.',
  },
  screening_hit_decided: {
    kind: 'conflict',
    title: 'The hit is already decided',
    remedy: '`hitState` is its state. A hit is decided once.',
    exampleMembers: { hitState: 'dismissed' },
  },
  kyc_document_not_found: {
    kind: 'not_found',
    title: 'No such document',
    remedy: 'Use a `documentId` from the case.',
  },
  kyc_document_expired: {
    kind: 'conflict',
    title: 'The identity document has expired',
    remedy: 'Ask for the part `document` again.',
  },
};
