/** SQL on the saved views of operators. They belong to no merchant. */
import type { OperatorId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { NewView, View } from './view.js';

interface ViewRow {
  view_id: bigint;
  name: string;
  path: string;
  is_shared: boolean;
  login: string;
}

const columns = 'view_id, name, path, is_shared, login';
const listSeenBy = statement(
  'view-store.list',
  `SELECT ${columns} FROM operator_views JOIN operators USING (operator_id)
    WHERE operator_id = $operatorId OR is_shared AND status = 'active'
    ORDER BY lower(name), view_id LIMIT 500`,
).rows<ViewRow>();
const insertOne = statement(
  'view-store.insert',
  `WITH saved AS (
     INSERT INTO operator_views (operator_id, name, path, is_shared)
     SELECT $operatorId, $name, $path, $isShared
      WHERE (SELECT count(*) FROM operator_views WHERE operator_id = $operatorId) < $most
     RETURNING *)
   SELECT ${columns} FROM saved JOIN operators USING (operator_id)`,
).rows<ViewRow>();
const deleteOne = statement(
  'view-store.delete',
  `DELETE FROM operator_views
    WHERE view_id = $viewId AND (operator_id = $operatorId OR is_shared AND $isAdmin) RETURNING view_id`,
).rows<{ view_id: bigint }>();

/** The own ones and those that others share, by name. */
export async function listViews(database: Queryable, operatorId: OperatorId): Promise<View[]> {
  return (await database.query(listSeenBy, { operatorId })).map(toView);
}

/** Undefined when the operator has as many as one may have. */
export async function addView(
  tx: Transaction,
  operatorId: OperatorId,
  { name, path, isShared }: NewView,
  most: number,
): Promise<View | undefined> {
  const [row] = await tx.query(insertOne, { operatorId, name, path, isShared, most });
  return row && toView(row);
}

/** False when there is no such view that the operator may delete. */
export async function dropView(
  tx: Transaction,
  operatorId: OperatorId,
  viewId: bigint,
  isAdmin: boolean,
): Promise<boolean> {
  return (await tx.query(deleteOne, { viewId, operatorId, isAdmin })).length > 0;
}

function toView(row: ViewRow): View {
  return { viewId: row.view_id, name: row.name, path: row.path, isShared: row.is_shared, login: row.login };
}
