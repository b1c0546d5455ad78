/** Which parameters of a statement name the merchant whose rows it writes. */
import type { A_Expr, InsertStmt, Node, RangeVar, SelectStmt } from 'libpg-query';
import { allOf, columnPath, only } from '../tenancy/syntax-tree.js';

/** Returns numbers as in `$1`. Empty when the statement writes no table of a merchant. */
export function merchantParameters(tree: Node | undefined, isTenant: (table: string) => boolean): number[] {
  const writes = ['InsertStmt', 'UpdateStmt', 'DeleteStmt'].flatMap((kind) =>
    allOf<{ relation?: RangeVar }>({ tree }, kind).filter(({ relation }) =>
      isTenant(relation?.relname ?? ''),
    ),
  );
  if (writes.length === 0) return [];
  const compared = allOf<A_Expr>({ tree }, 'A_Expr').flatMap(({ lexpr, rexpr }) => {
    const lefts = only<{ args?: Node[] }>(lexpr, 'RowExpr')?.args ?? [lexpr];
    const rights = only<{ args?: Node[] }>(rexpr, 'RowExpr')?.args ?? [rexpr];
    return lefts.flatMap((left, index) =>
      columnPath(left)?.at(-1) === 'merchant_id' ? parameterOf(rights[index]) : [],
    );
  });
  const inserted = allOf<InsertStmt>({ tree }, 'InsertStmt')
    .filter(({ relation }) => isTenant(relation?.relname ?? ''))
    .flatMap(insertedMerchants);
  return [...new Set([...compared, ...inserted])];
}

function insertedMerchants({ cols, selectStmt }: InsertStmt): number[] {
  const columns = (cols ?? []).map((node) => only<{ name?: string }>(node, 'ResTarget')?.name);
  const position = columns.indexOf('merchant_id');
  const select = only<SelectStmt>(selectStmt, 'SelectStmt');
  const rows = select?.valuesLists?.map((row) => only<{ items?: Node[] }>(row, 'List')?.items?.[position]);
  const selected = only<{ val?: Node }>(select?.targetList?.[position], 'ResTarget')?.val;
  return (rows ?? [selected]).flatMap(parameterOf);
}

function parameterOf(node: Node | undefined): number[] {
  const cast = only<{ arg?: Node }>(node, 'TypeCast');
  if (cast) return parameterOf(cast.arg);
  const number = only<{ number?: number }>(node, 'ParamRef')?.number;
  return number === undefined ? [] : [number];
}
