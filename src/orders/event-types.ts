/** The notifications about orders: one for each state that an order can reach, and one for changes within a state. */
import Type from 'typebox';
import type { EventType } from '../webhooks/event-schemas.js';
import type { OrderEvent } from './order-events.js';
import { OrderShape, orderExample, StatusShape } from './order-shape.js';
import { eventTypeOf } from './transition.js';
import { type PublicState, publicState, transitions } from './transitions.js';

interface Announced {
  readonly event: OrderEvent;
  readonly summary: string;
  readonly example?: object;
}

const over = { cancellable: 'no', version: 2, updatedAt: '2026-11-15T09:45:00.000Z' };

/** The events that a route or a job causes today. The table has more. */
const announced: readonly Announced[] = [
  { event: 'create', summary: 'An order was created and waits for its payment' },
  {
    event: 'change_beneficiary',
    summary: 'The beneficiary of an order was corrected; its status did not change',
    example: { version: 2, updatedAt: '2026-11-15T09:45:00.000Z' },
  },
  {
    event: 'complete_payment',
    summary: 'All of the money for an order has arrived',
    example: { amountReceived: 100, version: 2, updatedAt: '2026-11-15T10:06:00.000Z' },
  },
  {
    event: 'cancel',
    summary: 'An order was cancelled',
    example: { ...over, statusReason: 'cancelled_by_sender', cancellationRequestedAt: over.updatedAt },
  },
  {
    event: 'expire',
    summary: 'An order was not paid in time',
    example: { ...over, statusReason: 'not_paid_in_time', updatedAt: '2026-11-19T09:30:12.000Z' },
  },
];

export const orderEventTypes: readonly EventType[] = announced.map(({ event, summary, example }) => {
  const row = transitions.find((transition) => transition.event === event);
  if (!row) throw new Error(`the table has no event ${event}`);
  const status = publicState(row.to);
  const isStatusKept = row.from === row.to;
  return {
    type: eventTypeOf(event, row.from, row.to),
    channel: 'order' as const,
    summary,
    previousStatus: isStatusKept ? Type.Null() : Type.Union([StatusShape, Type.Null()]),
    previousStatusExample: isStatusKept ? null : row.from,
    object: orderIn(status),
    objectExample: { ...orderExample, status, ...example },
  };
});

function orderIn(status: PublicState) {
  return Type.Unsafe({
    description: 'The order, as `GET /orders/{id}` showed it at that moment.',
    allOf: [
      OrderShape,
      Type.Object({ status: Type.Literal(status, { description: 'The state of the order.' }) }),
    ],
  });
}
