/** The notifications about orders: one for each state that an order can reach, and one for changes within a state. */
import Type from 'typebox';
import type { EventType } from '../../webhooks/events/event-schemas.js';
import type { RefundState } from '../order/order.js';
import { eventRules, type OrderEvent } from '../order/order-events.js';
import { requirementOf } from '../order/requirement.js';
import { eventTypeOf } from '../order/transition.js';
import { type PublicState, publicState, transitions } from '../order/transitions.js';
import { OrderShape, orderExample, StatusShape } from '../order/wire/order-shape.js';

interface Announced {
  readonly event: OrderEvent;
  readonly summary: string;
  readonly example?: object;
}

const later = (version: number) => ({ version, updatedAt: '2026-11-15T09:45:00.000Z' });
const paid = { amountReceived: 100, amountMissing: 0 };
const requoted = {
  rateCode: 'rt_4V1K8V2T9X5B3N6H0C7D2FWQ7Z',
  amountOut: 1947.7,
  rate: 19.477,
  requotes: [
    {
      requotedAt: '2026-11-16T11:00:00.000Z',
      needsAcceptance: false,
      before: { rateCode: orderExample.rateCode, amountIn: 100, amountOut: 1952.04, rate: 19.5204, fee: 2 },
      after: {
        rateCode: 'rt_4V1K8V2T9X5B3N6H0C7D2FWQ7Z',
        amountIn: 100,
        amountOut: 1947.7,
        rate: 19.477,
        fee: 2,
      },
    },
  ],
};
const over = {
  cancellable: 'no',
  pendingReason: null,
  amountMissing: 0,
  version: 2,
  updatedAt: '2026-11-15T09:45:00.000Z',
};
const refunding = (state: RefundState, version: number) => ({
  ...paid,
  ...later(version),
  cancellable: 'no',
  statusReason: 'cancelled_by_sender',
  refundDueBy: '2026-11-18T09:45:00.000Z',
  refunds: [
    {
      id: 'rfd_0000013J8V2T9X5B3N6H0C7D2F',
      amount: 100,
      state,
      reason: 'cancelled_by_sender',
      createdAt: '2026-11-15T09:43:00.000Z',
      updatedAt: '2026-11-15T09:45:00.000Z',
    },
  ],
});

/** The events that a route or a job causes today. The table has more. */
const announced: readonly Announced[] = [
  { event: 'create', summary: 'An order was created and waits for its payment' },
  {
    event: 'change_beneficiary',
    summary: 'The beneficiary of an order was corrected; its status did not change',
    example: later(2),
  },
  {
    event: 'record_payment',
    summary:
      'Money arrived for an order: a part of the amount, or money that the order does not take; its status did not change',
    example: { ...later(2), amountReceived: 60, amountMissing: 40 },
  },
  {
    event: 'requote',
    summary: 'An order that was paid late got the rate of the day; its status did not change',
    example: { ...later(2), ...requoted },
  },
  {
    event: 'complete_payment',
    summary: 'An order was paid, or continues as paid after a review',
    example: { ...paid, ...later(2), pendingReason: null },
  },
  {
    event: 'convert',
    summary: 'The money of an order was converted, or the order continues as converted after a review',
    example: { ...paid, ...later(3), pendingReason: null },
  },
  {
    event: 'submit_payout',
    summary:
      'The payout of an order was submitted; the order cannot be cancelled unless the payout fails or comes back',
    example: {
      ...paid,
      ...later(4),
      pendingReason: 'payout',
      cancellable: 'no',
      estimatedArrivalAt: '2026-11-16T15:00:00.000Z',
    },
  },
  {
    event: 'refer',
    summary: 'An order is under review',
    example: { ...paid, ...later(3), pendingReason: 'review', cancellable: 'on_request' },
  },
  {
    event: 'request_information',
    summary: 'An order waits for information from the sender',
    example: {
      ...paid,
      ...later(4),
      pendingReason: 'information',
      requirements: [requirementOf('purpose'), requirementOf('supporting_document')],
      actionRequiredBy: '2026-11-22T09:45:00.000Z',
    },
  },
  {
    event: 'record_information',
    summary: 'A part of the information that an order waits for was provided; its status did not change',
    example: {
      ...paid,
      ...later(5),
      pendingReason: 'information',
      requirements: [requirementOf('supporting_document')],
      actionRequiredBy: '2026-11-22T09:45:00.000Z',
    },
  },
  {
    event: 'request_cancellation',
    summary: 'An order is to be cancelled once its review is over; its status did not change',
    example: {
      ...paid,
      ...later(4),
      pendingReason: 'review',
      cancellable: 'no',
      cancellationRequestedAt: '2026-11-15T09:45:00.000Z',
    },
  },
  {
    event: 'refuse',
    summary: 'An order was refused; its money goes back',
    example: {
      ...paid,
      ...later(4),
      pendingReason: 'refund',
      cancellable: 'no',
      statusReason: 'refused',
    },
  },
  {
    event: 'refund',
    summary: 'The money of an order goes back to the payer',
    example: {
      ...paid,
      ...later(5),
      pendingReason: 'refund',
      cancellable: 'no',
      statusReason: 'refused',
      refundDueBy: '2026-11-18T09:45:00.000Z',
    },
  },
  {
    event: 'complete',
    summary: 'The beneficiary has the money',
    example: { ...paid, ...later(5), pendingReason: null, cancellable: 'no' },
  },
  {
    event: 'fail_payout',
    summary: 'A payout failed; the operator asks for a correction, tries again or pays the money back',
    example: {
      ...paid,
      ...later(5),
      pendingReason: null,
      cancellable: 'yes',
      statusReason: 'beneficiary_account_closed',
    },
  },
  {
    event: 'return',
    summary: 'The money came back after it was paid',
    example: {
      ...paid,
      ...later(6),
      pendingReason: null,
      cancellable: 'yes',
      statusReason: 'beneficiary_account_closed',
    },
  },
  {
    event: 'record_paid_twice',
    summary:
      'A beneficiary, or a payer, was paid twice by mistake; the loss is the operator’s, and the status did not change',
    example: { ...paid, ...later(6), pendingReason: null, cancellable: 'no' },
  },
  {
    event: 'update_refund',
    summary: 'A refund was handed to a bank, or paid while others are open; the status of the order did not change',
    example: { ...refunding('submitted', 6), pendingReason: 'refund' },
  },
  {
    event: 'settle_refund',
    summary: 'The payer has the money back',
    example: { ...refunding('paid', 7), amountRefunded: 100, pendingReason: null },
  },
  {
    event: 'fail_refund',
    summary: 'A refund was refused by the bank of the payer, or came back; the operator tries again',
    example: { ...refunding('failed', 7), statusReason: 'refund_rejected', pendingReason: null },
  },
  {
    event: 'record_loss',
    summary: 'The bank of the payer took the payment back after it was paid out; the status did not change',
    example: { ...paid, ...later(6), pendingReason: null, cancellable: 'no', amountReversed: 100 },
  },
  {
    event: 'cancel',
    summary: 'An order was cancelled, or the bank of the payer took the payment back before it was paid out',
    example: { ...over, statusReason: 'cancelled_by_sender', cancellationRequestedAt: over.updatedAt },
  },
  {
    event: 'expire',
    summary: 'An order was not paid, or not answered, in time',
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
    object: orderIn(isStatusKept ? statusesOf(event) : [status]),
    objectExample: { ...orderExample, status, ...example },
  };
});

/** Where something happens that does not change the status. Several events may be told by one type. */
function statusesOf(event: OrderEvent): PublicState[] {
  const { notice } = eventRules[event];
  const rows = transitions.filter((row) => row.from === row.to && eventRules[row.event].notice === notice);
  return [...new Set(rows.map(({ to }) => publicState(to)))];
}

function orderIn(statuses: readonly PublicState[]) {
  return Type.Unsafe({
    description: 'The order, as `GET /orders/{id}` showed it at that moment.',
    allOf: [OrderShape, Type.Object({ status: Type.Enum([...statuses], { description: 'The state of the order.' }) })],
  });
}
