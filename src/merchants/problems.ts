/** The error codes of merchants and of OAuth, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const merchantProblems: ProblemCatalogue = {
  invalid_request: {
    kind: 'invalid',
    title: 'The OAuth request is invalid',
    remedy: 'A parameter is missing, sent twice, or contradicts another. Answered in the format of RFC 6749.',
  },
  invalid_client: {
    kind: 'unauthenticated',
    title: 'The client could not be authenticated',
    remedy: 'Check the client id and its secret. Answered in the format of RFC 6749.',
  },
  invalid_scope: {
    kind: 'invalid',
    title: 'A scope is unknown',
    remedy: 'Ask for published scopes, or leave the parameter out to get all. Answered in the format of RFC 6749.',
  },
  unsupported_grant_type: {
    kind: 'invalid',
    title: 'The grant type is not supported',
    remedy: 'Use `grant_type=client_credentials`. Answered in the format of RFC 6749.',
  },
  merchant_not_found: { kind: 'not_found', title: 'No such merchant', remedy: 'Check the client id.' },
  merchant_secret_not_found: {
    kind: 'not_found',
    title: 'No such secret',
    remedy:
      'Take the id from `GET /operator/merchants/{clientId}/secrets`, or as a merchant that of a secret with `scopes` from `GET /merchant/secrets`. Others are ended by the operator.',
  },
  client_secret_wrong: {
    kind: 'forbidden',
    title: 'The current secret is not right',
    remedy: 'Send a client secret that works and has no `scopes` as `currentSecret`. A token alone changes no secrets.',
  },
  secret_rotated_recently: {
    kind: 'conflict',
    title: 'The secret was replaced in the last 7 days',
    remedy:
      'Wait until `possibleAt`. So whoever stole a secret cannot lock you out. If a secret has leaked, ask the operator, who ends it at once.',
    exampleMembers: { possibleAt: '2026-11-22T09:30:00.000Z' },
  },
  too_many_secrets: {
    kind: 'conflict',
    title: 'There are 10 restricted secrets',
    remedy: 'End one with `POST /merchant/secrets/{secretId}/end`.',
  },
  client_id_taken: {
    kind: 'conflict',
    title: 'The client id is taken',
    remedy: 'Choose another one, or leave it out to get one generated.',
  },
};
