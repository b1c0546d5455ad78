/** The merchant's side of a test: sends requests and holds every answer against the OpenAPI document. */
import { setTimeout } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { exchange, type Received } from './exchange.js';
import { type OpenApiDocument, observeAnswer } from './openapi-observer.js';

export interface Answer extends Received {
  /** The body as JSON; throws when it is not. */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the test is about.
  readonly json: any;
}

export interface Ask {
  readonly token?: string;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly text?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string;
}

/** The answer as JSON. Throws, with its text, when its status is not 200. */
// biome-ignore lint/suspicious/noExplicitAny: what comes back is what the test is about.
export function done(answer: Answer): any {
  if (answer.status !== 200) throw new Error(`${answer.status} instead of 200: ${answer.text}`);
  return answer.text === '' ? undefined : answer.json;
}

interface Manner {
  readonly dispatcher?: Dispatcher;
  /** Of so many answers, one is held against the document. */
  readonly observedEvery?: number;
}

export class Api {
  #answers = 0;

  constructor(
    readonly baseUrl: string,
    public document: OpenApiDocument | undefined,
    readonly manner: Manner = {},
  ) {}

  get(path: string, ask: Ask = {}): Promise<Answer> {
    return this.call('GET', path, ask);
  }

  post(path: string, ask: Ask = {}): Promise<Answer> {
    return this.call('POST', path, ask);
  }

  /** Without a document the service is in another process, which sheds load while a busy machine makes it late. */
  async call(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    const until = performance.now() + 60_000;
    let answer = await this.#callOnce(method, path, ask);
    while (!this.document && isShed(answer) && performance.now() < until) {
      await setTimeout(250);
      answer = await this.#callOnce(method, path, ask);
    }
    return answer;
  }

  async #callOnce(method: string, path: string, ask: Ask): Promise<Answer> {
    const body = ask.text ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const headers: Record<string, string> = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    if (ask.token) headers.authorization = `Bearer ${ask.token}`;
    if (ask.key) headers['idempotency-key'] = ask.key;
    const answer = await exchange(`${this.baseUrl}${path}`, {
      method,
      headers: { ...headers, ...ask.headers },
      body,
      dispatcher: this.manner.dispatcher,
    });
    this.#observe(method, path, answer);
    const { status, text } = answer;
    return {
      status,
      get headers() {
        return answer.headers;
      },
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  }

  #observe(method: string, path: string, { status, headers, text }: Received): void {
    this.#answers += 1;
    if (!this.document || this.#answers % (this.manner.observedEvery ?? 1) !== 0) return;
    const contentType = headers.get('content-type') ?? '';
    observeAnswer(this.document, { method, path, status, contentType, bodyText: text });
  }
}

/** Nothing was done then. */
function isShed({ status, text }: Answer): boolean {
  return status === 503 && text.includes('The service is busy.');
}
