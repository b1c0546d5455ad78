/** The rules of tables, read from a migrated database: keys (9), foreign keys and triggers (11). */
import { parse, parsePlPgSQL, type RangeVar } from 'libpg-query';
import type pg from 'pg';
import { plpgsqlStatements } from '../tenancy/function-bodies.js';
import { allOf } from '../tenancy/syntax-tree.js';

type Sql = Pick<pg.Client, 'query'>;

/** A table, and what is wrong with it. */
export type TableFault = readonly [table: string, fault: string];

/** A tenant table has a primary key. It and all other keys contain the merchant, which is never NULL. */
export async function keyFaults(sql: Sql): Promise<TableFault[]> {
  const { rows } = await sql.query<{ name: string; nullable: boolean; keyless: boolean; keys: string[] }>(
    `SELECT t.relname AS name, NOT m.attnotnull AS nullable, bool_and(k.indisprimary IS NOT TRUE) AS keyless,
            array_remove(array_agg(k.indexrelid::regclass::text) FILTER (WHERE NOT m.attnum = ANY (k.indkey)), NULL) AS keys
       FROM pg_class AS t
       JOIN pg_attribute AS m ON m.attrelid = t.oid AND m.attname = 'merchant_id'
       LEFT JOIN pg_index AS k ON k.indrelid = t.oid AND k.indisunique
      WHERE t.relkind IN ('r', 'p') AND t.relnamespace = 'public'::regnamespace
      GROUP BY t.relname, m.attnotnull ORDER BY t.relname`,
  );
  return rows.flatMap(({ name, nullable, keyless, keys }): TableFault[] => [
    ...(keyless ? [[name, '9: it has no primary key'] as const] : []),
    ...(nullable ? [[name, '9: merchant_id may be NULL'] as const] : []),
    ...(keys ?? []).map((key) => [name, `9: ${key} does not contain merchant_id`] as const),
  ]);
}

/** The foreign keys between tenant tables pair merchant with merchant. */
export async function foreignKeyFaults(sql: Sql): Promise<TableFault[]> {
  const { rows } = await sql.query<{ name: string; key: string }>(
    `SELECT c.conrelid::regclass::text AS name, c.conname AS key
       FROM pg_constraint AS c
       JOIN pg_attribute AS own ON own.attrelid = c.conrelid AND own.attname = 'merchant_id'
       JOIN pg_attribute AS other ON other.attrelid = c.confrelid AND other.attname = 'merchant_id'
      WHERE c.contype = 'f' AND NOT EXISTS (
        SELECT FROM unnest(c.conkey, c.confkey) AS pair (own_column, other_column)
         WHERE own_column = own.attnum AND other_column = other.attnum)`,
  );
  return rows.map(({ name, key }) => [name, `its foreign key ${key} can cross merchants`]);
}

/** A trigger of a tenant table looks at OLD and NEW only. */
export async function triggerFaults(sql: Sql): Promise<TableFault[]> {
  const { rows } = await sql.query<{ name: string; definition: string }>(
    `SELECT t.relname AS name, pg_get_functiondef(g.tgfoid) AS definition
       FROM pg_trigger AS g
       JOIN pg_class AS t ON t.oid = g.tgrelid
       JOIN pg_attribute AS m ON m.attrelid = t.oid AND m.attname = 'merchant_id'
      WHERE NOT g.tgisinternal ORDER BY t.relname, g.tgname`,
  );
  const found = rows.map(async ({ name, definition }): Promise<TableFault[]> => {
    const tables = await tablesRead(definition);
    return tables.map((table) => [name, `11: a trigger reads ${table}`]);
  });
  return (await Promise.all(found)).flat();
}

async function tablesRead(definition: string): Promise<string[]> {
  const statements = plpgsqlStatements(await parsePlPgSQL(definition));
  const trees = await Promise.all(statements.map((statement) => parse(statement)));
  return allOf<RangeVar>({ trees }, 'RangeVar').flatMap(({ relname }) => relname ?? []);
}
