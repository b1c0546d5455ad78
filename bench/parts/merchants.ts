/** Merchants with a registered url, created with few statements. */
import type pg from 'pg';

/** Returns the numbers of the new merchants. */
export async function addMerchantsWithUrls(sql: pg.Client, count: number, url: string): Promise<number[]> {
  const { rows } = await sql.query<{ merchant_id: string }>(
    `WITH added AS (
       INSERT INTO merchants (client_id, name) SELECT 'bench-' || n, 'bench' FROM generate_series(1, $1::int) AS n
       RETURNING merchant_id)
     INSERT INTO webhook_endpoints (merchant_id, channel, url) SELECT merchant_id, 'order', $2 FROM added
     RETURNING merchant_id`,
    [count, url],
  );
  await sql.query('VACUUM ANALYZE merchants, webhook_endpoints');
  return rows.map((row) => Number(row.merchant_id));
}
