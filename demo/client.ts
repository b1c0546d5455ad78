/** A merchant's program: the client of Remesa, whose requests and answers are shown on the screen. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Remesa } from '../packages/client/src/index.js';
import type { Screen } from './screen.js';

/** What the demo expected did not happen. */
export class DemoFailed extends Error {}

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The parts of the answer that are shown. `none`: the answer is not shown. */
type Parts = 'all' | 'none' | readonly string[];

const lastAnswerWithinMs = 5_000;

export class Client {
  readonly remesa: Remesa;
  /** Absent while nothing is shown, such as questions that are asked again and again. */
  readonly #parts = new AsyncLocalStorage<Parts>();

  constructor(
    readonly url: string,
    readonly screen: Screen,
    credentials: Credentials,
  ) {
    this.remesa = new Remesa({ url, ...credentials, fetch: (input, init) => this.#fetch(String(input), init) });
  }

  /** Shows the requests of a call, with their answers. */
  show<Result>(call: (remesa: Remesa) => PromiseLike<Result>, parts: Parts = 'all'): Promise<Result> {
    return this.#parts.run(parts, async () => call(this.remesa));
  }

  async #fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const parts = this.#parts.getStore();
    const { method = 'GET', body } = init;
    if (parts !== undefined) this.screen.request(method, address.slice(this.url.length), shownBody(body));
    // A receiver is also taken back when the demo has been stopped.
    const stop = method === 'DELETE' ? AbortSignal.timeout(lastAnswerWithinMs) : this.screen.options.signal;
    const signal = init.signal ? AbortSignal.any([init.signal, stop]) : stop;
    const response = await fetch(address, { ...init, signal });
    if (parts !== undefined || !response.ok) await this.#showAnswer(response, parts);
    return response;
  }

  async #showAnswer(response: Response, parts: Parts = 'all'): Promise<void> {
    const answer = await response
      .clone()
      .json()
      .catch(() => undefined);
    await this.screen.answer(response.status, response.ok ? partsOf(answer, parts) : answer);
  }
}

/** Without secrets. */
function shownBody(body: RequestInit['body']): object | undefined {
  if (body instanceof URLSearchParams) {
    const { client_secret: _, ...fields } = Object.fromEntries(body);
    return fields;
  }
  return typeof body === 'string' ? JSON.parse(body) : undefined;
}

function partsOf(answer: Readonly<Record<string, unknown>> | undefined, parts: Parts): object | undefined {
  if (parts === 'none' || answer === undefined) return undefined;
  const shown = parts === 'all' ? answer : Object.fromEntries(parts.map((name) => [name, answer[name]]));
  return 'access_token' in shown ? { ...shown, access_token: 'eyJ…' } : shown;
}
