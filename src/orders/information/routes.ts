/** The route by which senders provide what was asked for. */
import Type from 'typebox';
import { command, type Route } from '../../http/route.js';
import { viewOfOrder } from '../order.js';
import { OrderShape } from '../order-shape.js';
import { OrderPath } from '../schemas.js';
import { requirementCodes } from './requirement.js';
import type { InformationService } from './service.js';

const InformationShape = Type.Object(
  {
    answers: Type.Array(
      Type.Object(
        {
          code: Type.Enum([...requirementCodes], { description: 'The `code` of the requirement.' }),
          answer: Type.String({
            minLength: 1,
            maxLength: 2000,
            pattern: '\\S',
            description: 'The answer of the sender. Only operators see it; it is stored encrypted.',
          }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: requirementCodes.length, description: 'One answer for each requirement.' },
    ),
  },
  {
    title: 'OrderInformation',
    additionalProperties: false,
    examples: [{ answers: [{ code: 'purpose', answer: 'School fees of my daughter, spring term.' }] }],
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
        'Answer everything in `requirements` before `actionRequiredBy`; the order then goes on. Answers are texts: documents cannot be uploaded yet. To correct the beneficiary, use `POST /orders/{id}/beneficiary` first. Where `requote` is asked for, answer `accept` or `refuse`; after `refuse` the money goes back.',
      returns: 'The order.',
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
