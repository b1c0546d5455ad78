/** Routes of the operators' daily report, as JSON and as CSV. */
import Type, { type Static } from 'typebox';
import { invalidField } from '../../errors.js';
import { type Route, read, stream } from '../../http/route.js';
import { merchantIdOf } from '../../merchants/service.js';
import type { OrderDesk } from '../../orders/operator/desk/service.js';
import type { Queryable } from '../../postgres/statement.js';
import { boundsOf, isTimeZone } from './day.js';
import { dayReport } from './report.js';
import { csvOf, DayQuery, DayReportShape, encodeReport } from './schemas.js';

const described = { tag: 'Tasks for operators', method: 'GET', access: { token: 'operator', role: 'viewer' } } as const;

export function reportRoutes(desk: OrderDesk): Route[] {
  return [
    read({
      ...described,
      path: '/operator/reports/day',
      operationId: 'getDayReport',
      summary: 'Get the report of a day',
      description: 'Money is counted on the day on which it moved by the books. Contains nothing personal.',
      returns: 'What came, what left, what was earned, and what is still to be decided.',
      query: DayQuery,
      answer: DayReportShape,
      refusals: ['merchant_not_found'],
      run: ({ query }, database) => reportOf(desk, database, query),
    }),
    stream({
      ...described,
      path: '/operator/reports/day/csv',
      operationId: 'downloadDayReport',
      summary: 'Download the report of a day',
      description: 'CSV with the columns `section`, `name`, `currency`, `count` and `amount`.',
      returns: 'The same report, one line for each figure.',
      query: DayQuery,
      answerType: 'text/csv',
      answer: Type.String(),
      refusals: ['merchant_not_found'],
      async run({ query }, database) {
        const text = csvOf(await reportOf(desk, database, query));
        return {
          mediaType: 'text/csv; charset=utf-8',
          headers: { 'content-disposition': `attachment; filename="report-${query.day}.csv"` },
          chunks: onePiece(text),
        };
      },
    }),
  ];
}

/** Throws `merchant_not_found`, and `invalid_fields` for a time zone that does not exist. */
async function reportOf(
  desk: OrderDesk,
  database: Queryable,
  { day, timeZone = 'UTC', merchant }: Static<typeof DayQuery>,
): Promise<Static<typeof DayReportShape>> {
  if (!isTimeZone(timeZone)) throw invalidField('timeZone', 'not_allowed', 'is no time zone, such as Europe/Madrid');
  const merchantId = merchant === undefined ? undefined : await merchantIdOf(database, merchant);
  return encodeReport(await dayReport(database, desk, merchantId, boundsOf(day, timeZone)));
}

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}
