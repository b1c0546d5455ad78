/**
 * Structured logs, written asynchronously: a synchronous request log costs a quarter of the throughput.
 * No body is ever logged; the redaction below is the second lock, for what is logged by mistake.
 */
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';

export type Log = Logger;

const secrets = ['authorization', 'cookie', 'password', 'secret', 'token', 'client_secret', 'access_token'];
const personal = [
  'firstName',
  'lastName',
  'email',
  'address',
  'city',
  'stateProvince',
  'postalCode',
  'dateOfBirth',
  'documentNumber',
];
const redactedPaths = [...secrets, ...personal].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

export interface LogSink {
  readonly log: Log;
  /** Writes out what is still buffered; the last thing before the process ends. */
  flush(): void;
}

export function createLog(options: { level: string; stream?: DestinationStream }): LogSink {
  const buffered = options.stream
    ? undefined
    : destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 250 });
  // A reader of the log that goes away (a closed pipe) must not take the service with it.
  buffered?.on('error', () => {});
  const log = pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: redactedPaths, censor: '[redacted]' },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    options.stream ?? (buffered as DestinationStream),
  );
  return { log, flush: () => buffered?.flushSync() };
}

/**
 * PostgreSQL's messages and details quote the values that it refused, so of a database error only its code and
 * the names of what it hit are kept.
 */
export function describeError(error: unknown, causesAtMost = 5): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, stack } = error;
  const frames = stack?.split('\n    at ').slice(1);
  const isLast = error.cause === undefined || causesAtMost === 0;
  const cause = isLast ? {} : { cause: describeError(error.cause, causesAtMost - 1) };
  if ('severity' in error && 'code' in error) {
    const { code, constraint, table, routine } = error as Record<string, unknown> & Error;
    return { type: 'DatabaseError', code, constraint, table, routine, frames, ...cause };
  }
  return { type: name, message: error.message, code: (error as { code?: unknown }).code, frames, ...cause };
}
