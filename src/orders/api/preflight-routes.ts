/** The route for merchants and their users that tries an order without creating it. */
import type { Static } from 'typebox';
import { viewOfDemand } from '../../countries/originator-schemas.js';
import type { RemesaError } from '../../errors.js';
import { statusOfKind } from '../../http/problems/problem.js';
import { type Route, read } from '../../http/route.js';
import type { Locale } from '../../locale.js';
import { amountToLiteral } from '../../money/literal.js';
import { rateToLiteral } from '../../money/rate.js';
import type { Quote } from '../../rates/quote.js';
import { viewOfDisclosure } from '../disclosure/schemas.js';
import { wordingOf } from '../disclosure/wording.js';
import { dollars, viewOfLimits } from '../limits/user-limits.js';
import type { Preflight, PreflightService } from '../preflight/service.js';
import { PreflightQuery, PreflightShape } from './preflight-schemas.js';
import { orderFaults } from './request.js';
import { requestOf } from './routes.js';
import { NewOrderShape } from './schemas.js';

export function preflightRoutes(preflight: PreflightService): Route[] {
  return [
    read({
      tag: 'Orders',
      method: 'POST',
      path: '/orders/preflight',
      operationId: 'preflightOrder',
      summary: 'Try an order without creating it',
      description:
        'Send what you would send to `POST /orders`. The answer lists everything that would stop the order, all at once. Nothing is created, the quote stays unused, and nobody is screened. A request that does not match the schema is refused with 400.',
      returns: 'Whether the order would be accepted now, and what would stop it.',
      access: { token: 'either', scope: 'orders', user: 'required' },
      query: PreflightQuery,
      body: NewOrderShape,
      answer: PreflightShape,
      run: async (call, database) =>
        viewOf(await preflight.check(database, requestOf(call), orderFaults(call.body)), call.query.lang ?? 'en'),
    }),
  ];
}

function viewOf(preflight: Preflight, locale: Locale): Static<typeof PreflightShape> {
  const { refusals, quote, counted, limits, estimatedArrivalAt, disclosure } = preflight;
  return {
    accepted: refusals.length === 0,
    problems: refusals.map(viewOfRefusal),
    price: quote ? viewOfPrice(quote) : null,
    amountUsd: counted ? dollars(counted.usdMinor) : null,
    estimatedArrivalAt: estimatedArrivalAt?.toISOString() ?? null,
    cancellableUntil: {
      status: 'PAYOUT_SUBMITTED',
      minutesAfterPayment: preflight.cancellationRightMinutes ?? null,
    },
    disclosure: disclosure ? viewOfDisclosure(disclosure, wordingOf(disclosure, locale)) : null,
    sender: preflight.demands.map(viewOfDemand),
    ...viewOfLimits(limits),
  };
}

function viewOfRefusal({ kind, code, publicMessage, details }: RemesaError) {
  const { members, errors } = details;
  return { code, status: statusOfKind[kind], detail: publicMessage, ...members, ...(errors && { errors }) };
}

function viewOfPrice({ amountIn, amountOut, rate, fee, expiresAt }: Quote) {
  return {
    fiatIn: amountIn.currency,
    fiatOut: amountOut.currency,
    amountIn: Number(amountToLiteral(amountIn)),
    amountOut: Number(amountToLiteral(amountOut)),
    rate: Number(rateToLiteral(rate)),
    fee: Number(amountToLiteral(fee)),
    expirationDate: expiresAt.toISOString(),
  };
}
