/** What PostgreSQL knows of the functions that statements may call. */
import type pg from 'pg';

export interface Functions {
  /** May answer differently within one statement, or has an effect. */
  readonly volatile: ReadonlySet<string>;
  /** Answers the same for the same arguments, always. */
  readonly immutable: ReadonlySet<string>;
  /** Defined by our migrations, and not immutable: such a function reads a table. */
  readonly readsTables: ReadonlySet<string>;
}

/**
 * A name with several definitions counts as the least stable of them. Those for `time with time zone`, a type that no
 * table has, are left out: PostgreSQL 14 calls the one of AT TIME ZONE volatile.
 */
export async function readFunctions(sql: Pick<pg.Client, 'query'>): Promise<Functions> {
  const { rows } = await sql.query<{ name: string; kinds: string; ours: boolean }>(
    `SELECT proname AS name, string_agg(DISTINCT provolatile::text, '') AS kinds,
            bool_or(pronamespace = 'public'::regnamespace) AS ours
       FROM pg_proc
      WHERE prorettype <> 'trigger'::regtype AND NOT 'timetz'::regtype = ANY (proargtypes) GROUP BY proname`,
  );
  const namesOf = (filter: (row: (typeof rows)[number]) => boolean) =>
    new Set(rows.filter(filter).map(({ name }) => name));
  return {
    volatile: namesOf(({ kinds }) => kinds.includes('v')),
    immutable: namesOf(({ kinds }) => kinds === 'i'),
    readsTables: namesOf(({ kinds, ours }) => ours && kinds !== 'i'),
  };
}
