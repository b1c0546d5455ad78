/** The one place where an error becomes an HTTP answer (RFC 9457). Internal details stay in the log. */
import { RemesaError } from '../../errors.js';
import { bodyBounds } from '../body/json-body.js';
import type { ProblemCatalogue, ProblemKind } from './problem-catalogue.js';

export const problemType = 'application/problem+json';

export const statusOfKind: Readonly<Record<ProblemKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  impossible: 422,
  too_many: 429,
  internal: 500,
  unavailable: 503,
};

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The address that explains a code. The base url may have a path, when a proxy serves the service under one. */
export function problemTypeOf(code: string, baseUrl: string): string {
  return `${baseUrl}/docs/errors#${code}`;
}

/** What every problem document of a server is made with. */
export interface ProblemContext {
  readonly problems: ProblemCatalogue;
  /** The public address of the service. */
  readonly baseUrl: () => string;
}

export function problemAnswer(error: unknown, requestId: string, { problems, baseUrl }: ProblemContext): ProblemAnswer {
  const known = asRemesaError(error);
  const status = statusOfKind[known?.kind ?? 'internal'];
  const code = known?.code ?? 'internal_error';
  return {
    status,
    headers: headersOf(known),
    body: JSON.stringify({
      type: problemTypeOf(code, baseUrl()),
      title: problems[code]?.title ?? code,
      status,
      detail: known?.publicMessage ?? 'Something went wrong on our side.',
      code,
      requestId,
      ...known?.details.members,
      errors: known?.details.errors,
    }),
  };
}

/** Undefined for an unexpected error, which is answered with 500 and logged. */
export function asRemesaError(error: unknown, bodyBytes: number = bodyBounds.bytes): RemesaError | undefined {
  return error instanceof RemesaError ? error : fromFramework(error, bodyBytes);
}

function headersOf(error: RemesaError | undefined): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': `${problemType}; charset=utf-8` };
  if (error?.kind === 'unauthenticated') headers['www-authenticate'] = 'Bearer';
  if (error?.details.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(Math.ceil(error.details.retryAfterSeconds));
  }
  return headers;
}

function fromFramework(error: unknown, bodyBytes: number): RemesaError | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new RemesaError('too_large', 'body_too_large', 'The body is larger than this address accepts.', {
        members: { max: bodyBytes },
      });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new RemesaError(
        'unsupported_media',
        'unsupported_media_type',
        'The body must be application/json, or multipart/form-data for an upload.',
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new RemesaError('invalid', 'malformed_request', 'The request cannot be read.');
    default:
      return undefined;
  }
}
