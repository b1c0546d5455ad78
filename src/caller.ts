/** Authenticated callers. A verb takes the caller it needs, so an unauthorised call does not compile. */
import type { MerchantId, OperatorId, UserId } from './ids.js';

export const scopes = ['users', 'kyc', 'rates', 'orders', 'webhooks'] as const;
export type Scope = (typeof scopes)[number];

/** What a token may be granted: all that a scope allows, or only what it allows to read. */
export type GrantedScope = Scope | `${Scope}.read`;
const readScopes = scopes.map((scope) => `${scope}.read` as const);
export const grantableScopes: readonly GrantedScope[] = [...scopes, ...readScopes];

/** Whether one of these scopes includes the other. */
export function includesScope(granted: ReadonlySet<GrantedScope>, asked: GrantedScope): boolean {
  if (granted.has(asked)) return true;
  return scopes.some((scope) => asked === `${scope}.read` && granted.has(scope));
}

/** In rising order: each role may do everything that the roles before it may. */
export const operatorRoles = ['viewer', 'reviewer', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

export interface MerchantCaller {
  readonly kind: 'merchant';
  readonly merchantId: MerchantId;
  readonly scopes: ReadonlySet<GrantedScope>;
}

export interface UserCaller {
  readonly kind: 'user';
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  readonly scopes: ReadonlySet<GrantedScope>;
}

export interface OperatorActor {
  readonly kind: 'operator';
  readonly operatorId: OperatorId;
  readonly role: OperatorRole;
}

export interface OperatorCaller extends OperatorActor {
  /** The token of this call, which logging out revokes. */
  readonly token: { readonly tokenId: string; readonly expiresAt: number };
}

export type Caller = MerchantCaller | UserCaller | OperatorCaller;

/** The user that a call is about. It exists and belongs to the merchant. */
export interface SelectedUser {
  readonly id: UserId;
  readonly externalClientId: string;
}

/** The cause of a change, as the audit log names it: a caller, the command line or a job. */
export type Actor = Caller | OperatorActor | { readonly kind: 'system'; readonly name: string };

/** The actor and the request of a change, for the log of changes. Jobs and commands have no `requestId`. */
export interface By {
  readonly actor: Actor;
  readonly requestId?: string;
  /** Set when the change needed two people: the actor approved what another operator had asked for. */
  readonly approval?: { readonly approvalId: string; readonly requestedBy: OperatorId };
}

export interface ByOperator extends By {
  readonly actor: OperatorCaller;
}

/** Who asked for a change, whoever approved it. */
export type Author = Exclude<Actor, OperatorActor | OperatorCaller> | Pick<OperatorActor, 'kind' | 'operatorId'>;

export function authorOf({ actor, approval }: By): Author {
  return approval ? { kind: 'operator', operatorId: approval.requestedBy } : actor;
}

/** The operator who asked for a change that only operators ask for. */
export function operatorOf(by: By): OperatorId {
  const author = authorOf(by);
  if (author.kind !== 'operator') throw new Error('only operators do this');
  return author.operatorId;
}

/** The operator who approved what another one had asked for. Undefined when one person was enough. */
export function approverOf({ actor, approval }: By): OperatorId | undefined {
  return approval && actor.kind === 'operator' ? actor.operatorId : undefined;
}

export function mayAct(operator: OperatorActor, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(operator.role) >= operatorRoles.indexOf(needed);
}
