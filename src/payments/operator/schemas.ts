/** The shapes of payments as operators list and read them. */
import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { pageLimit, pageStart, textOrNull, time, timeOrNull } from '../../http/shapes.js';
import { longestTexts } from '../movement-fields.js';
import { paymentOutcomes } from '../payment.js';
import { currency, PaymentShape, paymentExample, reason } from '../schemas.js';
import { suspenseStates } from '../suspense/transitions.js';
import { paymentSorts } from './payment-listing-store.js';

const mostPayments = 100;
const amountText = (description: string) =>
  Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}(\\.[0-9]{1,4})?$', description: `${description} Needs \`currency\`.` }),
  );

export const PaymentQueryShape = Type.Object(
  {
    account: Type.Optional(Type.String({ maxLength: 40, description: 'Only on this pay-in account.' })),
    merchant: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only of this merchant (client id): its accounts and its orders.' }),
    ),
    bankReference: Type.Optional(
      Type.String({ maxLength: longestTexts.bankReference, description: 'Only with this reference of the bank.' }),
    ),
    payer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: longestTexts.payerName,
        description: 'Only from this payer: the whole name, in any order of its words, or the whole account number.',
      }),
    ),
    currency: Type.Optional(currency),
    amountFrom: amountText('Only this amount or more.'),
    amountTo: amountText('Only this amount or less.'),
    bookedFrom: Type.Optional(time('Only what the bank booked at this moment or later.')),
    bookedTo: Type.Optional(time('Only what the bank booked before this moment.')),
    outcome: Type.Optional(Type.Enum([...paymentOutcomes], { description: 'Only with this outcome.' })),
    reason: Type.Optional(reason),
    import: Type.Optional(Type.String({ maxLength: 40, description: 'Only of this import.' })),
    voided: Type.Optional(
      Type.Enum(['yes', 'no'], { description: 'Only those that were voided, or only the others.' }),
    ),
    sort: Type.Optional(
      Type.Enum([...paymentSorts], { description: 'By when they were recorded; `newest` by default.' }),
    ),
    after: pageStart('^[0-9]{1,18}\\.pay_[0-9A-HJKMNP-TV-Z]{26}$'),
    limit: pageLimit(50, mostPayments),
  },
  { additionalProperties: false },
);

export const PaymentPath = Type.Object({
  paymentId: Type.String({ maxLength: 100, description: 'The id of the payment.' }),
});

export const OrderPath = Type.Object({ id: Type.String({ maxLength: 100, description: 'The id of the order.' }) });

export const PayerShape = Type.Union(
  [
    Type.Object({
      name: Type.String({ description: 'The payer’s name.' }),
      account: textOrNull('The payer’s account; null when the bank did not tell it.'),
      remittanceText: Type.String({ description: 'What the payer wrote.' }),
    }),
    Type.Null(),
  ],
  { description: 'Who paid; null once this had to be erased.' },
);
const { isDuplicate: _, ...fields } = PaymentShape.properties;
const listedFields = {
  ...fields,
  merchant: textOrNull('The client id of the merchant that owns the account; null for a shared one.'),
  importId: textOrNull('The import that recorded it; null when it was recorded in another way.'),
  importLine: Type.Union([Type.Integer(), Type.Null()], { description: 'The line of the file.' }),
  payer: PayerShape,
};
const listedExample = {
  ...paymentExample,
  merchant: 'acme',
  importId: null,
  importLine: null,
  payer: { name: 'Ana Reyes', account: 'ES9121000418450200051332', remittanceText: 'RF31 0000 013J 8V2T 9X5B 3N6H 0' },
};

export const ListedPaymentShape = Type.Object(listedFields, { title: 'ListedPayment', examples: [listedExample] });

const ShareShape = Type.Object({
  orderId: Type.String({ description: 'An order that took the money, or a part of it.' }),
  amount: Type.Number({ description: 'How much.' }),
});
const SuspenseOfPaymentShape = Type.Union(
  [
    Type.Object({
      id: Type.String({ description: 'The record, for `/operator/suspense/{suspenseId}`.' }),
      state: Type.Enum([...suspenseStates], { description: 'What became of it.' }),
      amount: Type.Number({ description: 'How much came into suspense.' }),
      remaining: Type.Number({ description: 'What we still hold of it.' }),
      version: Type.Integer({ description: 'The version of the record, for your decisions.' }),
    }),
    Type.Null(),
  ],
  { description: 'What of the payment came into suspense; null when nothing did.' },
);
const CorrectionShape = Type.Object({
  kind: Type.Enum(['taken_off', 'clawback', 'void'], {
    description: '`taken_off`: it was not for its order. `clawback`: the bank took it back. `void`: it never arrived.',
  }),
  orderId: textOrNull('The order that had the money.'),
  amount: Type.Number({ description: 'How much.' }),
  lost: Type.Number({ description: 'The part that was paid out already.' }),
  bankReference: textOrNull('The line of the bank that shows a clawback.'),
  bookedAt: timeOrNull('When the bank booked a clawback.'),
  recordedAt: time('When it was recorded.'),
  settledAt: timeOrNull('When an operator had dealt with the loss.'),
});

export const PaymentFileShape = Type.Object(
  {
    ...listedFields,
    orders: Type.Array(ShareShape, { description: 'The orders that have the money.' }),
    suspense: SuspenseOfPaymentShape,
    corrections: Type.Array(CorrectionShape, { description: 'What was corrected, the oldest first.' }),
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  {
    title: 'PaymentFile',
    examples: [
      {
        ...listedExample,
        orders: [{ orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F', amount: 100 }],
        suspense: null,
        corrections: [],
      },
    ],
  },
);
