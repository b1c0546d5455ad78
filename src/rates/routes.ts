/** Routes for merchants: quotes (section 4.3 of the contract) and corridors. */
import Type, { type Static } from 'typebox';
import { JsonText } from '../http/answers/answer.js';
import { command, type Route, raw, read } from '../http/route.js';
import type { MerchantId, UserId } from '../ids.js';
import { type CurrencyCode, currencyCode } from '../money/currency.js';
import type { Board } from './board/board.js';
import { indicativeJson } from './indicative.js';
import { CorridorFilter, CorridorShape } from './operator/corridor-schemas.js';
import { publicCorridor } from './operator/corridor-wire.js';
import { quoteDetailsJson, quoteJson } from './quote.js';
import type { QuoteProver } from './quote-proof.js';
import type { QuoteWriter } from './quote-writer.js';
import { IndicativeQuery, IndicativeShape, RateDetails, RateRequest, RateShape, TargetRateRequest } from './schemas.js';
import {
  createQuote,
  createQuoteKeyless,
  createTargetQuote,
  indicativeTerms,
  type QuoteRequest,
  showQuote,
  type TargetRequest,
} from './service.js';

const described = { tag: 'Rates' } as const;

interface RateCall {
  readonly caller: { readonly merchantId: MerchantId };
  readonly user: { readonly id: UserId } | undefined;
  readonly body: { readonly fiatIn: string; readonly fiatOut: string };
  literal(pointer: string): string | undefined;
}

const quoteRefusals = [
  'corridor_unavailable',
  'amount_out_of_range',
  'payout_below_minimum',
  'rates_unavailable',
] as const;

export function rateRoutes(board: Board, writer: QuoteWriter, prover: QuoteProver): Route[] {
  return [
    command({
      ...described,
      method: 'POST',
      path: '/rates',
      operationId: 'createRate',
      summary: 'Create a quote',
      description:
        'The price of a transfer, valid until `expirationDate`. With a selected user, only that user can use it.',
      returns: 'The quote.',
      access: { token: 'either', scope: 'rates', user: 'optional' },
      body: RateRequest,
      literals: ['/amountIn'],
      answer: RateShape,
      refusals: quoteRefusals,
      runKeyless: async (call) => new JsonText(quoteJson(await createQuoteKeyless(writer, board, requestOf(call)))),
      run: async (call, tx) => new JsonText(quoteJson(await createQuote(tx, board, requestOf(call)))),
    }),
    command({
      ...described,
      method: 'POST',
      path: '/rates/target',
      operationId: 'createTargetRate',
      summary: 'Create a quote for an amount that is to arrive',
      description:
        'As `POST /rates`, the other way round: `amountIn` is the smallest amount with which at least this amount ' +
        'arrives. `amountOut` of the quote can be a little more, because money in has no smaller unit.',
      returns: 'The quote.',
      access: { token: 'either', scope: 'rates', user: 'optional' },
      body: TargetRateRequest,
      literals: ['/amountOut'],
      answer: RateShape,
      refusals: quoteRefusals,
      run: async (call, tx) => new JsonText(quoteJson(await createTargetQuote(tx, board, targetOf(call)))),
    }),
    read({
      ...described,
      method: 'GET',
      path: '/rates/indicative',
      operationId: 'getIndicativeRate',
      summary: 'See a price without a quote',
      description:
        'For a page that shows prices: nothing is stored, nothing is promised, and no order can use it. `exchangeRate` is the rate after the fee was taken; `rate` includes the fee.',
      returns: 'The price of this moment.',
      access: { token: 'either', scope: 'rates', user: 'none' },
      query: IndicativeQuery,
      answer: IndicativeShape,
      refusals: quoteRefusals,
      async run({ caller: { merchantId }, query }) {
        return new JsonText(
          indicativeJson(indicativeTerms(board, { ...pairIn(query), merchantId, userId: undefined })),
        );
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/rates/{code}',
      operationId: 'getRate',
      summary: 'Get a quote',
      description: 'Also after it has expired. `proof` is a signature over the quote that you can keep.',
      returns: 'The quote, with what it was made of and a proof.',
      access: { token: 'either', scope: 'rates', user: 'none' },
      params: Type.Object({ code: Type.String({ description: 'The code of the quote.' }) }),
      answer: RateDetails,
      refusals: ['rate_not_found'],
      async run(call, database) {
        const quote = await showQuote(database, call.caller, call.params.code);
        return new JsonText(quoteDetailsJson(quote, await prover.prove(quote)));
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/corridors',
      operationId: 'listCorridors',
      summary: 'List the corridors',
      description: 'The pairs of currencies that money can be sent between.',
      returns: 'The corridors with their limits, closed ones included.',
      access: { token: 'either', scope: 'rates', user: 'none' },
      query: CorridorFilter,
      answer: Type.Array(CorridorShape),
      run: async (call) =>
        board.corridors(call.query).map((corridor) => publicCorridor(corridor, { isHeld: board.isHeld(corridor) })),
    }),
    raw({
      ...described,
      method: 'GET',
      path: '/.well-known/quote-keys.json',
      operationId: 'getQuoteKeys',
      summary: 'Get the public key of quote proofs and receipts',
      returns: 'A JSON Web Key Set.',
      access: { token: 'none' },
      answer: Type.Object(
        {
          keys: Type.Array(
            Type.Object({ kid: Type.String({ description: 'The id of the key.' }) }, { additionalProperties: true }),
            { description: 'The keys, as JSON Web Keys.' },
          ),
        },
        {
          title: 'QuoteKeySet',
          examples: [{ keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'a1b2c3', x: '11qYAYKx…' }] }],
        },
      ),
      run: async (_request, reply) => {
        reply.header('cache-control', 'public, max-age=300');
        return { keys: [await prover.publicKey()] };
      },
    }),
  ];
}

function requestOf(call: RateCall): QuoteRequest {
  return { ...pairOf(call), amountIn: call.literal('/amountIn') ?? '' };
}

function targetOf(call: RateCall): TargetRequest {
  return { ...pairOf(call), amountOut: call.literal('/amountOut') ?? '' };
}

function pairIn({ fiatIn, fiatOut, amountIn }: Static<typeof IndicativeQuery>) {
  return { fiatIn: currencyCode(fiatIn) as CurrencyCode, fiatOut: currencyCode(fiatOut) as CurrencyCode, amountIn };
}

function pairOf({ caller, user, body }: RateCall) {
  return {
    merchantId: caller.merchantId,
    userId: user?.id,
    // The schema accepts nothing but currency codes.
    fiatIn: currencyCode(body.fiatIn) as CurrencyCode,
    fiatOut: currencyCode(body.fiatOut) as CurrencyCode,
  };
}
