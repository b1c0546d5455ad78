/** SQL on the sessions of operators. They belong to no merchant. */
import type { OperatorRole } from '../../caller.js';
import { type OperatorId, operatorId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { ListedSession, Session } from './session.js';

interface SessionRow {
  session_id: bigint;
  operator_id: bigint;
  login: string;
  role: OperatorRole;
  has_second_factor: boolean;
  version: string;
  awaits_code: boolean;
  is_unseen: boolean;
  started_at: Date;
  expires_at: Date;
}

const insertSession = statement(
  'session-store.insert',
  `INSERT INTO operator_sessions
          (secret_hash, operator_id, tokens_not_before, awaits_code, address, browser, expires_at)
   SELECT $secretHash, operator_id, tokens_not_before, $awaitsCode, $address, $browser,
          statement_timestamp() + make_interval(mins => $minutes)
     FROM operators
    WHERE operator_id = $operatorId AND status = 'active'
      AND ($version::text IS NULL OR extract(epoch FROM tokens_not_before)::text = $version)
   RETURNING session_id`,
).rows<{ session_id: bigint }>();
const findSession = statement(
  'session-store.find',
  `SELECT session_id, operator_id, login, role, operators.second_factor IS NOT NULL AS has_second_factor, awaits_code,
          extract(epoch FROM operators.tokens_not_before)::text AS version,
          last_seen_at < statement_timestamp() - interval '1 minute' AS is_unseen, started_at, expires_at
     FROM operator_sessions JOIN operators USING (operator_id)
    WHERE secret_hash = $secretHash
      AND status = 'active'
      AND operator_sessions.tokens_not_before = operators.tokens_not_before
      AND expires_at > statement_timestamp()
      AND last_seen_at > statement_timestamp() - make_interval(mins => $idleMinutes)`,
).rows<SessionRow>();
const touch = statement(
  'session-store.touch',
  'UPDATE operator_sessions SET last_seen_at = statement_timestamp() WHERE session_id = $sessionId',
);
const listOfOperator = statement(
  'session-store.list',
  `SELECT session_id, address, browser, started_at, last_seen_at
     FROM operator_sessions JOIN operators USING (operator_id)
    WHERE operator_id = $operatorId AND NOT awaits_code
      AND operator_sessions.tokens_not_before = operators.tokens_not_before
      AND expires_at > statement_timestamp()
      AND last_seen_at > statement_timestamp() - make_interval(mins => $idleMinutes)
    ORDER BY last_seen_at DESC, session_id DESC
    LIMIT 100`,
).rows<{ session_id: bigint; address: string; browser: string; started_at: Date; last_seen_at: Date }>();
const deleteBySecret = statement(
  'session-store.delete-by-secret',
  'DELETE FROM operator_sessions WHERE secret_hash = $secretHash RETURNING operator_id',
).rows<{ operator_id: bigint }>();
const deleteOfOperator = statement(
  'session-store.delete',
  `DELETE FROM operator_sessions WHERE session_id = $sessionId AND operator_id = $operatorId
   RETURNING session_id`,
).rows<{ session_id: bigint }>();
const deleteOthers = statement(
  'session-store.delete-others',
  'DELETE FROM operator_sessions WHERE operator_id = $operatorId AND session_id <> $sessionId',
);
const deleteOld = statement(
  'session-store.delete-old',
  `DELETE FROM operator_sessions
    WHERE expires_at < statement_timestamp()
       OR last_seen_at < statement_timestamp() - make_interval(mins => $idleMinutes)`,
);
/** False when the operator is not as `version` says any more, or was disabled. */
export async function addSession(
  tx: Transaction,
  session: {
    readonly secretHash: Buffer;
    readonly operatorId: OperatorId;
    /** Undefined: the password was chosen in this transaction. */
    readonly version: string | undefined;
    readonly awaitsCode: boolean;
    readonly address: string;
    readonly browser: string;
    readonly minutes: number;
  },
): Promise<boolean> {
  return (await tx.query(insertSession, { ...session, version: session.version ?? null })).length > 0;
}

export interface FoundSession extends Session {
  readonly awaitsCode: boolean;
  /** Of the operator. */
  readonly version: string;
  /** Its last request was not noted within the last minute. */
  readonly isUnseen: boolean;
}

export async function findBySecret(
  database: Queryable,
  secretHash: Buffer,
  idleMinutes: number,
): Promise<FoundSession | undefined> {
  const [row] = await database.query(findSession, { secretHash, idleMinutes });
  return (
    row && {
      sessionId: row.session_id,
      operatorId: operatorId(row.operator_id),
      login: row.login,
      role: row.role,
      hasSecondFactor: row.has_second_factor,
      awaitsCode: row.awaits_code,
      version: row.version,
      isUnseen: row.is_unseen,
      startedAt: row.started_at,
      expiresAt: row.expires_at,
    }
  );
}

export async function noteSeen(database: Queryable, sessionId: bigint): Promise<void> {
  await database.query(touch, { sessionId });
}

export async function listSessions(database: Queryable, id: OperatorId, idleMinutes: number): Promise<ListedSession[]> {
  const rows = await database.query(listOfOperator, { operatorId: id, idleMinutes });
  return rows.map((row) => ({
    sessionId: row.session_id,
    address: row.address,
    browser: row.browser,
    startedAt: row.started_at,
    lastSeenAt: row.last_seen_at,
  }));
}

/** Returns whose session it was. */
export async function removeBySecret(tx: Transaction, secretHash: Buffer): Promise<OperatorId | undefined> {
  const [row] = await tx.query(deleteBySecret, { secretHash });
  return row && operatorId(row.operator_id);
}

/** False when the operator has no such session. */
export async function removeSession(tx: Transaction, id: OperatorId, sessionId: bigint): Promise<boolean> {
  return (await tx.query(deleteOfOperator, { operatorId: id, sessionId })).length > 0;
}

export async function removeOthers(tx: Transaction, id: OperatorId, sessionId: bigint): Promise<void> {
  await tx.query(deleteOthers, { operatorId: id, sessionId });
}

export async function removeOld(database: Queryable, idleMinutes: number): Promise<void> {
  await database.query(deleteOld, { idleMinutes });
}
