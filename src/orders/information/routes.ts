/** The route by which senders provide what was asked for. */
import Type from 'typebox';
import { command, type Route } from '../../http/route.js';
import { requirementCodes } from '../order/requirement.js';
import { OrderPath, OrderShape } from '../order/wire/order-shape.js';
import { viewOfOrder } from '../order/wire/order-view.js';
import type { InformationService } from './service.js';

const InformationShape = Type.Object(
  {
    answers: Type.Array(
      Type.Object(
        {
          code: Type.Enum([...requirementCodes], { description: 'The `code` of the requirement.' }),
          answer: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 2000,
              pattern: '\\S',
              description:
                'The answer in words, for what needs an `answer`. Only operators see it; it is stored encrypted.',
            }),
          ),
          documentIds: Type.Optional(
            Type.Array(Type.String({ maxLength: 64 }), {
              minItems: 1,
              maxItems: 10,
              uniqueItems: true,
              description:
                'Documents from `POST /orders/{id}/documents`, for what needs a `document`, or to support an answer.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: requirementCodes.length,
        description: 'One answer for each requirement, or for some of them.',
      },
    ),
  },
  {
    title: 'OrderInformation',
    additionalProperties: false,
    examples: [
      {
        answers: [
          { code: 'purpose', answer: 'School fees of my daughter, spring term.' },
          { code: 'supporting_document', documentIds: ['9f86d081884c7d659a2feaa0c55ad015'] },
        ],
      },
    ],
  },
);

export function informationRoutes(information: InformationService): Route[] {
  return [
    command({
      tag: 'Orders',
      method: 'POST',
      path: '/orders/{id}/information',
      operationId: 'provideOrderInformation',
      summary: 'Provide what an order waits for',
      description:
        'Answer everything in `requirements` before `actionRequiredBy`; the order then continues. Before money is paid out, a person reads the answers. Paying does not answer anything. You can answer in parts: the order that you get back lists in `requirements` what is still missing. Upload documents first, with `POST /orders/{id}/documents`. What needs a `beneficiary` is answered by `POST /orders/{id}/beneficiary`. Answer what needs a `choice` with one of its `options`. After `refuse`, the money goes back.',
      returns: 'The order. It continues, or waits for the remaining answers.',
      access: { token: 'either', scope: 'orders', user: 'optional' },
      params: OrderPath,
      body: InformationShape,
      answer: OrderShape,
      refusals: ['order_not_found', 'order_transition_not_allowed', 'ledger_fault'],
      async run(call, tx) {
        const scope = { merchantId: call.caller.merchantId, userId: call.user?.id };
        const order = { scope, id: call.params.id };
        return viewOfOrder(await information.provide(tx, call.by, order, call.body.answers));
      },
    }),
  ];
}
