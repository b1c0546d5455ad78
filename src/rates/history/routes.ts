/** The route by which merchants see what a pair of currencies was worth. */
import Type from 'typebox';
import { JsonText, ListPage, nextPage } from '../../http/answers/answer.js';
import { readTime } from '../../http/body/read-time.js';
import { type Route, read } from '../../http/route.js';
import { pageLimit, time } from '../../http/shapes.js';
import { type CurrencyCode, currencyCode } from '../../money/currency.js';
import type { Board } from '../board/board.js';
import { shownRate } from '../board/rate-state.js';
import { FiatIn, FiatOut } from '../schemas.js';
import { type HistoricRate, rateHistory } from './history.js';
import { longestRange, periodKinds } from './periods.js';

const usualPage = 100;

const HistoryQuery = Type.Object(
  {
    fiatIn: FiatIn,
    fiatOut: FiatOut,
    by: Type.Optional(
      Type.Enum([...periodKinds], {
        description: `\`day\` (UTC), which is the default and takes at most ${longestRange.day} days, or \`hour\`, at most ${longestRange.hour} hours.`,
      }),
    ),
    from: Type.Optional(time('The first period begins then or later. Absent: 30 days, or 48 hours, before the end.')),
    to: Type.Optional(time('Periods begin before this time. Absent: now.')),
    limit: pageLimit(usualPage, 400),
    after: Type.Optional(time('Where the page begins. Take it from the header `Link` of the page before.')),
  },
  { additionalProperties: false, examples: [{ fiatIn: 'USD', fiatOut: 'MXN' }] },
);

const HistoricRateShape = Type.Object(
  {
    start: time('When the day or hour began.'),
    midMarketRate: Type.Number({ description: 'The mid-market rate at its end, without margin and fee.' }),
    rateSource: Type.String({ description: 'Where it comes from.' }),
    ratePublishedAt: time('When the source published it.'),
  },
  {
    title: 'HistoricRate',
    examples: [
      {
        start: '2026-11-14T00:00:00.000Z',
        midMarketRate: 17.7369909,
        rateSource: 'ecb',
        ratePublishedAt: '2026-11-13T15:00:00.000Z',
      },
    ],
  },
);

export function rateHistoryRoute(board: Board): Route {
  return read({
    tag: 'Rates',
    method: 'GET',
    path: '/rates/history',
    operationId: 'getRateHistory',
    summary: 'See the rates of the past',
    description:
      'The mid-market rate of each day or hour, as our sources published it, for a chart: not what a quote would have been. ' +
      'A day or hour without a recent rate is left out. The header `Link` names the next page.',
    returns: 'A page of rates, the oldest first.',
    access: { token: 'either', scope: 'rates', user: 'none' },
    query: HistoryQuery,
    answer: Type.Array(HistoricRateShape),
    refusals: ['corridor_unavailable'],
    async run({ query }, database) {
      const { fiatIn, fiatOut, by = 'day', limit = usualPage, from, to, after } = query;
      const page = await rateHistory(database, board, {
        // The schema accepts nothing but currency codes.
        fiatIn: currencyCode(fiatIn) as CurrencyCode,
        fiatOut: currencyCode(fiatOut) as CurrencyCode,
        by,
        from: readTime('from', from),
        to: readTime('to', to),
        after: readTime('after', after),
        limit,
      });
      const next = page.next && nextPage('/rates/history', query, page.next.toISOString());
      return new ListPage(new JsonText(`[${page.rates.map(rateJson).join(',')}]`), next);
    },
  });
}

/** Numbers are written from integers, never from floats. */
function rateJson({ start, rate }: HistoricRate): string {
  return (
    `{"start":"${start.toISOString()}","midMarketRate":${shownRate(rate)},` +
    `"rateSource":${JSON.stringify(rate.source)},"ratePublishedAt":"${rate.publishedAt.toISOString()}"}`
  );
}
