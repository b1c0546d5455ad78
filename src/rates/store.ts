/** SQL on quotes. */
import { type MerchantId, type UserId, userId } from '../ids.js';
import { amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import { type Rate, rateFromLiteral, rateToLiteral } from '../money/rate.js';
import { type Queryable, type Statement, statement, type Transaction } from '../postgres/statement.js';
import type { Quote, QuoteCode, QuoteTerms } from './quote.js';

interface QuoteRow {
  code: QuoteCode;
  user_id: bigint | null;
  fiat_in: CurrencyCode;
  fiat_out: CurrencyCode;
  amount_in_minor: bigint;
  amount_out_minor: bigint;
  rate: string;
  mid_rate: string;
  rate_source: string;
  rate_published_at: Date;
  margin_basis_points: number;
  fee_minor: bigint;
  created_at: Date;
  expires_at: Date;
  taken_at: Date | null;
  is_expired: boolean;
}

/** Inserts one or many quotes, each with the time of its merchant's clock. */
export const insertQuotes: Statement<{ code: QuoteCode; created_at: Date; expires_at: Date }> = statement(
  'rates.insert-quotes',
  `INSERT INTO quotes (merchant_id, code, user_id, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate, mid_rate,
                       rate_source, rate_published_at, margin_basis_points, fee_minor, created_at, expires_at)
   SELECT quote.merchant_id, code, user_id, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate, mid_rate,
          rate_source, rate_published_at, margin_basis_points, fee_minor, now.at,
          date_trunc('milliseconds', now.at + make_interval(secs => lifetime))
     FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
                 $8::numeric[], $9::numeric[], $10::text[], $11::timestamptz[], $12::int[], $13::bigint[], $14::int[])
       AS quote (merchant_id, code, user_id, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate, mid_rate,
                 rate_source, rate_published_at, margin_basis_points, fee_minor, lifetime),
          LATERAL (SELECT remesa_now(quote.merchant_id) AS at) AS now
   RETURNING code, created_at, expires_at`,
);
const findQuote = statement<QuoteRow>(
  'rates.find-quote',
  `SELECT code, user_id, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate::text, mid_rate::text, rate_source,
          rate_published_at, margin_basis_points, fee_minor, created_at, expires_at, taken_at,
          expires_at <= remesa_now($1) AS is_expired
     FROM quotes WHERE merchant_id = $1 AND code = $2`,
);
/**
 * Locks the row first and reads the clock afterwards. A plain UPDATE checks its conditions before it waits for the lock, and
 * not again if the other transaction changed nothing, so a quote that expired meanwhile could still be used.
 */
const takeOpenQuote = statement<QuoteRow>(
  'rates.take-quote',
  `WITH locked AS MATERIALIZED (
     SELECT code, expires_at FROM quotes
      WHERE merchant_id = $1 AND code = $2 AND (user_id IS NULL OR user_id = $3) AND taken_at IS NULL
        FOR UPDATE)
   UPDATE quotes SET taken_at = remesa_now($1), taken_by = $4
     FROM locked
    WHERE quotes.merchant_id = $1 AND quotes.code = locked.code AND locked.expires_at > remesa_now($1)
   RETURNING quotes.code, user_id, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate::text, mid_rate::text,
             rate_source, rate_published_at, margin_basis_points, fee_minor, created_at, quotes.expires_at, taken_at,
             false AS is_expired`,
);
const sweepUnused = statement<{ swept: number }>(
  'rates.sweep-unused-quotes',
  `DELETE FROM quotes WHERE ctid IN (
     SELECT ctid FROM quotes WHERE taken_at IS NULL AND expires_at < clock_timestamp() - make_interval(hours => $1)
      LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING 1 AS swept`,
);

export function quoteValues(quotes: readonly QuoteTerms[]): unknown[] {
  const column = <Value>(pick: (quote: QuoteTerms) => Value) => quotes.map(pick);
  return [
    column((quote) => quote.merchantId),
    column((quote) => quote.code),
    column((quote) => quote.userId ?? null),
    column((quote) => quote.amountIn.currency),
    column((quote) => quote.amountOut.currency),
    column((quote) => quote.amountIn.minor),
    column((quote) => quote.amountOut.minor),
    column((quote) => rateToLiteral(quote.rate)),
    column((quote) => rateToLiteral(quote.midRate)),
    column((quote) => quote.rateSource),
    column((quote) => quote.ratePublishedAt),
    column((quote) => quote.marginBasisPoints),
    column((quote) => quote.fee.minor),
    column((quote) => quote.lifetimeSeconds),
  ];
}

export async function addQuote(tx: Transaction, quote: QuoteTerms): Promise<Quote> {
  const [row] = await tx.query(insertQuotes, quoteValues([quote]));
  if (!row) throw new Error('the quote was not inserted');
  return { ...quote, createdAt: row.created_at, expiresAt: row.expires_at, takenAt: undefined };
}

export type FoundQuote = Quote & { readonly isExpired: boolean };

export async function findQuoteOf(
  database: Queryable,
  merchant: MerchantId,
  code: QuoteCode,
): Promise<FoundQuote | undefined> {
  return toQuote(merchant, (await database.query(findQuote, [merchant, code]))[0]);
}

export async function takeQuoteOf(
  tx: Transaction,
  merchant: MerchantId,
  user: UserId,
  code: QuoteCode,
  takenBy: string,
): Promise<Quote | undefined> {
  return toQuote(merchant, (await tx.query(takeOpenQuote, [merchant, code, user, takenBy]))[0]);
}

export async function sweepUnusedQuotes(
  tx: Transaction,
  afterHours: number,
  atMost: number,
): Promise<number> {
  return (await tx.query(sweepUnused, [afterHours, atMost])).length;
}

function toQuote(merchant: MerchantId, row: QuoteRow | undefined): FoundQuote | undefined {
  if (!row) return undefined;
  return {
    code: row.code,
    merchantId: merchant,
    userId: row.user_id === null ? undefined : userId(row.user_id),
    amountIn: amount(row.fiat_in, row.amount_in_minor),
    amountOut: amount(row.fiat_out, row.amount_out_minor),
    rate: readRate(row.rate),
    midRate: readRate(row.mid_rate),
    rateSource: row.rate_source,
    ratePublishedAt: row.rate_published_at,
    marginBasisPoints: row.margin_basis_points,
    fee: amount(row.fiat_in, row.fee_minor),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    takenAt: row.taken_at ?? undefined,
    isExpired: row.is_expired,
  };
}

function readRate(text: string): Rate {
  const rate = rateFromLiteral(text);
  if ('fault' in rate) throw new Error(`the stored rate ${text} cannot be read`);
  return rate;
}
