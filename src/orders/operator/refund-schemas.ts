/** The shapes of what operators decide about refunds. */
import Type from 'typebox';
import { refundReasons } from '../refunds/refund-terms.js';
import { note, version } from './schemas.js';

export const RefundShape = Type.Object(
  {
    version,
    reason: Type.Enum([...refundReasons], {
      description:
        'Why the money goes back. `beneficiary_data`: the details of the beneficiary were wrong. `corridor`: the money cannot be paid out there. `compliance`: we must not pay it out. `sender`: the sender does not want it any more. `operator`: anything on our side.',
    }),
    keepCharges: Type.Optional(
      Type.Boolean({
        description: 'Only with `beneficiary_data`, where the charges of banks are kept unless you send false.',
      }),
    ),
    note,
  },
  {
    title: 'OrderRefund',
    additionalProperties: false,
    examples: [{ version: 7, reason: 'beneficiary_data', note: 'The account is closed, no other one given.' }],
  },
);

export const RefundRetryShape = Type.Object(
  {
    version,
    refundId: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The `id` of one of the `refunds` of the order. Absent: all that have failed. Required with `recipient` when several have.',
      }),
    ),
    recipient: Type.Optional(
      Type.Object(
        {
          name: Type.String({
            minLength: 1,
            maxLength: 140,
            pattern: '\\S',
            description: 'Who holds the account: the sender, as the sender has proved.',
          }),
          account: Type.String({
            minLength: 4,
            maxLength: 64,
            pattern: '^[A-Za-z0-9 /.-]+$',
            description: 'The number of the account, such as an IBAN.',
          }),
        },
        {
          additionalProperties: false,
          description: 'Another account of the sender. Absent: the account that paid.',
        },
      ),
    ),
    note,
  },
  {
    title: 'OrderRefundRetry',
    additionalProperties: false,
    examples: [
      {
        version: 9,
        recipient: { name: 'Ana Reyes', account: 'ES9121000418450200051332' },
        note: 'The paying account was closed; statement of the new one seen.',
      },
    ],
  },
);
