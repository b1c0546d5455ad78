/** SQL on what operators have paused. Every machine of a cluster has this table in full. */
import { type OperatorId, operatorId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Pause, PauseKind, PauseRef } from './pause.js';

interface PauseRow {
  kind: PauseKind;
  name: string;
  note: string;
  operator_id: bigint;
  paused_at: Date;
}
const columns = 'kind, name, note, operator_id, paused_at';

const listAll = statement(
  'pause-store.list',
  `SELECT ${columns} FROM payout_pauses ORDER BY kind, name`,
).rows<PauseRow>();
const insertPause = statement(
  'pause-store.insert',
  `INSERT INTO payout_pauses (kind, name, note, operator_id, paused_at)
   VALUES ($kind, $name, $note, $operator, statement_timestamp())
   ON CONFLICT (kind, name) DO NOTHING RETURNING ${columns}`,
).rows<PauseRow>();
const findOne = statement(
  'pause-store.find',
  `SELECT ${columns} FROM payout_pauses WHERE kind = $kind AND name = $name`,
).rows<PauseRow>();
const deletePause = statement(
  'pause-store.delete',
  `DELETE FROM payout_pauses WHERE kind = $kind AND name = $name RETURNING ${columns}`,
).rows<PauseRow>();

export async function listPauses(database: Queryable): Promise<Pause[]> {
  return (await database.query(listAll)).map(toPause);
}

/** Returns undefined when it is paused already. */
export async function addPause(
  tx: Transaction,
  pause: PauseRef,
  note: string,
  operator: OperatorId,
): Promise<Pause | undefined> {
  const [row] = await tx.query(insertPause, { ...pause, note, operator });
  return row && toPause(row);
}

export async function findPause(database: Queryable, pause: PauseRef): Promise<Pause | undefined> {
  const [row] = await database.query(findOne, pause);
  return row && toPause(row);
}

/** Returns undefined when it was not paused. */
export async function dropPause(tx: Transaction, pause: PauseRef): Promise<Pause | undefined> {
  const [row] = await tx.query(deletePause, pause);
  return row && toPause(row);
}

function toPause(row: PauseRow): Pause {
  const { kind, name, note, paused_at } = row;
  return { kind, name, note, operatorId: operatorId(row.operator_id), pausedAt: paused_at };
}
