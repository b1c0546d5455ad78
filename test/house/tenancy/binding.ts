/** Which sources of a query are bound to a merchant by its conditions. */
import type { A_Expr, BoolExpr, Node, RowExpr } from 'libpg-query';
import type { From, Source } from './sources.js';
import { allOf, columnPath, names, only } from './syntax-tree.js';

/** What a query can see besides its own FROM. */
export interface Surroundings {
  /** The sources of the queries around it, nearest first: bound there, or reported there. */
  readonly outer: readonly (readonly Source[])[];
  /** Parameters and variables of the function whose body this is; values from outside, like `$1`. */
  readonly variables: ReadonlySet<string>;
}

/** `source.merchant_id` equals a given value, or the merchant_id of another source. */
interface Equality {
  readonly source: Source;
  readonly equals: 'given' | Source;
}

interface Known {
  readonly from: From;
  readonly around: Surroundings;
}

export function unboundTenants(from: From, where: Node | undefined, around: Surroundings): Source[] {
  const known = { from, around };
  const equalities = [
    ...conditionEqualities(where, from.sources, known),
    ...from.joins.flatMap((join) => conditionEqualities(join.condition, join.limits, known)),
    ...from.joins.filter((join) => join.usingMerchant).flatMap(usingEqualities),
  ];
  const bound = boundSources(from.sources, equalities);
  return from.sources.filter((source) => source.kind === 'tenant' && !bound.has(source));
}

/** Binding spreads along the equalities until nothing new is bound. */
function boundSources(sources: readonly Source[], equalities: readonly Equality[]): Set<Source> {
  const bound = new Set<Source>();
  const isBound = (value: 'given' | Source) => value === 'given' || bound.has(value);
  const stands = (source: Source) =>
    source.kind === 'derived' &&
    sources.every((sibling) => sibling === source || bound.has(sibling) || !source.leansOn(sibling.name));
  let before = -1;
  while (bound.size > before) {
    before = bound.size;
    for (const { source, equals } of equalities) {
      if (source.kind === 'tenant' && isBound(equals)) bound.add(source);
    }
    for (const source of sources) if (stands(source)) bound.add(source);
  }
  return bound;
}

function conditionEqualities(condition: Node | undefined, limits: readonly Source[], known: Known): Equality[] {
  return conjuncts(condition)
    .flatMap(comparedPairs)
    .flatMap(([left, right]) => [...equality(left, right, known), ...equality(right, left, known)])
    .filter(({ source }) => limits.includes(source));
}

/** Only what is joined by AND holds for every row. */
function conjuncts(condition: Node | undefined): Node[] {
  if (!condition) return [];
  const both = only<BoolExpr>(condition, 'BoolExpr');
  return both?.boolop === 'AND_EXPR' ? (both.args ?? []).flatMap(conjuncts) : [condition];
}

/** `a = b`, `a = ANY (b)`, `a IN (b, c)` and `(a, b) = (c, d)`, column by column. */
function comparedPairs(condition: Node): [Node, Node][] {
  const expression = only<A_Expr>(condition, 'A_Expr');
  const { kind, lexpr, rexpr } = expression ?? {};
  if (!lexpr || !rexpr || names(expression?.name).join('.') !== '=') return [];
  if (kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_IN') return [[lexpr, rexpr]];
  if (kind !== 'AEXPR_OP') return [];
  const left = only<RowExpr>(lexpr, 'RowExpr')?.args;
  const right = only<RowExpr>(rexpr, 'RowExpr')?.args;
  if (!left || !right) return [[lexpr, rexpr]];
  return left.flatMap((item, index): [Node, Node][] => {
    const other = right[index];
    return other ? [[item, other]] : [];
  });
}

function equality(column: Node, value: Node, known: Known): Equality[] {
  const source = ownSource(columnPath(column), known.from);
  if (!source) return [];
  const path = columnPath(value);
  const other = ownSource(path, known.from);
  if (other) return other === source ? [] : [{ source, equals: other }];
  const given = path ? isOutside(path, known) : isValue(value, known);
  return given ? [{ source, equals: 'given' }] : [];
}

/** The source of this query whose merchant_id the path means. */
function ownSource(path: readonly string[] | undefined, from: From): Source | undefined {
  if (path?.at(-1) !== 'merchant_id') return undefined;
  if (path.length > 1) return from.sources.find((source) => source.name === path.at(-2));
  const tenants = from.sources.filter((source) => source.kind === 'tenant');
  // PostgreSQL takes a bare merchant_id of several tables only where USING made one of them all.
  const merged = from.joins.some((join) => join.usingMerchant);
  return tenants.length === 1 || merged ? tenants[0] : undefined;
}

/** A variable, or the merchant_id of a query around this one. */
function isOutside(path: readonly string[], { from, around }: Known): boolean {
  const [first = '', second] = path;
  const holds = (name: string) => from.sources.some((source) => source.columns.has(name));
  if (second === undefined) return around.variables.has(first) && !holds(first);
  const qualifier = path.at(-2) ?? '';
  if (from.sources.some((source) => source.name === qualifier)) return false;
  const outer = around.outer.flat().find((source) => source.name === qualifier);
  if (outer) return path.at(-1) === 'merchant_id' && outer.kind !== 'foreign';
  return around.variables.has(first);
}

/** A parameter, a constant, or made of such: nothing that a row could answer. */
function isValue(value: Node, known: Known): boolean {
  if (allOf(value, 'SubLink').length > 0) return false;
  return allOf<{ fields?: Node[] }>(value, 'ColumnRef').every((column) => {
    const path = names(column.fields);
    return path.length > 0 && path.at(-1) !== 'merchant_id' && isOutside(path, known);
  });
}

function usingEqualities(join: { left: readonly Source[]; right: readonly Source[]; limits: readonly Source[] }) {
  const left = mergeable(join.left);
  const right = mergeable(join.right);
  const pairs = left.flatMap((one) => right.map((other): [Source, Source] => [one, other]));
  return pairs
    .flatMap(([one, other]): Equality[] => [
      { source: one, equals: other },
      { source: other, equals: one },
    ])
    .filter(({ source }) => join.limits.includes(source));
}

/** Which sources of one side the merged column can come from; a lone subquery must have it, one of several need not. */
function mergeable(side: readonly Source[]): readonly Source[] {
  return side.length === 1 ? side : side.filter((source) => source.kind === 'tenant');
}
