/** Routes of the report of safeguarding, as JSON and as CSV. */
import Type from 'typebox';
import { type Route, read, stream } from '../../http/route.js';
import { csvOfFunds, SafeguardingQuery, SafeguardingReportShape } from './schemas.js';
import type { SafeguardingService } from './service.js';

const described = {
  tag: 'Compliance for operators',
  method: 'GET',
  access: { token: 'operator', role: 'viewer' },
} as const;

export function safeguardingRoutes(safeguarding: SafeguardingService): Route[] {
  return [
    read({
      ...described,
      path: '/operator/reports/safeguarding',
      operationId: 'getSafeguardingReport',
      summary: 'Get what customers were owed at the end of a day',
      description:
        'Against the bank accounts of the use `safeguarding`, for each currency (PSD2 art. 10; outstanding liabilities in the United States). Each day is recorded and signed when it has ended. Contains nothing personal.',
      returns: 'The figures as they were recorded, or as the books say now.',
      query: SafeguardingQuery,
      answer: SafeguardingReportShape,
      run: ({ query }, database) => safeguarding.report(database, query.day),
    }),
    stream({
      ...described,
      path: '/operator/reports/safeguarding/csv',
      operationId: 'downloadSafeguardingReport',
      summary: 'Download what customers were owed at the end of a day',
      description: 'CSV with a line for each currency.',
      returns: 'The same figures.',
      query: SafeguardingQuery,
      answerType: 'text/csv',
      answer: Type.String(),
      async run({ query }, database) {
        const text = csvOfFunds(await safeguarding.report(database, query.day));
        return {
          mediaType: 'text/csv; charset=utf-8',
          headers: { 'content-disposition': `attachment; filename="safeguarding-${query.day}.csv"` },
          chunks: onePiece(text),
        };
      },
    }),
  ];
}

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}
