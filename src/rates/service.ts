/** The verbs of rates: quote, look a quote up, take it. */
import type { MerchantCaller, UserCaller } from '../caller.js';
import { RemesaError } from '../errors.js';
import { type MerchantId, newPublicId, publicId, type UserId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import { amountFromLiteral, amountToLiteral } from '../money/literal.js';
import { roundDownToSignificant } from '../money/rate.js';
import type { Database } from '../postgres/database.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { Job } from '../worker/worker.js';
import type { Board } from './board/board.js';
import { type PriceRefusal, price } from './pricing.js';
import type { Quote, QuoteCode, QuoteTerms } from './quote.js';
import type { QuoteWriter } from './quote-writer.js';
import { sweepRateHistory } from './sources/source-store.js';
import { addQuote, type FoundQuote, findQuoteOf, sweepUnusedQuotes, takeQuoteOf } from './store.js';

export interface QuoteRequest {
  readonly merchantId: MerchantId;
  readonly userId: UserId | undefined;
  readonly fiatIn: CurrencyCode;
  readonly fiatOut: CurrencyCode;
  /** As the caller wrote it. */
  readonly amountIn: string;
}

/** The mid-market rate is kept with more digits than the all-in rate, for whoever recomputes what it was made of. */
const midRateDigits = 15;

/**
 * Decides everything about a quote but its times, which the database gives it. Throws `invalid_fields`,
 * `corridor_unavailable`, `rates_unavailable`, `amount_out_of_range` and `payout_below_minimum`.
 */
function quoteTerms(board: Board, request: QuoteRequest): QuoteTerms {
  const { merchantId, userId, fiatIn, fiatOut } = request;
  const amountIn = readAmount(fiatIn, request.amountIn);
  const corridor = board.openCorridor(fiatIn, fiatOut);
  if (!corridor) throw corridorUnavailable(fiatIn, fiatOut);
  const mid = board.midRate(fiatIn, fiatOut);
  if (!mid) throw ratesUnavailable();
  const priced = price(corridor, mid.ratio, amountIn);
  if ('refusal' in priced) throw refused(priced);
  return {
    code: newPublicId('rt'),
    merchantId,
    userId,
    amountIn,
    amountOut: priced.amountOut,
    rate: priced.rate,
    midRate: roundDownToSignificant(mid.ratio, midRateDigits),
    rateSource: mid.source,
    ratePublishedAt: mid.publishedAt,
    marginBasisPoints: corridor.marginBasisPoints,
    fee: priced.fee,
    lifetimeSeconds: corridor.quoteLifetimeSeconds,
  };
}

/** Gives a quote in the caller's transaction. Throws as `quoteTerms` does. */
export function createQuote(tx: Transaction, board: Board, request: QuoteRequest): Promise<Quote> {
  return addQuote(tx, quoteTerms(board, request));
}

/** Gives a quote that shares its statement with others of the moment. Throws as `quoteTerms` does. */
export async function createQuoteKeyless(
  writer: QuoteWriter,
  board: Board,
  request: QuoteRequest,
): Promise<Quote> {
  return writer.write(quoteTerms(board, request));
}

/** Throws `rate_not_found` when there is none of this code, or when it is another user's. */
export async function showQuote(
  database: Queryable,
  caller: MerchantCaller | UserCaller,
  codeText: string,
): Promise<FoundQuote> {
  const code = publicId('rt', codeText);
  if (code === undefined) throw quoteNotFound();
  const quote = await findQuote(database, caller.merchantId, code);
  if (caller.kind === 'user' && quote.userId !== caller.userId) throw quoteNotFound();
  return quote;
}

export async function findQuote(
  database: Queryable,
  merchantId: MerchantId,
  code: QuoteCode,
): Promise<FoundQuote> {
  const quote = await findQuoteOf(database, merchantId, code);
  if (!quote) throw quoteNotFound();
  return quote;
}

/** At most once, not after its time, only by its merchant and user: one conditional update in the taker's transaction. */
export async function takeQuote(
  tx: Transaction,
  merchantId: MerchantId,
  userId: UserId,
  code: QuoteCode,
  takenBy: string,
): Promise<Quote> {
  const taken = await takeQuoteOf(tx, merchantId, userId, code, takenBy);
  if (taken) return taken;
  const found = await findQuoteOf(tx, merchantId, code);
  if (!found || (found.userId !== undefined && found.userId !== userId)) throw quoteNotFound();
  if (found.takenAt)
    throw new RemesaError('conflict', 'rate_already_used', 'This quote has already been used.');
  throw new RemesaError('conflict', 'rate_expired', 'This quote has expired; create a new one.', {
    members: { expirationDate: found.expiresAt.toISOString() },
  });
}

const unusedForHours = 24;

/** Quotes that nobody took are of no use to anyone a day after they expired; those that were taken stay. */
export function quoteSweepJob(database: Database): Job {
  const run = () => database.transaction((tx) => sweepUnusedQuotes(tx, unusedForHours, 1000));
  return { name: 'rates.sweep-quotes', everySeconds: 300, run };
}

const historyForDays = 400;

/** The newest figure of each currency and source stays, however old. */
export function historySweepJob(database: Database): Job {
  const run = () => database.transaction((tx) => sweepRateHistory(tx, historyForDays, 1000));
  return { name: 'rates.sweep-history', everySeconds: 3600, run };
}

function quoteNotFound(): RemesaError {
  return new RemesaError('not_found', 'rate_not_found', 'There is no such quote.');
}

function readAmount(currency: CurrencyCode, literal: string): Amount {
  const read = amountFromLiteral(currency, literal);
  if (!('fault' in read)) return read;
  const { fault, message, ...limits } = read;
  throw new RemesaError('invalid', 'invalid_fields', `amountIn: ${message}`, {
    errors: [{ field: 'amountIn', code: fault, message, ...limits }],
  });
}

function corridorUnavailable(fiatIn: string, fiatOut: string): RemesaError {
  return new RemesaError(
    'impossible',
    'corridor_unavailable',
    `The corridor ${fiatIn}→${fiatOut} is closed.`,
    {
      members: { fiatIn, fiatOut },
    },
  );
}

function ratesUnavailable(): RemesaError {
  return new RemesaError(
    'unavailable',
    'rates_unavailable',
    'There is no rate that is recent enough for a quote.',
    {
      retryAfterSeconds: 60,
    },
  );
}

function refused(refusal: PriceRefusal): RemesaError {
  if (refusal.refusal === 'payout_below_minimum') {
    const { currency } = refusal.min;
    return new RemesaError(
      'impossible',
      'payout_below_minimum',
      'The amount that would arrive is too small to be paid out.',
      {
        members: { min: limitOf(refusal.min), currency },
      },
    );
  }
  const { min, max } = refusal;
  const detail = `From ${amountToLiteral(min)} to ${amountToLiteral(max)} ${min.currency} can be sent.`;
  return new RemesaError('impossible', 'amount_out_of_range', detail, {
    members: { min: limitOf(min), max: limitOf(max), currency: min.currency },
  });
}

/** A limit stays within fifteen digits, so a JSON number tells it exactly. */
function limitOf(limit: Amount): number {
  return Number(amountToLiteral(limit));
}
