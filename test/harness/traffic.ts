/** Several merchants' clients at once, each sending its next note as soon as the last one was answered. */
import { Agent, request } from 'node:http';

export interface Outcome {
  readonly key: string;
  readonly text: string;
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  readonly body: string;
  readonly error: string | undefined;
  readonly ms: number;
}

export class Traffic {
  readonly outcomes: Outcome[] = [];
  #running = false;
  #clients: Promise<void>[] = [];
  #sent = 0;

  constructor(
    /** Asked before each request, so that traffic follows a service that comes back elsewhere. */
    readonly baseUrl: () => string,
    readonly options: {
      clients: number;
      name: string;
      /** How long a client pauses after an answer: long traffic need not be dense. */
      pauseMs?: number;
    },
  ) {}

  start(): this {
    this.#running = true;
    this.#clients = Array.from({ length: this.options.clients }, () => this.#client());
    return this;
  }

  async stop(): Promise<Outcome[]> {
    this.#running = false;
    await Promise.all(this.#clients);
    return this.outcomes;
  }

  acknowledged(): Outcome[] {
    return this.outcomes.filter((outcome) => outcome.status === 200);
  }

  async #client(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (this.#running) {
      this.#sent += 1;
      const key = `${this.options.name}-${this.#sent}`;
      const outcome = await postNote(this.baseUrl(), key, agent);
      this.outcomes.push(outcome);
      // Without an answer there is nobody to talk to right now; hammering would only heat the machine.
      const pauseMs = Math.max(this.options.pauseMs ?? 0, outcome.status === undefined ? 5 : 0);
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    agent.destroy();
  }
}

export function postNote(baseUrl: string, key: string, agent?: Agent): Promise<Outcome> {
  const text = `note ${key}`;
  const began = performance.now();
  return new Promise((resolve) => {
    const finish = (part: { status?: number; body?: string; error?: string }) =>
      resolve({
        key,
        text,
        status: part.status,
        body: part.body ?? '',
        error: part.error,
        ms: performance.now() - began,
      });
    const sending = request(`${baseUrl}/notes`, {
      method: 'POST',
      ...(agent ? { agent } : {}),
      headers: {
        authorization: 'Bearer merchant-1',
        'content-type': 'application/json',
        'idempotency-key': key,
      },
    });
    sending.on('error', (error: NodeJS.ErrnoException) => finish({ error: error.code ?? error.message }));
    sending.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', (error: NodeJS.ErrnoException) => finish({ error: error.code ?? error.message }));
      response.on('end', () => finish({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    sending.end(JSON.stringify({ text }));
  });
}
