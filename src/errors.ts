/**
 * The error class of the business. Callers see its message and members; its cause appears in the log only. The HTTP
 * server maps each kind to a status.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'timeout'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media'
  | 'impossible'
  | 'too_many'
  | 'unavailable';

export interface FieldFault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  readonly [limit: string]: unknown;
}

export interface ErrorDetails {
  readonly errors?: readonly FieldFault[];
  /** Additional members of the problem document, such as the limit that was exceeded. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

export class RemesaError extends Error {
  override readonly name = 'RemesaError';

  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    readonly publicMessage: string,
    readonly details: ErrorDetails = {},
  ) {
    super(`${code}: ${publicMessage}`, { cause: details.cause });
  }
}

/** The error for a fault that no schema can see. */
export function invalidField(field: string, code: string, message: string, limits: object = {}): RemesaError {
  const errors = [{ field, code, message, ...limits }];
  return new RemesaError('invalid', 'invalid_fields', `${field}: ${message}`, { errors });
}

/** The error for several faults. Its message is about the first. */
export function invalidFields(errors: readonly FieldFault[]): RemesaError {
  const [first] = errors;
  return new RemesaError('invalid', 'invalid_fields', `${first?.field}: ${first?.message}`, { errors });
}

/** The same answer for a user that never existed, was deleted, or belongs to another merchant. */
export function userNotFound(): RemesaError {
  return new RemesaError('not_found', 'user_not_found', 'There is no such user.');
}

/** A start or a command is refused. The message tells the person at the terminal why, and what to do. */
export class StartupRefused extends Error {
  override readonly name = 'StartupRefused';
}
