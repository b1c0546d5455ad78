/**
 * Structured logs, written asynchronously: a synchronous request log costs a quarter of the throughput.
 * No body is ever logged; the redaction below is the second lock, for what is logged by mistake.
 */
import { type DestinationStream, destination, type Logger, pino, symbols } from 'pino';

export type Log = Logger;

/**
 * Writes a line whose fields are already JSON, each with its comma before it, and hold nothing to hide: the one line
 * that every request has. Through the walks of a logger it would cost a sixth of an empty request.
 */
export function writePlainLine(log: Log, fields: string, message: string): void {
  if (!log.isLevelEnabled('info')) return;
  const output = (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym];
  output?.write(`{"level":30${isoTime()},"pid":${process.pid}${fields},"msg":"${message}"}\n`);
}

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
const redactedNames = new Set([...secrets, ...personal]);
const redactedDepth = 5;

export interface LogSink {
  readonly log: Log;
  /** Writes out what is still buffered; the last thing before the process ends. */
  flush(): void;
}

export function createLog(options: { level: string; stream?: DestinationStream }): LogSink {
  const output = options.stream ? undefined : new GatheredOutput();
  const log = pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: isoTime,
      formatters: { log: (fields) => redact(fields, redactedDepth) as Record<string, unknown> },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    options.stream ?? (output as DestinationStream),
  );
  return { log, flush: () => output?.flush() };
}

const gatherAtMost = 15_000;
const gatherForMs = 250;

/** Hands many lines over as one text: handing over each by itself costs as much as making it. */
class GatheredOutput implements DestinationStream {
  readonly #output = destination({ dest: 1, sync: false, maxLength: 16_777_216 });
  #lines = '';
  #handOverLater: NodeJS.Timeout | undefined;

  constructor() {
    // A reader of the log that goes away (a closed pipe) must not take the service with it.
    this.#output.on('error', () => {});
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= gatherAtMost) this.#handOver();
    else this.#handOverLater ??= setTimeout(() => this.#handOver(), gatherForMs);
  }

  flush(): void {
    this.#handOver();
    this.#output.flushSync();
  }

  #handOver(): void {
    clearTimeout(this.#handOverLater);
    this.#handOverLater = undefined;
    if (this.#lines !== '') this.#output.write(this.#lines);
    this.#lines = '';
  }
}

let second = 0;
let beginning = '';

/** As `toISOString` has it, which is called once a second instead of once a line. */
function isoTime(): string {
  const now = Date.now();
  const milliseconds = now % 1000;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    beginning = new Date(second).toISOString().slice(0, -'000Z'.length);
  }
  return `,"time":"${beginning}${String(milliseconds).padStart(3, '0')}Z"`;
}

/**
 * Not pino's own redaction: that one walks every path of every name on every line, at twice the cost of the request
 * that the line is about. Here a line is copied only where it has something to hide.
 */
function redact(fields: object, depth: number): object {
  let copy: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(fields)) {
    const kept = redactedNames.has(name) ? '[redacted]' : redactInside(value, depth - 1);
    if (kept === value) continue;
    copy ??= (Array.isArray(fields) ? [...fields] : { ...fields }) as Record<string, unknown>;
    copy[name] = kept;
  }
  return copy ?? fields;
}

function redactInside(value: unknown, depth: number): unknown {
  // An error is described by its serializer, which takes nothing over that would have to be hidden.
  const hasFields = typeof value === 'object' && value !== null && !(value instanceof Error);
  if (!hasFields) return value;
  return depth > 0 ? redact(value, depth) : '[too deep]';
}

/**
 * PostgreSQL's messages and details quote the values that it refused, so of a database error only its code and
 * the names of what it hit are kept.
 */
function describeError(error: unknown, causesAtMost = 5): Record<string, unknown> {
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
