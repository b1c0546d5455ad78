/** Tells a database that is away from a statement that is wrong. */
import { RemesaError } from '../errors.js';

/** The transaction's COMMIT was sent and no answer came: it may or may not have happened. */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown';
}

/**
 * SQLSTATE classes 08 (connection), 53 (resources), 57 (operator intervention), 25006 (a read-only standby) and
 * 55P03 (a lock that did not come free in time).
 */
const serverAway = /^(08|53|57)|^(25006|55P03)$/;
/** A statement that ran into its own time limit, or into that of its locks. */
const ranOutOfTime = new Set<unknown>(['57014', '55P03']);
const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
const driverMessages =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|not queryable|connection error/i;

/** True when the connection can't be used again, or the server did not do what it was asked for a reason of its own. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && (socketErrors.has(code) || (isSqlState(error) && serverAway.test(code)))) {
    return true;
  }
  return !isSqlState(error) && driverMessages.test(error.message);
}

/** After a statement that ran out of time the connection is still good. */
export function isConnectionLost(error: unknown): boolean {
  return isDatabaseAway(error) && !ranOutOfTime.has((error as { code?: unknown }).code);
}

export function databaseUnavailable(cause: unknown): RemesaError {
  return new RemesaError(
    'unavailable',
    'database_unavailable',
    'The service cannot reach its database. Try again shortly.',
    {
      retryAfterSeconds: 2,
      cause,
    },
  );
}

function isSqlState(error: Error): boolean {
  return 'severity' in error && /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code));
}
