/** Routes for merchants and their users: complain about an order, and read what became of it. */
import Type, { type Static } from 'typebox';
import { command, type Route, read } from '../http/route.js';
import { OrderPath } from '../orders/order/wire/order-shape.js';
import { scopeOf } from '../orders/order/wire/scope.js';
import { ComplaintShape, NewComplaintShape } from './schemas.js';
import type { ComplaintService } from './service.js';
import type { ComplaintFile } from './texts.js';

const described = {
  tag: 'Orders',
  access: { token: 'either', scope: 'orders', user: 'optional' },
} as const;

export function complaintRoutes(complaints: ComplaintService): Route[] {
  return [
    command({
      ...described,
      method: 'POST',
      path: '/orders/{id}/complaints',
      operationId: 'fileComplaint',
      summary: 'Complain about an order, or report an error',
      description:
        'For your user. The operator answers within the time that the law of the sender’s country sets (`answerBy`).',
      idempotency: { keepForHours: 24, isSecret: true },
      returns: 'The complaint.',
      params: OrderPath,
      body: NewComplaintShape,
      answer: ComplaintShape,
      refusals: ['order_not_found', 'too_many_complaints', 'user_not_found'],
      async run(call, tx) {
        const named = { scope: scopeOf(call), id: call.params.id };
        return encode(await complaints.fileAboutOrder(tx, call.by, named, { ...call.body, channel: 'api' }));
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/orders/{id}/complaints',
      operationId: 'listOrderComplaints',
      summary: 'List the complaints about an order',
      description: 'Nothing is sent when an answer comes: look until `answerBy`, and tell your user what was found.',
      returns: 'The complaints with their answers, the oldest first.',
      params: OrderPath,
      answer: Type.Array(ComplaintShape),
      refusals: ['order_not_found'],
      run: async (call, database) =>
        (await complaints.listOfOrder(database, scopeOf(call), call.params.id)).map(encode),
    }),
  ];
}

function encode({ complaint, texts }: ComplaintFile): Static<typeof ComplaintShape> {
  const { complaintId, orderId, kind, topic, state, receivedAt, answerBy, outcome, remedy } = complaint;
  return {
    id: complaintId,
    orderId: orderId ?? null,
    kind,
    topic,
    status: state,
    receivedAt: receivedAt.toISOString(),
    answerBy: answerBy.toISOString(),
    outcome: outcome ?? null,
    remedy: remedy ?? null,
    answers: texts.filter((text) => text.kind !== 'claim').map(({ text, at }) => ({ text, at: at.toISOString() })),
  };
}
