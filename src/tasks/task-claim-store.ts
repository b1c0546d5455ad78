/** SQL on the claims of operators. */
import { type OperatorId, operatorId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { TaskKind } from './task.js';

interface ClaimRow {
  kind: TaskKind;
  task_id: string;
  operator_id: bigint;
  expires_at: Date;
}
const columns = 'kind, task_id, operator_id, expires_at';

/** An expired claim, or the operator's own, is replaced. Of two concurrent claims the second finds the first. */
const upsertClaim = statement(
  'task-claim-store.claim',
  `INSERT INTO task_claims AS claim (kind, task_id, operator_id, claimed_at, expires_at)
   VALUES ($kind, $taskId, $operatorId, statement_timestamp(),
     statement_timestamp() + make_interval(secs => $seconds))
   ON CONFLICT (kind, task_id) DO UPDATE
     SET operator_id = excluded.operator_id, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
   WHERE claim.operator_id = excluded.operator_id OR claim.expires_at <= excluded.claimed_at
   RETURNING ${columns}`,
).rows<ClaimRow>();
const listClaims = statement(
  'task-claim-store.list',
  `SELECT ${columns} FROM task_claims
    WHERE expires_at > statement_timestamp()
      AND (kind, task_id) IN (SELECT * FROM unnest($kinds::text[], $ids::text[]))`,
).rows<ClaimRow>();
const listAll = statement(
  'task-claim-store.list-all',
  `SELECT ${columns} FROM task_claims WHERE expires_at > statement_timestamp()`,
).rows<ClaimRow>();
const lockClaim = statement(
  'task-claim-store.lock',
  `SELECT ${columns} FROM task_claims
    WHERE kind = $kind AND task_id = $taskId AND expires_at > statement_timestamp() FOR UPDATE`,
).rows<ClaimRow>();
const deleteClaim = statement(
  'task-claim-store.delete',
  'DELETE FROM task_claims WHERE kind = $kind AND task_id = $taskId',
);
const deleteExpired = statement(
  'task-claim-store.delete-expired',
  'DELETE FROM task_claims WHERE expires_at <= statement_timestamp() RETURNING task_id',
).rows<{ task_id: string }>();

export interface TaskRef {
  readonly kind: TaskKind;
  readonly id: string;
}

export interface TaskClaim extends TaskRef {
  readonly operatorId: OperatorId;
  readonly expiresAt: Date;
}

/** Returns undefined when another operator has claimed the task. */
export async function saveClaim(
  tx: Transaction,
  { kind, id }: TaskRef,
  operator: OperatorId,
  seconds: number,
): Promise<TaskClaim | undefined> {
  const [row] = await tx.query(upsertClaim, { kind, taskId: id, operatorId: operator, seconds });
  return row && toClaim(row);
}

export async function listClaimsOf(database: Queryable, tasks: readonly TaskRef[]): Promise<TaskClaim[]> {
  const kinds = tasks.map(({ kind }) => kind);
  const ids = tasks.map(({ id }) => id);
  return (await database.query(listClaims, { kinds, ids })).map(toClaim);
}

/** All claims that have not ended. */
export async function listClaimsOfAll(database: Queryable): Promise<TaskClaim[]> {
  return (await database.query(listAll)).map(toClaim);
}

export async function lockClaimOf(tx: Transaction, { kind, id }: TaskRef): Promise<TaskClaim | undefined> {
  const [row] = await tx.query(lockClaim, { kind, taskId: id });
  return row && toClaim(row);
}

export async function dropClaim(tx: Transaction, { kind, id }: TaskRef): Promise<void> {
  await tx.query(deleteClaim, { kind, taskId: id });
}

/** Returns how many there were. */
export async function dropExpiredClaims(tx: Transaction): Promise<number> {
  return (await tx.query(deleteExpired)).length;
}

function toClaim(row: ClaimRow): TaskClaim {
  return {
    kind: row.kind,
    id: row.task_id,
    operatorId: operatorId(row.operator_id),
    expiresAt: row.expires_at,
  };
}
