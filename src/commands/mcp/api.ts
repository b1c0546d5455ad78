/** The API of a running service as tools see it: its operations, and calls of them with a token that may do no more. */
import { systemClock } from '../../clock.js';
import { type ApiDocument, operationsOf, type Parameter, resolve } from '../../http/docs/reference/document.js';
import type { Credentials } from '../as-merchant/calls.js';
import { type Grant, requestToken } from '../as-merchant/token.js';

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly takesKey: boolean;
}

interface CallInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const answersWithinMs = 30_000;
const tokenForMs = 45 * 60_000;

export class Api {
  #operations: Promise<readonly Operation[]> | undefined;
  #token: { readonly text: string; readonly until: number } | undefined;

  constructor(
    readonly url: string,
    readonly credentials: Credentials,
    readonly mayWrite: boolean,
  ) {}

  /** What merchants call. */
  operations(): Promise<readonly Operation[]> {
    this.#operations ??= this.text('/openapi.merchant.json').then(operationsIn);
    this.#operations.catch(() => {
      this.#operations = undefined;
    });
    return this.#operations;
  }

  /** Throws when there is no such operation. */
  async operation(operationId: unknown): Promise<Operation> {
    const found = (await this.operations()).find((operation) => operation.operationId === operationId);
    if (!found) throw new Error('There is no such operation. Find its operationId with api_search.');
    return found;
  }

  /** A page without a token. Throws when it does not exist. */
  async text(path: string, accept = '*/*'): Promise<string> {
    const answer = await this.#fetch(path, { headers: { accept } });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}.`);
    return answer.text();
  }

  /** Throws with what the service says. */
  async call(path: string, init: CallInit): Promise<string> {
    const authorization = `Bearer ${await this.#tokenNow()}`;
    const answer = await this.#fetch(path, { ...init, headers: { authorization, ...init.headers } });
    if (answer.status === 401) this.#token = undefined;
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The service answered ${answer.status}: ${text}`);
    const next = answer.headers.get('link');
    return next ? `${text}\n\nLink: ${next}` : text;
  }

  #fetch(path: string, init: RequestInit): Promise<Response> {
    return fetch(`${this.url}${path}`, { ...init, signal: AbortSignal.timeout(answersWithinMs) }).catch((error) => {
      throw new Error(`Nothing answers at ${this.url}.`, { cause: error });
    });
  }

  /** A token that may only read is enough to read, and the service refuses everything else. */
  async #tokenNow(): Promise<string> {
    const now = systemClock.now().getTime();
    if (!this.#token || this.#token.until < now) {
      const { accessToken } = this.mayWrite
        ? await requestToken(this.url, this.credentials)
        : await this.#requestReadOnly();
      this.#token = { text: accessToken, until: now + tokenForMs };
    }
    return this.#token.text;
  }

  /** A restricted secret has some scopes only, and asking for others is refused. So its own are found out first. */
  async #requestReadOnly(): Promise<Grant> {
    const { scopes } = await requestToken(this.url, this.credentials);
    // Without a scope, the token would be one that may do everything.
    if (scopes.length === 0) throw new Error(`${this.url} does not say what the secret is for.`);
    const readOnly = new Set(scopes.map((scope) => (scope.endsWith('.read') ? scope : `${scope}.read`)));
    return requestToken(this.url, { ...this.credentials, scope: [...readOnly].join(' ') });
  }
}

function operationsIn(text: string): Operation[] {
  const document = JSON.parse(text) as ApiDocument;
  return document.tags.flatMap(({ name: tag }) =>
    operationsOf(document, tag).map(({ operationId, method, path, summary, description = '', parameters = [] }) => {
      const names = parameters.map((parameter) => resolve<Parameter>(document, parameter).name);
      return { operationId, method, path, summary, description, tag, takesKey: names.includes('Idempotency-Key') };
    }),
  );
}
