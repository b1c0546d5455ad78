/** The SQL inside the functions of the database: a statement must not reach past its merchant through one. */
import { parse, parsePlPgSQL } from 'libpg-query';
import type pg from 'pg';
import { tenancyFaults } from './check.js';
import type { Schema } from './schema.js';
import { allOf } from './syntax-tree.js';

interface DatabaseFunction {
  readonly name: string;
  readonly language: string;
  readonly parameters: readonly string[];
  readonly definition: string;
  readonly body: string;
}

export async function functionFaults(sql: Pick<pg.Client, 'query'>, schema: Schema): Promise<string[]> {
  const { rows } = await sql.query<DatabaseFunction>(
    `SELECT p.proname AS name, l.lanname AS language, coalesce(p.proargnames, '{}') AS parameters,
            pg_get_functiondef(p.oid) AS definition, p.prosrc AS body
       FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
      WHERE p.pronamespace = 'public'::regnamespace AND p.prokind IN ('f', 'p') ORDER BY p.proname`,
  );
  const found = rows.map(async (each) =>
    (await faultsOf(each, schema)).map((fault) => `function ${each.name}: ${fault}`),
  );
  return (await Promise.all(found)).flat();
}

async function faultsOf(
  { language, parameters, definition, body }: DatabaseFunction,
  schema: Schema,
): Promise<string[]> {
  if (language === 'sql') return faultsIn(await sqlStatements(body), parameters, schema);
  if (language !== 'plpgsql') return [`is written in ${language}, which nobody can read`];
  const tree: unknown = await parsePlPgSQL(definition);
  if (['PLpgSQL_stmt_dynexecute', 'PLpgSQL_stmt_dynfors'].some((kind) => allOf(tree, kind).length > 0))
    return ['EXECUTE hides its SQL'];
  const declared = ['PLpgSQL_var', 'PLpgSQL_rec'].flatMap((kind) => allOf<{ refname: string }>(tree, kind));
  const variables = [...parameters, ...declared.map(({ refname }) => refname)];
  return faultsIn(plpgsqlStatements(tree), variables, schema);
}

async function faultsIn(
  statements: readonly string[],
  variables: readonly string[],
  schema: Schema,
): Promise<string[]> {
  const faults = statements.map((text) => tenancyFaults(text, schema, new Set(variables)));
  return (await Promise.all(faults)).flat();
}

async function sqlStatements(body: string): Promise<string[]> {
  // The parser counts bytes, not characters.
  const bytes = Buffer.from(body);
  return ((await parse(body)).stmts ?? []).map(({ stmt_location: start = 0, stmt_len: length }) =>
    bytes.subarray(start, length ? start + length : undefined).toString(),
  );
}

/** The SQL in the tree of a PL/pgSQL function. */
export function plpgsqlStatements(tree: unknown): string[] {
  return allOf<{ query: string; parseMode: number }>(tree, 'PLpgSQL_expr').map(asStatement);
}

/** PL/pgSQL keeps whole statements, bare expressions and assignments (`name := expression`). */
function asStatement(expression: { query: string; parseMode: number }): string {
  const wholeStatement = 0;
  if (expression.parseMode === wholeStatement) return expression.query;
  return `SELECT ${expression.query.replace(/^[\s\w."[\]]+:?=(?!=)/, '')}`;
}
