/** Declares who may call a route, and derives the type of its caller from that. */
import type { By, MerchantCaller, OperatorCaller, OperatorRole, Scope, SelectedUser, UserCaller } from '../caller.js';

/** `user` declares whether the call is about one user, selected by the user token or by the query. */
export interface MerchantAccess {
  readonly token: 'merchant' | 'user' | 'either';
  readonly scope: Scope;
  readonly user: 'none' | 'optional' | 'required';
  /** What a GET answers is not for tokens that may only read, because whoever knows it can take money. */
  readonly isSecret?: boolean;
}
export interface OperatorAccess {
  readonly token: 'operator';
  readonly role: OperatorRole;
}
export interface PublicAccess {
  readonly token: 'none';
}
export type Access = MerchantAccess | OperatorAccess | PublicAccess;

export type CallerOf<A extends Access> = A extends OperatorAccess
  ? OperatorCaller
  : A extends PublicAccess
    ? undefined
    : A extends { token: 'merchant' }
      ? MerchantCaller
      : A extends { token: 'user' }
        ? UserCaller
        : MerchantCaller | UserCaller;

/** The caller as the audit log names it; undefined for a caller without a token. */
export type ByOf<A extends Access> = A extends PublicAccess
  ? undefined
  : By & { readonly actor: CallerOf<A>; readonly requestId: string };

export type UserOf<A extends Access> = A extends { user: 'required' }
  ? SelectedUser
  : A extends { user: 'optional' }
    ? SelectedUser | undefined
    : undefined;
