/**
 * Sends requests over connections that stay open, at a third of the cost of `fetch`. In long runs every hundredth answer is
 * held against the OpenAPI document.
 */
import { Pool } from 'undici';
import { type Answer, Api, type Ask } from '../../harness/api.js';
import { type OpenApiDocument, observeAnswer } from '../../harness/openapi-observer.js';
import { rounds } from '../../harness/rounds.js';

/** Reading the schemas takes seconds. */
const observedEvery = rounds(Number.POSITIVE_INFINITY, 100);

export class LightApi extends Api {
  readonly #pool: Pool;
  readonly #observed: OpenApiDocument | undefined;
  #answers = 0;

  constructor({ baseUrl, document }: Api) {
    super(baseUrl, undefined);
    this.#pool = new Pool(baseUrl, { connections: 32, keepAliveTimeout: 60_000 });
    this.#observed = document;
  }

  override async call(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    const body = ask.text ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const response = await this.#pool.request({
      method: method as 'GET',
      path,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ask.token === undefined ? {} : { authorization: `Bearer ${ask.token}` }),
        ...(ask.key === undefined ? {} : { 'idempotency-key': ask.key }),
        ...ask.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.body.text();
    const { statusCode: status } = response;
    this.#observe({
      method,
      path,
      status,
      contentType: String(response.headers['content-type'] ?? ''),
      bodyText: text,
    });
    return {
      ...{ status, text },
      get headers() {
        return new Headers(response.headers as Record<string, string>);
      },
      get json() {
        return JSON.parse(text);
      },
    };
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #observe(answer: Parameters<typeof observeAnswer>[1]): void {
    this.#answers += 1;
    if (this.#observed && this.#answers % observedEvery === 0) observeAnswer(this.#observed, answer);
  }
}
