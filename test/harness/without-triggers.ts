/** Changes rows as a superuser does who switches triggers and foreign keys off. */
import type pg from 'pg';

/** For a transaction. A cluster passes the second setting on to the other machines because of the first. */
export const triggersOff = `SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL session_replication_role = replica`;

/**
 * Adds to a time, or subtracts: `+ interval '1 day'`. In UTC, because a cluster allows nothing that depends on a time
 * zone.
 */
export function moved(column: string, change: string): string {
  return `(${column} AT TIME ZONE 'UTC' ${change}) AT TIME ZONE 'UTC'`;
}

/** Runs the work in one transaction. It empties a table with DELETE: a cluster needs its own triggers for TRUNCATE. */
export async function withoutTriggers(sql: pg.Pool, work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await sql.connect();
  try {
    await client.query(`BEGIN; ${triggersOff}`);
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
