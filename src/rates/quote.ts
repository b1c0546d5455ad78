/** A quote: its terms, what they were made of, and its JSON. */
import type { MerchantId, PublicId, UserId } from '../ids.js';
import type { Amount } from '../money/amount.js';
import { amountToLiteral } from '../money/literal.js';
import { type Rate, rateToLiteral } from '../money/rate.js';

export type QuoteCode = PublicId<'rt'>;

export interface QuoteTerms {
  readonly code: QuoteCode;
  readonly merchantId: MerchantId;
  readonly userId: UserId | undefined;
  readonly amountIn: Amount;
  readonly amountOut: Amount;
  readonly rate: Rate;
  readonly midRate: Rate;
  readonly rateSource: string;
  readonly ratePublishedAt: Date;
  readonly marginBasisPoints: number;
  readonly fee: Amount;
  readonly lifetimeSeconds: number;
}

export interface Quote extends Omit<QuoteTerms, 'lifetimeSeconds'> {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly takenAt: Date | undefined;
}

/** Writes exactly the seven fields of the contract. Numbers are written from integers, never from floats. */
export function quoteJson(quote: Pick<Quote, 'amountIn' | 'amountOut' | 'rate' | 'code' | 'expiresAt'>): string {
  const { amountIn, amountOut, rate, code, expiresAt } = quote;
  return (
    `{"fiatIn":"${amountIn.currency}","fiatOut":"${amountOut.currency}","amountIn":${amountToLiteral(amountIn)},` +
    `"amountOut":${amountToLiteral(amountOut)},"rate":${rateToLiteral(rate)},"code":"${code}",` +
    `"expirationDate":"${expiresAt.toISOString()}"}`
  );
}

/** Writes the seven fields, what they were made of, the status and the proof. */
export function quoteDetailsJson(quote: Quote, proof: string): string {
  const madeOf = madeOfJson(quote);
  return `${quoteJson(quote).slice(0, -1)},"madeOf":${madeOf},"status":"${statusOf(quote)}","proof":"${proof}"}`;
}

/** Writes what the proof signs: the fields that never change. */
export function quoteProofJson(quote: Quote): string {
  return `${quoteJson(quote).slice(0, -1)},"madeOf":${madeOfJson(quote)}}`;
}

function madeOfJson(quote: Quote): string {
  return (
    `{"midMarketRate":${rateToLiteral(quote.midRate)},"rateSource":"${quote.rateSource}",` +
    `"ratePublishedAt":"${quote.ratePublishedAt.toISOString()}","marginBasisPoints":${quote.marginBasisPoints},` +
    `"fee":${amountToLiteral(quote.fee)},"createdAt":"${quote.createdAt.toISOString()}"}`
  );
}

function statusOf(quote: Quote & { isExpired?: boolean }): 'open' | 'used' | 'expired' {
  if (quote.takenAt) return 'used';
  return quote.isExpired ? 'expired' : 'open';
}
