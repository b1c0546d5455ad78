/**
 * Issues tokens and authenticates callers by them. A verified token is cached until it expires, because verifying costs
 * hundreds of microseconds. Whatever ends a token earlier is read from the database often enough to take effect within
 * 5 s.
 */
import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Caller } from '../caller.js';
import type { Clock } from '../clock.js';
import { databaseUnavailable } from '../postgres/failure.js';
import type { Queryable } from '../postgres/statement.js';
import { Refresher } from '../worker/refresher.js';
import { type Claims, claimedKeyId, signToken, verifyToken } from './access-token.js';
import { isUnexpired, openSigningKey, type PublicJwk, type SigningKey, signingNow } from './signing-key.js';
import { listRevokedTokens, listSigningKeys } from './store.js';

/** A room that has callers implements this: it decides whether a caller's token is still accepted. */
export interface StatusCache {
  readonly audience: () => string;
  /** Reads the database again. */
  refresh(): Promise<void>;
  callerOf(claims: Claims): Caller | undefined;
  /** Called for every request, so it must answer from memory. */
  isStillGood(claims: Claims, caller: Caller): boolean;
}

export interface AuthorityOptions {
  readonly database: Queryable;
  readonly sealingKey: Buffer;
  readonly clock: Clock;
  readonly issuer: () => string;
  readonly statusCaches: readonly StatusCache[];
  /** Overrides the size of the cache, for tests that cannot fill the real one. */
  readonly cacheAtMost?: number;
}

const refreshEveryMs = 2_000;
const staleAfterMs = 5_000;
const leastBetweenRefreshesMs = 250;
const cacheAtMost = 20_000;

interface RingKey {
  readonly key: SigningKey;
  readonly publicJwk: PublicJwk;
  readonly publicKey: KeyObject;
}

interface VerifiedToken {
  readonly claims: Claims;
  readonly caller: Caller;
  readonly statusCache: StatusCache;
}

export class TokenAuthority extends Refresher {
  readonly #options: AuthorityOptions;
  #ring = new Map<string, RingKey>();
  #revoked: ReadonlySet<string> = new Set();
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #refreshedAt = new Date(0);
  readonly #privateKeys = new Map<string, KeyObject>();
  readonly #verified = new Map<string, VerifiedToken>();

  constructor(options: AuthorityOptions) {
    // After failed refreshes the authority is stale, and refuses to answer.
    super(() => this.#load(), refreshEveryMs);
    this.#options = options;
  }

  publicKeys(): PublicJwk[] {
    return [...this.#ring.values()].map(({ publicJwk }) => publicJwk);
  }

  /** Throws `database_unavailable` when no signing key is active. */
  async issue(
    token: Pick<Claims, 'audience' | 'subject' | 'clientId' | 'scope' | 'userId'> & {
      /** The subject's tokens issued up to this second were ended, so the new token is dated after it. */
      notBefore: number;
      lifetimeSeconds: number;
    },
  ): Promise<string> {
    const now = this.#options.clock.now();
    const key = signingNow(
      [...this.#ring.values()].map((entry) => entry.key),
      now,
    );
    if (!key) throw databaseUnavailable(new Error('no signing key is active'));
    const { lifetimeSeconds, notBefore, ...claims } = token;
    const issuedAt = Math.max(Math.floor(now.getTime() / 1000), notBefore + 1);
    const allClaims = {
      ...claims,
      issuer: this.#options.issuer(),
      tokenId: randomBytes(16).toString('base64url'),
      issuedAt,
      expiresAt: issuedAt + lifetimeSeconds,
    };
    return signToken(allClaims, { keyId: key.keyId, privateKey: this.#privateKey(key) });
  }

  /**
   * Undefined for a token that is not accepted, whatever the reason. Throws when the cache is stale and the database
   * cannot be read.
   */
  async authenticate(token: string): Promise<Caller | undefined> {
    if (this.#isStale()) await this.refresh();
    const cached = this.#verified.get(token);
    if (cached) return this.#isAccepted(cached) ? cached.caller : undefined;
    return this.#authenticateNew(token);
  }

  /** Returns the claims of a genuine token, whether or not it is still accepted. */
  async claimsOf(token: string): Promise<Claims | undefined> {
    return (await this.#verify(token))?.claims;
  }

  /**
   * A token that seems not to be accepted may be newer than our data, so the data is read again before it is refused.
   */
  async #authenticateNew(token: string): Promise<Caller | undefined> {
    const verified = await this.#verify(token);
    if (!verified) return undefined;
    if (!this.#isAccepted(verified))
      await (this.#wasIssuedSinceRefresh(verified) ? this.refresh() : this.#refreshUnlessJustDone());
    if (!this.#isAccepted(verified)) return undefined;
    this.#cache(token, verified);
    return verified.caller;
  }

  /**
   * Another node may have issued it, perhaps to a caller that we do not know yet. Tokens are dated in whole seconds.
   */
  #wasIssuedSinceRefresh({ claims }: VerifiedToken): boolean {
    return (claims.issuedAt + 1) * 1000 > this.#refreshedAt.getTime();
  }

  #isStale(): boolean {
    return performance.now() - this.#refreshedAtMs > staleAfterMs;
  }

  #isAccepted({ claims, caller, statusCache }: VerifiedToken): boolean {
    const now = this.#options.clock.now();
    const key = this.#ring.get(claims.keyId)?.key;
    const isInTime = claims.expiresAt * 1000 > now.getTime() && key !== undefined && isUnexpired(key, now);
    return isInTime && !this.#revoked.has(claims.tokenId) && statusCache.isStillGood(claims, caller);
  }

  async #verify(token: string): Promise<VerifiedToken | undefined> {
    const keyId = claimedKeyId(token);
    if (keyId === undefined) return undefined;
    const key = await this.#keyOf(keyId);
    if (!key) return undefined;
    const { issuer, clock, statusCaches } = this.#options;
    const audiences = statusCaches.map((statusCache) => statusCache.audience());
    const claims = await verifyToken(token, key, { issuer: issuer(), audiences, now: clock.now() });
    const statusCache = statusCaches.find((cache) => cache.audience() === claims?.audience);
    const caller = claims && statusCache?.callerOf(claims);
    return claims && statusCache && caller ? { claims, statusCache, caller } : undefined;
  }

  /** Reads the keys again for an unknown id, because another node may sign with a newer key. */
  async #keyOf(keyId: string): Promise<RingKey | undefined> {
    if (!this.#ring.has(keyId)) await this.#refreshUnlessJustDone();
    return this.#ring.get(keyId);
  }

  /** Limits the refreshes, so that a flood of unknown tokens does not become a flood of queries. */
  async #refreshUnlessJustDone(): Promise<void> {
    if (performance.now() - this.#refreshedAtMs > leastBetweenRefreshesMs) await this.refresh();
  }

  #cache(token: string, verified: VerifiedToken): void {
    if (this.#verified.size >= (this.#options.cacheAtMost ?? cacheAtMost)) {
      const [oldest] = this.#verified.keys();
      if (oldest !== undefined) this.#verified.delete(oldest);
    }
    this.#verified.set(token, verified);
  }

  #privateKey(key: SigningKey): KeyObject {
    const opened = this.#privateKeys.get(key.keyId) ?? openSigningKey(this.#options.sealingKey, key);
    this.#privateKeys.set(key.keyId, opened);
    return opened;
  }

  async #load(): Promise<void> {
    const beganAtMs = performance.now();
    const { database, statusCaches, clock } = this.#options;
    const beganAt = clock.now();
    const [keys, revoked] = await Promise.all([
      listSigningKeys(database),
      listRevokedTokens(database),
      ...statusCaches.map((statusCache) => statusCache.refresh()),
    ]);
    this.#ring = new Map(keys.map((key) => [key.keyId, this.#ring.get(key.keyId) ?? ringKey(key)]));
    for (const key of keys) this.#ring.set(key.keyId, { ...(this.#ring.get(key.keyId) as RingKey), key });
    this.#revoked = revoked;
    this.#refreshedAtMs = beganAtMs;
    this.#refreshedAt = beganAt;
    this.#forgetExpired();
  }

  #forgetExpired(): void {
    const nowSeconds = this.#options.clock.now().getTime() / 1000;
    for (const [token, { claims }] of this.#verified) {
      if (claims.expiresAt <= nowSeconds) this.#verified.delete(token);
    }
  }
}

function ringKey(key: SigningKey): RingKey {
  const publicKey = createPublicKey({ key: { ...key.publicKey }, format: 'jwk' });
  return { key, publicJwk: key.publicKey, publicKey };
}
