/** Inserts quotes into the database, with the times that a test needs. */
import type pg from 'pg';
import type { MerchantId } from '../../src/ids.js';
import { newPublicId, type UserId } from '../../src/ids.js';
import type { QuoteCode } from '../../src/rates/quote.js';

export interface StoredQuote {
  readonly merchant: MerchantId;
  readonly user?: UserId;
  /** Seconds from now; negative for an expired quote. */
  readonly expiresInMs?: number;
}

export async function storeQuote(sql: pg.Pool, given: StoredQuote): Promise<QuoteCode> {
  const code = newPublicId('rt');
  const { merchant, user = null, expiresInMs = 1_800_000 } = given;
  await sql.query(
    `INSERT INTO quotes (merchant_id, code, user_id, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate, mid_rate,
                         rate_source, rate_published_at, margin_basis_points, fee_minor, created_at, expires_at)
     VALUES ($1, $2, $3, 'USD', 'MXN', 10000, 169594, 16.95948516, 17.3915611092091, 'ecb', '2026-04-13T14:00:00Z', 120,
             130, clock_timestamp() - interval '30 minutes', clock_timestamp() + make_interval(secs => $4::float8 / 1000))`,
    [merchant, code, user, expiresInMs],
  );
  return code;
}
