/** The shapes of payments on the wire. */

import Type from 'typebox';
import { textOrNull, time, timeOrNull } from '../http/shapes.js';
import { currencyCodes } from '../money/currency.js';
import { longestTexts } from './movement-fields.js';
import { paymentOutcomes, suspenseReasons } from './payment.js';

export const currency = Type.Enum([...currencyCodes], { title: 'Currency', description: 'ISO 4217.' });
export const reason = Type.Enum([...suspenseReasons], {
  description:
    'Why no order takes the money. `no_reference`: the text names no order. `unknown_reference`: it names one that does not exist. `several_references`: it names more than one. `mistyped_reference`: its check digits do not match. `order_cancelled`, `order_expired`, `order_not_payable`: the order waits for no payment. `duplicate`: the order is paid, and the same amount came again. `wrong_currency`. `late`: booked after `rateGuaranteedUntil`. `short`: less than is missing. `over`: more than is missing; only the excess is in suspense. `rates_unavailable`, `corridor_unavailable`, `amount_out_of_range`: it was late, and there is no rate of the day for it. `taken_off`: it was recorded for an order that it is not for.',
});

export const NewPaymentShape = Type.Object(
  {
    accountId: Type.String({ maxLength: 40, description: 'The pay-in account that the money arrived on.' }),
    bankReference: Type.String({
      minLength: 1,
      maxLength: longestTexts.bankReference,
      description: 'The bank’s own reference of the movement. The same reference again is the same movement.',
    }),
    amount: Type.Number({ description: 'What arrived.' }),
    currency,
    bookedAt: Type.String({
      maxLength: 40,
      description:
        'When the bank booked it: a time, or a date at the place of the account. The day there decides whether the payment is late.',
    }),
    payer: Type.Object(
      {
        name: Type.String({
          minLength: 1,
          maxLength: longestTexts.payerName,
          description: 'The payer’s name.',
        }),
        account: Type.Optional(
          Type.String({ maxLength: longestTexts.payerAccount, description: 'The payer’s account.' }),
        ),
      },
      { additionalProperties: false, description: 'Who paid, as the bank reports it.' },
    ),
    remittanceText: Type.Optional(
      Type.String({
        maxLength: longestTexts.remittanceText,
        description: 'What the payer wrote. It is searched for the pay-in reference of an order.',
      }),
    ),
    otherThan: Type.Optional(
      Type.Array(Type.String({ maxLength: 40 }), {
        minItems: 1,
        maxItems: 20,
        description:
          'The lines that `possible_duplicate` named, once you have compared them on the bank’s statement: this is another movement. A second operator must approve it.',
      }),
    ),
  },
  {
    title: 'NewPayment',
    additionalProperties: false,
    examples: [
      {
        accountId: 'main-eur',
        bankReference: '2026111500042',
        amount: 100,
        currency: 'EUR',
        bookedAt: '2026-11-15T10:05:00Z',
        payer: { name: 'Ana Reyes', account: 'ES9121000418450200051332' },
        remittanceText: 'RF31 0000 013J 8V2T 9X5B 3N6H 0',
      },
    ],
  },
);

export const paymentExample = {
  id: 'pay_0000013J8V2T9X5B3N6H0C7D2F',
  accountId: 'main-eur',
  bankReference: '2026111500042',
  amount: 100,
  currency: 'EUR',
  bookedAt: '2026-11-15T10:05:00.000Z',
  outcome: 'applied',
  reason: null,
  orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
  recordedAt: '2026-11-15T10:06:00.000Z',
  voidedAt: null,
};

export const PaymentShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the payment.' }),
    accountId: Type.String({ description: 'The pay-in account.' }),
    bankReference: Type.String({ description: 'The bank’s own reference.' }),
    amount: Type.Number({ description: 'What arrived.' }),
    currency,
    bookedAt: time('When the bank booked it.'),
    outcome: Type.Enum([...paymentOutcomes], {
      description:
        '`applied`: its order took it, or all that it needed of it. `suspense`: no order takes it; see `GET /operator/suspense`. `handed_over`: it arrived on a shared account, and the merchant of its order takes it over within seconds.',
    }),
    reason: Type.Union([reason, Type.Null()], {
      description: 'Why it is in suspense; `over` with `applied` when only the excess is.',
    }),
    orderId: textOrNull('The order that it is for, or seems to be for.'),
    recordedAt: time('When it was recorded.'),
    voidedAt: timeOrNull('When two operators had voided it; null otherwise.'),
    isDuplicate: Type.Boolean({ description: 'Whether the movement had been recorded before.' }),
  },
  {
    title: 'Payment',
    examples: [{ ...paymentExample, isDuplicate: false }],
  },
);
