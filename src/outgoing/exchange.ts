/**
 * One request and its answer, within bounds. Of the answer the head counts; the body is read so that its beginning can
 * be shown and its connection kept, and where that takes too much the connection is given up instead.
 */
import type { Dispatcher } from 'undici';
import { OutgoingFault, type OutgoingFaultReason } from './fault.js';

export interface ExchangeLimits {
  /** From the beginning to the end, whatever happens. */
  readonly wholeMs: number;
  /** For the connection and its handshake. */
  readonly connectMs: number;
  /** From the request to the end of the answer's head. */
  readonly headMs: number;
  /** From there to the end of its body. */
  readonly bodyMs: number;
  readonly bodyBytes: number;
  /** How much of the body's beginning is kept. */
  readonly keptBytes: number;
}

export interface Answer {
  readonly status: number;
  /** In lower case; a field that came several times is a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bodyStart: Buffer;
  /** The connection can serve another request. */
  readonly isWhole: boolean;
  /** Its body did not end in time. */
  readonly isSlow: boolean;
}

type Controller = Dispatcher.DispatchController;

const nothing = Buffer.alloc(0);

export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  readonly #limits: ExchangeLimits;
  readonly #deadlineMs: number;
  #resolve!: (answer: Answer) => void;
  #reject!: (fault: OutgoingFault) => void;
  #controller: Controller | undefined;
  #patience: NodeJS.Timeout | undefined;
  #status = 0;
  #headers: Answer['headers'] = {};
  #bodyStart: Buffer = nothing;
  #bytes = 0;
  #isOver = false;

  /** @param deadlineMs by the clock of `performance`; before the limits' own, where something was tried already. */
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

  /** The request was handed over, and may have to wait for its connection. */
  onHandedOver(): void {
    if (!this.#patience) this.#wait(this.#limits.wholeMs);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // The client writes the request right after this call, in the same turn of the event loop.
    if (this.mayStart()) this.#wait(this.#limits.headMs);
    else this.#giveUp('withheld');
  }

  onResponseStart(_controller: Controller, status: number, headers: Answer['headers']): void {
    // Interim answers say nothing yet; how many there are is bounded by the connection.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#wait(this.#limits.bodyMs);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    const { bodyBytes, keptBytes } = this.#limits;
    const missing = keptBytes - this.#bodyStart.length;
    // Copied, because a part of a chunk would keep the whole of it in memory.
    if (missing > 0) this.#bodyStart = Buffer.concat([this.#bodyStart, chunk.subarray(0, missing)]);
    this.#bytes += chunk.length;
    if (this.#bytes > bodyBytes) this.#giveUp('protocol_error');
  }

  onResponseEnd(): void {
    this.#settle(true);
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#settle(false, reasonOf(error));
  }

  /** What came is kept; the connection is not. */
  #giveUp(reason: OutgoingFaultReason): void {
    this.#settle(false, reason);
    this.#controller?.abort(new OutgoingFault(reason));
  }

  #settle(isWhole: boolean, reason: OutgoingFaultReason = 'protocol_error'): void {
    this.#isOver = true;
    clearTimeout(this.#patience);
    if (this.#status === 0) this.#reject(new OutgoingFault(reason));
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

  /** No step may take longer than its own limit, nor than what is left for all of them. */
  #wait(milliseconds: number): void {
    if (this.#isOver) return;
    clearTimeout(this.#patience);
    const left = this.#deadlineMs - performance.now();
    this.#patience = setTimeout(() => this.#giveUp('timeout'), Math.min(milliseconds, left));
  }
}

const ofTheConnection = /^(E[A-Z]+|UND_ERR_(SOCKET|ABORTED|DESTROYED|CLOSED))$/;

function reasonOf(error: Error & { readonly code?: unknown }): OutgoingFaultReason {
  if (error instanceof OutgoingFault) return error.reason;
  const code = typeof error.code === 'string' ? error.code : '';
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'tls_failed';
  // Under the same code: "bad upgrade" and "bad response", for 101 and 100 that nobody asked for.
  const isLost = ofTheConnection.test(code) && !error.message.startsWith('bad ');
  return isLost ? 'connection_failed' : 'protocol_error';
}
