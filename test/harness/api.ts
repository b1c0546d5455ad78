/** The merchant's side of a test: sends requests and holds every answer against the OpenAPI document. */
import { setTimeout } from 'node:timers/promises';
import type { OpenApiDocument } from './openapi-observer.js';
import { observeAnswer } from './openapi-observer.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
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

export class Api {
  constructor(
    readonly baseUrl: string,
    public document: OpenApiDocument | undefined,
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
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { ...headers, ...ask.headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: body as BodyInit }),
    });
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? '';
    if (this.document) {
      observeAnswer(this.document, { method, path, status: response.status, contentType, bodyText: text });
    }
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  }
}

/** Nothing was done then. */
function isShed({ status, text }: Answer): boolean {
  return status === 503 && text.includes('The service is busy.');
}
