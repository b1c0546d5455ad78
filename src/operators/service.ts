/** The verbs of the operators. Each is audited in its own transaction. */
import { recordAudit } from '../audit/service.js';
import type { Actor, OperatorRole } from '../caller.js';
import { RemesaError } from '../errors.js';
import { FixedWindows, rateLimited } from '../fixed-windows.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { TokenAuthority } from '../tokens/authority.js';
import { standingChanged } from '../tokens/service.js';
import type { Operator } from './operator.js';
import { hashPassword, isPassword } from './password.js';
import { operatorSubject } from './standing.js';
import * as store from './store.js';

export interface By {
  readonly actor: Actor;
  readonly requestId?: string;
}

export const operatorTokenSeconds = 3600;

export { listOperators } from './store.js';

export async function createOperator(
  tx: Transaction,
  by: By,
  given: { login: string; password: string; role: OperatorRole },
): Promise<Operator> {
  const passwordHash = await hashPassword(given.password);
  const operator = await store.addOperator(tx, given.login, passwordHash, given.role);
  if (!operator) throw new RemesaError('conflict', 'login_taken', `The login ${given.login} is taken.`);
  await audit(tx, by, operator, 'operator.created', { toState: 'active', details: { role: given.role } });
  tx.wake(standingChanged);
  return operator;
}

export async function changeOperator(
  tx: Transaction,
  by: By,
  login: string,
  change: { role?: OperatorRole; status?: Operator['status'] },
): Promise<Operator> {
  const operator = await lockExisting(tx, login);
  const changed = { ...operator, ...change };
  if (isAdmin(operator) && !isAdmin(changed)) await refuseLastAdmin(tx, operator);
  await store.saveOperator(tx, changed);
  await audit(tx, by, operator, 'operator.changed', {
    fromState: `${operator.status} ${operator.role}`,
    toState: `${changed.status} ${changed.role}`,
  });
  tx.wake(standingChanged);
  return changed;
}

export async function setPassword(tx: Transaction, by: By, login: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  const operator = await lockExisting(tx, login);
  await store.savePassword(tx, operator.operatorId, passwordHash);
  await audit(tx, by, operator, 'operator.password_set', {});
  tx.wake(standingChanged);
}

const wrongPasswords = { name: 'wrong-passwords', requests: 5, windowSeconds: 300 } as const;

/** Not in the transaction of a request: a password takes its time to check, and no connection should wait for it. */
export async function recordLogin(tx: Transaction, operator: Operator, requestId: string): Promise<void> {
  const { operatorId, role } = operator;
  const by = { actor: { kind: 'operator', operatorId, role }, requestId } as const;
  await audit(tx, by, operator, 'operator.logged_in', {});
}

/** Guesses are counted for the login as seen from one address: whoever guesses elsewhere does not lock its owner out. */
export class OperatorLogin {
  readonly #guesses = new FixedWindows(wrongPasswords.requests, wrongPasswords.windowSeconds);

  constructor(
    readonly database: Queryable,
    readonly authority: TokenAuthority,
    readonly audience: () => string,
  ) {}

  async logIn(
    login: string,
    password: string,
    address: string,
  ): Promise<{ operator: Operator; token: string }> {
    // Counted before the password is looked at, so that many at once do not slip through; given back when it is right.
    const guess = `${address} ${login}`;
    const counted = this.#guesses.count(guess);
    if (counted.left < 0) throw rateLimited(wrongPasswords, counted.resetSeconds);
    const found = await store.findForLogin(this.database, login);
    const isRight = await isPassword(password, found?.passwordHash);
    if (!found || !isRight || found.operator.status !== 'active') {
      throw new RemesaError('unauthenticated', 'unauthorized', 'The login or the password is wrong.');
    }
    this.#guesses.forget(guess);
    const { operator, notBefore } = found;
    const token = await this.authority.issue({
      audience: this.audience(),
      subject: operatorSubject(operator.operatorId),
      clientId: 'operator',
      scope: operator.role,
      userId: undefined,
      notBefore,
      lifetimeSeconds: operatorTokenSeconds,
    });
    return { operator, token };
  }
}

async function refuseLastAdmin(tx: Transaction, operator: Operator): Promise<void> {
  if ((await store.countOtherAdmins(tx, operator.operatorId)) > 0) return;
  throw new RemesaError('conflict', 'last_admin', 'This is the last active admin; make another one first.');
}

function isAdmin(operator: Pick<Operator, 'role' | 'status'>): boolean {
  return operator.role === 'admin' && operator.status === 'active';
}

async function lockExisting(tx: Transaction, login: string): Promise<Operator> {
  const operator = await store.lockOperator(tx, login);
  if (!operator)
    throw new RemesaError('not_found', 'operator_not_found', 'There is no operator with this login.');
  return operator;
}

function audit(
  tx: Transaction,
  by: By,
  { operatorId }: Operator,
  action: string,
  more: Pick<Parameters<typeof recordAudit>[1], 'fromState' | 'toState' | 'details'>,
): Promise<void> {
  return recordAudit(tx, { ...by, action, subject: `operator:${operatorId}`, ...more });
}
