/** The shape of a timeline on the wire. */
import Type from 'typebox';
import { statusReasons } from '../order/order.js';
import { publicEvents } from '../order/transitions.js';
import { enumOrNull, StatusShape, time } from '../order/wire/order-shape.js';

const PostingShape = Type.Object({
  account: Type.String({ description: 'The account of the ledger.' }),
  side: Type.Enum(['debit', 'credit'], { description: 'The side of the account.' }),
  currency: Type.String({ description: 'The currency of the account.' }),
  amount: Type.Number({ description: 'The amount, which is positive.' }),
});

export const JournalShape = Type.Object(
  {
    event: Type.String({
      description: 'What moved the money: `payment_received`, `converted`, `payout_submitted`, and so on.',
    }),
    postings: Type.Array(PostingShape, {
      description: 'Debits and credits, which are equal in each currency.',
    }),
  },
  { title: 'OrderJournal' },
);

export const TimelineShape = Type.Array(
  Type.Object({
    version: Type.Integer({ minimum: 1, description: 'The version of the order after the change.' }),
    event: Type.Enum([...publicEvents], { description: 'What happened.' }),
    status: StatusShape,
    previousStatus: Type.Union([StatusShape, Type.Null()], {
      description: 'The state before; null when the order was created.',
    }),
    statusReason: enumOrNull(statusReasons, 'Why, where that is not obvious.'),
    by: Type.Enum(['merchant', 'user', 'operator', 'system'], { description: 'Who caused it.' }),
    at: time('When it happened.'),
    journals: Type.Optional(
      Type.Array(JournalShape, {
        description: 'The journals of the ledger that the change wrote. Only with a merchant token.',
      }),
    ),
  }),
  {
    title: 'OrderTimeline',
    description: 'What has happened to an order, the oldest first.',
    examples: [
      [
        {
          version: 2,
          event: 'complete_payment',
          status: 'PAYMENT_RECEIVED',
          previousStatus: 'AWAITING_PAYMENT',
          statusReason: null,
          by: 'system',
          at: '2026-11-15T09:41:00.000Z',
          journals: [
            {
              event: 'payment_received',
              postings: [
                { account: 'payin:EUR', side: 'debit', currency: 'EUR', amount: 100 },
                { account: 'liability:EUR', side: 'credit', currency: 'EUR', amount: 100 },
              ],
            },
          ],
        },
      ],
    ],
  },
);
