/** Events of the size that real ones have. */
import type pg from 'pg';

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
  await sql.query('TRUNCATE events, event_sequences, deliveries, delivery_attempts');
}

/** As much as a service has sent before, shared by the merchants. */
const sentBefore = 10_000;

/**
 * Each merchant gets as many events, committed and numbered, and waiting to be sent; or, `unnumbered`, only committed.
 * The tables were last analysed when every event had been sent, as is usual: a queue grows faster than it is analysed.
 */
export async function queueEvents(
  sql: pg.Client,
  merchants: readonly number[],
  each: number,
  { unnumbered = false } = {},
): Promise<void> {
  const sentEach = Math.ceil(sentBefore / merchants.length);
  await forgetEvents(sql);
  await addEvents(sql, merchants, { first: 1, last: sentEach });
  await addDeliveries(sql, 'delivered', { first: 1 });
  await sql.query('VACUUM ANALYZE events, deliveries, delivery_attempts');
  const queued = { first: sentEach + 1, last: sentEach + each };
  await addEvents(sql, merchants, queued, { unnumbered });
  if (!unnumbered) await addDeliveries(sql, 'pending', queued);
  await sql.query(
    `INSERT INTO event_sequences (merchant_id, channel, last_sequence, last_due_at)
     SELECT merchant, 'order', $2, now() FROM unnest($1::bigint[]) AS merchant`,
    [merchants, unnumbered ? sentEach : queued.last],
  );
  await sql.query('CHECKPOINT');
}

async function addEvents(
  sql: pg.Client,
  merchants: readonly number[],
  { first, last }: { readonly first: number; readonly last: number },
  { unnumbered = false } = {},
): Promise<void> {
  await sql.query(
    `INSERT INTO events (merchant_id, event_id, channel, type, subject, object, previous_status, occurred_at, sequence)
     SELECT merchant, 'evt_' || upper(left(md5(merchant || '-' || n), 26)), 'order', 'order.completed', 'ord_' || n % 5000, $4,
            'PAYOUT_SUBMITTED', clock_timestamp(), CASE WHEN $5 THEN NULL ELSE n END
       FROM unnest($1::bigint[]) AS merchant, generate_series($2::int, $3::int) AS n`,
    [merchants, first, last, objectText, unnumbered],
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
