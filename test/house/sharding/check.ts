/**
 * The rules that keep a schema distributable by merchant (docs/scaling.md), as far as one statement can show them. Each
 * fault begins with the number of its rule.
 */
import {
  type CaseExpr,
  type CommonTableExpr,
  type DeleteStmt,
  type FuncCall,
  type InsertStmt,
  type Node,
  type OnConflictClause,
  parse,
  type RangeSubselect,
  type RangeVar,
  type SelectStmt,
  type SubLink,
  type TypeCast,
  type UpdateStmt,
} from 'libpg-query';
import { isTenantTable, type Schema, tableKey } from '../tenancy/schema.js';
import { allOf, names, only, walk } from '../tenancy/syntax-tree.js';
import type { Functions } from './functions.js';
import { isMerchantOfInsertGiven, merchantsGiven } from './merchant-given.js';

export interface Rules {
  readonly schema: Schema;
  readonly functions: Functions;
  /** Tables with a merchant_id that every machine has in full. */
  readonly referenceTables: ReadonlySet<string>;
}

export async function shardingFaults(sql: string, rules: Rules): Promise<string[]> {
  const tree = (await parse(sql)).stmts?.[0]?.stmt;
  const tables = allOf<RangeVar>(tree, 'RangeVar').concat(targetsOf(tree));
  const anywhere = [...constructFaults(tree), ...advisoryFaults(tree)];
  // On a cluster every table of ours lies on several machines: by merchant, or in full.
  if (!tables.some((table) => rules.schema.has(tableKey(table)))) return anywhere;
  return [
    ...anywhere,
    ...functionFaults(tree, rules),
    ...writeFaults(tree, rules),
    ...subqueryFaults(tree, rules),
    ...lockFaults(tree, rules),
  ];
}

/** The table that a statement writes is no node of its own in the parser's tree. */
function targetsOf(tree: Node | undefined): RangeVar[] {
  const writes = ['InsertStmt', 'UpdateStmt', 'DeleteStmt'].flatMap((kind) =>
    queriesOf<{ relation?: RangeVar }>(tree, kind),
  );
  return writes.flatMap(({ relation }) => relation ?? []);
}

/** The two sides of a UNION are queries too. */
function queriesOf<Query extends object>(tree: Node | undefined, kind: string): Query[] {
  const kinds = kind === 'SelectStmt' ? [kind, 'larg', 'rarg'] : [kind];
  return kinds.flatMap((each) => allOf<Query>({ tree }, each));
}

/** Rule 5. */
function constructFaults(tree: Node | undefined): string[] {
  const faults: string[] = [];
  const columns = allOf<{ fields?: Node[] }>(tree, 'ColumnRef').map(({ fields }) => names(fields).at(-1));
  if (columns.includes('ctid')) faults.push('5: ctid names a place on one machine');
  walk(tree, (kind, node) => {
    if (kind === 'withClause' && 'recursive' in node) faults.push('5: a recursive CTE');
    return true;
  });
  if (calledIn(tree).includes('set_config')) faults.push('5: set_config does not reach the other machines');
  const inserted = queriesOf<InsertStmt>(tree, 'InsertStmt').flatMap(({ selectStmt }) => selectStmt ?? []);
  const values = inserted.flatMap((select) => only<SelectStmt>(select, 'SelectStmt')?.valuesLists ?? []);
  if (allOf({ values }, 'SubLink').length > 0) faults.push('5: a subquery in VALUES; select it');
  for (const { arg } of allOf<CaseExpr>(tree, 'CaseExpr'))
    if (only(arg, 'ParamRef')) faults.push('5: CASE $n WHEN loses the type of the parameter');
  return faults;
}

/** Rule 7. */
function advisoryFaults(tree: Node | undefined): string[] {
  const locks = calledIn(tree).filter((name) => /^pg_(try_)?advisory/.test(name));
  return locks.map((name) => `7: ${name} excludes nobody on another machine`);
}

/** Rules 1, 2 and 6. Time that follows a lock is read in the statement after it. */
function functionFaults(tree: Node | undefined, { functions }: Rules): string[] {
  const conflicts = allOf<OnConflictClause>(tree, 'onConflictClause');
  const answers = allOf<{ exprs?: Node[] }>(tree, 'returningClause');
  const changes = [...queriesOf(tree, 'UpdateStmt'), ...queriesOf(tree, 'DeleteStmt'), ...conflicts, ...answers];
  const isVolatile = (name: string) => functions.volatile.has(name);
  const isMutable = (name: string) => !functions.immutable.has(name);
  return [
    ...calledIn(changes)
      .filter(isVolatile)
      .map((name) => `1: ${name} is volatile`),
    ...calledIn(conditionalParts(tree))
      .filter(isMutable)
      .map((name) => `1: ${name} in CASE, coalesce or RETURNING of a write; select it in FROM`),
    ...allOf<TypeCast>({ changes }, 'TypeCast')
      .filter(({ arg, typeName }) => only(arg, 'ColumnRef') && typeName?.arrayBounds)
      .map(() => '1: a column is cast to an array, which is not immutable; use string_to_array'),
    ...calledIn(conflicts)
      .filter(isMutable)
      .map((name) => `2: ${name} in DO UPDATE is not immutable`),
    ...calledIn(tree)
      .filter((name) => functions.readsTables.has(name))
      .map((name) => `6: ${name} reads a table`),
  ];
}

/** What Citus does not evaluate before it passes a write on. Select the time in FROM: its column may stand there. */
function conditionalParts(tree: Node | undefined): unknown[] {
  const assigned = queriesOf<UpdateStmt>(tree, 'UpdateStmt').map(({ targetList }) => targetList);
  return [
    ...['CaseExpr', 'CoalesceExpr'].flatMap((kind) => allOf<object>({ assigned }, kind)),
    ...allOf<object>(tree, 'returningClause'),
  ];
}

function calledIn(tree: unknown): string[] {
  const calls = allOf<FuncCall>({ tree }, 'FuncCall').map(({ funcname }) => names(funcname).at(-1) ?? '');
  return [...new Set(calls)];
}

/** Rule 3, for writes. */
function writeFaults(tree: Node | undefined, rules: Rules): string[] {
  const isTenant = (table: RangeVar | undefined) => table !== undefined && isDistributed(table, rules);
  const changes = [
    ...queriesOf<UpdateStmt>(tree, 'UpdateStmt').map((update) => ({ ...update, others: update.fromClause })),
    ...queriesOf<DeleteStmt>(tree, 'DeleteStmt').map((drop) => ({ ...drop, others: drop.usingClause })),
  ].filter(({ relation }) => isTenant(relation));
  const inserts = queriesOf<InsertStmt>(tree, 'InsertStmt').filter(({ relation }) => isTenant(relation));
  return [
    ...changes
      .filter(({ relation, others, whereClause }) => {
        const sources = [{ RangeVar: relation ?? {} }, ...(others ?? [])];
        return !merchantsGiven(sources, whereClause).has(nameOf(relation));
      })
      .map(({ relation }) => `3: the write to ${relation?.relname} does not say merchant_id = $n`),
    ...inserts
      .filter((insert) => !isMerchantOfInsertGiven(insert))
      .map(({ relation }) => `3: the INSERT into ${relation?.relname} does not take merchant_id from $n`),
  ];
}

/**
 * Rule 5, for a condition on tables that every machine has: Citus cannot look up a merchant's rows for each of their
 * rows.
 */
function subqueryFaults(tree: Node | undefined, rules: Rules): string[] {
  const isTenant = (table: RangeVar) => isDistributed(table, rules);
  const selects = queriesOf<SelectStmt>(tree, 'SelectStmt').filter(({ fromClause, whereClause }) => {
    const sources = allOf<RangeVar>(fromClause, 'RangeVar').filter((table) => rules.schema.has(tableKey(table)));
    const lookedUp = allOf<{ subselect?: Node }>(whereClause, 'SubLink');
    return sources.length > 0 && !sources.some(isTenant) && allOf<RangeVar>({ lookedUp }, 'RangeVar').some(isTenant);
  });
  return selects.map(() => "5: a subquery on a merchant's table for rows that every machine has; join them");
}

/** Rules 3 and 4, for row locks. */
function lockFaults(tree: Node | undefined, rules: Rules): string[] {
  const inCtes = allOf<CommonTableExpr>(tree, 'CommonTableExpr').flatMap(({ ctequery }) => lockingOf(ctequery));
  const repeated = lockingInJoined(tree);
  return lockingOf(tree).flatMap((select) => {
    const tables = allOf<RangeVar>(select.fromClause, 'RangeVar');
    const tenants = tables.filter((table) => isDistributed(table, rules));
    if (tenants.length === 0) return [];
    const given = merchantsGiven(select.fromClause ?? [], select.whereClause);
    const loose = tenants.filter((table) => !given.has(nameOf(table)));
    return [
      ...loose.map(({ relname }) => `3: the row lock on ${relname} does not say merchant_id = $n`),
      ...(tables.length > 1 || inCtes.includes(select) ? ['4: a row lock stands on one table, outside of CTEs'] : []),
      ...(repeated.includes(select) ? ['4: a row lock in IN or FROM; say = ANY (ARRAY(SELECT …))'] : []),
    ];
  });
}

/**
 * PostgreSQL joins these subqueries, and may then run one again for each row. Each time it skips the rows that the
 * statement has written, so that its LIMIT limits nothing.
 */
function lockingInJoined(tree: Node | undefined): SelectStmt[] {
  const inConditions = allOf<SubLink>(tree, 'SubLink')
    .filter(({ subLinkType }) => subLinkType === 'ANY_SUBLINK')
    .map(({ subselect }) => subselect);
  const inSources = allOf<RangeSubselect>(tree, 'RangeSubselect').map(({ subquery }) => subquery);
  return [...inConditions, ...inSources].flatMap(lockingOf);
}

function lockingOf(tree: Node | undefined): SelectStmt[] {
  return queriesOf<SelectStmt>(tree, 'SelectStmt').filter(({ lockingClause }) => lockingClause !== undefined);
}

function isDistributed(table: RangeVar, { schema, referenceTables }: Rules): boolean {
  return isTenantTable(schema, tableKey(table)) && !referenceTables.has(table.relname ?? '');
}

function nameOf(table: RangeVar | undefined): string {
  return table?.alias?.aliasname ?? table?.relname ?? '';
}
