/** Decides from memory whether a merchant's tokens are still accepted. The memory is refreshed every few seconds. */
import { type Caller, type GrantedScope, grantableScopes } from '../caller.js';
import { type MerchantId, merchantId, userId } from '../ids.js';
import type { Queryable } from '../postgres/statement.js';
import type { Claims } from '../tokens/access-token.js';
import type { StatusCache } from '../tokens/authority.js';
import { merchantTokenSeconds } from '../tokens/service.js';
import { listMerchantStatuses } from './store.js';

export class MerchantStatusCache implements StatusCache {
  #suspended: ReadonlySet<MerchantId> = new Set();
  #notBefore: ReadonlyMap<MerchantId, number> = new Map();

  constructor(
    readonly database: Queryable,
    readonly audience: () => string,
  ) {}

  async refresh(): Promise<void> {
    const rows = await listMerchantStatuses(this.database, 2 * merchantTokenSeconds);
    this.#suspended = new Set(rows.filter((row) => row.isSuspended).map((row) => row.merchantId));
    this.#notBefore = new Map(rows.map((row) => [row.merchantId, row.notBefore]));
  }

  callerOf(claims: Claims): Caller | undefined {
    const id = readId(claims.subject);
    if (id === undefined) return undefined;
    const claimedScopes = claims.scope.split(' ');
    const granted = new Set<GrantedScope>(grantableScopes.filter((scope) => claimedScopes.includes(scope)));
    return claims.userId === undefined
      ? { kind: 'merchant', merchantId: id, scopes: granted }
      : { kind: 'user', merchantId: id, userId: userId(claims.userId), scopes: granted };
  }

  isStillGood(claims: Claims, caller: Caller): boolean {
    if (caller.kind === 'operator') return false;
    const notBefore = this.#notBefore.get(caller.merchantId) ?? -1;
    return !this.#suspended.has(caller.merchantId) && claims.issuedAt > notBefore;
  }
}

/** The subject is the merchant's number, such as `merchant:7`, because a client id could be reused one day. */
export function merchantSubject(id: MerchantId): string {
  return `merchant:${id}`;
}

function readId(subject: string): MerchantId | undefined {
  const digits = /^merchant:([1-9]\d{0,14})$/.exec(subject)?.[1];
  return digits === undefined ? undefined : merchantId(Number(digits));
}
