/** Lets a merchant decide in the sandbox what happens to an order next. */
import Type from 'typebox';
import { command, type Route } from '../../http/route.js';
import { requirementCodes } from '../../orders/order/requirement.js';
import { OrderShape } from '../../orders/order/wire/order-shape.js';
import { viewOfOrder } from '../../orders/order/wire/order-view.js';
import type { Queryable } from '../../postgres/statement.js';
import { decisionEvents, type OrderEventService, reportEvents, type SimulatedEventType } from './service.js';

const types = [...Object.keys(reportEvents), ...decisionEvents] as SimulatedEventType[];

const SimulatedEventShape = Type.Object(
  {
    type: Type.Enum(types, {
      description:
        '`payout_…` and `refund_…`: the rail reports this about the latest payout or refund. `review_…`, `information_requested`, `payout_retried` and `refund_retried`: an operator does this; the refund goes to the account that paid. `time_ran_out`: the time to pay, or to answer, has passed.',
    }),
    reason: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9]{4}$',
        description:
          'Why the rail rejects or returns the money: a code of ISO 20022. Absent: `AC04`, the account is closed.',
      }),
    ),
    items: Type.Optional(
      Type.Array(Type.Enum([...requirementCodes]), {
        minItems: 1,
        maxItems: requirementCodes.length,
        uniqueItems: true,
        description: 'What `information_requested` asks the sender for. Absent: `source_of_funds`.',
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
        'Causes one event at once, for this order only: what a rail, an operator or a deadline would cause otherwise. You are notified as usual.',
      returns: 'The order after the event.',
      access: { token: 'merchant', scope: 'orders', user: 'none' },
      params: Type.Object({ id: Type.String({ description: 'The id of the order.' }) }),
      body: SimulatedEventShape,
      answer: OrderShape,
      refusals: ['order_not_found', 'order_transition_not_allowed', 'simulated_event_impossible', 'ledger_fault'],
      prepare: ({ caller: { merchantId }, params, body }) =>
        events.prepare(database, { merchantId, orderId: params.id, event: body }),
      async run({ by, caller: { merchantId }, params, body }, tx, prepared) {
        const request = { merchantId, orderId: params.id, event: body, prepared };
        return viewOfOrder(await events.simulate(tx, by, request));
      },
    }),
  ];
}
