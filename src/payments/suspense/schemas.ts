/** The shapes of suspense records on the wire. */
import Type from 'typebox';
import { currency, reason } from '../schemas.js';

const fields = {
  id: Type.String({ description: 'The id of the record.' }),
  merchant: Type.Union([Type.String(), Type.Null()], {
    description: 'The client id of the merchant in whose books the money is; null for the instance.',
  }),
  paymentId: Type.String({ description: 'The payment.' }),
  reason,
  amount: Type.Number({ description: 'How much is in suspense.' }),
  currency,
  orderId: Type.Union([Type.String(), Type.Null()], {
    description: 'The order that the money seems to be for.',
  }),
  openedAt: Type.String({ format: 'date-time', description: 'Since when it is in suspense.' }),
};
const example = {
  id: 'sus_0000013J8V2T9X5B3N6H0C7D2F',
  merchant: 'acme',
  paymentId: 'pay_0000013J8V2T9X5B3N6H0C7D2F',
  reason: 'short',
  amount: 99.5,
  currency: 'EUR',
  orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
  openedAt: '2026-11-15T10:06:00.000Z',
};

export const SuspenseShape = Type.Object(fields, { title: 'SuspenseRecord', examples: [example] });

export const SuspenseFileShape = Type.Object(
  {
    ...fields,
    accountId: Type.String({ description: 'The pay-in account that the money arrived on.' }),
    bankReference: Type.String({ description: 'The bank’s own reference of the movement.' }),
    bookedAt: Type.String({ format: 'date-time', description: 'When the bank booked it.' }),
    payer: Type.Union(
      [
        Type.Object({
          name: Type.String({ description: 'The payer’s name.' }),
          account: Type.Union([Type.String(), Type.Null()], { description: 'The payer’s account.' }),
          remittanceText: Type.String({ description: 'What the payer wrote.' }),
        }),
        Type.Null(),
      ],
      { description: 'Who paid; null once this had to be erased.' },
    ),
  },
  {
    title: 'SuspenseFile',
    examples: [
      {
        ...example,
        accountId: 'main-eur',
        bankReference: '2026111500042',
        bookedAt: '2026-11-15T10:05:00.000Z',
        payer: { name: 'Ana Reyes', account: null, remittanceText: 'RF31 0000 013J 8V2T 9X5B 3N6H 0' },
      },
    ],
  },
);

export const SuspenseQueryShape = Type.Object(
  {
    merchant: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only of this merchant (client id).' }),
    ),
    reason: Type.Optional(reason),
    currency: Type.Optional(currency),
    after: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,18}\\.sus_[0-9A-HJKMNP-TV-Z]{26}$',
        description: 'Where the page begins. Take it from the header `Link` of the page before.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: 'The size of a page; 50 by default.' }),
    ),
  },
  { additionalProperties: false },
);
