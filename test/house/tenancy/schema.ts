/** The tables of a migrated database, as PostgreSQL knows them: nobody has to remember to list a tenant table. */
import { parse, type RangeVar } from 'libpg-query';
import type pg from 'pg';

/** The columns of each table, by its full name: `public.orders`. */
export type Schema = ReadonlyMap<string, ReadonlySet<string>>;

export function tableKey(table: Pick<RangeVar, 'schemaname' | 'relname'>): string {
  return `${table.schemaname ?? 'public'}.${table.relname}`;
}

export function isTenantTable(schema: Schema, key: string): boolean {
  return schema.get(key)?.has('merchant_id') ?? false;
}

/** A view is read as a table. It must show the rows of one table with their merchant, so that a statement can bind it. */
export async function readSchema(sql: Pick<pg.Client, 'query'>): Promise<Schema> {
  const { rows } = await sql.query<{ name: string; kind: string; columns: string[]; definition: string | null }>(
    `SELECT n.nspname || '.' || c.relname AS name, c.relkind AS kind, array_agg(a.attname::text) AS columns,
            CASE c.relkind WHEN 'v' THEN pg_get_viewdef(c.oid) END AS definition
       FROM pg_class AS c
       JOIN pg_namespace AS n ON n.oid = c.relnamespace
       JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND n.nspname NOT LIKE 'pg_toast%'
      GROUP BY 1, 2, 4`,
  );
  const unreadable: string[] = [];
  for (const { name, kind, definition } of rows)
    if (!'rp'.includes(kind) && !(definition && (await showsOneTable(definition)))) unreadable.push(name);
  if (unreadable.length > 0) throw new Error(`tables could be read unseen through ${unreadable.join(', ')}`);
  return new Map(rows.map(({ name, columns }) => [name, new Set(columns)]));
}

/** `SELECT merchant_id, … FROM table WHERE …`, without a join, another statement inside or another name for the merchant. */
async function showsOneTable(definition: string): Promise<boolean> {
  const text = JSON.stringify(await parse(definition));
  const tables = text.match(/"RangeVar":/g) ?? [];
  const isPlain = !/"(SubLink|RangeSubselect|JoinExpr|larg)":/.test(text);
  return tables.length === 1 && isPlain && /^\s*SELECT merchant_id,/.test(definition);
}
