/** The routes of `/oauth` follow RFC 6749: they accept forms as well as JSON, and answer errors in its format. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Transaction } from '../postgres/statement.js';
import type { PublicAccess } from './access.js';
import { asRemesaError, statusOfKind } from './problems/problem.js';
import type { Call, Described, OtherAnswer, Route, Shapes } from './route.js';

declare module 'fastify' {
  interface FastifyRequest {
    formBody: string | undefined;
  }
}

export const formType = 'application/x-www-form-urlencoded';

const OauthError = Type.Object(
  {
    error: Type.String({ description: 'What went wrong, for programs.' }),
    error_description: Type.String({ description: 'What went wrong, for people.' }),
  },
  {
    title: 'OauthError',
    description: 'An error in the format of RFC 6749 §5.2.',
    examples: [{ error: 'invalid_client', error_description: 'The client could not be authenticated.' }],
  },
);

export const oauthRefusals: Readonly<Record<number, OtherAnswer>> = {
  400: { description: 'The request is invalid; `error` says why.', schema: OauthError },
  401: { description: 'The client could not be authenticated (`invalid_client`).', schema: OauthError },
  405: { description: 'The method is not allowed.', schema: OauthError },
  408: { description: 'The request did not arrive in time.', schema: OauthError },
  413: { description: 'The body is too large.', schema: OauthError },
  415: { description: 'The body is neither a form nor JSON.', schema: OauthError },
  429: { description: 'Too many requests (`rate_limited`); wait for Retry-After.', schema: OauthError },
  500: { description: 'Something failed on our side (`server_error`).', schema: OauthError },
  503: {
    description: 'Unavailable for the moment (`temporarily_unavailable`); wait for Retry-After.',
    schema: OauthError,
  },
};

/** The client authenticates by this header or in the body (RFC 6749). The room reads both. */
interface ClientRequest {
  readonly authorization: string | undefined;
  /** Undefined when the body is JSON. */
  readonly form: string | undefined;
}

export type OauthCall = Call<PublicAccess, undefined, undefined, unknown> & ClientRequest;

/** A write of OAuth. Its `body` documents the parameters; `prepare` reads them and throws the errors of RFC 6749. */
export function oauthCommand<Prepared>(
  declaration: Described &
    Shapes & {
      readonly access: PublicAccess;
      readonly protocol: 'oauth';
      readonly prepare: (call: OauthCall) => Promise<Prepared>;
      readonly run: (call: OauthCall, tx: Transaction, prepared: Prepared) => Promise<undefined>;
    },
): Route {
  return { ...declaration, kind: 'command', idempotency: undefined } as unknown as Route;
}

export function clientRequestOf({ headers, formBody }: FastifyRequest): ClientRequest {
  return { authorization: headers.authorization, form: formBody };
}

/** Makes `server`, which holds nothing but these routes, accept forms as well as JSON. */
export function acceptOauthForms(server: FastifyInstance): void {
  server.addContentTypeParser(formType, { parseAs: 'string' }, (request, body, done) => {
    request.formBody = body as string;
    done(null, undefined);
  });
}

const ownCodes = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_scope',
  'unsupported_grant_type',
  'rate_limited',
]);

/** Sends an error in the format of RFC 6749. */
export function sendOauthError(reply: FastifyReply, error: unknown): void {
  const known = asRemesaError(error);
  const status = known ? statusOfKind[known.kind] : 500;
  if (status === 401) reply.header('www-authenticate', 'Basic realm="remesa", charset="UTF-8"');
  if (known?.details.retryAfterSeconds) reply.header('retry-after', String(known.details.retryAfterSeconds));
  reply.code(status).send({
    error: known && ownCodes.has(known.code) ? known.code : codeOfStatus(status),
    error_description: allowedText(descriptionOf(error)),
  });
}

function descriptionOf(error: unknown): string {
  // Other routes answer this error of the framework by asking for JSON.
  if ((error as { code?: unknown }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return `The body must be form-encoded (Content-Type: ${formType}); JSON is accepted too.`;
  return asRemesaError(error)?.publicMessage ?? 'Something went wrong on our side.';
}

/** RFC 6749 §5.2 allows neither quotes nor anything beyond ASCII, and a message may quote the request. */
function allowedText(message: string): string {
  return message.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
}

function codeOfStatus(status: number): string {
  if (status === 503) return 'temporarily_unavailable';
  return status === 500 ? 'server_error' : 'invalid_request';
}
