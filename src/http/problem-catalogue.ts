/** Every code that a problem document may carry, with its title and what to do about it. Published at `/docs/errors`. */
import type { ErrorKind } from '../errors.js';
import { problemsOfKyc } from './problems-of-kyc.js';
import { problemsOfWebhooks } from './problems-of-webhooks.js';

/** `internal` is an unexpected error, which the business never raises. */
export type ProblemKind = ErrorKind | 'internal';

export interface Explanation {
  /** Decides the status; `new RemesaError` must agree with it, by test. */
  readonly kind: ProblemKind;
  readonly title: string;
  readonly remedy: string;
  /** Other members of its problem document, as an example. */
  readonly exampleMembers?: Readonly<Record<string, unknown>>;
}

export const problemCatalogue: Readonly<Record<string, Explanation>> = {
  malformed_body: {
    kind: 'invalid',
    title: 'The body cannot be read',
    remedy:
      'Send one JSON document in UTF-8, no field twice, at most 20 levels deep, with at most 500 fields whose names have at most 128 characters.',
  },
  malformed_request: {
    kind: 'invalid',
    title: 'The request cannot be read',
    remedy: 'Send valid HTTP: check the request line, the header fields and the address.',
  },
  invalid_fields: {
    kind: 'invalid',
    title: 'Some fields are invalid',
    remedy: 'Correct the fields in `errors`. Each entry names a field, what is wrong, and the limits.',
    exampleMembers: { errors: [{ field: 'email', code: 'required', message: 'is required' }] },
  },
  idempotency_key_invalid: {
    kind: 'invalid',
    title: 'The Idempotency-Key is invalid',
    remedy: 'Send 1 to 255 visible ASCII characters, bare or in double quotes.',
  },
  user_not_selected: {
    kind: 'invalid',
    title: 'No user was selected',
    remedy: 'Use a user token, or name the user with the query parameter userId or externalClientId.',
  },
  user_selector_conflict: {
    kind: 'invalid',
    title: 'Two different users are selected',
    remedy: 'Name the user once, or name the same user in the token and in the query parameters.',
  },
  unauthorized: {
    kind: 'unauthenticated',
    title: 'Unauthorized',
    remedy: 'Send a valid access token as `Authorization: Bearer …`. Get one from POST /oauth/token.',
  },
  scope_missing: {
    kind: 'forbidden',
    title: 'The token lacks a scope',
    remedy: 'Ask for a token whose scope includes the one in `requiredScope`.',
    exampleMembers: { requiredScope: 'orders' },
  },
  merchant_token_required: {
    kind: 'forbidden',
    title: 'A merchant token is required',
    remedy: 'This operation concerns the whole merchant. Use a merchant token instead of a user token.',
  },
  user_token_required: {
    kind: 'forbidden',
    title: 'A user token is required',
    remedy: 'Get a user token from POST /oauth/token, with `user_id` or `external_client_id`.',
  },
  role_missing: {
    kind: 'forbidden',
    title: 'The operator lacks a role',
    remedy: 'Ask an operator with the role in `requiredRole`.',
    exampleMembers: { requiredRole: 'reviewer' },
  },
  not_found: { kind: 'not_found', title: 'Not found', remedy: 'Check the address.' },
  user_not_found: {
    kind: 'not_found',
    title: 'No such user',
    remedy: 'The user does not exist, was deleted, or is not yours.',
  },
  method_not_allowed: {
    kind: 'method_not_allowed',
    title: 'The method is not allowed',
    remedy: 'Use one of the methods in the header Allow.',
  },
  idempotency_in_progress: {
    kind: 'conflict',
    title: 'The first request with this key is still running',
    remedy: 'Send the same request again after Retry-After. You get the answer of the first one.',
  },
  body_too_large: {
    kind: 'too_large',
    title: 'The body is too large',
    remedy: 'Keep to the limit in `max`.',
  },
  unsupported_media_type: {
    kind: 'unsupported_media',
    title: 'The media type is not supported',
    remedy: 'Send Content-Type: application/json, in UTF-8 and without Content-Encoding.',
  },
  idempotency_key_reused: {
    kind: 'impossible',
    title: 'The Idempotency-Key was used for another request',
    remedy: 'Use a new key for a new request. Repeat a key only with the same body.',
  },
  rate_limited: {
    kind: 'too_many',
    title: 'Too many requests',
    remedy:
      'Wait for the seconds in Retry-After. The headers RateLimit and RateLimit-Policy tell what is left.',
    exampleMembers: { policy: 'requests', max: 600, windowSeconds: 60 },
  },
  overloaded: {
    kind: 'unavailable',
    title: 'The service is overloaded',
    remedy: 'Nothing was done. Send the request again after Retry-After, with the same Idempotency-Key.',
  },
  database_unavailable: {
    kind: 'unavailable',
    title: 'The database cannot be reached',
    remedy: 'Nothing was done. Send the request again after Retry-After, with the same Idempotency-Key.',
  },
  outcome_unknown: {
    kind: 'unavailable',
    title: 'It is not known whether the change was made',
    remedy:
      'Send the request again with the same Idempotency-Key: it is carried out once, and you get its answer. Without a key, check first whether the change was made.',
  },
  request_timeout: {
    kind: 'timeout',
    title: 'The request took too long to arrive',
    remedy:
      'Nothing was done. Send the whole request within 30 seconds, and keep sending: a request that stops for 15 seconds is cut.',
  },
  internal_error: {
    kind: 'internal',
    title: 'Internal error',
    remedy: 'Something failed on our side, and nothing was done. Report the `requestId`.',
  },
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
    remedy:
      'Ask for published scopes, or leave the parameter out to get all. Answered in the format of RFC 6749.',
  },
  unsupported_grant_type: {
    kind: 'invalid',
    title: 'The grant type is not supported',
    remedy: 'Use `grant_type=client_credentials`. Answered in the format of RFC 6749.',
  },
  merchant_not_found: { kind: 'not_found', title: 'No such merchant', remedy: 'Check the client id.' },
  client_id_taken: {
    kind: 'conflict',
    title: 'The client id is taken',
    remedy: 'Choose another one, or leave it out to get one generated.',
  },
  operator_not_found: { kind: 'not_found', title: 'No such operator', remedy: 'Check the login.' },
  login_taken: { kind: 'conflict', title: 'The login is taken', remedy: 'Choose another one.' },
  last_admin: {
    kind: 'conflict',
    title: 'The last admin cannot be removed',
    remedy: 'Make another operator an admin first.',
  },
  user_has_open_orders: {
    kind: 'conflict',
    title: 'The user has open orders',
    remedy: 'Wait until they are finished, or cancel them; then delete the user.',
  },
  ...problemsOfKyc,
  ...problemsOfWebhooks,
  corridor_unavailable: {
    kind: 'impossible',
    title: 'The corridor is closed',
    remedy: 'Choose an open corridor from GET /corridors.',
    exampleMembers: { fiatIn: 'USD', fiatOut: 'MXN' },
  },
  amount_out_of_range: {
    kind: 'impossible',
    title: 'The amount is outside the limits',
    remedy: 'Send an amount between `min` and `max`, in `currency`.',
    exampleMembers: { min: 5, max: 25_000, currency: 'USD' },
  },
  payout_below_minimum: {
    kind: 'impossible',
    title: 'Too little would arrive',
    remedy: 'Send more: at least `min` of `currency` must arrive after the fee.',
    exampleMembers: { min: 18, currency: 'MXN' },
  },
  rates_unavailable: {
    kind: 'unavailable',
    title: 'There is no current rate',
    remedy: 'Our rate sources do not answer or are too old. Try again after Retry-After.',
  },
  rate_not_found: {
    kind: 'not_found',
    title: 'No such quote',
    remedy: 'Check the code. The quote may belong to someone else.',
  },
  rate_already_used: {
    kind: 'conflict',
    title: 'The quote has already been used',
    remedy: 'A quote is good for one order. Create a new one.',
  },
  rate_expired: {
    kind: 'conflict',
    title: 'The quote has expired',
    remedy: 'Create a new quote and use it before its `expirationDate`.',
    exampleMembers: { expirationDate: '2026-11-15T10:00:00.000Z' },
  },
  rate_not_held: {
    kind: 'not_found',
    title: 'No such held rate',
    remedy:
      'It has been decided already, or a newer rate was accepted. GET /operator/rates lists what is held now.',
  },
  held_rate_changed: {
    kind: 'conflict',
    title: 'Another rate is held now',
    remedy: 'Compare `heldRate` with the market. If it is right, accept it by sending it as `rate`.',
    exampleMembers: { rate: '2100.5', heldRate: '2180.75' },
  },
  rate_source_not_found: {
    kind: 'not_found',
    title: 'No such rate source',
    remedy: 'GET /operator/rates lists the sources by name.',
  },
  version_conflict: {
    kind: 'conflict',
    title: 'Someone else has changed it meanwhile',
    remedy: 'Read it again, apply your change to what you read, and send it with the new `version`.',
    exampleMembers: {
      conflicts: [{ fiatIn: 'USD', fiatOut: 'MXN', version: 3, currentVersion: 4 }],
    },
  },
};
