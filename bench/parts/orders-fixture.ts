/** What orders need: users who may send, quotes to take, and a past of many orders with their postings. */
import pg from 'pg';

export interface OrdersPlace {
  readonly url: string;
  readonly merchant: number;
}

/** Without triggers and foreign keys: rows may be in any state without the history that led to it. */
async function asReplica(url: string, work: (sql: pg.Client) => Promise<unknown>): Promise<void> {
  const sql = new pg.Client({ connectionString: url });
  await sql.connect();
  try {
    await sql.query("SET session_replication_role = 'replica'; SET synchronous_commit = off");
    await work(sql);
  } finally {
    await sql.end();
  }
}

/** Every user of the merchant holds the highest level. */
export function approveUsers({ url, merchant }: OrdersPlace): Promise<void> {
  return asReplica(url, async (sql) => {
    await sql.query(
      `INSERT INTO kyc_cases (merchant_id, case_id, user_id, level, zone, state, version, created_at, updated_at, expires_at)
       SELECT merchant_id, 'kyc_' || lpad(user_id::text, 26, '0'), user_id, 'LEVEL_3', 'EEA', 'APPROVED', 3, now(), now(),
              now() + interval '2 years'
         FROM users WHERE merchant_id = $1`,
      [merchant],
    );
    await sql.query('VACUUM (ANALYZE) kyc_cases');
  });
}

/** Quotes of 10 dollars for anybody, whose codes are `rt_` and the numbers from `first` on. */
export function addQuotes({ url, merchant }: OrdersPlace, first: number, count: number): Promise<void> {
  return asReplica(url, (sql) =>
    sql.query(
      `INSERT INTO quotes (merchant_id, code, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate, mid_rate,
                           rate_source, rate_published_at, margin_basis_points, fee_minor, created_at, expires_at)
       SELECT $1, 'rt_' || lpad(n::text, 26, '0'), 'USD', 'MXN', 1000, 16959, 16.95948516, 17.3915611092091,
              'sandbox-snapshot', '2026-04-13T14:00:00Z', 120, 103, now(), now() + interval '1 day'
         FROM generate_series($2::bigint, $2::bigint + $3::bigint - 1) AS n`,
      [merchant, first, count],
    ),
  );
}

/** What differs between the copies of one order. */
const varied: Readonly<Record<string, string>> = {
  order_id: `'ord_' || lpad(n::text, 26, '0')`,
  quote_code: `'rt_' || lpad(n::text, 26, '0')`,
  payin_reference: `'RF' || n`,
  external_order_id: `'past-' || n`,
  // User 7 has as many orders among few as among many, so that a page of them is as long.
  user_id: 'CASE WHEN n <= 50 THEN 7 ELSE 8 + n % 990 END',
  state: `(ARRAY['COMPLETED', 'REFUNDED', 'CANCELLED', 'EXPIRED', 'IN_REVIEW'])[CASE WHEN n % 50 < 46 THEN 1 ELSE n % 50 - 44 END]`,
  fiat_in: `CASE WHEN n % 10 = 1 THEN 'CHF' ELSE fiat_in END`,
  fiat_out: `CASE WHEN n % 10 = 2 THEN 'KES' ELSE fiat_out END`,
  created_at: 'created_at - make_interval(secs => n * 10)',
  updated_at: 'updated_at - make_interval(secs => n * 10)',
};

/** Copies one order `count` times, each with five changes, two journals and ten postings. */
export function fillOrders({ url, merchant }: OrdersPlace, orderId: string, count: number): Promise<void> {
  return asReplica(url, async (sql) => {
    const { rows } = await sql.query(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'orders' AND is_generated = 'NEVER'`,
    );
    const names: string[] = rows.map(({ name }) => name);
    const copied = names.map((name) => varied[name] ?? name).join(', ');
    const atOnce = 50_000;
    for (let first = 1; first <= count; first += atOnce) {
      const last = Math.min(first + atOnce - 1, count);
      const series = `generate_series(${first}, ${last}) AS n`;
      await sql.query(
        `INSERT INTO orders (${names.join(', ')}) SELECT ${copied} FROM orders, ${series}
          WHERE merchant_id = $1 AND order_id = $2`,
        [merchant, orderId],
      );
      await sql.query(
        `INSERT INTO changes (merchant_id, actor_kind, actor_id, action, subject, from_state, to_state, details, version,
                              public_version, journal_ids, journals_digest, occurred_at, seal, number, hash)
         SELECT $1, 'system', 'bench', 'order.convert', 'order:ord_' || lpad(n::text, 26, '0'), 'PAYMENT_RECEIVED',
                'CONVERTED', '{}', version, version, ARRAY[n * 2], sha256('journals'), now(), sha256('seal'),
                1000000000 + n * 5 + version, sha256('hash') FROM ${series}, generate_series(1, 5) AS version`,
        [merchant],
      );
      await sql.query(
        `INSERT INTO ledger_journals (merchant_id, journal_id, event, postings_count, occurred_at, seal)
         SELECT $1, n * 2 + part, 'converted', 5, date_trunc('second', now()) - make_interval(secs => n * 10),
                decode(repeat('00', 72), 'hex')
           FROM ${series}, generate_series(0, 1) AS part`,
        [merchant],
      );
      await sql.query(
        `INSERT INTO ledger_postings (merchant_id, journal_id, position, postings_count, account, amount_minor, reference)
         SELECT $1, n * 2 + part, position, 5, (ARRAY['liability:USD', 'fee:USD', 'fx:USD', 'fx:MXN', 'payout:MXN'])[position],
                1000, 'ord_' || lpad(n::text, 26, '0')
           FROM ${series}, generate_series(0, 1) AS part, generate_series(1, 5) AS position`,
        [merchant],
      );
      if (count > atOnce) console.log(`filling in: ${last} of ${count} orders`);
    }
    for (const table of ['orders', 'changes', 'ledger_journals', 'ledger_postings'])
      await sql.query(`VACUUM (ANALYZE) ${table}`);
    await sql.query('CHECKPOINT');
  });
}
