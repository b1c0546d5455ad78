/** Which sources of a query are limited to one merchant that a parameter names: `merchant_id = $n`. */
import type { A_Expr, BoolExpr, InsertStmt, JoinExpr, Node, RangeVar, SelectStmt } from 'libpg-query';
import { allOf, columnPath, names, only } from '../tenancy/syntax-tree.js';

/** The names of the sources whose merchant_id equals a parameter, directly or through another source's. */
export function merchantsGiven(sources: readonly Node[], where: Node | undefined): Set<string> {
  const all = sources.flatMap(namesIn);
  const conditions = [where, ...allOf<JoinExpr>({ sources }, 'JoinExpr').map(({ quals }) => quals)];
  const equalities = conditions.flatMap(conjuncts).flatMap((condition) => equalityOf(condition, all));
  const given = new Set<string>();
  for (let before = -1; given.size > before; ) {
    before = given.size;
    for (const [left, right] of equalities) {
      if (right === parameter || given.has(right)) given.add(left);
      if (given.has(left)) given.add(right);
    }
  }
  given.delete(parameter);
  return given;
}

const parameter = '$n';

/** An INSERT takes its merchant from a parameter, or from rows of one merchant. */
export function isMerchantOfInsertGiven({ cols, selectStmt }: InsertStmt): boolean {
  const columns = (cols ?? []).map((node) => only<{ name?: string }>(node, 'ResTarget')?.name);
  const position = columns.indexOf('merchant_id');
  const select = only<SelectStmt>(selectStmt, 'SelectStmt');
  if (position < 0 || !select) return false;
  const rows = select.valuesLists?.map((row) => only<{ items?: Node[] }>(row, 'List')?.items?.[position]);
  if (rows) return rows.every(isParameter);
  const value = only<{ val?: Node }>(select.targetList?.[position], 'ResTarget')?.val;
  if (isParameter(value)) return true;
  const path = columnPath(value);
  const given = merchantsGiven(select.fromClause ?? [], select.whereClause);
  return path?.at(-1) === 'merchant_id' && (path.length > 1 ? given.has(path.at(-2) ?? '') : given.size > 0);
}

function namesIn(source: Node): string[] {
  const tables = allOf<RangeVar>({ source }, 'RangeVar').map((table) => table.alias?.aliasname ?? table.relname);
  const others = ['RangeSubselect', 'RangeFunction'].flatMap((kind) =>
    allOf<{ alias?: { aliasname?: string } }>({ source }, kind).map(({ alias }) => alias?.aliasname),
  );
  return [...tables, ...others].flatMap((name) => name ?? []);
}

/** Only what is joined by AND holds for every row. */
function conjuncts(condition: Node | undefined): Node[] {
  if (!condition) return [];
  const both = only<BoolExpr>(condition, 'BoolExpr');
  return both?.boolop === 'AND_EXPR' ? (both.args ?? []).flatMap(conjuncts) : [condition];
}

function equalityOf(condition: Node, sources: readonly string[]): (readonly [string, string])[] {
  const expression = only<A_Expr>(condition, 'A_Expr');
  if (expression?.kind !== 'AEXPR_OP' || names(expression.name).join('.') !== '=') return [];
  const { lexpr, rexpr } = expression;
  const lefts = only<{ args?: Node[] }>(lexpr, 'RowExpr')?.args ?? [lexpr];
  const rights = only<{ args?: Node[] }>(rexpr, 'RowExpr')?.args ?? [rexpr];
  return lefts.flatMap((left, index) => {
    const [one, another] = [sourceOf(left, sources), sourceOf(rights[index], sources)];
    if (one && another && one !== another) return [one === parameter ? [another, one] : [one, another]] as const;
    return [];
  });
}

/** The source whose merchant_id this is, or the mark of a parameter. */
function sourceOf(node: Node | undefined, sources: readonly string[]): string | undefined {
  if (isParameter(node)) return parameter;
  const path = columnPath(node);
  if (path?.at(-1) !== 'merchant_id') return undefined;
  return path.length > 1 ? path.at(-2) : sources[0];
}

function isParameter(node: Node | undefined): boolean {
  const cast = only<{ arg?: Node }>(node, 'TypeCast');
  return cast ? isParameter(cast.arg) : only(node, 'ParamRef') !== undefined;
}
