/**
 * Issues tokens and says who holds one. A verified token is remembered until it expires, because verifying costs
 * hundreds of microseconds; what may end it earlier is read from the database often enough to bite within 5 s.
 */
import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Caller } from '../caller.js';
import type { Clock } from '../clock.js';
import { databaseUnavailable } from '../postgres/failure.js';
import type { Queryable } from '../postgres/statement.js';
import { type Claims, claimedKeyId, signToken, verifyToken } from './access-token.js';
import { isAlive, openSigningKey, type PublicJwk, type SigningKey, signingNow } from './signing-key.js';
import { listRevokedTokens, listSigningKeys } from './store.js';

/** What a room that has callers of its own knows of them. */
export interface StatusCache {
  readonly audience: () => string;
  /** Reads anew what may have changed. */
  refresh(): Promise<void>;
  callerOf(claims: Claims): Caller | undefined;
  /** Asked at every request, so it answers from memory. */
  isStillGood(claims: Claims, caller: Caller): boolean;
}

export interface AuthorityOptions {
  readonly database: Queryable;
  readonly sealingKey: Buffer;
  readonly clock: Clock;
  readonly issuer: () => string;
  readonly statusCaches: readonly StatusCache[];
  /** Another bound, for a test that can not fill the real one. */
  readonly rememberAtMost?: number;
}

const refreshEveryMs = 2_000;
const staleAfterMs = 5_000;
const leastBetweenRefreshesMs = 250;
const rememberAtMost = 20_000;

interface RingKey {
  readonly key: SigningKey;
  readonly publicJwk: PublicJwk;
  readonly publicKey: KeyObject;
}

interface Remembered {
  readonly claims: Claims;
  readonly caller: Caller;
  readonly statusCache: StatusCache;
}

export class TokenAuthority {
  #ring = new Map<string, RingKey>();
  #revoked: ReadonlySet<string> = new Set();
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #refreshedAt = new Date(0);
  #refreshing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #privateKeys = new Map<string, KeyObject>();
  readonly #remembered = new Map<string, Remembered>();

  constructor(readonly options: AuthorityOptions) {}

  async start(): Promise<void> {
    await this.refresh();
    // A refresh that fails is tried again by the next; until then what is remembered grows stale and is not used.
    this.#timer = setInterval(() => this.refresh().catch(() => {}), refreshEveryMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** One at a time: who asks while one is under way waits for the next, so that it sees what he has just written. */
  async refresh(): Promise<void> {
    await this.#refreshing?.catch(() => {});
    this.#refreshing ??= this.#load().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  publicKeys(): PublicJwk[] {
    return [...this.#ring.values()].map(({ publicJwk }) => publicJwk);
  }

  async issue(
    what: Pick<Claims, 'audience' | 'subject' | 'clientId' | 'scope' | 'userId'> & {
      /** The second up to which the subject's tokens were ended: the new one is dated after it. */
      notBefore: number;
      lifetimeSeconds: number;
    },
  ): Promise<string> {
    const now = this.options.clock.now();
    const key = signingNow(
      [...this.#ring.values()].map((entry) => entry.key),
      now,
    );
    if (!key) throw databaseUnavailable(new Error('no signing key is active'));
    const { lifetimeSeconds, notBefore, ...claims } = what;
    const issuedAt = Math.max(Math.floor(now.getTime() / 1000), notBefore + 1);
    const whole = {
      ...claims,
      issuer: this.options.issuer(),
      tokenId: randomBytes(16).toString('base64url'),
      issuedAt,
      expiresAt: issuedAt + lifetimeSeconds,
    };
    return signToken(whole, { keyId: key.keyId, privateKey: this.#privateKey(key) });
  }

  /** Not a promise for a token that is remembered: that is nearly every request. */
  authenticate(token: string): Caller | undefined | Promise<Caller | undefined> {
    if (this.#isStale()) return this.refresh().then(() => this.authenticate(token));
    const known = this.#remembered.get(token);
    if (known) return this.#isGood(known) ? known.caller : undefined;
    return this.#meet(token);
  }

  /** The claims of a genuine token, whether or not it still opens anything. */
  async claimsOf(token: string): Promise<Claims | undefined> {
    return (await this.#verify(token))?.claims;
  }

  /** A token seen for the first time. What we hold against it may be old news, so it is looked up once more. */
  async #meet(token: string): Promise<Caller | undefined> {
    const found = await this.#verify(token);
    if (!found) return undefined;
    if (!this.#isGood(found)) await (this.#isNews(found) ? this.refresh() : this.#refreshUnlessJustDone());
    if (!this.#isGood(found)) return undefined;
    this.#remember(token, found);
    return found.caller;
  }

  /** Issued after we last looked, as far as seconds tell: by another node, and perhaps for somebody new. */
  #isNews({ claims }: Remembered): boolean {
    return (claims.issuedAt + 1) * 1000 > this.#refreshedAt.getTime();
  }

  #isStale(): boolean {
    return performance.now() - this.#refreshedAtMs > staleAfterMs;
  }

  #isGood({ claims, caller, statusCache }: Remembered): boolean {
    const now = this.options.clock.now();
    const key = this.#ring.get(claims.keyId)?.key;
    const isInTime = claims.expiresAt * 1000 > now.getTime() && key !== undefined && isAlive(key, now);
    return isInTime && !this.#revoked.has(claims.tokenId) && statusCache.isStillGood(claims, caller);
  }

  async #verify(token: string): Promise<Remembered | undefined> {
    const keyId = claimedKeyId(token);
    if (keyId === undefined) return undefined;
    const key = await this.#keyOf(keyId);
    if (!key) return undefined;
    const { issuer, clock, statusCaches } = this.options;
    const audiences = statusCaches.map((statusCache) => statusCache.audience());
    const claims = await verifyToken(token, key, { issuer: issuer(), audiences, now: clock.now() });
    const statusCache = statusCaches.find((one) => one.audience() === claims?.audience);
    const caller = claims && statusCache?.callerOf(claims);
    return claims && statusCache && caller ? { claims, statusCache, caller } : undefined;
  }

  /** Another node may have begun to sign with a key that we have not read yet. */
  async #keyOf(keyId: string): Promise<RingKey | undefined> {
    if (!this.#ring.has(keyId)) await this.#refreshUnlessJustDone();
    return this.#ring.get(keyId);
  }

  /** Bounded, so that a flood of strange tokens does not become a flood of queries. */
  async #refreshUnlessJustDone(): Promise<void> {
    if (performance.now() - this.#refreshedAtMs > leastBetweenRefreshesMs) await this.refresh();
  }

  #remember(token: string, found: Remembered): void {
    if (this.#remembered.size >= (this.options.rememberAtMost ?? rememberAtMost)) {
      const [oldest] = this.#remembered.keys();
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    this.#remembered.set(token, found);
  }

  #privateKey(key: SigningKey): KeyObject {
    const opened = this.#privateKeys.get(key.keyId) ?? openSigningKey(this.options.sealingKey, key);
    this.#privateKeys.set(key.keyId, opened);
    return opened;
  }

  async #load(): Promise<void> {
    const beganAtMs = performance.now();
    const { database, statusCaches, clock } = this.options;
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
    const nowSeconds = this.options.clock.now().getTime() / 1000;
    for (const [token, { claims }] of this.#remembered) {
      if (claims.expiresAt <= nowSeconds) this.#remembered.delete(token);
    }
  }
}

function ringKey(key: SigningKey): RingKey {
  const publicKey = createPublicKey({ key: { ...key.publicKey }, format: 'jwk' });
  return { key, publicJwk: key.publicKey, publicKey };
}
