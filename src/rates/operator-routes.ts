/** What operators do with corridors and rates. */
import Type from 'typebox';
import { recordAudit } from '../audit/service.js';
import type { Clock } from '../clock.js';
import { command, type Route, read } from '../http/route.js';
import { type CurrencyCode, currencyCode } from '../money/currency.js';
import { businessDaysBetween } from './business-days.js';
import { boardChanged, decideHeldRate } from './collecting.js';
import { listCorridors, saveCorridor } from './corridor-store.js';
import { operatorCorridor, readTerms } from './corridor-wire.js';
import type { RateSource } from './rate-source.js';
import { CorridorPath, CorridorTermsShape, OperatorCorridorShape, RateBoardShape } from './schemas.js';
import {
  listCurrentRates,
  listHeldRates,
  listRateSources,
  type RateRow,
  type SourceRow,
} from './source-store.js';

const described = { tag: 'Rates for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forAdmins = { ...described, access: { token: 'operator', role: 'admin' } } as const;

export function operatorRateRoutes(sources: readonly RateSource[], clock: Clock): Route[] {
  return [
    ...corridorRoutes(),
    boardRoute(sources, clock),
    verdictRoute('accept', 'Accept a held rate'),
    verdictRoute('refuse', 'Reject a held rate'),
  ];
}

function corridorRoutes(): Route[] {
  return [
    read({
      ...forViewers,
      method: 'GET',
      path: '/operator/corridors',
      operationId: 'listCorridorsForOperators',
      summary: 'List all corridors with their prices',
      returns: 'Every corridor, closed ones included.',
      answer: Type.Array(OperatorCorridorShape),
      run: async (_call, database) => (await listCorridors(database)).map(operatorCorridor),
    }),
    command({
      ...forAdmins,
      method: 'PUT',
      path: '/operator/corridors/{fiatIn}/{fiatOut}',
      operationId: 'saveCorridor',
      summary: 'Open or change a corridor',
      description: 'Takes effect with the next quote. Existing quotes stay as they are.',
      returns: 'The corridor after the change.',
      params: CorridorPath,
      body: CorridorTermsShape,
      answer: OperatorCorridorShape,
      async run(call, tx) {
        const fiatIn = currencyCode(call.params.fiatIn) as CurrencyCode;
        const fiatOut = currencyCode(call.params.fiatOut) as CurrencyCode;
        const corridor = await saveCorridor(
          tx,
          fiatIn,
          fiatOut,
          readTerms(fiatIn, fiatOut, call.body, call.literal),
        );
        const { isOpen, marginBasisPoints, feeBasisPoints, version } = corridor;
        const details = { isOpen, marginBasisPoints, feeBasisPoints, version };
        const subject = `corridor:${fiatIn}-${fiatOut}`;
        const { caller: actor, requestId } = call;
        await recordAudit(tx, { actor, requestId, action: 'corridor.saved', subject, details });
        tx.wake(boardChanged);
        return operatorCorridor(corridor);
      },
    }),
  ];
}

function boardRoute(sources: readonly RateSource[], clock: Clock): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/rates',
    operationId: 'getRateBoard',
    summary: 'Get the rate sources and held rates',
    returns: 'Every source with its rates and their age, and the rates that are held.',
    answer: RateBoardShape,
    async run(_call, database) {
      const [known, rates, held] = await Promise.all([
        listRateSources(database),
        listCurrentRates(database),
        listHeldRates(database),
      ]);
      return {
        sources: sources.map((source) => describeSource(source, known, rates, clock.now())),
        held: held.map((row) => ({
          source: row.source,
          currency: row.currency,
          rate: row.rate,
          previousRate: row.previous_rate,
          publishedAt: row.published_at.toISOString(),
        })),
      };
    },
  });
}

function describeSource(
  source: RateSource,
  known: readonly SourceRow[],
  rates: readonly RateRow[],
  now: Date,
) {
  const row = known.find((one) => one.source === source.name);
  const { ageLimitBusinessDays } = source;
  return {
    name: source.name,
    ...(Number.isFinite(ageLimitBusinessDays) ? { ageLimitBusinessDays } : {}),
    ...(row?.checked_at ? { checkedAt: row.checked_at.toISOString() } : {}),
    ...(row?.changed_at ? { changedAt: row.changed_at.toISOString() } : {}),
    ...(row?.fault ? { fault: row.fault } : {}),
    rates: rates
      .filter((one) => one.source === source.name)
      .map(({ currency, base, rate, published_at: publishedAt }) => ({
        currency,
        base,
        rate,
        publishedAt: publishedAt.toISOString(),
        ageBusinessDays: businessDaysBetween(publishedAt, now),
      })),
  };
}

function verdictRoute(verdict: 'accept' | 'refuse', summary: string): Route {
  return command({
    ...forAdmins,
    method: 'POST',
    path: `/operator/rates/{source}/{currency}/${verdict}`,
    operationId: `${verdict}Rate`,
    summary,
    returns: verdict === 'accept' ? 'The rate is in use.' : 'The rate is discarded.',
    params: Type.Object({
      source: Type.String({ description: 'The name of the source.' }),
      currency: Type.String({ description: 'The currency of the rate.' }),
    }),
    refusals: ['rate_not_held'],
    async run(call, tx) {
      const by = { actor: call.caller, requestId: call.requestId };
      await decideHeldRate(tx, by, call.params.source, call.params.currency, verdict);
      return undefined;
    },
  });
}
