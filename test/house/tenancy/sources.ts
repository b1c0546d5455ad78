/** What a query reads: the tables, subqueries and functions of its FROM, and the conditions they are joined by. */
import type {
  Alias,
  JoinExpr,
  Node,
  RangeFunction,
  RangeSubselect,
  RangeTableSample,
  RangeVar,
  SelectStmt,
} from 'libpg-query';
import { isTenantTable, type Schema, tableKey } from './schema.js';
import { allOf, columnPath, names, only } from './syntax-tree.js';

/**
 * tenant: must be bound to a merchant. derived: made of bound tables or of parameters, so its merchant_id may bind
 * others. foreign: neither; its merchant_id, if it has one, says nothing.
 */
export type SourceKind = 'tenant' | 'derived' | 'foreign';

export interface Source {
  /** What conditions call it. */
  readonly name: string;
  readonly label: string;
  readonly kind: SourceKind;
  readonly columns: ReadonlySet<string>;
  /** The siblings that a lateral source may take its values from: it is no better bound than they are. */
  readonly leansOn: (sibling: string) => boolean;
}

export interface JoinCondition {
  readonly condition: Node | undefined;
  readonly usingMerchant: boolean;
  readonly left: readonly Source[];
  readonly right: readonly Source[];
  /** An outer join keeps rows that miss its condition, so the condition limits its nullable side only. */
  readonly limits: readonly Source[];
}

export interface From {
  readonly sources: readonly Source[];
  readonly joins: readonly JoinCondition[];
}

export interface Names {
  readonly schema: Schema;
  /** The WITH queries in sight: they hide tables of the same name. */
  readonly ctes: ReadonlyMap<string, SourceKind>;
}

const noColumns: ReadonlySet<string> = new Set();
const leansOnNothing = () => false;

export function readFrom(items: readonly Node[], scope: Names): From {
  const parts = items.map((item) => readItem(item, scope));
  return { sources: parts.flatMap((part) => part.sources), joins: parts.flatMap((part) => part.joins) };
}

function readItem(item: Node, scope: Names): From {
  const join = only<JoinExpr>(item, 'JoinExpr');
  if (join) return readJoin(join, scope);
  const sample = only<RangeTableSample>(item, 'RangeTableSample');
  if (sample?.relation) return readItem(sample.relation, scope);
  const table = only<RangeVar>(item, 'RangeVar');
  return { sources: [table ? tableSource(table, scope) : derivedSource(item)], joins: [] };
}

function tableSource(table: RangeVar, scope: Names): Source {
  const cte = table.schemaname === undefined ? scope.ctes.get(table.relname ?? '') : undefined;
  if (cte) return namedSource(table, cte, noColumns);
  return targetSource(table, scope.schema);
}

/** What is written to is always a table, whatever the WITH queries are called. */
export function targetSource(table: RangeVar, schema: Schema): Source {
  const key = tableKey(table);
  const kind = isTenantTable(schema, key) ? 'tenant' : 'foreign';
  return namedSource(table, kind, schema.get(key) ?? noColumns);
}

function namedSource(table: RangeVar, kind: SourceKind, columns: ReadonlySet<string>): Source {
  const alias = table.alias?.aliasname;
  // With its columns renamed (`orders AS o (a, b)`) nothing in the conditions can be trusted: never bound.
  const name = table.alias?.colnames ? '' : (alias ?? table.relname ?? '');
  const label = alias === undefined ? `${table.relname}` : `${table.relname} as ${alias}`;
  return { name, label, kind, columns, leansOn: leansOnNothing };
}

function derivedSource(item: Node): Source {
  const subquery = only<RangeSubselect>(item, 'RangeSubselect');
  const content = subquery ?? only<RangeFunction>(item, 'RangeFunction') ?? {};
  const alias = (content as { alias?: Alias }).alias;
  const name = alias?.aliasname ?? '';
  const lies = subquery !== undefined && inventsMerchant(subquery.subquery, names(alias?.colnames));
  const leans = subquery === undefined || subquery.lateral === true;
  return {
    name,
    label: name,
    kind: lies ? 'foreign' : 'derived',
    columns: noColumns,
    leansOn: leans ? mentions(item) : leansOnNothing,
  };
}

/** True for a query whose column `merchant_id` is made of other columns: joining by it binds nothing. */
export function inventsMerchant(query: Node | undefined, columnAliases: readonly string[]): boolean {
  const select = only<SelectStmt>(query, 'SelectStmt');
  if (select?.valuesLists) return false;
  if (columnAliases.includes('merchant_id')) return true;
  return outputs(query).some(
    ({ name, val }) =>
      name === 'merchant_id' && columnPath(val)?.at(-1) !== 'merchant_id' && allOf(val, 'ColumnRef').length > 0,
  );
}

function outputs(query: Node | undefined): { name?: string; val?: Node }[] {
  const select = only<SelectStmt>(query, 'SelectStmt');
  if (select?.larg) return outputs({ SelectStmt: select.larg });
  const content = Object.values(query ?? {})[0] as { returningClause?: { exprs?: Node[] } } | undefined;
  const list = select?.targetList ?? content?.returningClause?.exprs ?? [];
  return list.flatMap((node) => only<{ name?: string; val?: Node }>(node, 'ResTarget') ?? []);
}

function mentions(item: Node): (sibling: string) => boolean {
  const paths = allOf<{ fields?: Node[] }>(item, 'ColumnRef').map((column) => names(column.fields));
  // A bare column may be anybody's.
  return (sibling) => paths.some((path) => path.length < 2 || path.at(-2) === sibling);
}

function readJoin(join: JoinExpr, scope: Names): From {
  const left = join.larg ? readItem(join.larg, scope) : { sources: [], joins: [] };
  const right = join.rarg ? readItem(join.rarg, scope) : { sources: [], joins: [] };
  const limited = {
    JOIN_INNER: [...left.sources, ...right.sources],
    JOIN_LEFT: right.sources,
    JOIN_RIGHT: left.sources,
  } as Record<string, readonly Source[]>;
  const condition: JoinCondition = {
    condition: join.quals,
    usingMerchant: names(join.usingClause).includes('merchant_id'),
    left: left.sources,
    right: right.sources,
    limits: limited[join.jointype ?? ''] ?? [],
  };
  return {
    sources: [...left.sources, ...right.sources],
    joins: [...left.joins, ...right.joins, condition],
  };
}
