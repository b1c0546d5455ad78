/**
 * One request and its answer, with limits on time and size. The status line and headers decide the result. The body is
 * read so that its beginning can be shown and the connection reused; when it is too long or too slow, the connection is
 * closed.
 */
import type { Dispatcher } from 'undici';
import { OutgoingError, type OutgoingErrorReason } from './outgoing-error.js';

export interface ExchangeLimits {
  /** The time for everything together. */
  readonly wholeMs: number;
  /** The time for the connection and the TLS handshake. */
  readonly connectMs: number;
  /** The time from the request to the end of the answer's headers. */
  readonly headMs: number;
  /** The time from there to the end of the body. */
  readonly bodyMs: number;
  readonly bodyBytes: number;
  /** How much of the beginning of the body is kept. */
  readonly keptBytes: number;
}

export interface Answer {
  readonly status: number;
  /** Names are in lower case. A header that was sent several times is a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bodyStart: Buffer;
  /** The body is complete, so the connection can be used again. */
  readonly isWhole: boolean;
  /** The body did not end in time. */
  readonly isSlow: boolean;
}

type Controller = Dispatcher.DispatchController;

const nothing = Buffer.alloc(0);

export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  readonly #limits: ExchangeLimits;
  readonly #deadlineMs: number;
  #resolve!: (answer: Answer) => void;
  #reject!: (error: OutgoingError) => void;
  #controller: Controller | undefined;
  #timer: NodeJS.Timeout | undefined;
  #status = 0;
  #headers: Answer['headers'] = {};
  #bodyStart: Buffer = nothing;
  #bytes = 0;
  #isOver = false;

  /** @param deadlineMs on the clock `performance.now()`. It covers all tries of one request together. */
  constructor(
    limits: ExchangeLimits,
    deadlineMs: number,
    readonly mayStart: () => boolean = () => true,
  ) {
    this.#limits = limits;
    this.#deadlineMs = deadlineMs;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Called when the request was passed to the client, where it may wait for the connection. */
  onDispatched(): void {
    if (!this.#timer) this.#wait(this.#limits.wholeMs);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // The client writes the request right after this call, in the same turn of the event loop.
    if (this.mayStart()) this.#wait(this.#limits.headMs);
    else this.#abort('withheld');
  }

  onResponseStart(_controller: Controller, status: number, headers: Answer['headers']): void {
    // Ignores interim answers (1xx). The connection limits how many bytes of them may come.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#wait(this.#limits.bodyMs);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    const { bodyBytes, keptBytes } = this.#limits;
    const missing = keptBytes - this.#bodyStart.length;
    // Copies the bytes, because a slice would keep the whole chunk in memory.
    if (missing > 0) this.#bodyStart = Buffer.concat([this.#bodyStart, chunk.subarray(0, missing)]);
    this.#bytes += chunk.length;
    if (this.#bytes > bodyBytes) this.#abort('protocol_error');
  }

  onResponseEnd(): void {
    this.#settle(true);
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#settle(false, reasonOf(error));
  }

  /** Keeps what was received and closes the connection. */
  #abort(reason: OutgoingErrorReason): void {
    this.#settle(false, reason);
    this.#controller?.abort(new OutgoingError(reason));
  }

  #settle(isWhole: boolean, reason: OutgoingErrorReason = 'protocol_error'): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (this.#status === 0) this.#reject(new OutgoingError(reason));
    else {
      const isSlow = !isWhole && reason === 'timeout';
      this.#resolve({
        status: this.#status,
        headers: this.#headers,
        bodyStart: this.#bodyStart,
        isWhole,
        isSlow,
      });
    }
  }

  /** A step may take as long as its own limit, but never longer than the time left for the whole request. */
  #wait(milliseconds: number): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    const remainingMs = this.#deadlineMs - performance.now();
    this.#timer = setTimeout(() => this.#abort('timeout'), Math.min(milliseconds, remainingMs));
  }
}

const connectionErrorCode = /^(E[A-Z]+|UND_ERR_(SOCKET|ABORTED|DESTROYED|CLOSED))$/;

function reasonOf(error: Error & { readonly code?: unknown }): OutgoingErrorReason {
  if (error instanceof OutgoingError) return error.reason;
  const code = typeof error.code === 'string' ? error.code : '';
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'tls_failed';
  // "bad upgrade" and "bad response" (an unexpected 101 or 100) have the same code, but are protocol errors.
  const isLost = connectionErrorCode.test(code) && !error.message.startsWith('bad ');
  return isLost ? 'connection_failed' : 'protocol_error';
}
