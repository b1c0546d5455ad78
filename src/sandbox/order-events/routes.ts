/** Lets a merchant decide in the sandbox what happens to an order next. */
import Type from 'typebox';
import { command, type Route } from '../../http/route.js';
import { requirementCodes } from '../../orders/information/requirement.js';
import { OrderShape } from '../../orders/order-shape.js';
import { viewOfOrder } from '../../orders/order-view.js';
import type { Queryable } from '../../postgres/statement.js';
import { decisionEvents, type OrderEventService, reportEvents, type SimulatedEventType } from './service.js';

const types = [...Object.keys(reportEvents), ...decisionEvents] as SimulatedEventType[];

const SimulatedEventShape = Type.Object(
  {
    type: Type.Enum(types, {
      description:
        '`payout_…` and `refund_…`: the rail reports this about the newest payout or refund. `review_…`, `information_requested` and `payout_retried`: an operator does this. `time_ran_out`: the order has waited long enough for its payment or for answers.',
    }),
    reason: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9]{4}$',
        description:
          'Why a rail rejects or returns: a code of ISO 20022. Absent: `AC04`, the account is closed.',
      }),
    ),
    items: Type.Optional(
      Type.Array(Type.Enum([...requirementCodes]), {
        minItems: 1,
        maxItems: requirementCodes.length,
        uniqueItems: true,
        description: 'What the sender is asked for. Absent: `source_of_funds`.',
      }),
    ),
  },
  { title: 'SimulatedOrderEvent', additionalProperties: false, examples: [{ type: 'payout_returned' }] },
);

export function orderEventRoutes(database: Queryable, events: OrderEventService): Route[] {
  return [
    command({
      tag: 'Sandbox',
      method: 'POST',
      path: '/sandbox/orders/{id}/events',
      operationId: 'simulateOrderEvent',
      summary: 'Decide what happens to an order next',
      description:
        'What a rail, an operator or the passing of time would do happens to this order only, at once. You are notified as always.',
      returns: 'The order after the event.',
      access: { token: 'merchant', scope: 'orders', user: 'none' },
      params: Type.Object({ id: Type.String({ description: 'The id of the order.' }) }),
      body: SimulatedEventShape,
      answer: OrderShape,
      refusals: [
        'order_not_found',
        'order_transition_not_allowed',
        'simulated_event_impossible',
        'ledger_fault',
      ],
      prepare: ({ caller: { merchantId }, params, body }) =>
        events.prepare(database, { merchantId, orderId: params.id, event: body }),
      async run({ by, caller: { merchantId }, params, body }, tx, prepared) {
        const request = { merchantId, orderId: params.id, event: body, prepared };
        return viewOfOrder(await events.simulate(tx, by, request));
      },
    }),
  ];
}
