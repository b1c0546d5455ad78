/** Routes for operators: orders in review. */
import Type, { type Static } from 'typebox';
import { ListPage } from '../../http/answers/answer.js';
import { pendingField } from '../../http/four-eyes.js';
import { auditedRead, type Route, read } from '../../http/route.js';
import { recordOf } from '../order/finding.js';
import { decisionRoutes, type ReviewRouteOptions } from './decision-routes.js';
import { listReviewQueue, lookAtReview } from './queue.js';
import type { ReviewPlace } from './queue-store.js';
import { refundRoutes } from './refund-routes.js';
import { ReviewFileShape, ReviewQuery, ReviewShape } from './schemas.js';
import { encodeFile, encodeReview } from './wire.js';

const described = { tag: 'Orders for operators' } as const;

export function reviewRoutes(options: ReviewRouteOptions): Route[] {
  return [queueRoute(options), fileRoute(options), ...decisionRoutes(options), ...refundRoutes(options)];
}

function queueRoute({ findPending }: ReviewRouteOptions): Route {
  return read({
    ...described,
    access: { token: 'operator', role: 'viewer' },
    method: 'GET',
    path: '/operator/orders/reviews',
    operationId: 'listOrderReviews',
    summary: 'List orders in review',
    description:
      'Contains nothing personal. Also lists orders that are frozen, and those that wait for information that a reviewer asked for. The header `Link` names the next page.',
    returns: 'A page of reviews, the oldest first.',
    query: ReviewQuery,
    answer: Type.Array(ReviewShape),
    async run(call, database) {
      const { after, limit = 50 } = call.query;
      const { reviews, next } = await listReviewQueue(database, placeOf(after), limit);
      const records = reviews.map(({ order }) => recordOf(order));
      const pending = await findPending(database, records);
      const items = reviews.map((reviewed) => ({
        ...encodeReview(reviewed),
        ...pendingField(pending.get(recordOf(reviewed.order))),
      }));
      return new ListPage(items, next && nextAddress(call.query, next));
    },
  });
}

function fileRoute({ users, documents, payers, findPending }: ReviewRouteOptions): Route {
  return auditedRead({
    ...described,
    access: { token: 'operator', role: 'reviewer' },
    method: 'GET',
    path: '/operator/orders/{id}/review',
    operationId: 'getOrderReview',
    summary: 'Get the review of an order with its findings',
    returns: 'The newest review of the order, what was found, the notes of operators and the answers of the sender.',
    params: Type.Object({ id: Type.String({ description: 'The id of the order.' }) }),
    answer: ReviewFileShape,
    refusals: ['order_not_found'],
    async run(call, tx) {
      const file = await lookAtReview({ users, documents, payers }, tx, call.by, call.params.id);
      const record = recordOf(file.order);
      const pending = await findPending(tx, [record]);
      return { ...encodeFile(file), ...pendingField(pending.get(record)) };
    },
  });
}

function placeOf(after: string | undefined): ReviewPlace | undefined {
  const [atMicros, id] = after?.split('.') ?? [];
  return atMicros === undefined || id === undefined ? undefined : { atMicros, id };
}

function nextAddress(query: Static<typeof ReviewQuery>, next: ReviewPlace): string {
  const fields = Object.entries({ ...query, after: `${next.atMicros}.${next.id}` });
  return `/operator/orders/reviews?${new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))}`;
}
