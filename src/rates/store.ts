/** SQL on quotes. */
import { type MerchantId, type TenantId, userId } from '../ids.js';
import { amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import { type Rate, rateFromLiteral, rateToLiteral } from '../money/rate.js';
import { merchantNow, nowByClock } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
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

export interface WrittenQuote {
  readonly code: QuoteCode;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const insertInto = `INSERT INTO quotes (merchant_id, code, user_id, fiat_in, fiat_out, amount_in_minor,
    amount_out_minor, rate, mid_rate, rate_source, rate_published_at, margin_basis_points, fee_minor, created_at, expires_at)`;

/** Inserts quotes of any merchants, each with the time of its merchant's clock. Only where all are on one machine. */
export const insertQuotes = statement(
  'rates.insert-quotes',
  `${insertInto}
   SELECT quote.merchant_id, code, user_id, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate, mid_rate,
          rate_source, rate_published_at, margin_basis_points, fee_minor, now.at,
          date_trunc('milliseconds', now.at + make_interval(secs => lifetime))
     FROM unnest($merchantIds::bigint[], $codes::text[], $userIds::bigint[], $fiatsIn::text[],
       $fiatsOut::text[], $amountsInMinor::bigint[], $amountsOutMinor::bigint[],
                 $rates::numeric[], $midRates::numeric[], $rateSources::text[],
                   $ratesPublishedAt::timestamptz[], $marginsBasisPoints::int[], $feesMinor::bigint[],
                 $lifetimesSeconds::int[])
       AS quote (merchant_id, code, user_id, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate, mid_rate,
                 rate_source, rate_published_at, margin_basis_points, fee_minor, lifetime)
     LEFT JOIN merchant_clocks AS clock ON clock.merchant_id = quote.merchant_id,
          LATERAL (SELECT ${nowByClock} AS at) AS now
   RETURNING code, created_at, expires_at`,
).rows<WrittenQuote>();
export const insertQuote = statement(
  'rates.insert-quote',
  `${insertInto}
   SELECT $merchantId, $code, $userId::bigint, $fiatIn, $fiatOut, $amountInMinor::bigint,
     $amountOutMinor::bigint, $rate::numeric, $midRate::numeric, $rateSource, $ratePublishedAt::timestamptz,
   $marginBasisPoints::int,
          $feeMinor::bigint, now.at, date_trunc('milliseconds', now.at + make_interval(secs => $lifetimeSeconds))
     FROM (SELECT ${merchantNow} AS at) AS now
   RETURNING code, created_at, expires_at`,
).rows<WrittenQuote>();
const quoteColumns = `code, user_id, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate::text, mid_rate::text,
  rate_source, rate_published_at, margin_basis_points, fee_minor, created_at, expires_at, taken_at`;
const findQuote = statement(
  'rates.find-quote',
  `SELECT ${quoteColumns}, expires_at <= ${merchantNow} AS is_expired FROM quotes
     WHERE merchant_id = $merchantId AND code = $code`,
).rows<QuoteRow>();
const findSeveral = statement(
  'rates.find-quotes',
  `SELECT ${quoteColumns}, taken_by, expires_at <= ${merchantNow} AS is_expired FROM quotes
     WHERE merchant_id = $merchantId AND code = ANY ($codes)`,
).rows<QuoteRow & { taken_by: string | null }>();
const lockQuote = statement(
  'rates.lock-quote',
  `SELECT ${quoteColumns}, expires_at <= ${merchantNow} AS is_expired
     FROM quotes WHERE merchant_id = $merchantId AND code = $code FOR UPDATE`,
).rows<QuoteRow>();
/** Call it after `lockQuote`, so that the clock is read after the lock was granted. */
const takeLockedQuote = statement(
  'rates.take-quote',
  `UPDATE quotes SET taken_at = ${merchantNow}, taken_by = $takenBy
    WHERE merchant_id = $merchantId AND code = $code AND taken_at IS NULL AND expires_at > ${merchantNow}
   RETURNING taken_at`,
).rows<{ taken_at: Date }>();
const listMerchantsWithUnusedQuotes = statement(
  'rates.list-merchants-with-unused-quotes',
  `SELECT merchant_id FROM (
     SELECT merchant_id, expires_at FROM quotes
      WHERE taken_at IS NULL AND expires_at < statement_timestamp() - make_interval(hours => $afterHours)
      ORDER BY expires_at LIMIT $limit) AS due
   GROUP BY merchant_id ORDER BY min(expires_at)`,
).rows<{ merchant_id: bigint }>();
const sweepUnused = statement(
  'rates.sweep-unused-quotes',
  `DELETE FROM quotes WHERE merchant_id = $merchantId AND code = ANY (ARRAY(
     SELECT code FROM quotes
      WHERE merchant_id = $merchantId AND taken_at IS NULL
        AND expires_at < statement_timestamp() - make_interval(hours => $afterHours)
      LIMIT $limit FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS swept`,
).rows<{ swept: number }>();

/** One list for each column of `insertQuotes`. */
export function quoteColumnValues(quotes: readonly QuoteTerms[]) {
  return {
    merchantIds: quotes.map((quote) => quote.merchantId),
    codes: quotes.map((quote) => quote.code),
    userIds: quotes.map((quote) => quote.userId ?? null),
    fiatsIn: quotes.map((quote) => quote.amountIn.currency),
    fiatsOut: quotes.map((quote) => quote.amountOut.currency),
    amountsInMinor: quotes.map((quote) => quote.amountIn.minor),
    amountsOutMinor: quotes.map((quote) => quote.amountOut.minor),
    rates: quotes.map((quote) => rateToLiteral(quote.rate)),
    midRates: quotes.map((quote) => rateToLiteral(quote.midRate)),
    rateSources: quotes.map((quote) => quote.rateSource),
    ratesPublishedAt: quotes.map((quote) => quote.ratePublishedAt),
    marginsBasisPoints: quotes.map((quote) => quote.marginBasisPoints),
    feesMinor: quotes.map((quote) => quote.fee.minor),
    lifetimesSeconds: quotes.map((quote) => quote.lifetimeSeconds),
  };
}

export function quoteValues(quote: QuoteTerms) {
  return {
    merchantId: quote.merchantId,
    code: quote.code,
    userId: quote.userId ?? null,
    fiatIn: quote.amountIn.currency,
    fiatOut: quote.amountOut.currency,
    amountInMinor: quote.amountIn.minor,
    amountOutMinor: quote.amountOut.minor,
    rate: rateToLiteral(quote.rate),
    midRate: rateToLiteral(quote.midRate),
    rateSource: quote.rateSource,
    ratePublishedAt: quote.ratePublishedAt,
    marginBasisPoints: quote.marginBasisPoints,
    feeMinor: quote.fee.minor,
    lifetimeSeconds: quote.lifetimeSeconds,
  };
}

export async function addQuote(tx: Transaction, quote: QuoteTerms): Promise<Quote> {
  const [row] = await tx.query(insertQuote, quoteValues(quote));
  if (!row) throw new Error('the quote was not inserted');
  return { ...quote, createdAt: row.created_at, expiresAt: row.expires_at, takenAt: undefined };
}

export type FoundQuote = Quote & { readonly isExpired: boolean };

export async function findQuoteOf(
  database: Queryable,
  merchant: MerchantId,
  code: QuoteCode,
): Promise<FoundQuote | undefined> {
  return toQuote(merchant, (await database.query(findQuote, { merchantId: merchant, code }))[0]);
}

/** A quote with what it was used for. */
export type TakenQuote = Quote & { readonly takenBy: string | undefined };

export async function findQuotesOf(
  database: Queryable,
  merchant: MerchantId,
  codes: readonly QuoteCode[],
): Promise<TakenQuote[]> {
  const rows = await database.query(findSeveral, { merchantId: merchant, codes });
  return rows.flatMap((row) => {
    const quote = toQuote(merchant, row);
    return quote ? [{ ...quote, takenBy: row.taken_by ?? undefined }] : [];
  });
}

export async function lockQuoteOf(
  tx: Transaction,
  merchant: MerchantId,
  code: QuoteCode,
): Promise<FoundQuote | undefined> {
  return toQuote(merchant, (await tx.query(lockQuote, { merchantId: merchant, code }))[0]);
}

/** Takes a locked quote. Returns undefined when it has expired. */
export async function takeLocked(tx: Transaction, quote: Quote, takenBy: string): Promise<Quote | undefined> {
  const [taken] = await tx.query(takeLockedQuote, {
    merchantId: quote.merchantId,
    code: quote.code,
    takenBy,
  });
  return taken && { ...quote, takenAt: taken.taken_at };
}

/** Merchants that have unused quotes to delete, those with the oldest first. */
export function listMerchantsWithQuotesToSweep(database: Queryable, afterHours: number, limit: number) {
  return database.query(listMerchantsWithUnusedQuotes, { afterHours, limit });
}

export async function sweepUnusedQuotes(
  tx: Transaction,
  merchant: TenantId,
  afterHours: number,
  atMost: number,
): Promise<number> {
  return (await tx.query(sweepUnused, { merchantId: merchant, afterHours, limit: atMost })).length;
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
