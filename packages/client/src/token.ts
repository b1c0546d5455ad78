/** The access token of the merchant: asked for when it is needed, by one request at a time, and renewed early. */
import { RemesaError, toRemesaError } from './errors.js';

export interface Credentials {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
}

/** A token is renewed so long before it expires. */
const earlyMs = 60_000;

export class AccessToken {
  #known: { readonly text: string; readonly renewAtMs: number } | undefined;
  #asking: Promise<string> | undefined;

  constructor(readonly credentials: Credentials) {}

  /** Throws a `RemesaError` when the service gives none. */
  async get(): Promise<string> {
    if (this.#known && Date.now() < this.#known.renewAtMs) return this.#known.text;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Call it when the service refuses the token. Another one that was fetched meanwhile stays. */
  forget(text: string): void {
    if (this.#known?.text === text) this.#known = undefined;
  }

  async #ask(): Promise<string> {
    const { url, clientId, clientSecret, fetch, timeoutMs } = this.credentials;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined;
    const { access_token: text, expires_in: seconds } = answer ?? {};
    if (!response.ok) throw toRemesaError(response.status, answer, response.headers);
    if (typeof text !== 'string' || typeof seconds !== 'number')
      throw new RemesaError({ status: response.status, detail: `${url} did not answer with a token. Is it Remesa?` });
    this.#known = { text, renewAtMs: Date.now() + Math.max(0, seconds * 1000 - earlyMs) };
    return text;
  }
}
