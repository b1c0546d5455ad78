/** A merchant's program: asks the service over HTTP, and shows each request with its answer. */
import type { Screen } from './screen.js';

/** What the demo expected did not happen. */
export class DemoFailed extends Error {}

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the service as JSON.
export type Json = any;

export interface Shown {
  /** The parts of the answer that are shown; absent: all. `none`: the answer is not shown. */
  readonly show?: readonly string[] | 'none';
  /** Not shown at all: for questions that are asked again and again. */
  readonly isSilent?: boolean;
  /** Also sent when the demo has been stopped. */
  readonly isLast?: boolean;
}

const lastAnswerWithinMs = 5_000;

export class Client {
  #token = '';

  constructor(
    readonly url: string,
    readonly screen: Screen,
  ) {}

  async signIn({ clientId, clientSecret }: Credentials): Promise<void> {
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    this.screen.request('POST', '/oauth/token', { grant_type: 'client_credentials', client_id: clientId });
    const response = await fetch(`${this.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      body: form,
      signal: this.screen.options.signal,
    });
    const answer = await jsonOf(response);
    await this.screen.answer(response.status, response.ok ? { ...answer, access_token: 'eyJ…' } : answer);
    if (!response.ok) throw new DemoFailed('The service gave no token. Check --client-id and --client-secret.');
    this.#token = answer.access_token;
  }

  get(path: string, shown: Shown = {}): Promise<Json> {
    return this.#ask('GET', path, undefined, shown);
  }

  post(path: string, body: object, shown: Shown = {}): Promise<Json> {
    return this.#ask('POST', path, body, shown);
  }

  delete(path: string, shown: Shown = {}): Promise<Json> {
    return this.#ask('DELETE', path, undefined, shown);
  }

  async #ask(
    method: string,
    path: string,
    body: object | undefined,
    { show, isSilent = false, isLast = false }: Shown,
  ): Promise<Json> {
    if (!isSilent) this.screen.request(method, path, body);
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: isLast ? AbortSignal.timeout(lastAnswerWithinMs) : this.screen.options.signal,
    });
    const answer = await jsonOf(response);
    if (!isSilent || !(response.ok || isLast))
      await this.screen.answer(response.status, response.ok ? parts(answer, show) : answer);
    if (!response.ok) throw new DemoFailed(`${method} ${path} was refused with ${response.status}.`);
    return answer;
  }
}

/** Throws `DemoFailed` when it is something else, because another server listens there. */
async function jsonOf(response: Response): Promise<Json> {
  const text = await response.text();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new DemoFailed(`${response.url} did not answer JSON. Is this the address of a Remesa service?`);
  }
}

function parts(answer: Json, show: Shown['show']): Json {
  if (show === 'none' || answer === undefined) return undefined;
  if (show === undefined) return answer;
  return Object.fromEntries(show.map((key) => [key, answer[key]]));
}
