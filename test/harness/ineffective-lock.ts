/** Makes the try-lock of idempotency keys succeed for everyone, as on a database whose machines do not share locks. */
import type pg from 'pg';

/** Acts on connections that are opened afterwards: they find this function before that of PostgreSQL. */
export async function makeTryLockIneffective(sql: pg.Pool): Promise<void> {
  await sql.query(`
    CREATE FUNCTION public.pg_try_advisory_xact_lock(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true';
    DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
    END $$`);
}
