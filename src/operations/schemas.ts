/** The shapes of the operators' desk. */
import Type from 'typebox';
import { PendingApprovalShape } from '../http/four-eyes.js';
import { severalOf, textOrNull, timeOrNull } from '../http/shapes.js';
import { pageQuery } from '../orders/api/schemas.js';
import { stuckReasons } from '../orders/operator/desk/stuck.js';
import { orderEvents } from '../orders/order/order-events.js';
import { orderStates } from '../orders/order/transitions.js';
import { enumOrNull, OrderShape, orderExample, priceFields, time } from '../orders/order/wire/order-shape.js';
import { JournalShape } from '../orders/timeline/schemas.js';

export const DeskQueryShape = Type.Object(
  {
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'What you know of the order: its id, the external id, the pay-in reference, the id of its user, of a payment or of a payout, or the reference that a bank or a rail gave.',
      }),
    ),
    merchant: Type.Optional(
      Type.String({ maxLength: 64, description: 'Only orders of the merchant with this client id.' }),
    ),
    state: Type.Optional(severalOf(orderStates, 'Only orders in this state.')),
    from: Type.Optional(time('Only orders that were created at this moment or later.')),
    to: Type.Optional(time('Only orders that were created before this moment.')),
    ...pageQuery,
  },
  { additionalProperties: false },
);
export const StuckQueryShape = Type.Object(pageQuery, { additionalProperties: false });
export const DeskPath = Type.Object({ id: Type.String({ description: 'The id of the order.' }) });

const StateShape = Type.Enum([...orderStates], {
  description: 'The state of the order. Merchants and users see `FROZEN` as `IN_REVIEW`.',
});
const deskFields = {
  id: Type.String({ description: 'The id of the order.' }),
  merchant: Type.String({ description: 'The client id of the merchant.' }),
  userId: Type.Integer({ description: 'The id of the user who sends the money.' }),
  externalOrderId: textOrNull('The merchant’s own id of the order.'),
  payInReference: Type.String({ description: 'What the payer writes on the transfer.' }),
  state: StateShape,
  waitsFor: textOrNull('Why the worker could not move the order on when it last tried.'),
  ...priceFields,
  amountReceived: Type.Number({ description: 'What has been paid so far, in `fiatIn`.' }),
  amountRefunded: Type.Number({ description: 'What has been paid back so far, in `fiatIn`.' }),
  version: Type.Integer({ description: 'The version of the order, for your decisions.' }),
  createdAt: time('When the order was created.'),
  updatedAt: time('When something last changed that the merchant can see.'),
};
const deskExample = {
  id: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
  merchant: 'acme',
  userId: 241958564297829,
  externalOrderId: 'invoice-1001',
  payInReference: 'RF310000013J8V2T9X5B3N6H0',
  state: 'CONVERTED',
  waitsFor: 'rail_paused',
  fiatIn: 'EUR',
  fiatOut: 'MXN',
  amountIn: 100,
  amountOut: 1952.04,
  rate: 19.5204,
  fee: 2,
  amountReceived: 100,
  amountRefunded: 0,
  version: 3,
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:41:00.000Z',
};
export const DeskOrderShape = Type.Object(deskFields, { title: 'OperatorOrder', examples: [deskExample] });

export const StuckOrderShape = Type.Object(
  {
    ...deskFields,
    reason: Type.Enum([...stuckReasons], {
      description:
        'Why it does not move. `no_rail`, `rail_paused`, `corridor_paused`, `merchant_paused`: no way to pay out. `screening_lists`: no usable lists. `ledger_fault`: the merchant’s ledger has a fault. `not_moved_on`: no worker took it. `outcome_unknown`: nobody knows what became of its payout or refund. `payout_overdue`, `refund_overdue`: late. `payout_failed`, `payout_returned`, `refund_failed`: an operator must decide.',
    }),
  },
  { title: 'StuckOrder', examples: [{ ...deskExample, reason: 'rail_paused' }] },
);

const EntryShape = Type.Object({
  event: Type.Enum([...orderEvents], { description: 'What happened.' }),
  from: Type.Union([StateShape, Type.Null()], { description: 'The state before; null at the creation.' }),
  to: StateShape,
  statusReason: textOrNull('Why, where that is not obvious.'),
  by: Type.Enum(['merchant', 'user', 'operator', 'system'], { description: 'Who caused it.' }),
  at: time('When it happened.'),
  isPublic: Type.Boolean({ description: 'Whether the merchant sees it.' }),
  journals: Type.Array(JournalShape, { description: 'What it wrote to the ledger.' }),
});
const PaymentShape = Type.Object({
  id: Type.String({ description: 'The id of the payment.' }),
  accountId: Type.String({ description: 'The account that was paid to.' }),
  bankReference: Type.String({ description: 'The bank’s own reference.' }),
  amount: Type.Number({ description: 'What was paid.' }),
  currency: Type.String({ description: 'Its currency.' }),
  outcome: Type.String({ description: '`applied`, `suspense` or `handed_over`.' }),
  bookedAt: time('When the bank booked it.'),
});
const AttemptShape = Type.Object({
  id: Type.String({ description: 'The id of the payout or refund, for `/operator/payouts/{attemptId}`.' }),
  direction: Type.Enum(['payout', 'refund'], { description: 'To the beneficiary, or back.' }),
  reference: Type.String({ description: 'What the rail and the banks know it by.' }),
  rail: Type.String({ description: 'The rail that carries it.' }),
  state: Type.String({ description: 'Its state.' }),
  amount: Type.Number({ description: 'The amount.' }),
  currency: Type.String({ description: 'Its currency.' }),
  createdAt: time('When it was opened.'),
  changedAt: time('When it reached its state.'),
});
const SuspenseShape = Type.Object({
  id: Type.String({ description: 'The id of the suspense record.' }),
  paymentId: Type.String({ description: 'The payment that brought the money.' }),
  reason: Type.String({ description: 'Why the order does not have it, such as `over`.' }),
  state: Type.String({ description: 'What became of it: `OPEN` while it waits for a decision.' }),
  amount: Type.Number({ description: 'What came into suspense.' }),
  remaining: Type.Number({ description: 'What we still hold of it.' }),
  currency: Type.String({ description: 'Its currency.' }),
  version: Type.Integer({ description: 'The version of the record, for your decisions.' }),
  openedAt: time('When it came into suspense.'),
});
const ReviewShape = Type.Object({
  reasons: Type.Array(Type.String(), { description: 'Why a person had to look.' }),
  openedAt: time('When it began.'),
  decision: enumOrNull(['approved', 'refused'], 'What was decided; null before.'),
  decidedAt: timeOrNull('When it was decided.'),
});
const EventShape = Type.Object({
  id: Type.String({ description: 'The id of the event.' }),
  type: Type.String({ description: 'The type of the event.' }),
  at: time('When it happened.'),
  delivery: textOrNull('The state of its delivery; null when the merchant had no url.'),
  deliveredAt: timeOrNull('When the merchant answered 2xx.'),
});

export const OrderFileShape = Type.Object(
  {
    ...deskFields,
    order: Type.Object(OrderShape.properties, { description: 'The order as the merchant sees it.' }),
    timeline: Type.Array(EntryShape, { description: 'Every change, the oldest first.' }),
    payments: Type.Array(PaymentShape, { description: 'The payments of the order, the oldest first.' }),
    suspense: Type.Array(SuspenseShape, {
      description: 'Money that came for the order and that it does not have, the oldest first.',
    }),
    attempts: Type.Array(AttemptShape, { description: 'Payouts and refunds, the first one first.' }),
    reviews: Type.Array(ReviewShape, { description: 'The reviews of the order, the oldest first.' }),
    events: Type.Array(EventShape, {
      description: 'What the merchant was notified of, the oldest first; at most 1000.',
    }),
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  {
    title: 'OperatorOrderFile',
    examples: [
      {
        ...deskExample,
        order: orderExample,
        timeline: [],
        payments: [],
        suspense: [],
        attempts: [],
        reviews: [],
        events: [],
      },
    ],
  },
);

const note = Type.String({ minLength: 1, maxLength: 2000, description: 'What you found out.' });
export const NewNoteShape = Type.Object(
  { note },
  {
    title: 'NewOrderNote',
    additionalProperties: false,
    examples: [{ note: 'The bank of the beneficiary asks for two days.' }],
  },
);
export const NoteListShape = Type.Array(
  Type.Object({
    note,
    by: Type.String({ description: 'The login of the operator.' }),
    at: time('When it was written.'),
  }),
  {
    title: 'OrderNotes',
    examples: [
      [
        {
          note: 'The bank of the beneficiary asks for two days.',
          by: 'rita',
          at: '2026-11-15T09:41:00.000Z',
        },
      ],
    ],
  },
);
