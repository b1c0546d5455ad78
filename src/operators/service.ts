/** The verbs of operators. Each writes an audit entry in the same transaction. */
import { type ApprovalSubject, endApprovalsJob } from '../approval.js';
import { authorOf, type By, type OperatorCaller, type OperatorRole } from '../caller.js';
import type { NewChange } from '../changes/change.js';
import { recordChange } from '../changes/service.js';
import { RemesaError } from '../errors.js';
import { instanceTenant, type OperatorId } from '../ids.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { callerStatusChanged, endToken } from '../tokens/service.js';
import { countFailedLogin } from './failed-logins.js';
import { codeLifetimeHours, givesAccess, type Operator } from './operator.js';
import type { PasswordHash } from './password.js';
import { simulatedOperator } from './simulated.js';
import * as store from './store.js';

export { findOperator, listOperators, lockRequestsOf } from './store.js';

/** Throws `operator_not_found`. */
export async function getOperator(database: Queryable, id: OperatorId): Promise<Operator> {
  const operator = await store.findOperator(database, id);
  if (!operator) throw operatorNotFound();
  return operator;
}

/** The logins of all operators by their ids. */
export async function loginsOf(database: Queryable): Promise<ReadonlyMap<OperatorId, string>> {
  const operators = await store.listOperators(database);
  return new Map([
    [simulatedOperator.operatorId, 'sandbox'],
    ...operators.map(({ operatorId: id, login }) => [id, login] as const),
  ]);
}

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

/** An account whose one-time code was just issued. */
export interface InvitedOperator {
  readonly operator: Operator;
  readonly codeExpiresAt: Date;
}

/** Creates an account that a one-time code opens. Throws `login_taken`. */
export async function inviteOperator(
  tx: Transaction,
  by: By,
  { login, codeHash, role }: { login: string; codeHash: PasswordHash; role: OperatorRole },
): Promise<InvitedOperator> {
  const operator = await createOperator(tx, by, { login, passwordHash: codeHash, role });
  return { operator, codeExpiresAt: await issueCode(tx, by, operator, codeHash) };
}

/** Replaces the password by a one-time code, and ends all sessions. Throws `operator_not_found`. */
export async function resetPassword(
  tx: Transaction,
  by: By,
  login: string,
  codeHash: PasswordHash,
): Promise<InvitedOperator> {
  const operator = await lockExisting(tx, login);
  return { operator, codeExpiresAt: await issueCode(tx, by, operator, codeHash) };
}

async function issueCode(tx: Transaction, by: By, operator: Operator, codeHash: PasswordHash): Promise<Date> {
  const author = authorOf(by);
  const issuedBy = author.kind === 'operator' ? author.operatorId : undefined;
  const lifetimeHours = codeLifetimeHours;
  const codeExpiresAt = await store.saveCode(tx, operator.operatorId, { codeHash, issuedBy, lifetimeHours });
  await audit(tx, by, operator, 'operator.code_issued', {});
  tx.wake(callerStatusChanged);
  return codeExpiresAt;
}

/** The role and status of an account, which other operators change. */
export type OperatorChange = Partial<Pick<Operator, 'role' | 'status'>>;

/**
 * Throws `operator_not_found`, `own_account` when operators change their own role or status, and `last_admin` when
 * fewer than `leastAdmins` would be left who are active and have chosen a password.
 */
export async function changeOperator(
  tx: Transaction,
  by: By,
  login: string,
  change: OperatorChange,
  leastAdmins = 1,
): Promise<Operator> {
  const admins = await store.lockActiveAdmins(tx);
  const operator = await lockExisting(tx, login);
  const changed = { ...operator, ...change };
  const states = [operator, changed].map(({ status, role }) => `${status} ${role}`);
  const [fromState, toState] = states as [string, string];
  if (fromState !== toState) refuseOwn(by, operator);
  if (isAdmin(operator) && !isAdmin(changed)) refuseLastAdmin(operator, admins, leastAdmins);
  await store.saveOperator(tx, changed);
  await audit(tx, by, operator, 'operator.changed', { fromState, toState });
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

/** What a new one-time code is about. Throws `operator_not_found`. */
export async function reviewReset(tx: Transaction, login: string): Promise<ApprovalSubject> {
  const operator = await lockExisting(tx, login);
  return { subject: recordOf(operator), version: operator.version };
}

/** What a change of the account is compared with. Throws `operator_not_found`. */
export async function accessOf(tx: Transaction, login: string): Promise<Required<OperatorChange>> {
  const { role, status } = await lockExisting(tx, login);
  return { role, status };
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

/**
 * The operator chooses a password, knowing the one before or a one-time code. All tokens end: returns up to which
 * second. Throws `unauthorized` when the password was changed meanwhile.
 */
export async function choosePassword(
  tx: Transaction,
  by: By,
  operator: Pick<Operator, 'operatorId'>,
  change: { readonly knownHash: PasswordHash; readonly passwordHash: PasswordHash },
): Promise<number> {
  const notBefore = await store.changeKnownPassword(tx, operator.operatorId, change);
  if (notBefore === undefined) throw changedMeanwhile();
  await audit(tx, by, operator, 'operator.password_chosen', {});
  tx.wake(callerStatusChanged);
  return notBefore;
}

/** Ends the token that the operator called with. Other logins of the same operator stay valid. */
export async function logOut(tx: Transaction, caller: OperatorCaller, requestId: string): Promise<void> {
  await endToken(tx, caller.token);
  await audit(tx, { actor: caller, requestId }, caller, 'operator.logged_out', {});
}

/**
 * `version` is that of the operator when the password was checked; absent if it was chosen in this transaction. Throws
 * `unauthorized` when the password, role or status was changed since: what was checked opens nothing any more.
 */
export async function recordLogin(
  tx: Transaction,
  by: By,
  { operatorId, version }: Pick<Operator, 'operatorId'> & { readonly version?: string | undefined },
): Promise<void> {
  if (!(await store.saveLogin(tx, operatorId, version))) throw changedMeanwhile();
  await audit(tx, by, { operatorId }, 'operator.logged_in', {});
}

/** The password was right and the code of the app was wrong. Call it after the failed attempt was rolled back. */
export async function recordWrongCode(
  tx: Transaction,
  login: string,
  { address, requestId }: { readonly address: string; readonly requestId: string },
): Promise<void> {
  countFailedLogin('wrong_code');
  const operator = await store.lockOperator(tx, login);
  if (!operator) return;
  await store.saveFailedLogin(tx, operator.operatorId);
  const by = { actor: { kind: 'system', name: 'login' }, requestId } as const;
  await audit(tx, by, operator, 'operator.login_failed', { details: { address, reason: 'wrong_code' } });
}

function refuseOwn(by: By, { operatorId }: Operator): void {
  const author = authorOf(by);
  if (author.kind !== 'operator' || author.operatorId !== operatorId) return;
  throw new RemesaError('conflict', 'own_account', 'Another admin must change your role or disable your account.');
}

/** An admin who has not chosen a password yet does not count, and can always be removed. */
function refuseLastAdmin({ operatorId }: Operator, admins: readonly OperatorId[], leastAdmins: number): void {
  if (!admins.includes(operatorId) || admins.length > leastAdmins) return;
  const message =
    leastAdmins === 1
      ? 'This is the last active admin. Make another operator an admin first.'
      : `Actions need a second operator, so ${leastAdmins} active admins must stay. Make another operator an admin first.`;
  throw new RemesaError('conflict', 'last_admin', message);
}

function isAdmin(operator: Pick<Operator, 'role' | 'status'>): boolean {
  return operator.role === 'admin' && operator.status === 'active';
}

async function lockExisting(tx: Transaction, login: string): Promise<Operator> {
  const operator = await store.lockOperator(tx, login);
  if (!operator) throw operatorNotFound();
  return operator;
}

export function changedMeanwhile(): RemesaError {
  return new RemesaError('unauthenticated', 'unauthorized', 'The account was changed meanwhile. Log in again.');
}

function operatorNotFound(): RemesaError {
  return new RemesaError('not_found', 'operator_not_found', 'There is no operator with this login.');
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
