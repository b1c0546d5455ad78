/** SQL that ends the retention of what merchants were told. The change stays, with a digest of the object. */
import { type MerchantId, merchantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';

const listOld = statement(
  'object-store.list-old',
  `SELECT merchant_id, array_agg(event_id) AS event_ids
     FROM (SELECT merchant_id, event_id FROM changes
            WHERE object IS NOT NULL AND recorded_at < statement_timestamp() - make_interval(days => $days)
              AND number IS NOT NULL
            ORDER BY recorded_at LIMIT 1000) AS old
    GROUP BY merchant_id`,
).rows<{ merchant_id: bigint; event_ids: string[] }>();
const forget = statement(
  'object-store.forget',
  `UPDATE changes SET object = NULL
    WHERE merchant_id = $merchantId AND event_id = ANY ($eventIds) AND object IS NOT NULL
   RETURNING 1 AS changed`,
).rows<{ changed: number }>();

/** Events of one merchant. */
export interface OldObjects {
  readonly merchantId: MerchantId;
  readonly eventIds: readonly string[];
}

/** Lists at most 1,000 numbered events whose object is so old, the oldest first. */
export async function listOldObjects(database: Queryable, days: number): Promise<OldObjects[]> {
  const rows = await database.query(listOld, { days });
  return rows.map((row) => ({ merchantId: merchantId(row.merchant_id), eventIds: row.event_ids }));
}

/** Returns how many objects went: fewer than were listed when another worker was faster. */
export async function forgetObjects(tx: Transaction, { merchantId: merchant, eventIds }: OldObjects): Promise<number> {
  return (await tx.query(forget, { merchantId: merchant, eventIds })).length;
}
