/** The shapes of what nothing explains. */
import Type from 'typebox';
import { textOrNull, time } from '../../http/shapes.js';
import { entryKinds } from '../lines/reported.js';

export const BreakShape = Type.Object(
  {
    lineId: Type.String({ description: 'The id of the line. It also serves as its `bankReference`.' }),
    number: Type.Integer({ description: 'Which payment of the line, from 1.' }),
    accountId: Type.String({ description: 'The account.' }),
    direction: Type.Enum(['credit', 'debit'], { description: 'A credit is money that came in.' }),
    amount: Type.String({ description: 'The amount as a decimal.' }),
    currency: Type.String({ description: 'The currency.' }),
    bookedOn: Type.String({ description: 'The day of the booking.' }),
    bankReference: textOrNull('The bank’s own reference.'),
    endToEndId: textOrNull('What the payment was called by whoever ordered it.'),
    reason: Type.String({ description: 'Why nothing explains it.' }),
    twin: textOrNull('The line that it probably is, for a `possible_duplicate`.'),
    alike: Type.Array(
      Type.Object({
        lineId: Type.String({ description: 'The id of the line.' }),
        bookedOn: Type.String({ description: 'The day of its booking.' }),
        bankReference: textOrNull('Its reference.'),
        record: textOrNull('What explains it, such as `payment:pay_…`.'),
      }),
      { description: 'For a `possible_duplicate`: the lines of the account with the same amount within a week.' },
    ),
    since: time('Since when it waits.'),
  },
  {
    title: 'BankBreak',
    examples: [
      {
        lineId: 'bnl_0000003J8V2T9X5B3N6H0C7D2F',
        number: 1,
        accountId: 'main-eur',
        direction: 'debit',
        amount: '7.50',
        currency: 'EUR',
        bookedOn: '2026-11-15',
        bankReference: '20261115-0042',
        endToEndId: null,
        reason: 'fee',
        twin: null,
        alike: [],
        since: '2026-11-15T09:41:00.000Z',
      },
    ],
  },
);

export const LinePath = Type.Object({ lineId: Type.String({ maxLength: 100, description: 'The id of the line.' }) });

export const TwinDecisionShape = Type.Object(
  {
    isSame: Type.Boolean({
      description: '`true`: the two are one movement of the bank. `false`: they are two, and this line is matched.',
    }),
    sameAs: Type.Optional(
      Type.String({ maxLength: 100, description: 'Which line of `alike` it is. Absent: its `twin`.' }),
    ),
    note: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '\\S',
      description: 'How you know. Nothing personal.',
    }),
  },
  {
    title: 'TwinDecision',
    additionalProperties: false,
    examples: [{ isSame: true, note: 'Recorded by hand with a wrong reference.' }],
  },
);

export const SplitShape = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'The `number` of the break.' }),
    parts: Type.Array(
      Type.Object(
        {
          amount: Type.String({
            pattern: '^-?[0-9]{1,16}(\\.[0-9]{1,4})?$',
            description:
              'A part of the amount as a decimal. Negative for what went in the other direction, such as a fee that the bank kept of a credit.',
          }),
          endToEndId: Type.Optional(
            Type.String({
              pattern: '^[\\x21-\\x7e]{1,35}$',
              description: 'Our id of the payout or refund that was debited. It is then paid.',
            }),
          ),
          reference: Type.Optional(
            Type.String({
              pattern: '^[\\x21-\\x7e]{1,35}$',
              description: 'The reference of the order that was paid, `RF…`.',
            }),
          ),
          entry: Type.Optional(
            Type.Enum([...entryKinds], {
              description:
                '`bank_fee`, `interest`: of the bank. `funding`: own money. It is booked as a treasury entry, which an operator with the role `admin` decides.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: 100,
        description: 'They make the amount. At most one of the three says what a part is; without any, it is a break.',
      },
    ),
    note: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '\\S',
      description: 'How you know. Nothing personal.',
    }),
  },
  {
    title: 'BankLineSplit',
    additionalProperties: false,
    examples: [
      {
        number: 1,
        parts: [
          { amount: '1952.04', endToEndId: 'ORD0000013J8V2T9X5B3N6H0C7D2F' },
          { amount: '7.50', entry: 'bank_fee' },
          { amount: '40.46' },
        ],
        note: 'The advice of the bank of 16 November.',
      },
    ],
  },
);
