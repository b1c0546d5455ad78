/** The shapes of payouts on the wire. */

import Type from 'typebox';
import { PendingApprovalShape } from '../http/four-eyes.js';
import { bookingTime, pageLimit, pageStart, textOrNull, time } from '../http/shapes.js';
import { directions } from './attempt.js';
import { reportKinds } from './rail.js';
import { advices } from './reports/reasons.js';
import { attemptStates } from './transitions.js';

const decimalText = (description: string) => Type.String({ pattern: '^[0-9]{1,16}(\\.[0-9]{1,4})?$', description });
const note = (description: string) => Type.String({ minLength: 1, maxLength: 1000, description });

export const AttemptPath = Type.Object({
  attemptId: Type.String({ maxLength: 100, description: 'The id of the payout.' }),
});

export const OrderPayoutShape = Type.Object(
  {
    reference: Type.String({ description: 'Our reference: the bank of the beneficiary sees it.' }),
    bankReference: textOrNull('What the bank that paid calls it; null while no bank has told.'),
    currency: Type.String({ description: 'The currency of the payout.' }),
    amount: decimalText('The amount of the payout.'),
    method: Type.String({ description: 'How the beneficiary gets it.' }),
    sentAt: time('When it left.'),
  },
  {
    title: 'OrderPayout',
    examples: [
      {
        reference: 'ORD0000013J8V2T9X5B3N6H0C7D2F',
        bankReference: '20261115-0042',
        currency: 'MXN',
        amount: '1952.04',
        method: 'bank_account',
        sentAt: '2026-11-15T09:41:00.000Z',
      },
    ],
  },
);

const attemptFields = {
  id: Type.String({ description: 'The id of the attempt to pay.' }),
  merchant: textOrNull('The client id of the merchant; null for money in the books of the instance.'),
  orderId: textOrNull('The order that is paid out or back; null for money in suspense.'),
  suspenseId: textOrNull('The suspense record that is paid back; null for an order.'),
  direction: Type.Enum([...directions], {
    description: '`payout`: to the beneficiary. `refund`: back to the payer.',
  }),
  reference: Type.String({
    description: 'What banks and rails know the payment by. Write it on the transfer.',
  }),
  rail: Type.String({ description: 'The rail that pays it. `manual`: operators pay it by hand.' }),
  state: Type.Enum([...attemptStates], {
    description:
      '`READY`: to be paid. `SENDING`, `UNKNOWN`: the rail has not said what became of it. `ACCEPTED`: on its way. `PAID`: it arrived. `REJECTED`: refused. `RETURNED`: the money came back. `RECALLED`: withdrawn before it was paid.',
  }),
  currency: Type.String({ description: 'The currency of the payment.' }),
  amount: decimalText('The amount of the payment.'),
  country: textOrNull('The country that it goes to; null for money in suspense.'),
  method: Type.String({ description: 'How the recipient gets it.' }),
  account: textOrNull('The end of the account number; null when there is none, or none is known.'),
  version: Type.Integer({ description: 'Send it when you record something.' }),
  createdAt: time('Since when it is to be paid.'),
  changedAt: time('Since when it is in its state.'),
};
const attemptExample = {
  id: 'att_0000013J8V2T9X5B3N6H0C7D2F',
  merchant: 'acme',
  orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
  suspenseId: null,
  direction: 'payout',
  reference: 'ORD0000013J8V2T9X5B3N6H0C7D2F',
  rail: 'manual',
  state: 'READY',
  currency: 'MXN',
  amount: '1952.04',
  country: 'MX',
  method: 'bank_account',
  account: '****9719',
  version: 1,
  createdAt: '2026-11-15T09:41:00.000Z',
  changedAt: '2026-11-15T09:41:00.000Z',
};

export const AttemptShape = Type.Object(attemptFields, { title: 'Payout', examples: [attemptExample] });

const ReportShape = Type.Object({
  id: Type.String({ description: 'The id that the rail gave it.' }),
  kind: Type.Enum([...reportKinds], { description: 'What it says.' }),
  outcome: Type.Enum(['applied', 'old', 'contradictory', 'unmatched'], {
    description:
      '`applied`: it changed the payout. `old`: it says nothing new. `contradictory`: an operator must look.',
  }),
  detail: textOrNull('Why it changed nothing.'),
  reason: textOrNull('The reason that the rail gave, such as `AC04`.'),
  advice: Type.Union([Type.Enum([...advices]), Type.Null()], {
    description:
      'What the reason suggests. `correct_beneficiary`: ask the sender to correct the details. `retry`: try again later. `examine`: the bank may already have the payment; find out before you pay again. `ask_compliance`: ask compliance before you tell anyone. `refund`: pay the money back; a correction will not help.',
  }),
  charge: textOrNull('What a bank kept.'),
  receivedAt: time('When it came.'),
});

export const AttemptFileShape = Type.Object(
  {
    ...attemptFields,
    instruction: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description:
        'Exactly what is to be paid: sender, recipient with the whole account, amount, purpose. Null after the retention period.',
    }),
    reports: Type.Array(ReportShape, {
      description: 'What the rail or an operator said about it, the oldest first.',
    }),
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  {
    title: 'PayoutFile',
    examples: [
      {
        ...attemptExample,
        instruction: {
          reference: 'ORD0000013J8V2T9X5B3N6H0C7D2F',
          direction: 'payout',
          currency: 'MXN',
          amount: '1952.04',
          sender: { name: 'Ana Reyes', country: 'ES' },
          recipient: { firstName: 'Guadalupe', lastName: 'Ortega', account: { clabe: '032180000118359719' } },
          purpose: 'family_support',
        },
        reports: [],
      },
    ],
  },
);

export const AttemptQueryShape = Type.Object(
  {
    state: Type.Optional(
      Type.String({
        pattern: `^(${attemptStates.join('|')})(,(${attemptStates.join('|')}))*$`,
        description:
          'Only this state, or several with commas, such as `READY,ACCEPTED`. Absent: everything that is not finished.',
      }),
    ),
    waitsFor: Type.Optional(
      Type.Enum(['instruction', 'debit'], {
        description:
          'What operators pay by hand. `instruction`: nobody has instructed the bank. `debit`: the bank is instructed, and nobody has recorded the debit. `state` is ignored.',
      }),
    ),
    direction: Type.Optional(Type.Enum([...directions], { description: 'Only payouts, or only refunds.' })),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'Only this currency.' })),
    rail: Type.Optional(Type.String({ maxLength: 64, description: 'Only this rail.' })),
    order: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'All payouts and refunds of the order or suspense record with this id. Other filters are ignored.',
      }),
    ),
    merchant: Type.Optional(Type.String({ maxLength: 100, description: 'Only this merchant, by client id.' })),
    after: pageStart('^[0-9]{1,15}\\.att_[0-9A-Z]{26}$'),
    limit: pageLimit(),
  },
  { additionalProperties: false },
);

const recordingFields = {
  version: Type.Integer({ minimum: 1, description: 'The `version` of the payout as you read it.' }),
  bankReference: Type.String({
    pattern: '^[\\x21-\\x7e]{1,100}$',
    description: 'The bank’s own reference of this line. Each is recorded once.',
  }),
  bookedAt: bookingTime('When the bank booked it.'),
};
const bank = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description:
    'The bank account in the ledger, such as `main` for `bank:MXN:main`: a pay-in account, or one with a booking. Required for refunds, and for what operators pay by hand.',
});
const charge = decimalText('What the bank charged, in the currency of the payment.');
const reason = Type.String({
  pattern: '^[A-Za-z0-9_]{1,35}$',
  description: 'The reason as an ISO 20022 code, such as `AC04` for a closed account.',
});
const recordingExample = { version: 1, bankReference: '20261115-0042', bookedAt: '2026-11-15T09:41:00.000Z' };

export const SubmittedShape = Type.Object(
  {
    version: recordingFields.version,
    bankReference: Type.Optional(recordingFields.bankReference),
    bookedAt: Type.Optional(recordingFields.bookedAt),
  },
  { title: 'PayoutSubmitted', additionalProperties: false, examples: [{ version: 1 }] },
);
export const PaidShape = Type.Object(
  { ...recordingFields, bank: Type.Optional(bank), charge: Type.Optional(charge) },
  {
    title: 'PayoutPaid',
    additionalProperties: false,
    examples: [{ ...recordingExample, bank: 'main', charge: '12.50' }],
  },
);
export const FailedShape = Type.Object(
  {
    version: recordingFields.version,
    bankReference: Type.Optional(recordingFields.bankReference),
    bookedAt: Type.Optional(recordingFields.bookedAt),
    reason: Type.Optional(reason),
  },
  {
    title: 'PayoutFailed',
    additionalProperties: false,
    examples: [{ ...recordingExample, reason: 'AC04' }],
  },
);
export const ReturnedShape = Type.Object(
  {
    ...recordingFields,
    bank: Type.Optional(bank),
    charge: Type.Optional(charge),
    reason: Type.Optional(reason),
  },
  {
    title: 'PayoutReturned',
    additionalProperties: false,
    examples: [{ ...recordingExample, bank: 'main', reason: 'AC04' }],
  },
);

export const WaitingReportShape = Type.Object(
  {
    rail: Type.String({ description: 'The rail that sent it.' }),
    id: Type.String({ description: 'The id that the rail gave it.' }),
    reference: Type.String({ description: 'The reference that it names.' }),
    kind: Type.Enum([...reportKinds], { description: 'What it says.' }),
    outcome: Type.Enum(['contradictory', 'unmatched'], {
      description: '`contradictory`: it cannot be true with what we know. `unmatched`: we know no such payment.',
    }),
    detail: textOrNull('Why it changed nothing.'),
    payoutId: textOrNull('The payout that it is about; null when there is none.'),
    currency: textOrNull('The currency of the amount.'),
    amount: textOrNull('The amount that it names.'),
    reason: textOrNull('The reason that the rail gave.'),
    receivedAt: time('When it came.'),
  },
  {
    title: 'WaitingReport',
    examples: [
      {
        rail: 'bank',
        id: 'paid:20261115-0042',
        reference: 'INVOICE 77',
        kind: 'paid',
        outcome: 'unmatched',
        detail: 'no attempt has this reference',
        payoutId: null,
        currency: 'MXN',
        amount: '1952.04',
        reason: null,
        receivedAt: '2026-11-15T09:41:00.000Z',
      },
    ],
  },
);

export const SettledShape = Type.Object(
  {
    rail: Type.String({ maxLength: 64, description: 'The rail of the report.' }),
    reportId: Type.String({ maxLength: 200, description: 'The id of the report.' }),
    note: note('What you found.'),
  },
  {
    title: 'SettledReport',
    additionalProperties: false,
    examples: [{ rail: 'manual', reportId: 'paid:20261115-0042', note: 'A payment of our old system.' }],
  },
);

export const PickupCodeShape = Type.Object(
  {
    pickupCode: Type.String({
      description: 'Anyone who has it can collect the cash. Give it to the sender only.',
    }),
  },
  { title: 'PickupCode', examples: [{ pickupCode: '4821-7730-1964' }] },
);
