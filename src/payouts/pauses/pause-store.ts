/** SQL on what operators have paused. Every machine of a cluster has this table in full. */
import type { OperatorRole } from '../../caller.js';
import { type OperatorId, operatorId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { AttemptRef } from '../attempt.js';
import { type KnownPause, type Pause, type PauseKind, type PauseRef, type PauseRole, stoppable } from './pause.js';

interface PauseRow {
  kind: PauseKind;
  name: string;
  stops_payouts: boolean;
  stops_orders: boolean;
  stops_quotes: boolean;
  note: string;
  role: PauseRole;
  operator_id: bigint;
  paused_at: Date;
}
const columns = `pause.kind, pause.name, pause.stops_payouts, pause.stops_orders, pause.stops_quotes, pause.note,
  pause.role, pause.operator_id, pause.paused_at`;

const listAll = statement(
  'pause-store.list',
  `SELECT ${columns} FROM payout_pauses AS pause ORDER BY pause.kind, pause.name`,
).rows<PauseRow>();
/** A second pause stops more, or needs a higher role to be resumed; the first operator and note stay. */
const insertPause = statement(
  'pause-store.insert',
  `INSERT INTO payout_pauses AS pause (kind, name, stops_payouts, stops_orders, stops_quotes, note, role, operator_id,
     paused_at)
   VALUES ($kind, $name, $payouts, $orders, $quotes, $note, $role, $operator, statement_timestamp())
   ON CONFLICT (kind, name) DO UPDATE
      SET stops_payouts = pause.stops_payouts OR excluded.stops_payouts,
          stops_orders = pause.stops_orders OR excluded.stops_orders,
          stops_quotes = pause.stops_quotes OR excluded.stops_quotes,
          role = CASE WHEN excluded.role = 'admin' THEN excluded.role ELSE pause.role END
   RETURNING ${columns}`,
).rows<PauseRow>();
const findOne = statement(
  'pause-store.find',
  `SELECT ${columns} FROM payout_pauses AS pause WHERE pause.kind = $kind AND pause.name = $name`,
).rows<PauseRow>();
const deletePause = statement(
  'pause-store.delete',
  `DELETE FROM payout_pauses AS pause WHERE pause.kind = $kind AND pause.name = $name AND pause.role = ANY ($roles)
   RETURNING ${columns}`,
).rows<PauseRow>();

/** The pauses that stop a payment which nobody was instructed to make. Refunds know no corridor. */
export const isPausing = `pause.stops_payouts
        AND (pause.kind = 'everything'
          OR pause.kind = 'rail' AND pause.name = attempt.rail
          OR pause.kind = 'corridor' AND attempt.direction = 'payout' AND pause.name = attempt.corridor
          OR pause.kind = 'merchant' AND pause.name = attempt.merchant_id::text)`;
const findOfAttempt = statement(
  'pause-store.find-of-attempt',
  `SELECT ${columns} FROM payout_attempts AS attempt JOIN payout_pauses AS pause ON ${isPausing}
    WHERE attempt.merchant_id = $merchantId AND attempt.attempt_id = $attemptId ORDER BY pause.paused_at LIMIT 1`,
).rows<PauseRow>();

export async function listPauses(database: Queryable): Promise<Pause[]> {
  return (await database.query(listAll)).map(toPause);
}

/** Returns the pause as it is after both when something was paused already. */
export async function addPause(
  tx: Transaction,
  { stops, ...pause }: KnownPause & Pick<Pause, 'note' | 'role'>,
  operator: OperatorId,
): Promise<Pause> {
  const [row] = await tx.query(insertPause, {
    ...pause,
    operator,
    payouts: stops.includes('payouts'),
    orders: stops.includes('orders'),
    quotes: stops.includes('quotes'),
  });
  if (!row) throw new Error('the pause was not stored');
  return toPause(row);
}

export async function findPause(database: Queryable, pause: PauseRef): Promise<Pause | undefined> {
  const [row] = await database.query(findOne, pause);
  return row && toPause(row);
}

/** The oldest pause that stops the attempt. */
export async function findPauseOf(database: Queryable, attempt: AttemptRef): Promise<Pause | undefined> {
  const [row] = await database.query(findOfAttempt, attempt);
  return row && toPause(row);
}

/** Returns undefined when it was not paused, or needs another role. */
export async function dropPause(
  tx: Transaction,
  pause: PauseRef,
  roles: readonly OperatorRole[],
): Promise<Pause | undefined> {
  const [row] = await tx.query(deletePause, { ...pause, roles });
  return row && toPause(row);
}

function toPause(row: PauseRow): Pause {
  const { kind, name, note, role, paused_at } = row;
  const stops = stoppable.filter((what) => row[`stops_${what}`]);
  return { kind, name, stops, note, role, operatorId: operatorId(row.operator_id), pausedAt: paused_at };
}
