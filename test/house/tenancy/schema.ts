/** The tables of a migrated database, as PostgreSQL knows them: nobody has to remember to list a tenant table. */
import type { RangeVar } from 'libpg-query';
import type pg from 'pg';

/** The columns of each table, by its full name: `public.orders`. */
export type Schema = ReadonlyMap<string, ReadonlySet<string>>;

export function tableKey(table: Pick<RangeVar, 'schemaname' | 'relname'>): string {
  return `${table.schemaname ?? 'public'}.${table.relname}`;
}

export function isTenantTable(schema: Schema, key: string): boolean {
  return schema.get(key)?.has('merchant_id') ?? false;
}

export async function readSchema(sql: Pick<pg.Client, 'query'>): Promise<Schema> {
  const { rows } = await sql.query<{ name: string; kind: string; columns: string[] }>(
    `SELECT n.nspname || '.' || c.relname AS name, c.relkind AS kind, array_agg(a.attname::text) AS columns
       FROM pg_class AS c
       JOIN pg_namespace AS n ON n.oid = c.relnamespace
       JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND n.nspname NOT LIKE 'pg_toast%'
      GROUP BY 1, 2`,
  );
  const unreadable = rows.filter(({ kind }) => !'rp'.includes(kind)).map(({ name }) => name);
  if (unreadable.length > 0) throw new Error(`tables could be read unseen through ${unreadable.join(', ')}`);
  return new Map(rows.map(({ name, columns }) => [name, new Set(columns)]));
}
