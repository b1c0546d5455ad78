/** The error codes of links to transfer pages, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const transferPageProblems: ProblemCatalogue = {
  link_not_found: {
    kind: 'not_found',
    title: 'No such link',
    remedy: 'Check the id. `GET /orders/{id}/links` lists the links of an order.',
  },
  invitation_not_found: {
    kind: 'not_found',
    title: 'No such invitation',
    remedy: 'Check the id. `GET /beneficiaries/invitations` lists the invitations of a user.',
  },
  too_many_invitations: {
    kind: 'conflict',
    title: 'The user has too many invitations',
    remedy: 'Wait until some have expired. Invitations are deleted some time after they expire.',
    exampleMembers: { max: 100 },
  },
  too_many_links: {
    kind: 'conflict',
    title: 'The order has too many links',
    remedy: 'Use a link that you have created before. Links are deleted some time after they expire.',
    exampleMembers: { max: 100 },
  },
};
