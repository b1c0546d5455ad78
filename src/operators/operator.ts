/**
 * Owns the operators: the people who run this instance, their roles and their logins.
 * Does not own what operators do: each room has operator routes of its own, which name the role that they need.
 */
import { type OperatorRole, operatorRoles } from '../caller.js';
import type { OperatorId } from '../ids.js';

export interface Operator {
  readonly operatorId: OperatorId;
  readonly login: string;
  readonly role: OperatorRole;
  readonly status: 'active' | 'disabled';
  readonly createdAt: Date;
  /** When the operator was last disabled, also if it is active again. */
  readonly disabledAt: Date | undefined;
  /** Until when the one-time code works. Undefined once the operator has chosen a password. */
  readonly codeExpiresAt: Date | undefined;
  /** Who asked for a one-time code of this account in the last 72 hours, and so may know its password. */
  readonly recentCodeFrom: OperatorId | undefined;
  readonly lastLoginAt: Date | undefined;
  /** Since the last login. */
  readonly failedLogins: number;
  readonly lastFailedAt: Date | undefined;
  readonly hasSecondFactor: boolean;
  /** Differs after each change of role, status or password. */
  readonly version: string;
}

/** Whether a change gives access: a higher role, or an account that is active again. */
export function givesAccess(
  { role, status }: Pick<Operator, 'role' | 'status'>,
  change: { readonly role?: OperatorRole; readonly status?: Operator['status'] },
): boolean {
  const rank = (of: OperatorRole) => operatorRoles.indexOf(of);
  const isRaised = rank(change.role ?? role) > rank(role);
  const isEnabled = status === 'disabled' && change.status === 'active';
  return isRaised || isEnabled;
}

/** Admins of a live instance do nothing before they have a second factor: a password alone can be learnt. */
export function lacksSecondFactor(
  mode: 'sandbox' | 'live',
  { role, hasSecondFactor }: Pick<Operator, 'role' | 'hasSecondFactor'>,
): boolean {
  return mode === 'live' && role === 'admin' && !hasSecondFactor;
}

type Account = Pick<Operator, 'operatorId' | 'recentCodeFrom'>;

/**
 * Whether two accounts are two people, as far as we can tell: in the last 72 hours neither knew a one-time code of the
 * other, and nobody knew one of both.
 */
export function areIndependent(left: Account, right: Account): boolean {
  if (left.recentCodeFrom === right.operatorId || right.recentCodeFrom === left.operatorId) return false;
  return left.recentCodeFrom === undefined || left.recentCodeFrom !== right.recentCodeFrom;
}

/** How long a one-time code can be exchanged for a password. */
export const codeLifetimeHours = 24;

export const loginForm = '^[a-z0-9][a-z0-9._@+-]{1,119}$';
export const minPasswordLength = 12;
export const maxPasswordLength = 256;
