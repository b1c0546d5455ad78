/** Routes of the operators' desk: find orders of all merchants, see one whole, and see what does not move. */
import Type from 'typebox';
import { ListPage, nextPage } from '../http/answers/answer.js';
import { readTime } from '../http/body/read-time.js';
import { type FindPending, pendingField } from '../http/four-eyes.js';
import { type Route, read } from '../http/route.js';
import { namesIn } from '../http/shapes.js';
import { placeText, readPlace } from '../orders/api/request.js';
import { recordOf } from '../orders/order/finding.js';
import { orderStates } from '../orders/order/transitions.js';
import {
  DeskOrderShape,
  DeskPath,
  DeskQueryShape,
  OrderFileShape,
  StuckOrderShape,
  StuckQueryShape,
} from './schemas.js';
import type { DeskService } from './service.js';
import { encodeFile, encodeListed } from './wire.js';

const described = {
  tag: 'Orders for operators',
  method: 'GET',
  access: { token: 'operator', role: 'viewer' },
} as const;
const usualLimit = 50;

export function deskRoutes(desk: DeskService, findPending: FindPending): Route[] {
  return [searchRoute(desk), stuckRoute(desk), fileRoute(desk, findPending)];
}

function searchRoute(desk: DeskService): Route {
  return read({
    ...described,
    path: '/operator/orders',
    operationId: 'searchOrders',
    summary: 'Find orders of all merchants',
    description: 'Contains nothing personal. The header `Link` names the next page.',
    returns: 'A page of orders, the newest first.',
    query: DeskQueryShape,
    answer: Type.Array(DeskOrderShape),
    refusals: ['merchant_not_found'],
    async run({ query }, database) {
      const { search, merchant, state, after, limit = usualLimit } = query;
      const [from, to] = [readTime('from', query.from), readTime('to', query.to)];
      const asked = { search: search?.trim(), merchant, states: namesIn(orderStates, state), from, to };
      const listed = await desk.search(database, asked, { after: readPlace(after), limit });
      const last = listed.length === limit ? listed.at(-1)?.order : undefined;
      const next =
        last && nextPage('/operator/orders', query, placeText({ at: last.createdAt, orderId: last.orderId }));
      return new ListPage(listed.map(encodeListed), next);
    },
  });
}

function stuckRoute(desk: DeskService): Route {
  return read({
    ...described,
    path: '/operator/orders/stuck',
    operationId: 'listStuckOrders',
    summary: 'List orders that do not move',
    description:
      'Orders that have not moved although they should have, each with its reason. Orders that wait for their payment, for a review or for information of the sender are not among them. The header `Link` names the next page.',
    returns: 'A page of orders, the one that has not moved for longest first.',
    query: StuckQueryShape,
    answer: Type.Array(StuckOrderShape),
    async run({ query }, database) {
      const { after, limit = usualLimit } = query;
      const stuck = await desk.stuck(database, { after: readPlace(after), limit });
      const last = stuck.length === limit ? stuck.at(-1)?.order : undefined;
      const next =
        last && nextPage('/operator/orders/stuck', query, placeText({ at: last.updatedAt, orderId: last.orderId }));
      return new ListPage(
        stuck.map((item) => ({ ...encodeListed(item), reason: item.reason })),
        next,
      );
    },
  });
}

function fileRoute(desk: DeskService, findPending: FindPending): Route {
  return read({
    ...described,
    path: '/operator/orders/{id}',
    operationId: 'getOperatorOrder',
    summary: 'Get everything about an order',
    description:
      'The order as the merchant sees it and as it really is, with its timeline and journals, payments, payouts, refunds, reviews and notifications. Contains nothing personal.',
    returns: 'The order and what belongs to it.',
    params: DeskPath,
    answer: OrderFileShape,
    refusals: ['order_not_found'],
    async run({ params }, database) {
      const file = await desk.look(database, params.id);
      const record = recordOf(file.order);
      const pending = await findPending(database, [record]);
      return { ...encodeFile(file), ...pendingField(pending.get(record)) };
    },
  });
}
