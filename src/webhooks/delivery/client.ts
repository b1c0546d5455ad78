/** The HTTP client of one endpoint: a few kept connections that are its own, and every outcome as a result. */
import type { ExchangeLimits } from '../../outgoing/exchange.js';
import { OutgoingFault } from '../../outgoing/fault.js';
import type { AddressGuard } from '../../outgoing/guard.js';
import { KeptConnection } from '../../outgoing/kept-connection.js';
import type { AttemptClient, AttemptRequest, AttemptResult } from './attempt.js';

export interface EndpointClientOptions {
  readonly url: string;
  /** How many attempts may be under way at once; more wait for their turn. */
  readonly lanes: number;
  readonly guard: AddressGuard;
  /** Where they are to be others than the usual. */
  readonly limits?: Partial<ExchangeLimits>;
  /** Certificates that are trusted instead of the usual authorities. */
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
/** A date has 29 characters. */
const longestRetryAfter = 64;

export class EndpointClient implements AttemptClient {
  readonly #url: string;
  readonly #path: string;
  readonly #connections: KeptConnection[];
  readonly #free: KeptConnection[];
  readonly #waiting: ((connection: KeptConnection) => void)[] = [];
  #isClosed = false;

  constructor({ url, lanes, guard, authorities, ...given }: EndpointClientOptions) {
    const parsed = new URL(url);
    const limits = { ...usualLimits, ...given.limits };
    this.#url = url;
    this.#path = `${parsed.pathname}${parsed.search}`;
    this.#connections = Array.from(
      { length: lanes },
      () => new KeptConnection({ url: parsed, guard, limits, authorities }),
    );
    this.#free = [...this.#connections];
  }

  async post({ url, headers, body, mayStart }: AttemptRequest): Promise<AttemptResult> {
    // Connections are to one url only; whatever else is asked for was not vetted.
    if (url !== this.#url) return { kind: 'failed', reason: 'blocked_address', durationMs: 0 };
    const connection = this.#free.pop() ?? (await this.#nextFree());
    const beganMs = performance.now();
    const durationMs = () => Math.round(performance.now() - beganMs);
    try {
      if (this.#isClosed) throw new OutgoingFault('connection_failed');
      const answer = await connection.post({ path: this.#path, headers, body, mayStart });
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
      const reason = error instanceof OutgoingFault ? error.reason : 'protocol_error';
      return reason === 'withheld'
        ? { kind: 'withheld' }
        : { kind: 'failed', reason, durationMs: durationMs() };
    } finally {
      this.#give(connection);
    }
  }

  /** What is under way is cut off. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const connection of this.#connections) connection.close();
  }

  #nextFree(): Promise<KeptConnection> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #give(connection: KeptConnection): void {
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#free.push(connection);
  }
}

function retryAfterOf(value: string | string[] | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  if (first === undefined || first.length <= longestRetryAfter) return first;
  // A longer number is beyond every bound, and so are its first digits.
  return /^\d+$/.test(first) ? first.slice(0, longestRetryAfter) : undefined;
}
