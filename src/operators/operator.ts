/**
 * Owns the operators: the people who run this instance, their roles and their logins.
 * Does not own what operators do: each room has operator routes of its own, which name the role that they need.
 */
import type { OperatorRole } from '../caller.js';
import type { OperatorId } from '../ids.js';

export interface Operator {
  readonly operatorId: OperatorId;
  readonly login: string;
  readonly role: OperatorRole;
  readonly status: 'active' | 'disabled';
  readonly createdAt: Date;
}

export const loginForm = '^[a-z0-9][a-z0-9._@+-]{1,119}$';
export const minPasswordLength = 12;
export const maxPasswordLength = 256;
