/** The SQL inside the functions that migrations define: a statement must not reach past its merchant through one. */
import { type CreateFunctionStmt, type DefElem, type Node, parse, parsePlPgSQL } from 'libpg-query';
import { tenancyFaults } from './check.js';
import type { Schema } from './schema.js';
import { allOf, names, only } from './syntax-tree.js';

interface Body {
  readonly statements: readonly string[];
  readonly variables: ReadonlySet<string>;
}

/** The faulty functions by name. One that is defined again is judged by its last definition. */
export async function functionFaults(
  migrations: readonly string[],
  schema: Schema,
): Promise<(readonly [name: string, faults: readonly string[]])[]> {
  const bySignature = new Map<string, readonly [string, readonly string[]]>();
  for (const sql of migrations) {
    for (const { stmt, stmt_location: start = 0, stmt_len: length } of (await parse(sql)).stmts ?? []) {
      const definition = only<CreateFunctionStmt>(stmt, 'CreateFunctionStmt');
      if (!definition) continue;
      // The parser counts bytes, not characters.
      const bytes = Buffer.from(sql).subarray(start, length === undefined ? undefined : start + length);
      const name = names(definition.funcname).join('.');
      const faults = await faultsOf(definition, bytes.toString(), schema);
      bySignature.set(signature(definition), [name, faults.map((fault) => `function ${name}: ${fault}`)]);
    }
  }
  return [...bySignature.values()].filter(([, faults]) => faults.length > 0);
}

function signature(definition: CreateFunctionStmt): string {
  const types = allOf<{ names?: Node[] }>(definition.parameters, 'argType').map((type) => names(type.names));
  return JSON.stringify([names(definition.funcname), types]);
}

async function faultsOf(definition: CreateFunctionStmt, sql: string, schema: Schema): Promise<string[]> {
  const language = only<{ sval?: string }>(option(definition, 'language'), 'String')?.sval;
  if (language !== 'sql' && language !== 'plpgsql')
    return [`is written in ${language}, which nobody can read`];
  try {
    const body = language === 'sql' ? await sqlBody(definition) : await plpgsqlBody(definition, sql);
    const faults = body.statements.map((text) => tenancyFaults(text, schema, body.variables));
    return (await Promise.all(faults)).flat();
  } catch (error) {
    return [`can't be read: ${(error as Error).message}`];
  }
}

async function sqlBody(definition: CreateFunctionStmt): Promise<Body> {
  const text = names(only<{ items?: Node[] }>(option(definition, 'as'), 'List')?.items).join('');
  if (definition.sql_body) throw new Error('write the body as a string');
  const statements = (await parse(text)).stmts ?? [];
  const bytes = Buffer.from(text);
  return {
    variables: parameters(definition),
    statements: statements.map(({ stmt_location: start = 0, stmt_len: length }) =>
      bytes.subarray(start, length ? start + length : undefined).toString(),
    ),
  };
}

async function plpgsqlBody(definition: CreateFunctionStmt, sql: string): Promise<Body> {
  const tree: unknown = await parsePlPgSQL(sql);
  if (allOf(tree, 'PLpgSQL_stmt_dynexecute').length + allOf(tree, 'PLpgSQL_stmt_dynfors').length > 0) {
    throw new Error('EXECUTE hides its SQL');
  }
  const declared = ['PLpgSQL_var', 'PLpgSQL_rec'].flatMap((kind) => allOf<{ refname: string }>(tree, kind));
  return {
    variables: new Set([...parameters(definition), ...declared.map((variable) => variable.refname)]),
    statements: plpgsqlStatements(tree),
  };
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

function parameters(definition: CreateFunctionStmt): Set<string> {
  const found = allOf<{ name?: string }>(definition.parameters, 'FunctionParameter');
  return new Set(found.flatMap((parameter) => parameter.name ?? []));
}

function option(definition: CreateFunctionStmt, name: string): Node | undefined {
  const options = (definition.options ?? []).map((node) => only<DefElem>(node, 'DefElem'));
  return options.find((candidate) => candidate?.defname === name)?.arg;
}
