/** Reads one SQL statement at every level and tells where it touches a tenant table without binding the merchant. */
import {
  type DeleteStmt,
  type InsertStmt,
  type Node,
  type OnConflictClause,
  parse,
  type RangeVar,
  type SelectStmt,
  type UpdateStmt,
  type WithClause,
} from 'libpg-query';
import { type Surroundings, unboundTenants } from './binding.js';
import { isTenantTable, type Schema, tableKey } from './schema.js';
import { type From, inventsMerchant, type Names, readFrom, type Source, targetSource } from './sources.js';
import { names, only, walk } from './syntax-tree.js';

type Scope = Names & Surroundings;

const queryKinds = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'];

export async function tenancyFaults(
  sql: string,
  schema: Schema,
  variables: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const statements = (await parse(sql)).stmts ?? [];
  if (statements.length !== 1) return [`holds ${statements.length} statements instead of one`];
  const faults: string[] = [];
  const scope: Scope = { schema, ctes: new Map(), outer: [], variables };
  checkTree(statements[0]?.stmt, scope, faults);
  return faults;
}

/** Outside of a query (TRUNCATE, LOCK, COPY, DDL) a tenant table can't be limited to one merchant. */
function checkTree(tree: unknown, scope: Scope, faults: string[]): void {
  walk(tree, (kind, node) => {
    if (queryKinds.includes(kind)) {
      checkQuery(kind, node, scope, faults);
      return false;
    }
    const table = node as RangeVar;
    if (table.relname !== undefined && isTenantTable(scope.schema, tableKey(table))) {
      faults.push(`${table.relname} is touched as a whole`);
    }
    return true;
  });
}

function checkQuery(kind: string, query: object, around: Scope, faults: string[]): void {
  const scope = withQueries((query as { withClause?: WithClause }).withClause, around, faults);
  if (kind === 'SelectStmt') checkSelect(query as SelectStmt, scope, faults);
  if (kind === 'InsertStmt') checkInsert(query as InsertStmt, scope, faults);
  if (kind === 'UpdateStmt') checkUpdate(query as UpdateStmt, scope, faults);
  if (kind === 'DeleteStmt') checkDelete(query as DeleteStmt, scope, faults);
  if (kind === 'MergeStmt') faults.push('MERGE is not in PostgreSQL 14, the oldest server that we serve');
}

/** Checks the WITH queries and answers a scope that knows their names. */
function withQueries(clause: WithClause | undefined, around: Scope, faults: string[]): Scope {
  const ctes = new Map(around.ctes);
  for (const node of clause?.ctes ?? []) {
    const cte = only<{ ctename?: string; ctequery?: Node; aliascolnames?: Node[] }>(node, 'CommonTableExpr');
    const name = cte?.ctename ?? '';
    const kind = inventsMerchant(cte?.ctequery, names(cte?.aliascolnames)) ? 'foreign' : 'derived';
    // A recursive query sees itself; any other sees the table that it is named after.
    const visible = clause?.recursive ? new Map(ctes).set(name, kind) : new Map(ctes);
    checkTree(cte?.ctequery, { ...around, ctes: visible }, faults);
    ctes.set(name, kind);
  }
  return { ...around, ctes };
}

function checkSelect(select: SelectStmt, scope: Scope, faults: string[]): void {
  if (select.larg && select.rarg) {
    checkQuery('SelectStmt', select.larg, scope, faults);
    checkQuery('SelectStmt', select.rarg, scope, faults);
    checkNested({ ...select, larg: undefined, rarg: undefined }, [], scope, faults);
    return;
  }
  const from = readFrom(select.fromClause ?? [], scope);
  checkBinding(from, select.whereClause, scope, faults);
  checkNested({ ...select, lockingClause: undefined }, from.sources, scope, faults);
}

function checkUpdate(update: UpdateStmt, scope: Scope, faults: string[]): void {
  const from = withTarget(update.relation, readFrom(update.fromClause ?? [], scope), scope);
  checkBinding(from, update.whereClause, scope, faults);
  checkAssignments(update.targetList, from.sources[0], faults);
  checkNested(update, from.sources, scope, faults);
}

function checkDelete(deletion: DeleteStmt, scope: Scope, faults: string[]): void {
  const from = withTarget(deletion.relation, readFrom(deletion.usingClause ?? [], scope), scope);
  checkBinding(from, deletion.whereClause, scope, faults);
  checkNested(deletion, from.sources, scope, faults);
}

function withTarget(relation: RangeVar | undefined, from: From, scope: Scope): From {
  const target = relation ? [targetSource(relation, scope.schema)] : [];
  return { sources: [...target, ...from.sources], joins: from.joins };
}

function checkInsert(insert: InsertStmt, scope: Scope, faults: string[]): void {
  const target = insert.relation && targetSource(insert.relation, scope.schema);
  const columns = (insert.cols ?? []).map((node) => only<{ name?: string }>(node, 'ResTarget')?.name);
  if (target?.kind === 'tenant' && !columns.includes('merchant_id')) {
    faults.push(`the INSERT into ${target.label} does not list merchant_id`);
  }
  if (target?.kind === 'tenant') checkConflict(insert.onConflictClause, target, faults);
  checkNested(insert, target ? [target] : [], scope, faults);
}

/** A conflict with another merchant's row must be an error, not that row's update or a silent nothing. */
function checkConflict(clause: OnConflictClause | undefined, target: Source, faults: string[]): void {
  if (!clause || (clause.action === 'ONCONFLICT_NOTHING' && !clause.infer)) return;
  const columns = (clause.infer?.indexElems ?? []).map((node) => only<{ name?: string }>(node, 'IndexElem')?.name);
  if (!columns.includes('merchant_id')) {
    faults.push(`the ON CONFLICT of ${target.label} does not name merchant_id among its columns`);
  }
  checkAssignments(clause.targetList, target, faults);
}

function checkAssignments(list: Node[] | undefined, target: Source | undefined, faults: string[]): void {
  const assigned = (list ?? []).map((node) => only<{ name?: string }>(node, 'ResTarget')?.name);
  if (target?.kind === 'tenant' && assigned.includes('merchant_id')) {
    faults.push(`the UPDATE of ${target.label} gives its rows to another merchant`);
  }
}

function checkBinding(from: From, where: Node | undefined, scope: Scope, faults: string[]): void {
  for (const source of unboundTenants(from, where, scope)) {
    faults.push(`${source.label} is not bound to a merchant_id`);
  }
}

/** The queries inside a query: in its FROM, its conditions, its answers. */
function checkNested(query: object, sources: readonly Source[], scope: Scope, faults: string[]): void {
  const inside: Scope = { ...scope, outer: [sources, ...scope.outer] };
  walk({ ...query, withClause: undefined }, (kind, node) => {
    if (queryKinds.includes(kind)) checkQuery(kind, node, inside, faults);
    return !queryKinds.includes(kind);
  });
}
