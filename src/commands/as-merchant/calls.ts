/** Calls the API of a running service as a merchant does, for the commands that a merchant's developer runs. */
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../../clock.js';
import { StartupRefused } from '../../errors.js';
import { ownUrl, requestToken } from './token.js';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface MerchantOptions extends Credentials {
  readonly url?: string;
}

const answersWithinMs = 15_000;
/** Tokens last an hour. */
const tokenForMs = 45 * 60_000;

/** The options that say which service is called, and as whom. */
export function withMerchantOptions(command: Command): Command {
  return command
    .option('--url <url>', 'the address of the service (default: from BASE_URL, or from HOST and PORT)')
    .option('--client-id <id>', 'the client id of the merchant', 'demo')
    .option('--client-secret <secret>', 'the client secret of the merchant', 'demo-secret');
}

/** Reads the option that says how many. */
export function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1000) throw new InvalidArgumentError('A number from 1 to 1000.');
  return count;
}

export class MerchantCalls {
  #token: { readonly text: string; readonly until: number } | undefined;

  constructor(
    readonly url: string,
    readonly credentials: Credentials,
  ) {}

  static of({ url = ownUrl(), clientId, clientSecret }: MerchantOptions): MerchantCalls {
    return new MerchantCalls(url, { clientId, clientSecret });
  }

  /** Throws `StartupRefused` with what the service says, or when nothing answers. */
  get<Answer>(path: string): Promise<Answer> {
    return this.#call('GET', path);
  }

  /** Throws as `get` does. */
  post<Answer>(path: string, body?: object): Promise<Answer> {
    return this.#call('POST', path, body);
  }

  async #call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.#tokenNow()}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(answersWithinMs),
    }).catch(() => {
      throw new StartupRefused(`Nothing answers at ${this.url}.`);
    });
    if (response.status === 401) this.#token = undefined;
    const text = await response.text();
    if (!response.ok) throw new StartupRefused(refusalOf(response.status, text));
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  async #tokenNow(): Promise<string> {
    const now = systemClock.now().getTime();
    if (!this.#token || this.#token.until < now) {
      const { accessToken } = await requestToken(this.url, this.credentials);
      this.#token = { text: accessToken, until: now + tokenForMs };
    }
    return this.#token.text;
  }
}

/** The answer may come from a program that is not Remesa. */
function refusalOf(status: number, text: string): string {
  try {
    const { detail, code } = JSON.parse(text) as { readonly detail?: string; readonly code?: string };
    if (detail !== undefined) return `${detail} (${code ?? status})`;
  } catch {
    // Said below.
  }
  return `The service answered ${status}.`;
}
