/** The verbs of operators. Each writes an audit entry in the same transaction. */
import { type ApprovalSubject, endApprovalsJob } from '../approval.js';
import type { By, OperatorCaller, OperatorRole } from '../caller.js';
import type { NewChange } from '../changes/change.js';
import { recordChange } from '../changes/service.js';
import { RemesaError } from '../errors.js';
import { instanceTenant, type OperatorId } from '../ids.js';
import type { Transaction } from '../postgres/statement.js';
import { callerStatusChanged, endToken } from '../tokens/service.js';
import { givesAccess, type Operator } from './operator.js';
import type { PasswordHash } from './password.js';
import * as store from './store.js';

export { findOperator, listOperators, lockRequestsOf } from './store.js';

/** Throws `login_taken` when another operator has the login. */
export async function createOperator(
  tx: Transaction,
  by: By,
  { login, passwordHash, role }: { login: string; passwordHash: PasswordHash; role: OperatorRole },
): Promise<Operator> {
  const operator = await store.addOperator(tx, login, passwordHash, role);
  if (!operator) throw new RemesaError('conflict', 'login_taken', `The login ${login} is taken.`);
  await audit(tx, by, operator, 'operator.created', { toState: 'active', details: { role } });
  tx.wake(callerStatusChanged);
  return operator;
}

export interface OperatorChange {
  readonly role?: OperatorRole;
  readonly status?: Operator['status'];
  readonly passwordHash?: PasswordHash;
}

/** Throws `operator_not_found`, and `last_admin` when no active admin would be left. */
export async function changeOperator(
  tx: Transaction,
  by: By,
  login: string,
  { passwordHash, ...change }: OperatorChange,
): Promise<Operator> {
  const admins = await store.lockActiveAdmins(tx);
  if (passwordHash !== undefined) await setPassword(tx, by, login, passwordHash);
  const operator = await lockExisting(tx, login);
  const changed = { ...operator, ...change };
  if (isAdmin(operator) && !isAdmin(changed)) refuseLastAdmin(operator, admins);
  await store.saveOperator(tx, changed);
  await audit(tx, by, operator, 'operator.changed', {
    fromState: `${operator.status} ${operator.role}`,
    toState: `${changed.status} ${changed.role}`,
  });
  tx.wake(callerStatusChanged);
  // What a disabled operator asked for is not approved any more.
  tx.wake(endApprovalsJob);
  return changed;
}

/** What a change of an account is about; undefined when it takes access away. Throws `operator_not_found`. */
export async function reviewChange(
  tx: Transaction,
  login: string,
  change: Parameters<typeof givesAccess>[1],
): Promise<ApprovalSubject | undefined> {
  const operator = await lockExisting(tx, login);
  if (!givesAccess(operator, change)) return undefined;
  return { subject: recordOf(operator), version: operator.version };
}

/** The name under which approvals know the account. */
export function recordOf({ operatorId }: Pick<Operator, 'operatorId'>): string {
  return `operator:${operatorId}`;
}

/** Throws `operator_not_found`. */
export async function setPassword(tx: Transaction, by: By, login: string, passwordHash: PasswordHash): Promise<void> {
  const operator = await lockExisting(tx, login);
  await store.savePassword(tx, operator.operatorId, passwordHash);
  await audit(tx, by, operator, 'operator.password_set', {});
  tx.wake(callerStatusChanged);
}

/** Ends the token that the operator called with. Other logins of the same operator stay valid. */
export async function logOut(tx: Transaction, caller: OperatorCaller, requestId: string): Promise<void> {
  await endToken(tx, caller.token);
  await audit(tx, { actor: caller, requestId }, caller, 'operator.logged_out', {});
}

export async function recordLogin(tx: Transaction, operator: Operator, requestId: string): Promise<void> {
  const { operatorId, role } = operator;
  const by = { actor: { kind: 'operator', operatorId, role }, requestId } as const;
  await audit(tx, by, operator, 'operator.logged_in', {});
}

function refuseLastAdmin(operator: Operator, admins: readonly OperatorId[]): void {
  if (admins.some((admin) => admin !== operator.operatorId)) return;
  throw new RemesaError(
    'conflict',
    'last_admin',
    'This is the last active admin. Make another operator an admin first.',
  );
}

function isAdmin(operator: Pick<Operator, 'role' | 'status'>): boolean {
  return operator.role === 'admin' && operator.status === 'active';
}

async function lockExisting(tx: Transaction, login: string): Promise<Operator> {
  const operator = await store.lockOperator(tx, login);
  if (!operator) throw new RemesaError('not_found', 'operator_not_found', 'There is no operator with this login.');
  return operator;
}

function audit(
  tx: Transaction,
  by: By,
  { operatorId }: Pick<Operator, 'operatorId'>,
  action: string,
  more: Pick<NewChange, 'fromState' | 'toState' | 'details'>,
): Promise<void> {
  return recordChange(tx, by, { merchantId: instanceTenant, action, subject: `operator:${operatorId}`, ...more });
}
