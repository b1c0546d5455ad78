/** Routes for merchants: what moved on a day, as lines and as sums, and what is open now. */
import Type from 'typebox';
import { readTime } from '../../../http/body/read-time.js';
import { type Route, read, stream } from '../../../http/route.js';
import { amountToText } from '../../../money/literal.js';
import { isOpen, publicStates } from '../../order/transitions.js';
import type { TimelineService } from '../../timeline/service.js';
import { ReportQuery } from '../schemas.js';
import { movementsCsv, movementTotals } from './movements-report.js';
import { type CountedOrders, countOrdersIn, countOrdersOfToday } from './overview-store.js';
import { MovementTotalsShape, OverviewShape } from './schemas.js';

const described = {
  tag: 'Orders',
  method: 'GET',
  access: { token: 'merchant', scope: 'orders', user: 'none' },
} as const;

const aboutMovements =
  'Whatever moved on the day (UTC), whenever its order was created. Add up the days of a month, and you have the month. ' +
  'Money whose order is not known is not in it.';
const dayMs = 86_400_000;

export function movementRoutes(timelines: TimelineService): Route[] {
  return [linesRoute(timelines), totalsRoute(timelines), overviewRoute()];
}

function linesRoute(timelines: TimelineService): Route {
  return stream({
    ...described,
    path: '/merchant/reports/movements',
    operationId: 'getMovementsReport',
    summary: 'Download the movements of a day',
    description: `${aboutMovements} CSV with a line for each payment, fee, payout and refund. An amount is negative when a movement was undone. A text that a spreadsheet would take for a formula begins with an apostrophe.`,
    returns: 'The movements.',
    query: ReportQuery,
    answerType: 'text/csv',
    answer: Type.String(),
    async run(call, database) {
      const { day } = call.query;
      return {
        mediaType: 'text/csv; charset=utf-8',
        headers: { 'content-disposition': `attachment; filename="movements-${day}.csv"` },
        chunks: movementsCsv(database, timelines, call.caller.merchantId, startOf(day)),
      };
    },
  });
}

function totalsRoute(timelines: TimelineService): Route {
  return read({
    ...described,
    path: '/merchant/reports/movements/totals',
    operationId: 'getMovementTotals',
    summary: 'Sum up the movements of a day',
    description: aboutMovements,
    returns: 'The sums.',
    query: ReportQuery,
    answer: MovementTotalsShape,
    async run(call, database) {
      const from = startOf(call.query.day);
      const totals = await movementTotals(database, timelines, call.caller.merchantId, from);
      return {
        from: from.toISOString(),
        to: new Date(from.getTime() + dayMs).toISOString(),
        totals: totals.map(({ kind, count, total }) => ({
          kind,
          currency: total.currency,
          count,
          amount: amountToText(total),
        })),
      };
    },
  });
}

function startOf(day: string): Date {
  return readTime('day', `${day}T00:00:00Z`) ?? new Date(0);
}

function overviewRoute(): Route {
  return read({
    ...described,
    path: '/merchant/overview',
    operationId: 'getOverview',
    summary: 'Count your orders',
    description: 'For a page that people look at. To follow changes, prefer events.',
    returns: 'Counts and sums of open orders, and of those that were created today.',
    answer: OverviewShape,
    async run({ caller: { merchantId } }, database) {
      const open = await countOrdersIn(database, merchantId, publicStates.filter(isOpen));
      const createdToday = await countOrdersOfToday(database, merchantId);
      return { open: open.map(encode), createdToday: createdToday.map(encode) };
    },
  });
}

function encode({ status, count, total }: CountedOrders) {
  return { status, currency: total.currency as string, count, amount: amountToText(total) };
}
