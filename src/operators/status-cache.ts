/** Decides from memory whether an operator's token is still accepted. There are few operators, so all are in memory. */
import { type Caller, operatorRoles } from '../caller.js';
import { type OperatorId, operatorId } from '../ids.js';
import type { Queryable } from '../postgres/statement.js';
import type { Claims } from '../tokens/access-token.js';
import type { StatusCache } from '../tokens/authority.js';
import { listOperatorStatuses, type OperatorStatusRow } from './store.js';

export class OperatorStatusCache implements StatusCache {
  #active: ReadonlyMap<OperatorId, OperatorStatusRow> = new Map();

  constructor(
    readonly database: Queryable,
    readonly audience: () => string,
  ) {}

  async refresh(): Promise<void> {
    this.#active = new Map((await listOperatorStatuses(this.database)).map((row) => [row.operatorId, row]));
  }

  callerOf(claims: Claims): Caller | undefined {
    const digits = /^operator:([1-9]\d{0,14})$/.exec(claims.subject)?.[1];
    const role = operatorRoles.find((candidate) => candidate === claims.scope);
    if (digits === undefined || !role) return undefined;
    const { tokenId, expiresAt } = claims;
    return {
      kind: 'operator',
      operatorId: operatorId(Number(digits)),
      role,
      token: { tokenId, expiresAt },
    };
  }

  readonly loginOf = (id: OperatorId): string | undefined => this.#active.get(id)?.login;

  isStillGood(claims: Claims, caller: Caller): boolean {
    const current = caller.kind === 'operator' ? this.#active.get(caller.operatorId) : undefined;
    return current !== undefined && current.role === claims.scope && claims.issuedAt > current.notBefore;
  }
}

export function operatorSubject(id: OperatorId): string {
  return `operator:${id}`;
}
