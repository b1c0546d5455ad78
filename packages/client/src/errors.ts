/** Errors by status, each with the code and the members of the problem that the service answered. */
import type { Problem, ProblemCode, Problems } from './generated/problems.js';

export interface ErrorFields {
  /** 0 when the service gave no answer. */
  readonly status: number;
  /** What went wrong, for people. */
  readonly detail: string;
  /** What went wrong, for programs. Undefined when the answer does not come from Remesa, or when there is none. */
  readonly code?: string | undefined;
  /** The id of the request in the log of the service. */
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The whole answer. */
  readonly problem?: Problem | undefined;
  readonly cause?: unknown;
}

export class RemesaError extends Error {
  readonly status: number;
  readonly code: ProblemCode | (string & {}) | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly problem: Problem | undefined;

  constructor({ status, detail, code, requestId, retryAfterSeconds, problem, cause }: ErrorFields) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.problem = problem;
  }

  /** All invalid fields, with the code `invalid_fields`. */
  get errors(): NonNullable<Problem['errors']> {
    return this.problem?.errors ?? [];
  }
}

/** 400, 413, 415, 422: the request cannot be carried out as it is. */
export class InvalidRequest extends RemesaError {}
/** 401: the credentials or the token are not valid. */
export class Unauthorized extends RemesaError {}
/** 403: the token, or the user, may not do this. */
export class Forbidden extends RemesaError {}
/** 404 */
export class NotFound extends RemesaError {}
/** 409: the state of the object does not allow this. */
export class Conflict extends RemesaError {}
/** 429: wait for `retryAfterSeconds`. */
export class RateLimited extends RemesaError {}
/** 500 and above, after all retries. */
export class Unavailable extends RemesaError {}
/** The service gave no answer, after all retries. Whether the request was carried out is not known. */
export class NoAnswer extends RemesaError {}

const classes: Readonly<Record<number, typeof RemesaError>> = {
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  429: RateLimited,
};

/** Whether the error has this code. If so, the members of its problem are known: `error.problem.requiredLevel`. */
export function isCode<Code extends ProblemCode>(
  error: unknown,
  code: Code,
): error is RemesaError & { readonly code: Code; readonly problem: Problem & Problems[Code] } {
  return error instanceof RemesaError && error.code === code;
}

/** The error that an answer stands for. `body`: as JSON; undefined where it is something else. */
export function toRemesaError(status: number, body: unknown, headers: Headers): RemesaError {
  const problem = isObject(body) && typeof body.code === 'string' ? (body as unknown as Problem) : undefined;
  const oauth = isObject(body) && typeof body.error === 'string' ? body : undefined;
  const ErrorOfStatus = classes[status] ?? (status >= 500 ? Unavailable : InvalidRequest);
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new ErrorOfStatus({
    status,
    detail: problem?.detail ?? String(oauth?.error_description ?? `The service answered ${status}.`),
    code: problem?.code ?? (oauth?.error as string | undefined),
    requestId: problem?.requestId ?? headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    problem,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
