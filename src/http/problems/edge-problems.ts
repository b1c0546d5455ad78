/** The error codes that any route may answer: those of the request itself, of its token and of its user. */
import type { ProblemCatalogue } from './problem-catalogue.js';

export const edgeProblems: ProblemCatalogue = {
  malformed_body: {
    kind: 'invalid',
    title: 'The body cannot be read',
    remedy:
      'Send JSON in UTF-8: no field twice, at most 20 levels deep, at most 500 fields, names of at most 128 characters. An upload takes multipart/form-data.',
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
  idempotency_key_required: {
    kind: 'invalid',
    title: 'The Idempotency-Key is missing',
    remedy: 'Nothing was done. Send a new key with each new request, and the same key when you repeat one.',
  },
  idempotency_key_not_accepted: {
    kind: 'invalid',
    title: 'This operation takes no Idempotency-Key',
    remedy: 'Nothing was done. Send the request again without the key.',
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
    remedy:
      'Send a valid access token as `Authorization: Bearer …`. A merchant gets one from POST /oauth/token, an operator from POST /operator/login.',
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
    remedy: 'Send the same request again after Retry-After. You get the answer of the first request.',
  },
  body_too_large: {
    kind: 'too_large',
    title: 'The body is too large',
    remedy: 'Send at most `max` bytes.',
  },
  unsupported_media_type: {
    kind: 'unsupported_media',
    title: 'The media type is not supported',
    remedy:
      'Send the Content-Type of the operation: application/json, or multipart/form-data for an upload. Use UTF-8 and no Content-Encoding.',
  },
  idempotency_key_reused: {
    kind: 'impossible',
    title: 'The Idempotency-Key was used for another request',
    remedy: 'Use a new key for a new request. Repeat a key only with the same body.',
  },
  rate_limited: {
    kind: 'too_many',
    title: 'Too many requests',
    remedy: 'Wait for the seconds in Retry-After. The headers RateLimit and RateLimit-Policy show what is left.',
    exampleMembers: { policy: 'requests', max: 600, windowSeconds: 60 },
  },
  overloaded: {
    kind: 'unavailable',
    title: 'The service is overloaded',
    remedy: 'Nothing was done. Send the request again after Retry-After, with the same Idempotency-Key if it had one.',
  },
  database_unavailable: {
    kind: 'unavailable',
    title: 'The database is not available',
    remedy: 'Nothing was done. Send the request again after Retry-After, with the same Idempotency-Key if it had one.',
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
      'Nothing was done. Send the whole request within 30 seconds, an upload within 150, and do not pause for 15 seconds.',
  },
  internal_error: {
    kind: 'internal',
    title: 'Internal error',
    remedy: 'Something failed on our side, and nothing was done. Report the `requestId`.',
  },
};
