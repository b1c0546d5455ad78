/** Distinguishes a database that cannot be reached from a statement that is wrong. */
import { RemesaError } from '../errors.js';

/** COMMIT was sent and no answer came, so the transaction may or may not be committed. */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown';
}

/**
 * SQLSTATE classes 08 (connection), 53 (resources), 57 (operator intervention), 25006 (a read-only standby), 25P03 and
 * 25P04 (the server ended a transaction that lasted too long, with its connection) and 55P03 (a lock was not released
 * in time).
 */
const unavailableState = /^(08|53|57)|^(25006|25P03|25P04|55P03)$/;
const lockNotAvailable = '55P03';
const uniqueViolation = '23505';
const foreignKeyViolation = '23503';
/** What Citus reports instead of a code that it has lost. */
const internalError = 'XX000';
const abortedTransaction = '25P02';
/** The time limit of a statement, and that of a lock. */
const timeoutStates = new Set<unknown>(['57014', lockNotAvailable]);
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

/** True when the connection was lost, or the server refused the statement for a reason that is not the statement's. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && (socketErrors.has(code) || (isSqlState(error) && unavailableState.test(code)))) {
    return true;
  }
  return !isSqlState(error) && driverMessages.test(error.message);
}

/** False after a statement that reached its time limit: the connection can be used again. */
export function isConnectionLost(error: unknown): boolean {
  return isDatabaseAway(error) && !timeoutStates.has((error as { code?: unknown }).code);
}

export function readOnlyServer(): Error {
  return Object.assign(new Error('the server is a read-only standby'), { severity: 'ERROR', code: '25006' });
}

/** True for what `Database` throws while the server cannot be reached. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    error instanceof CommitOutcomeUnknown || (error instanceof RemesaError && error.code === 'database_unavailable')
  );
}

/** True for `database_unavailable` because another transaction did not release a row in time. */
export function isLockTimeout(error: unknown): boolean {
  return isDatabaseUnavailable(error) && (error as { cause?: { code?: unknown } }).cause?.code === lockNotAvailable;
}

/** True for `database_unavailable` because a statement, or the wait for a lock, reached its time limit. */
export function isTimeLimit(error: unknown): boolean {
  if (!isDatabaseUnavailable(error)) return false;
  const { code, message } = ((error as Error).cause ?? {}) as { code?: unknown; message?: unknown };
  return timeoutStates.has(code) || message === 'Query read timeout';
}

/** True for a statement that was refused only because an earlier one of its transaction failed. */
export function isTransactionAborted(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === abortedTransaction;
}

/** True when transactions stood in each other's way (SQLSTATE class 40): the same again may succeed. */
export function isConflictOfTransactions(error: unknown): boolean {
  return /^40/.test(String((error as { code?: unknown } | undefined)?.code));
}

/** True for a statement whose values the database does not take: SQLSTATE classes 22, 23 and 54. */
export function isValueRefused(error: unknown): boolean {
  return /^(22|23|54)/.test(String((error as { code?: unknown } | undefined)?.code));
}

/**
 * True when a row with the same values in this unique index exists already. On a cluster the machine that has the row
 * names the index of its part of the table, which ends with a number, and names it in the message only. Where the rows
 * were copied to that machine, Citus loses the code of the error too.
 */
export function isDuplicateIn(uniqueIndex: string, error: unknown): boolean {
  const { code, constraint, message } = (error ?? {}) as Record<string, unknown>;
  if (code === uniqueViolation && constraint === uniqueIndex) return true;
  const isOfCluster = code === uniqueViolation || code === internalError;
  return isOfCluster && new RegExp(`\\b${uniqueIndex}_\\d+\\b`).test(String(message));
}

/** True when a row cannot be deleted, because another row names it. */
export function isStillReferenced(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === foreignKeyViolation;
}

export function databaseUnavailable(cause: unknown): RemesaError {
  return new RemesaError(
    'unavailable',
    'database_unavailable',
    'The database cannot be reached, or did not answer in time. Try again shortly.',
    {
      retryAfterSeconds: 2,
      cause,
    },
  );
}

function isSqlState(error: Error): boolean {
  return 'severity' in error && /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code));
}
