/** The HTTP client of one url, with a few connections of its own. Every failure is a result, never an exception. */
import type { ExchangeLimits } from '../../outgoing/exchange.js';
import type { AddressGuard } from '../../outgoing/guard.js';
import { KeptConnection, type StartOfPost } from '../../outgoing/kept-connection.js';
import { OutgoingError } from '../../outgoing/outgoing-error.js';
import { Semaphore } from '../../worker/semaphore.js';
import type { AttemptClient, AttemptRequest, AttemptResult } from './attempt.js';

export interface EndpointClientOptions {
  readonly url: string;
  /** How many attempts may be in flight at once. Further attempts wait. */
  readonly lanes: number;
  readonly guard: AddressGuard;
  readonly limits?: Partial<ExchangeLimits>;
  /** CA certificates to trust instead of the usual ones. */
  readonly authorities?: string;
}

const usualLimits: ExchangeLimits = {
  wholeMs: 20_000,
  connectMs: 5_000,
  headMs: 15_000,
  bodyMs: 5_000,
  bodyBytes: 16 * 1024,
  keptBytes: 1024,
};
/** An HTTP date has 29 characters. */
const longestRetryAfter = 64;

export class EndpointClient implements AttemptClient {
  readonly #path: string;
  readonly #connections: KeptConnection[];
  readonly #free: KeptConnection[];
  readonly #slots: Semaphore;
  #isClosed = false;

  constructor({ url, lanes, guard, authorities, limits: replaced }: EndpointClientOptions) {
    const parsed = new URL(url);
    const limits = { ...usualLimits, ...replaced };
    this.#path = `${parsed.pathname}${parsed.search}`;
    this.#connections = Array.from(
      { length: lanes },
      () => new KeptConnection({ url: parsed, guard, limits, authorities }),
    );
    this.#free = [...this.#connections];
    this.#slots = new Semaphore(lanes);
  }

  async post({ headers, body }: AttemptRequest, start?: StartOfPost): Promise<AttemptResult> {
    const release = await this.#slots.acquire();
    const connection = this.#free.pop() as KeptConnection;
    const startedMs = performance.now();
    const durationMs = () => Math.round(performance.now() - startedMs);
    try {
      if (this.#isClosed) throw new OutgoingError('connection_failed');
      const answer = await connection.post({ path: this.#path, headers, body, ...start });
      const { status, bodyStart, isSlow } = answer;
      const retryAfter = retryAfterOf(answer.headers['retry-after']);
      return {
        kind: 'answered',
        status,
        retryAfter,
        answerStart: bodyStart,
        isSlow,
        durationMs: durationMs(),
      };
    } catch (error) {
      const reason = error instanceof OutgoingError ? error.reason : 'protocol_error';
      return reason === 'withheld' ? { kind: 'withheld' } : { kind: 'failed', reason, durationMs: durationMs() };
    } finally {
      this.#free.push(connection);
      release();
    }
  }

  /** Aborts the attempts in flight. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const connection of this.#connections) connection.close();
  }
}

function retryAfterOf(value: string | string[] | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  if (first === undefined || first.length <= longestRetryAfter) return first;
  // A number this long is beyond every bound, and so are its first digits.
  return /^\d+$/.test(first) ? first.slice(0, longestRetryAfter) : undefined;
}
