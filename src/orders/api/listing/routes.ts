/** Routes for merchants and their users: lists of orders, the report of a day, and the states. */
import Type from 'typebox';
import { ListPage } from '../../../http/answers/answer.js';
import { readTime } from '../../../http/body/read-time.js';
import { type Route, read, stream } from '../../../http/route.js';
import { eventRules } from '../../order/order-events.js';
import { cancellableIn, isOpen, publicStates, publicTransitions } from '../../order/transitions.js';
import { OrderShape } from '../../order/wire/order-shape.js';
import { viewOfOrder } from '../../order/wire/order-view.js';
import { MerchantOrdersQuery, OrderStatesShape, OrdersQuery, ReportQuery } from '../schemas.js';
import { listMerchantOrders, listUserOrders } from './listing.js';
import { dayReport } from './report.js';

const described = { tag: 'Orders' } as const;
const ofUser = { token: 'either', scope: 'orders', user: 'required' } as const;
const ofMerchant = { token: 'merchant', scope: 'orders', user: 'none' } as const;

export function orderListRoutes(): Route[] {
  return [...listingRoutes(), reportRoute(), statesRoute()];
}

function listingRoutes(): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      path: '/orders',
      operationId: 'listOrders',
      summary: 'List the orders of a user',
      description: 'The header `Link` has the address of the next page.',
      returns: 'A page of orders, the newest first.',
      access: ofUser,
      query: OrdersQuery,
      answer: Type.Array(OrderShape),
      async run(call, database) {
        const { orders, next } = await listUserOrders(database, call.caller.merchantId, call.user.id, call.query);
        return new ListPage(orders.map(viewOfOrder), next);
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/merchant/orders',
      operationId: 'listMerchantOrders',
      summary: 'List all orders',
      description:
        'Filters can be combined. The header `Link` has the address of the next page. To follow changes, prefer events: they have no gaps.',
      returns: 'A page of orders: the newest first, or with `updatedSince` the oldest change first.',
      access: ofMerchant,
      query: MerchantOrdersQuery,
      answer: Type.Array(OrderShape),
      async run(call, database) {
        const { orders, next } = await listMerchantOrders(database, call.caller.merchantId, call.query);
        return new ListPage(orders.map(viewOfOrder), next);
      },
    }),
  ];
}

function reportRoute(): Route {
  return stream({
    ...described,
    method: 'GET',
    path: '/merchant/reports/orders',
    operationId: 'getOrdersReport',
    summary: 'Download the orders of a day',
    description:
      'CSV with every order that was created on the day (UTC), as it is now, the newest first. `paidAt`, `completedAt` and `refundedAt` are empty for what has not happened or was undone. A text that a spreadsheet would take for a formula begins with an apostrophe.',
    returns: 'The orders.',
    access: ofMerchant,
    query: ReportQuery,
    answerType: 'text/csv',
    answer: Type.String(),
    async run(call, database) {
      const { day } = call.query;
      const start = readTime('day', `${day}T00:00:00Z`) ?? new Date(0);
      return {
        mediaType: 'text/csv; charset=utf-8',
        headers: { 'content-disposition': `attachment; filename="orders-${day}.csv"` },
        chunks: dayReport(database, call.caller.merchantId, start),
      };
    },
  });
}

function statesRoute(): Route {
  return read({
    ...described,
    method: 'GET',
    path: '/meta/order-states',
    operationId: 'getOrderStates',
    summary: 'List the states of an order',
    returns: 'All states, and the transitions between them.',
    access: { token: 'either', scope: 'orders', user: 'none' },
    answer: OrderStatesShape,
    run: async () => ({
      states: publicStates.map((state) => ({
        state,
        cancellable: cancellableIn(state),
        open: isOpen(state),
      })),
      transitions: publicTransitions().map((row) => ({ ...row, by: [...eventRules[row.event].by] })),
    }),
  });
}
