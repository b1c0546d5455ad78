/** SQL on the operators. They belong to no merchant. */
import type { OperatorRole } from '../caller.js';
import { type OperatorId, operatorId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { notBeforeSecond } from '../tokens/not-before.js';
import type { Operator } from './operator.js';
import type { PasswordHash } from './password.js';

interface OperatorRow {
  operator_id: bigint;
  login: string;
  role: OperatorRole;
  status: 'active' | 'disabled';
  created_at: Date;
  disabled_at: Date | null;
  code_expires_at: Date | null;
  recent_code_from: bigint | null;
  last_login_at: Date | null;
  failed_logins: number;
  last_failed_at: Date | null;
  has_second_factor: boolean;
  version: string;
}

/**
 * Later than before, also within one moment. In UTC, where adding a second does not depend on settings of the server.
 */
const nextNotBefore = `greatest(statement_timestamp(),
            (tokens_not_before AT TIME ZONE 'UTC' + interval '1 second') AT TIME ZONE 'UTC')`;
const columns = `operator_id, login, role, status, created_at, disabled_at, code_expires_at, last_login_at,
  failed_logins, last_failed_at, second_factor IS NOT NULL AS has_second_factor,
  CASE WHEN code_issued_at > statement_timestamp() - interval '72 hours' THEN code_issued_by END AS recent_code_from,
  extract(epoch FROM tokens_not_before)::text AS version`;

const insertOperator = statement(
  'operators.insert',
  `INSERT INTO operators (login, password_hash, role) VALUES ($login, $passwordHash, $role)
   ON CONFLICT (login) DO NOTHING RETURNING operator_id`,
).rows<{ operator_id: bigint }>();
const updateCode = statement(
  'operators.update-code',
  `UPDATE operators SET password_hash = $codeHash, second_factor = NULL, code_issued_by = $issuedBy, code_issued_at = statement_timestamp(),
          code_expires_at = statement_timestamp() + make_interval(hours => $lifetimeHours),
          tokens_not_before = ${nextNotBefore}
    WHERE operator_id = $operatorId
   RETURNING code_expires_at`,
).rows<{ code_expires_at: Date }>();
const replacePassword = statement(
  'operators.replace-password',
  `UPDATE operators SET password_hash = $passwordHash, code_expires_at = NULL,
          tokens_not_before = ${nextNotBefore}
    WHERE operator_id = $operatorId AND password_hash = $knownHash AND status = 'active'
      AND (code_expires_at IS NULL OR code_expires_at > statement_timestamp())
   RETURNING 1 AS replaced`,
).rows<{ replaced: number }>();
const findNotBefore = statement(
  'operators.find-not-before',
  `SELECT extract(epoch FROM tokens_not_before)::float8 AS not_before FROM operators WHERE operator_id = $operatorId`,
).rows<{ not_before: number | null }>();
const noteLogin = statement(
  'operators.note-login',
  `UPDATE operators SET last_login_at = statement_timestamp(), failed_logins = 0
    WHERE operator_id = $operatorId
      AND ($version::text IS NULL OR extract(epoch FROM tokens_not_before)::text = $version)
   RETURNING 1 AS noted`,
).rows<{ noted: number }>();
const noteFailedLogin = statement(
  'operators.note-failed-login',
  `UPDATE operators SET failed_logins = failed_logins + 1, last_failed_at = statement_timestamp()
    WHERE operator_id = $operatorId`,
);
const lockByLogin = statement(
  'operators.lock-by-login',
  `SELECT ${columns} FROM operators WHERE login = $login FOR UPDATE`,
).rows<OperatorRow>();
const lockById = statement(
  'operators.lock',
  'SELECT operator_id FROM operators WHERE operator_id = $operatorId FOR NO KEY UPDATE',
);
const findById = statement(
  'operators.find',
  `SELECT ${columns} FROM operators WHERE operator_id = $operatorId`,
).rows<OperatorRow>();
const listAll = statement('operators.list', `SELECT ${columns} FROM operators ORDER BY login`).rows<OperatorRow>();
const findPassword = statement(
  'operators.find-password',
  `SELECT ${columns}, password_hash,
          extract(epoch FROM tokens_not_before)::float8 AS not_before,
          coalesce(code_expires_at <= statement_timestamp(), false) AS is_code_expired
     FROM operators WHERE login = $login`,
).rows<OperatorRow & { password_hash: PasswordHash; not_before: number | null; is_code_expired: boolean }>();
const updateOperator = statement(
  'operators.update',
  `UPDATE operators SET role = $role, status = $status,
          tokens_not_before = ${nextNotBefore}
    WHERE operator_id = $operatorId`,
);
const updatePassword = statement(
  'operators.update-password',
  `UPDATE operators SET password_hash = $passwordHash, code_expires_at = NULL,
          tokens_not_before = ${nextNotBefore}
    WHERE operator_id = $operatorId`,
);
const lockAdmins = statement(
  'operators.lock-admins',
  `SELECT operator_id FROM operators WHERE role = 'admin' AND status = 'active' AND code_expires_at IS NULL
    ORDER BY operator_id FOR UPDATE`,
).rows<{ operator_id: bigint }>();
const listStatuses = statement(
  'operators.list-statuses',
  `SELECT operator_id, login, role, extract(epoch FROM tokens_not_before)::float8 AS not_before
     FROM operators WHERE status = 'active'`,
).rows<{ operator_id: bigint; login: string; role: OperatorRole; not_before: number | null }>();

/** Undefined when the login is taken. */
export async function addOperator(
  tx: Transaction,
  login: string,
  passwordHash: PasswordHash,
  role: OperatorRole,
): Promise<Operator | undefined> {
  const [row] = await tx.query(insertOperator, { login, passwordHash, role });
  return row && findOperator(tx, operatorId(row.operator_id));
}

export async function lockOperator(tx: Transaction, login: string): Promise<Operator | undefined> {
  return toOperator((await tx.query(lockByLogin, { login }))[0]);
}

/** Makes requests of one operator wait for each other, whichever merchant they are about. */
export async function lockRequestsOf(tx: Transaction, id: OperatorId): Promise<void> {
  await tx.query(lockById, { operatorId: id });
}

export async function findOperator(database: Queryable, id: OperatorId): Promise<Operator | undefined> {
  return toOperator((await database.query(findById, { operatorId: id }))[0]);
}

export async function listOperators(database: Queryable): Promise<Operator[]> {
  return (await database.query(listAll)).flatMap((row) => toOperator(row) ?? []);
}

export interface Credentials {
  readonly operator: Operator;
  /** Of the password, or of the one-time code. */
  readonly passwordHash: PasswordHash;
  readonly notBefore: number;
  readonly isCodeExpired: boolean;
}

export async function findForLogin(database: Queryable, login: string): Promise<Credentials | undefined> {
  const [row] = await database.query(findPassword, { login });
  const operator = toOperator(row);
  if (!row || !operator) return undefined;
  const { password_hash: passwordHash, not_before: notBefore, is_code_expired: isCodeExpired } = row;
  return { operator, passwordHash, notBefore: notBeforeSecond(notBefore), isCodeExpired };
}

/** Also ends all tokens of the operator, who must log in again. */
export async function saveOperator(tx: Transaction, operator: Operator): Promise<void> {
  await tx.query(updateOperator, operator);
}

export async function savePassword(tx: Transaction, id: OperatorId, passwordHash: PasswordHash): Promise<void> {
  await tx.query(updatePassword, { operatorId: id, passwordHash });
}

/**
 * Replaces the password and the second factor by a one-time code, and ends all tokens of the operator. Returns when the
 * code expires.
 */
export async function saveCode(
  tx: Transaction,
  id: OperatorId,
  code: { readonly codeHash: PasswordHash; readonly issuedBy: OperatorId | undefined; readonly lifetimeHours: number },
): Promise<Date> {
  const [row] = await tx.query(updateCode, { operatorId: id, ...code });
  if (!row) throw new Error('the operator does not exist');
  return row.code_expires_at;
}

/**
 * Ends all tokens of the operator, and returns up to which second. Undefined when the password or code is another one
 * by now, has expired, or the operator was disabled.
 */
export async function changeKnownPassword(
  tx: Transaction,
  id: OperatorId,
  change: { readonly knownHash: PasswordHash; readonly passwordHash: PasswordHash },
): Promise<number | undefined> {
  if ((await tx.query(replacePassword, { operatorId: id, ...change })).length === 0) return undefined;
  const [row] = await tx.query(findNotBefore, { operatorId: id });
  return row && notBeforeSecond(row.not_before);
}

/** False when the operator is not as `version` says. */
export async function saveLogin(tx: Transaction, id: OperatorId, version: string | undefined): Promise<boolean> {
  return (await tx.query(noteLogin, { operatorId: id, version: version ?? null })).length > 0;
}

export async function saveFailedLogin(tx: Transaction, id: OperatorId): Promise<void> {
  await tx.query(noteFailedLogin, { operatorId: id });
}

/**
 * Locks the active admins who have chosen their passwords until the transaction ends, so that two admins cannot remove
 * each other at the same time. Lock them before any other operator: all transactions then lock in the same order.
 */
export async function lockActiveAdmins(tx: Transaction): Promise<OperatorId[]> {
  return (await tx.query(lockAdmins)).map((row) => operatorId(row.operator_id));
}

export interface OperatorStatusRow {
  readonly operatorId: OperatorId;
  readonly login: string;
  readonly role: OperatorRole;
  readonly notBefore: number;
}

export async function listOperatorStatuses(database: Queryable): Promise<OperatorStatusRow[]> {
  const rows = await database.query(listStatuses);
  return rows.map((row) => ({
    operatorId: operatorId(row.operator_id),
    login: row.login,
    role: row.role,
    notBefore: notBeforeSecond(row.not_before),
  }));
}

function toOperator(row: OperatorRow | undefined): Operator | undefined {
  if (!row) return undefined;
  const { login, role, status, version, created_at: createdAt, disabled_at: disabledAt } = row;
  return {
    operatorId: operatorId(row.operator_id),
    login,
    role,
    status,
    createdAt,
    version,
    disabledAt: disabledAt ?? undefined,
    codeExpiresAt: row.code_expires_at ?? undefined,
    recentCodeFrom: row.recent_code_from === null ? undefined : operatorId(row.recent_code_from),
    lastLoginAt: row.last_login_at ?? undefined,
    failedLogins: row.failed_logins,
    lastFailedAt: row.last_failed_at ?? undefined,
    hasSecondFactor: row.has_second_factor,
  };
}
