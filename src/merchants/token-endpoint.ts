/** `POST /oauth/token` and `POST /oauth/revoke`: authenticates the client, and issues and finds its tokens. */
import { type GrantedScope, grantableScopes, includesScope, type SelectedUser, scopes } from '../caller.js';
import { RemesaError } from '../errors.js';
import { type Counted, FixedWindows, type Limit, rateLimited } from '../http/traffic/fixed-windows.js';
import { type MerchantId, type UserId, userId } from '../ids.js';
import type { Queryable } from '../postgres/statement.js';
import type { Claims } from '../tokens/access-token.js';
import type { TokenAuthority } from '../tokens/authority.js';
import { merchantTokenSeconds } from '../tokens/service.js';
import { matchingSecret } from './merchant.js';
import { type ClientSecret, type Credentials, findClientCredentials } from './secrets/secret-store.js';
import { merchantSubject } from './status-cache.js';
import { type ClientCredentials, type Fields, invalidClient, invalidRequest, required } from './token-request.js';

const userTokenSeconds = 900;

/** Finds a user of the merchant. The users room, which is above this one, implements it. */
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

/** A client that has proved who it is. */
export interface AuthenticatedClient extends Credentials {
  /** The secret by which it did. */
  readonly secret: ClientSecret;
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
}

const wrongSecretsOfClient = { name: 'wrong-secrets', requests: 10, windowSeconds: 60 } as const;
const wrongSecretsOfAddress = { name: 'wrong-secrets', requests: 20, windowSeconds: 60 } as const;

export class TokenEndpoint {
  readonly #options: TokenEndpointOptions;
  readonly #tokens: FixedWindows;
  readonly #wrongOfClient = new FixedWindows(wrongSecretsOfClient.requests, wrongSecretsOfClient.windowSeconds);
  readonly #wrongOfAddress = new FixedWindows(wrongSecretsOfAddress.requests, wrongSecretsOfAddress.windowSeconds);

  constructor(options: TokenEndpointOptions) {
    this.#options = options;
    this.#tokens = new FixedWindows(options.tokensPerMinute, 60);
  }

  /**
   * The right secret is accepted however many wrong ones came before, so that nobody can lock a client out by guessing.
   * Throws `invalid_client` for an unknown client, a wrong secret or a suspended merchant, and `rate_limited` after too
   * many of these.
   */
  async authenticateClient(credentials: ClientCredentials, address: string): Promise<AuthenticatedClient> {
    const { clientId, clientSecret } = credentials;
    const client = await findClientCredentials(this.#options.database, clientId);
    const secret = matchingSecret(clientSecret, client?.secrets ?? []);
    if (client && secret && !client.isSuspended) return { ...client, secret };
    refuseExcess(this.#wrongOfClient.count(clientId.slice(0, 64)), wrongSecretsOfClient);
    refuseExcess(this.#wrongOfAddress.count(address), wrongSecretsOfAddress);
    throw invalidClient();
  }

  /** Throws `unsupported_grant_type`, `invalid_scope`, `invalid_request` or `rate_limited`. */
  async issue(clientId: string, client: AuthenticatedClient, fields: Fields): Promise<TokenAnswer> {
    if (required(fields, 'grant_type') !== 'client_credentials') {
      throw new RemesaError('invalid', 'unsupported_grant_type', 'Only client_credentials is supported.');
    }
    const scope = readScope(fields.get('scope'), client.secret.scopes ?? scopes).join(' ');
    const user = await this.#selectedUser(client.merchantId, fields);
    const { tokensPerMinute } = this.#options;
    const policy = { name: 'tokens', requests: tokensPerMinute, windowSeconds: 60 };
    refuseExcess(this.#tokens.count(clientId), policy);
    const lifetimeSeconds = user === undefined ? merchantTokenSeconds : userTokenSeconds;
    const accessToken = await this.#options.authority.issue({
      audience: this.#options.audience(),
      subject: merchantSubject(client.merchantId),
      clientId,
      scope,
      userId: user,
      notBefore: client.notBefore,
      lifetimeSeconds,
    });
    return { access_token: accessToken, token_type: 'Bearer', expires_in: lifetimeSeconds, scope };
  }

  /** Returns the claims of a token that this client may revoke: a genuine one of its own. Throws `invalid_request`. */
  async revocable(client: Credentials, fields: Fields): Promise<Claims | undefined> {
    const claims = await this.#options.authority.claimsOf(required(fields, 'token'));
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
    const selector = id !== undefined ? { userId: userId(Number(id)) } : { externalClientId: externalClientId ?? '' };
    const user = await this.#options.findUser(merchantId, selector);
    if (user === undefined) throw invalidRequest('There is no such user.');
    return user.id;
  }
}

/** Throws `rate_limited` when there were more than allowed. */
function refuseExcess(counted: Counted, policy: Limit): void {
  if (counted.left < 0) throw rateLimited(policy, counted.resetSeconds);
}

/** Returns the requested scopes; all that the secret has when none is requested. Throws `invalid_scope`. */
function readScope(parameter: string | undefined, ofSecret: readonly GrantedScope[]): readonly GrantedScope[] {
  if (parameter === undefined || parameter.trim() === '') return ofSecret;
  const requested = parameter.trim().split(/ +/);
  const all = new Set(ofSecret);
  const known = grantableScopes.filter((scope) => requested.includes(scope));
  if (requested.some((name) => !known.some((scope) => scope === name))) {
    throw invalidScope(`Unknown scope. The scopes are ${scopes.join(' ')}, each also with .read at its end.`);
  }
  if (known.some((scope) => !includesScope(all, scope))) {
    throw invalidScope(`This secret is for less. Its scopes are ${ofSecret.join(' ')}.`);
  }
  return known;
}

function invalidScope(message: string): RemesaError {
  return new RemesaError('invalid', 'invalid_scope', message);
}
