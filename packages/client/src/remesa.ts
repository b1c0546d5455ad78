/** The client of a merchant: one method for each operation of the API, with token, retries and keys taken care of. */

import { type Resources, resourcesOf, type Send } from './calls.js';
import { toRemesaError } from './errors.js';
import { type FollowOptions, follow } from './follow.js';
import {
  type Client,
  type CreateTokenResult,
  createClient,
  defaultRetryOn,
  OPERATIONS,
  type Ops,
  type RetryContext,
} from './generated/api.js';
import type { Event } from './generated/api.schemas.js';
import { operations } from './generated/operations.js';
import { AccessToken } from './token.js';
import { type SignedRequest, unwrap, type WebhookNotification, WebhookRefused } from './webhooks.js';

export interface RemesaOptions {
  /** Where the service is, such as `https://api.example.com`. */
  readonly url: string;
  readonly clientId: string;
  /** Never in a browser or an app: give those a token of one user, from `tokens.ofUser`. */
  readonly clientSecret: string;
  /** How often a request that is safe to repeat is repeated: 2 times. */
  readonly retries?: number;
  /** Of each attempt: 30,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** Names a user by the id that the service gave, or by your own. */
export type ClientUser = number | { readonly userId: number } | { readonly externalClientId: string };
/** The same methods for one user: `userId` need not be given. */
export type UserClient = Resources;
type Channel = 'kyc' | 'order';

const usualRetries = 2;
const usualTimeoutMs = 30_000;
const retryDelayMs = 500;
/** The client fails rather than wait longer for a service that asks it to. */
const longestWaitSeconds = 30;
/** Keys are asked for again when a signature does not fit, but not for each forged request. */
const keysForMs = 60_000;

export class Remesa {
  readonly users: Resources['users'];
  readonly kyc: Resources['kyc'];
  readonly beneficiaries: Resources['beneficiaries'];
  readonly rates: Resources['rates'];
  readonly orders: Resources['orders'];
  readonly merchant: Resources['merchant'];
  readonly policies: Resources['policies'];
  readonly webhooks: Resources['webhooks'] & {
    /** Throws `WebhookRefused` unless the service signed the request. Asks for the public keys by itself. */
    unwrap(request: SignedRequest): Promise<WebhookNotification>;
  };
  readonly events: Resources['events'] & {
    /** All events of a channel, in order, without end. Store `event.data.sequence`, and go on with it as `after`. */
    follow(channel: Channel, options?: FollowOptions): AsyncGenerator<Event>;
  };
  readonly sandbox: Resources['sandbox'];
  readonly #token: AccessToken;
  readonly #client: Client<Ops>;
  readonly #fetch: typeof fetch;
  #keys: { readonly publicKeys: readonly string[]; readonly askedAtMs: number } | undefined;

  constructor({ url, clientId, clientSecret, retries, timeoutMs = usualTimeoutMs, ...options }: RemesaOptions) {
    const serverUrl = url.replace(/\/+$/, '');
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#token = new AccessToken({ url: serverUrl, clientId, clientSecret, fetch: this.#fetch, timeoutMs });
    const failures = new WeakMap<object, Headers>();
    this.#client = createClient<Ops>(OPERATIONS, {
      serverUrl,
      clientHeader: false,
      fetch: (input, init) => this.#fetchWithToken(input, init),
      timeout: timeoutMs,
      retry: { retries: retries ?? usualRetries, retryDelay: retryDelayMs, retryOn: isWorthRepeating },
      auth: { bearer: () => this.#token.get() },
      onResponse: (response, context) => void failures.set(context, response.headers),
      onError: ({ status, body }, context) => toRemesaError(status, body, failures.get(context) ?? new Headers()),
    });
    const resources = resourcesOf(operations, this.#send);
    this.users = resources.users;
    this.kyc = resources.kyc;
    this.beneficiaries = resources.beneficiaries;
    this.rates = resources.rates;
    this.orders = resources.orders;
    this.merchant = resources.merchant;
    this.policies = resources.policies;
    this.webhooks = { ...resources.webhooks, unwrap: (request) => this.#unwrap(request) };
    this.events = { ...resources.events, follow: (channel, following) => this.#follow(channel, following) };
    this.sandbox = resources.sandbox;
  }

  /** The same methods for one user. */
  asUser(user: ClientUser): UserClient {
    return resourcesOf(operations, this.#send, typeof user === 'number' ? { userId: user } : user);
  }

  readonly tokens = {
    /** A token that works for this user only: for a browser or an app. */
    ofUser: async (userId: number, scope?: string): Promise<CreateTokenResult> => {
      const { clientId, clientSecret } = this.#token.credentials;
      const scopes = scope === undefined ? {} : { scope };
      const body = { grant_type: 'client_credentials' as const, client_id: clientId, client_secret: clientSecret };
      return this.#client.createToken({ body: { ...body, user_id: userId, ...scopes } });
    },
  };

  readonly #send: Send = (id, args, options) =>
    (this.#client[id] as never as (...sent: unknown[]) => never)(args, options);

  /** Asks once more, with a new token, when the service refuses the token: it was revoked, or its key was rotated. */
  async #fetchWithToken(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
    const response = await this.#fetch(input, init);
    const refused = new Headers(init.headers).get('authorization')?.replace('Bearer ', '');
    if (response.status !== 401 || refused === undefined) return response;
    this.#token.forget(refused);
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${await this.#token.get()}`);
    await response.body?.cancel();
    return this.#fetch(input, { ...init, headers });
  }

  async #unwrap(request: SignedRequest): Promise<WebhookNotification> {
    const known = this.#keys ?? (await this.#askForKeys());
    try {
      return await unwrap(request, known);
    } catch (error) {
      // The keys may have been rotated.
      if (!(error instanceof WebhookRefused) || Date.now() - known.askedAtMs < keysForMs) throw error;
      return unwrap(request, await this.#askForKeys());
    }
  }

  async #askForKeys() {
    const { keys } = await this.webhooks.get();
    this.#keys = { publicKeys: keys.map(({ publicKey }) => publicKey), askedAtMs: Date.now() };
    return this.#keys;
  }

  #follow(channel: Channel, options: FollowOptions = {}): AsyncGenerator<Event> {
    return follow((after, limit) => this.events.list({ channel, after, limit }), options);
  }
}

/** What may be sent twice without harm, when trying again may help. */
function isWorthRepeating(context: RetryContext): boolean {
  const { response } = context;
  const wait = Number(response?.headers.get('retry-after') ?? 0);
  if (wait > longestWaitSeconds) return false;
  // 409 with a time to wait: the first request with this key is still being carried out.
  return defaultRetryOn(context) || (response?.status === 409 && wait > 0);
}
