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
  /** Differs after each change of role, status or password. */
  readonly version: string;
}

/** Whether a change gives access: a higher role, an account that is active again, or a new password. */
export function givesAccess(
  { role, status }: Pick<Operator, 'role' | 'status'>,
  change: { readonly role?: OperatorRole; readonly status?: Operator['status']; readonly password?: unknown },
): boolean {
  const rank = (of: OperatorRole) => operatorRoles.indexOf(of);
  const isRaised = rank(change.role ?? role) > rank(role);
  const isEnabled = status === 'disabled' && change.status === 'active';
  return isRaised || isEnabled || change.password !== undefined;
}

export const loginForm = '^[a-z0-9][a-z0-9._@+-]{1,119}$';
export const minPasswordLength = 12;
export const maxPasswordLength = 256;
