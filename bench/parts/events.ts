/** Events of the size that real ones have. */
import type pg from 'pg';
import { recordChange } from '../../src/changes/service.js';
import { type MerchantId, merchantId } from '../../src/ids.js';
import type { Database } from '../../src/postgres/database.js';

const by = { actor: { kind: 'system', name: 'bench' } } as const;

const order = {
  id: 'ord_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
  status: 'COMPLETED',
  externalOrderId: 'invoice-2026-0001',
  userId: 42,
  beneficiaryId: 'ben_1T9X5B3N6H0C7D2FW7ZQ4M1K8V',
  account: '**** 4321',
  fiatIn: 'USD',
  fiatOut: 'MXN',
  amountIn: 100,
  amountOut: 1695.94,
  rate: 16.95948516,
  fee: 1.3,
  payoutMethod: 'bank_account',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:41:12.000Z',
  cancellableUntil: '2026-11-15T10:00:00.000Z',
  rateGuaranteedUntil: '2026-11-15T10:00:00.000Z',
};
export const objectText = JSON.stringify(order);

export async function forgetEvents(sql: pg.Client): Promise<void> {
  await sql.query('BEGIN; SET LOCAL session_replication_role = replica');
  await sql.query('TRUNCATE changes, change_chains, deliveries, delivery_attempts; COMMIT');
}

/** As much as a service has sent before, shared by the merchants. */
const sentBefore = 10_000;
const writtenAtOnce = 1000;

/**
 * Each merchant gets as many events, committed and numbered, and waiting to be sent; or, `unnumbered`, only committed.
 * The tables were last analysed when every event had been sent, as is usual: a queue grows faster than it is analysed.
 */
export async function queueEvents(
  { sql, database }: { readonly sql: pg.Client; readonly database: Database },
  merchants: readonly number[],
  each: number,
  { unnumbered = false } = {},
): Promise<void> {
  const sentEach = Math.ceil(sentBefore / merchants.length);
  await forgetEvents(sql);
  await addNumbered(sql, merchants, { first: 1, last: sentEach });
  await addDeliveries(sql, 'delivered', { first: 1 });
  await sql.query('VACUUM ANALYZE changes, deliveries, delivery_attempts');
  const queued = { first: sentEach + 1, last: sentEach + each };
  if (unnumbered) for (const merchant of merchants) await record(database, merchantId(merchant), queued);
  else {
    await addNumbered(sql, merchants, queued);
    await addDeliveries(sql, 'pending', queued);
  }
  const last = unnumbered ? sentEach : queued.last;
  await sql.query(
    `INSERT INTO change_chains (merchant_id, number, hash, order_sequence, signed_number)
     SELECT merchant, $2, sha256('bench'), $2, $2 FROM unnest($1::bigint[]) AS merchant`,
    [merchants, last],
  );
  await sql.query('CHECKPOINT');
}

/** As the service does. */
async function record(database: Database, merchant: MerchantId, { first, last }: Range): Promise<void> {
  for (let from = first; from <= last; from += writtenAtOnce)
    await database.transaction((tx) =>
      Promise.all(
        Array.from({ length: Math.min(writtenAtOnce, last - from + 1) }, (_, index) =>
          recordChange(tx, by, {
            merchantId: merchant,
            action: 'order.complete',
            subject: `order:ord_${(from + index) % 5000}`,
            event: { channel: 'order', type: 'order.completed', object: order, previousStatus: 'PAYOUT_SUBMITTED' },
          }),
        ),
      ),
    );
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/** Numbered long ago: nobody looks at their seals. */
async function addNumbered(sql: pg.Client, merchants: readonly number[], { first, last }: Range): Promise<void> {
  await sql.query(
    `INSERT INTO changes (merchant_id, actor_kind, actor_id, action, subject, details, event_id, channel, event_type, object,
                          object_digest, previous_status, journal_ids, occurred_at, seal, number, hash, sequence)
     SELECT merchant, 'system', 'bench', 'order.complete', 'order:ord_' || n % 5000, '{}',
            'evt_' || upper(left(md5(merchant || '-' || n), 26)), 'order', 'order.completed', $4, sha256($4::text::bytea),
            'PAYOUT_SUBMITTED', '{}', clock_timestamp(), sha256('seal'), n, sha256('hash'), n
       FROM unnest($1::bigint[]) AS merchant, generate_series($2::int, $3::int) AS n`,
    [merchants, first, last, objectText],
  );
}

async function addDeliveries(
  sql: pg.Client,
  state: 'delivered' | 'pending',
  { first }: { readonly first: number },
): Promise<void> {
  await sql.query(
    `INSERT INTO deliveries (merchant_id, event_id, channel, subject, sequence, state, due_at)
     SELECT merchant_id, event_id, channel, subject, sequence, $1, now() FROM events WHERE sequence >= $2`,
    [state, first],
  );
}
