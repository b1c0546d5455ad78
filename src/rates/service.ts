/** The verbs of quotes: create, show, take. */
import type { MerchantCaller, UserCaller } from '../caller.js';
import { invalidField, RemesaError } from '../errors.js';
import { type MerchantId, newPublicId, publicId, type UserId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import { amountFromLiteral } from '../money/literal.js';
import { roundDownToSignificant } from '../money/rate.js';
import type { Database } from '../postgres/database.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { type MerchantSweep, sweepByMerchant } from '../worker/by-merchant.js';
import type { Job } from '../worker/worker.js';
import type { Board } from './board/board.js';
import type { MidRate } from './board/mid-rate.js';
import type { Corridor } from './corridors/corridor.js';
import { amountInFor, price } from './pricing.js';
import type { Quote, QuoteCode, QuoteTerms } from './quote.js';
import type { QuoteWriter } from './quote-writer.js';
import { corridorUnavailable, type QuoteRefusal, quoteRefused } from './refusals.js';
import { sweepRateHistory } from './sources/source-store.js';
import {
  addQuote,
  type FoundQuote,
  findQuoteOf,
  findQuotesOf,
  listMerchantsWithQuotesToSweep,
  lockQuoteOf,
  sweepUnusedQuotes,
  type TakenQuote,
  takeLocked,
} from './store.js';

export { corridorUnavailable, type QuoteRefusal, quoteRefused } from './refusals.js';
export type { TakenQuote } from './store.js';

export interface QuoteRequest {
  readonly merchantId: MerchantId;
  readonly userId: UserId | undefined;
  readonly fiatIn: CurrencyCode;
  readonly fiatOut: CurrencyCode;
  /** As the caller wrote it. */
  readonly amountIn: string;
}

/** The mid-market rate is stored with more digits than the rate of the quote, so that the price can be recomputed. */
const midRateDigits = 15;

/**
 * Decides everything about a quote except its times, which the database sets. Throws `invalid_fields` when the amount
 * cannot be read, `corridor_unavailable`, `rates_unavailable`, `amount_out_of_range` or `payout_below_minimum`.
 */
function quoteTerms(board: Board, request: QuoteRequest): QuoteTerms {
  const { merchantId, userId, fiatIn, fiatOut } = request;
  if (board.areQuotesStopped(request)) throw corridorUnavailable(fiatIn, fiatOut);
  const amountIn = readAmount(fiatIn, request.amountIn);
  const terms = termsNow(board, { merchantId, userId, amountIn, fiatOut });
  if ('refusal' in terms) throw quoteRefused(terms, fiatIn, fiatOut);
  return terms;
}

export interface TargetRequest extends Omit<QuoteRequest, 'amountIn'> {
  /** What is to arrive, as the caller wrote it. */
  readonly amountOut: string;
}

/** As `quoteTerms`, for the smallest amount that makes the wanted one arrive. */
function targetTerms(board: Board, request: TargetRequest): QuoteTerms {
  const { merchantId, userId, fiatIn, fiatOut } = request;
  if (board.areQuotesStopped(request)) throw corridorUnavailable(fiatIn, fiatOut);
  const wanted = readAmount(fiatOut, request.amountOut, 'amountOut');
  const now = pricingNow(board, fiatIn, fiatOut);
  const amountIn = 'refusal' in now ? now : amountInFor(now.corridor, now.mid.ratio, wanted);
  const terms = 'refusal' in amountIn ? amountIn : termsNow(board, { merchantId, userId, amountIn, fiatOut });
  if ('refusal' in terms) throw quoteRefused(terms, fiatIn, fiatOut);
  return terms;
}

/** What is to be priced, for an amount that has been read. */
export interface PricedRequest extends Pick<QuoteRequest, 'merchantId' | 'userId' | 'fiatOut'> {
  readonly amountIn: Amount;
}

/** What quoting asks of the board. */
export type QuoteBoard = Pick<Board, 'openCorridor' | 'isHeld' | 'quoteRate'>;

/** The terms of a quote at this moment, or why there are none. Reads memory only. */
export function termsNow(
  board: QuoteBoard,
  { merchantId, userId, amountIn, fiatOut }: PricedRequest,
): QuoteTerms | QuoteRefusal {
  const now = pricingNow(board, amountIn.currency, fiatOut);
  if ('refusal' in now) return now;
  const { corridor, mid } = now;
  const priced = price(corridor, mid.ratio, amountIn);
  if ('refusal' in priced) return priced;
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

interface Pricing {
  readonly corridor: Corridor;
  readonly mid: MidRate;
}

/** What a price of this moment is made of, or why there is none. */
function pricingNow(board: QuoteBoard, fiatIn: CurrencyCode, fiatOut: CurrencyCode): Pricing | QuoteRefusal {
  const corridor = board.openCorridor(fiatIn, fiatOut);
  if (!corridor) return { refusal: 'corridor_unavailable' };
  if (board.isHeld(corridor)) return { refusal: 'corridor_held' };
  const mid = board.quoteRate(corridor);
  return mid ? { corridor, mid } : { refusal: 'rates_unavailable' };
}

/** The price of this moment, of which nothing is stored. Throws as `quoteTerms` does. */
export function indicativeTerms(board: Board, request: QuoteRequest): QuoteTerms {
  return quoteTerms(board, request);
}

/** Creates a quote in the caller's transaction. Throws as `quoteTerms` does. */
export function createQuote(tx: Transaction, board: Board, request: QuoteRequest): Promise<Quote> {
  return addQuote(tx, quoteTerms(board, request));
}

/** Creates a quote by the amount that is to arrive. Throws as `quoteTerms` does. */
export function createTargetQuote(tx: Transaction, board: Board, request: TargetRequest): Promise<Quote> {
  return addQuote(tx, targetTerms(board, request));
}

/** Writes a quote that is used by what it was made for, at once. */
export async function addTakenQuote(tx: Transaction, terms: QuoteTerms, takenBy: string): Promise<Quote> {
  const taken = await takeLocked(tx, await addQuote(tx, terms), takenBy);
  if (!taken) throw new Error('a new quote has expired');
  return taken;
}

/** Creates a quote that shares its INSERT with others of the same moment. Throws as `quoteTerms` does. */
export function createQuoteKeyless(writer: QuoteWriter, board: Board, request: QuoteRequest): Promise<Quote> {
  return writer.write(quoteTerms(board, request));
}

/**
 * Throws `rate_not_found` when there is no quote of this code, or a user token asks for a quote that is not the user's.
 */
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

/** Throws `rate_not_found`. */
export async function findQuote(database: Queryable, merchantId: MerchantId, code: QuoteCode): Promise<FoundQuote> {
  const quote = await findQuoteOf(database, merchantId, code);
  if (!quote) throw quoteNotFound();
  return quote;
}

/** The quotes with these codes, by code. Those that do not exist are left out. */
export async function findQuotes(
  database: Queryable,
  merchantId: MerchantId,
  codes: readonly QuoteCode[],
): Promise<ReadonlyMap<QuoteCode, TakenQuote>> {
  const quotes = await findQuotesOf(database, merchantId, codes);
  return new Map(quotes.map((quote) => [quote.code, quote]));
}

export interface QuoteUse {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  readonly code: QuoteCode;
  /** What the quote is used for. */
  readonly takenBy: string;
}

/**
 * Uses a quote in the caller's transaction. Throws `rate_not_found` when it does not exist or belongs to another user,
 * `rate_already_used`, or `rate_expired`.
 */
export async function takeQuote(tx: Transaction, { merchantId, userId, code, takenBy }: QuoteUse): Promise<Quote> {
  const found = ofUser(userId, await lockQuoteOf(tx, merchantId, code));
  if (found.takenAt) throw quoteUsed();
  const taken = await takeLocked(tx, found, takenBy);
  if (taken) return taken;
  throw quoteExpired(found);
}

/** As `takeQuote`, for a code as the caller wrote it. A text that cannot be a code is an unknown quote. */
export async function takeQuoteByText(tx: Transaction, codeText: string, use: Omit<QuoteUse, 'code'>): Promise<Quote> {
  const code = publicId('rt', codeText);
  if (code === undefined) throw quoteNotFound();
  return takeQuote(tx, { ...use, code });
}

/**
 * Finds the quote that `takeQuoteByText` would take, used and expired ones too. Throws `rate_not_found` when it does
 * not exist or belongs to another user.
 */
export async function findQuoteByText(
  database: Queryable,
  codeText: string,
  { merchantId, userId }: Pick<QuoteUse, 'merchantId' | 'userId'>,
): Promise<FoundQuote> {
  const code = publicId('rt', codeText);
  return ofUser(userId, code && (await findQuoteOf(database, merchantId, code)));
}

/** Why the quote cannot be used any more. Undefined when it can. */
export function quoteRefusal(quote: FoundQuote): RemesaError | undefined {
  if (quote.takenAt) return quoteUsed();
  return quote.isExpired ? quoteExpired(quote) : undefined;
}

const unusedForHours = 24;
const sweptAtOnce = 1000;

/** Deletes quotes that were not used, a day after they expired. Used quotes stay. */
export function quoteSweepJob(database: Database): Job {
  const sweep: MerchantSweep = {
    due: (reader) => listMerchantsWithQuotesToSweep(reader, unusedForHours, sweptAtOnce),
    sweep: (tx, merchant) => sweepUnusedQuotes(tx, merchant, unusedForHours, sweptAtOnce),
  };
  return {
    name: 'rates.sweep-quotes',
    everySeconds: 300,
    run: (signal) => sweepByMerchant(database, sweep, signal),
  };
}

const historyForDays = 400;

/** Deletes old figures. The newest figure of each currency and source stays, however old. */
export function historySweepJob(database: Database): Job {
  const run = () => database.transaction((tx) => sweepRateHistory(tx, historyForDays, 1000));
  return { name: 'rates.sweep-history', everySeconds: 3600, run };
}

/** Throws `rate_not_found` when there is no quote, or when only another user can use it. */
function ofUser(userId: UserId, quote: FoundQuote | undefined): FoundQuote {
  if (!quote || (quote.userId !== undefined && quote.userId !== userId)) throw quoteNotFound();
  return quote;
}

function quoteUsed(): RemesaError {
  return new RemesaError('conflict', 'rate_already_used', 'This quote has already been used.');
}

function quoteExpired({ expiresAt }: Quote): RemesaError {
  return new RemesaError('conflict', 'rate_expired', 'This quote has expired; create a new one.', {
    members: { expirationDate: expiresAt.toISOString() },
  });
}

function quoteNotFound(): RemesaError {
  return new RemesaError('not_found', 'rate_not_found', 'There is no such quote.');
}

function readAmount(currency: CurrencyCode, literal: string, field = 'amountIn'): Amount {
  const read = amountFromLiteral(currency, literal);
  if (!('fault' in read)) return read;
  const { fault, message, ...limits } = read;
  throw invalidField(field, fault, message, limits);
}
