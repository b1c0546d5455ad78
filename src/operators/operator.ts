/**
 * Owns the operators: the people who run this instance, their roles and their logins.
 * Does not own what they do: each room has its own operator routes, and each names the role that it needs.
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
export const shortestPassword = 12;
export const longestPassword = 256;
