/** Every code that a problem document may carry, with its title and what to do about it. Published at `/docs/errors`. */
import type { ErrorKind } from '../errors.js';
import { problemsOfKyc } from './problems-of-kyc.js';
import { problemsOfWebhooks } from './problems-of-webhooks.js';

/** Two that the business never raises: what nobody foresaw, and a request that never arrived whole. */
export type ProblemKind = ErrorKind | 'internal';

export interface Explanation {
  /** Decides the status; `new RemesaError` must agree with it, by test. */
  readonly kind: ProblemKind;
  readonly title: string;
  readonly remedy: string;
  /** Further members that its problem document carries, as an example. */
  readonly exampleMembers?: Readonly<Record<string, unknown>>;
}

export const problemCatalogue: Readonly<Record<string, Explanation>> = {
  malformed_body: {
    kind: 'invalid',
    title: 'The body can not be read',
    remedy:
      'Send one JSON document in UTF-8, within the bounds on depth and number of fields, no field twice.',
  },
  malformed_request: {
    kind: 'invalid',
    title: 'The request can not be read',
    remedy: 'The request line, a header field or the address is not valid HTTP.',
  },
  invalid_fields: {
    kind: 'invalid',
    title: 'Some fields are not right',
    remedy: 'Each entry of `errors` names a field, what is wrong with it and the limits it must keep.',
    exampleMembers: { errors: [{ field: 'email', code: 'required', message: 'is required' }] },
  },
  idempotency_key_invalid: {
    kind: 'invalid',
    title: 'The Idempotency-Key is not right',
    remedy: 'Send 1 to 255 visible ASCII characters, bare or in double quotes.',
  },
  user_not_selected: {
    kind: 'invalid',
    title: 'No user was selected',
    remedy: 'Use a user token, or name the user with the query parameter userId or externalClientId.',
  },
  user_selector_conflict: {
    kind: 'invalid',
    title: 'Two selected users disagree',
    remedy: 'Name the user once, or make the token and the query parameters name the same one.',
  },
  unauthorized: {
    kind: 'unauthenticated',
    title: 'Unauthorized',
    remedy: 'Send a valid access token in the header Authorization: Bearer. Get one from POST /oauth/token.',
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
    remedy: 'This operation is about the whole merchant; a token of one user does not open it.',
  },
  user_token_required: {
    kind: 'forbidden',
    title: 'A user token is required',
    remedy: 'Ask POST /oauth/token for a token of one user.',
  },
  role_missing: {
    kind: 'forbidden',
    title: 'The role does not allow this',
    remedy: 'An operator with the role in `requiredRole` can do it.',
    exampleMembers: { requiredRole: 'reviewer' },
  },
  not_found: { kind: 'not_found', title: 'Not found', remedy: 'There is nothing at this address.' },
  user_not_found: {
    kind: 'not_found',
    title: 'No such user',
    remedy: 'The user does not exist, was deleted, or is not yours.',
  },
  method_not_allowed: {
    kind: 'method_not_allowed',
    title: 'The method is not allowed',
    remedy: 'The header Allow names the methods that this address takes.',
  },
  idempotency_in_progress: {
    kind: 'conflict',
    title: 'The first request with this key is still running',
    remedy: 'Send the same request again after Retry-After; it will get the first one’s answer.',
  },
  body_too_large: {
    kind: 'too_large',
    title: 'The body is too large',
    remedy: 'Keep to the limit in `max`.',
  },
  unsupported_media_type: {
    kind: 'unsupported_media',
    title: 'The media type is not supported',
    remedy: 'Send Content-Type: application/json.',
  },
  idempotency_key_reused: {
    kind: 'impossible',
    title: 'The key was used for another request',
    remedy: 'Use a new Idempotency-Key for a new request; the same key only for repeating the same body.',
  },
  rate_limited: {
    kind: 'too_many',
    title: 'Too many requests',
    remedy:
      'Wait for the seconds in Retry-After. The fields RateLimit and RateLimit-Policy tell what is left.',
    exampleMembers: { policy: 'requests', max: 600, windowSeconds: 60 },
  },
  overloaded: {
    kind: 'unavailable',
    title: 'The service has more to do than it can',
    remedy: 'Nothing was done. Send the request again after Retry-After, with the same Idempotency-Key.',
  },
  database_unavailable: {
    kind: 'unavailable',
    title: 'The database can not be reached',
    remedy: 'Nothing was done. Send the request again after Retry-After, with the same Idempotency-Key.',
  },
  outcome_unknown: {
    kind: 'unavailable',
    title: 'It is not known whether the change was made',
    remedy:
      'Send the request again with the same Idempotency-Key: it is done once, and you get its answer. Without a key, look first.',
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
    remedy: 'It is our fault, and nothing was done. Tell us the requestId; the log knows the rest.',
  },
  invalid_request: {
    kind: 'invalid',
    title: 'The OAuth request is not right',
    remedy: 'A parameter is missing, there twice, or contradicts another. Answered in the shape of RFC 6749.',
  },
  invalid_client: {
    kind: 'unauthenticated',
    title: 'The client could not be authenticated',
    remedy: 'Check the client id and its secret. Answered in the shape of RFC 6749.',
  },
  invalid_scope: {
    kind: 'invalid',
    title: 'A scope is not known',
    remedy:
      'Ask for some of the published scopes, or leave the parameter out for all. Answered in the shape of RFC 6749.',
  },
  unsupported_grant_type: {
    kind: 'invalid',
    title: 'The grant type is not supported',
    remedy: 'Use grant_type=client_credentials. Answered in the shape of RFC 6749.',
  },
  merchant_not_found: { kind: 'not_found', title: 'No such merchant', remedy: 'Check the client id.' },
  client_id_taken: {
    kind: 'conflict',
    title: 'The client id is taken',
    remedy: 'Choose another one, or leave it out to have one made.',
  },
  operator_not_found: { kind: 'not_found', title: 'No such operator', remedy: 'Check the login.' },
  login_taken: { kind: 'conflict', title: 'The login is taken', remedy: 'Choose another one.' },
  last_admin: {
    kind: 'conflict',
    title: 'The last admin must stay',
    remedy: 'Make another operator an admin first.',
  },
  user_has_open_orders: {
    kind: 'conflict',
    title: 'The user has open orders',
    remedy: 'Wait until they are finished, or cancel them, and delete the user then.',
  },
  ...problemsOfKyc,
  ...problemsOfWebhooks,
  corridor_unavailable: {
    kind: 'impossible',
    title: 'Nothing is sent between these currencies',
    remedy: 'GET /corridors tells which ones are open.',
    exampleMembers: { fiatIn: 'USD', fiatOut: 'MXN' },
  },
  amount_out_of_range: {
    kind: 'impossible',
    title: 'The amount is outside the limits',
    remedy: 'Keep to `min` and `max`, which are in `currency`.',
    exampleMembers: { min: 5, max: 25_000, currency: 'USD' },
  },
  payout_below_minimum: {
    kind: 'impossible',
    title: 'Too little would arrive',
    remedy: 'Send more: at least `min` of `currency` has to arrive after the fee.',
    exampleMembers: { min: 18, currency: 'MXN' },
  },
  rates_unavailable: {
    kind: 'unavailable',
    title: 'There is no fresh rate',
    remedy: 'Our sources are silent or too old, and we quote no guess. Try again after Retry-After.',
  },
  rate_not_found: {
    kind: 'not_found',
    title: 'No such rate',
    remedy: 'Check the code; it may not be yours.',
  },
  rate_already_used: {
    kind: 'conflict',
    title: 'The rate was used before',
    remedy: 'A rate is good for one order. Ask for a new one.',
  },
  rate_expired: {
    kind: 'conflict',
    title: 'The rate has expired',
    remedy: 'Ask for a new one and use it before its expirationDate.',
    exampleMembers: { expirationDate: '2026-11-15T10:00:00.000Z' },
  },
  rate_not_held: {
    kind: 'not_found',
    title: 'No such rate is held back',
    remedy: 'It was decided already, or a newer one was believed.',
  },
};
