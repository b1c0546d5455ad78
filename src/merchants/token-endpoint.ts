/** `POST /oauth/token` and `POST /oauth/revoke`: who the client is, and what it may have. */
import { type Scope, type SelectedUser, scopes } from '../caller.js';
import { RemesaError } from '../errors.js';
import { type Counted, FixedWindows, type Limit, rateLimited } from '../http/traffic/fixed-windows.js';
import { type MerchantId, type UserId, userId } from '../ids.js';
import type { Queryable } from '../postgres/statement.js';
import type { Claims } from '../tokens/access-token.js';
import type { TokenAuthority } from '../tokens/authority.js';
import { merchantTokenSeconds } from '../tokens/service.js';
import { matchesOneOf } from './merchant.js';
import { merchantSubject } from './status-cache.js';
import { type Credentials, findClientCredentials } from './store.js';
import {
  type ClientCredentials,
  type Fields,
  invalidClient,
  invalidRequest,
  required,
} from './token-request.js';

const userTokenSeconds = 900;

/** What merchants ask of the users' room, which is above them: whether such a user is theirs. */
export type FindUser = (
  merchantId: MerchantId,
  selector: { readonly userId: UserId } | { readonly externalClientId: string },
) => Promise<SelectedUser | undefined>;

export interface TokenEndpointOptions {
  readonly database: Queryable;
  readonly authority: TokenAuthority;
  readonly audience: () => string;
  readonly findUser: FindUser;
  readonly tokensPerMinute: number;
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
}

const wrongGuesses = { name: 'wrong-secrets', requests: 10, windowSeconds: 60 } as const;
const wrongGuessesOfAddress = { name: 'wrong-secrets', requests: 20, windowSeconds: 60 } as const;

export class TokenEndpoint {
  readonly #tokens: FixedWindows;
  readonly #guessesOfClient = new FixedWindows(wrongGuesses.requests, wrongGuesses.windowSeconds);
  readonly #guessesOfAddress = new FixedWindows(
    wrongGuessesOfAddress.requests,
    wrongGuessesOfAddress.windowSeconds,
  );

  constructor(readonly options: TokenEndpointOptions) {
    this.#tokens = new FixedWindows(options.tokensPerMinute, 60);
  }

  /**
   * The right secret always passes, however many wrong ones came before it, so nobody can lock a client out by
   * guessing; who guesses is soon told to stop. Guessing 256 bits is hopeless at any speed.
   */
  async authenticateClient(given: ClientCredentials, address: string): Promise<Credentials> {
    const client = await findClientCredentials(this.options.database, given.clientId);
    const isRight = matchesOneOf(given.clientSecret, client?.secretHashes ?? []);
    if (client && isRight && !client.isSuspended) return client;
    this.#countGuess(this.#guessesOfClient.count(given.clientId.slice(0, 64)), wrongGuesses);
    this.#countGuess(this.#guessesOfAddress.count(address), wrongGuessesOfAddress);
    throw invalidClient();
  }

  async issue(clientId: string, client: Credentials, fields: Fields): Promise<TokenAnswer> {
    if (required(fields, 'grant_type') !== 'client_credentials') {
      throw new RemesaError('invalid', 'unsupported_grant_type', 'Only client_credentials is supported.');
    }
    const scope = readScope(fields.get('scope')).join(' ');
    const user = await this.#selectedUser(client.merchantId, fields);
    const counted = this.#tokens.count(clientId);
    if (counted.left < 0) {
      const policy = { name: 'tokens', requests: this.options.tokensPerMinute, windowSeconds: 60 };
      throw rateLimited(policy, counted.resetSeconds);
    }
    const lifetimeSeconds = user === undefined ? merchantTokenSeconds : userTokenSeconds;
    const accessToken = await this.options.authority.issue({
      audience: this.options.audience(),
      subject: merchantSubject(client.merchantId),
      clientId,
      scope,
      userId: user,
      notBefore: client.notBefore,
      lifetimeSeconds,
    });
    return { access_token: accessToken, token_type: 'Bearer', expires_in: lifetimeSeconds, scope };
  }

  /** The claims of a token that this client may revoke: its own, and genuine. */
  async revocable(client: Credentials, fields: Fields): Promise<Claims | undefined> {
    const claims = await this.options.authority.claimsOf(required(fields, 'token'));
    return claims?.subject === merchantSubject(client.merchantId) ? claims : undefined;
  }

  async #selectedUser(merchantId: MerchantId, fields: Fields): Promise<UserId | undefined> {
    const id = fields.get('user_id');
    const externalClientId = fields.get('external_client_id');
    if (id === undefined && externalClientId === undefined) return undefined;
    if (id !== undefined && externalClientId !== undefined) {
      throw invalidRequest('Name the user once: by user_id or by external_client_id.');
    }
    if (id !== undefined && !(/^[1-9]\d{0,15}$/.test(id) && Number.isSafeInteger(Number(id))))
      throw invalidRequest('user_id must be a positive integer.');
    const selector =
      id !== undefined ? { userId: userId(Number(id)) } : { externalClientId: externalClientId ?? '' };
    const user = await this.options.findUser(merchantId, selector);
    if (user === undefined) throw invalidRequest('There is no such user.');
    return user.id;
  }

  #countGuess(counted: Counted, policy: Limit): void {
    if (counted.left < 0) throw rateLimited(policy, counted.resetSeconds);
  }
}

/** Narrowed to what was asked for; everything when nothing was. */
function readScope(given: string | undefined): readonly Scope[] {
  if (given === undefined || given.trim() === '') return scopes;
  const wanted = given.trim().split(/ +/);
  const unknown = wanted.filter((name) => !scopes.some((scope) => scope === name));
  if (unknown.length > 0) {
    throw new RemesaError('invalid', 'invalid_scope', `The scopes are ${scopes.join(' ')}.`);
  }
  return scopes.filter((scope) => wanted.includes(scope));
}
