/** The shapes of batches on the wire. */
import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { pageLimit, pageStart, severalOf, textOrNull, time } from '../../http/shapes.js';
import { batchStates } from './batch.js';

export const BatchPath = Type.Object({ batchId: Type.String({ maxLength: 40, description: 'The id of the batch.' }) });

export const BatchQueryShape = Type.Object({
  state: Type.Optional(severalOf(batchStates, 'Only batches in these states. Absent: all that have not left.')),
  accountId: Type.Optional(Type.String({ maxLength: 40, description: 'Only batches of this bank account.' })),
  after: pageStart('^[0-9]{1,15}\\.bat_[0-9A-Z]{26}$'),
  limit: pageLimit(),
});

const fields = {
  id: Type.String({ description: 'The id of the batch.' }),
  accountId: Type.String({ description: 'The bank account that pays.' }),
  state: Type.Enum([...batchStates], {
    description:
      '`COLLECTING`: payments join. `WAITING`: closed, release it. `RELEASED`, `CHECKED`, `WRITTEN`: on its way to the bank. `SENT`: the bank has the file. `EMPTY`: no payment was left when it was released.',
  }),
  currency: Type.String({ description: 'The currency of all its payments.' }),
  sum: Type.String({ description: 'The sum of its payments, as a decimal.' }),
  paymentCount: Type.Integer({ description: 'How many payments it has.' }),
  messageId: Type.String({ description: 'The id by which the bank knows the file.' }),
  closesAt: time('When no payment joins any more: some time before the cut-off of the bank.'),
  executionDay: textOrNull('On which day the bank pays, as `2026-11-16`; null until the file is written.'),
  fileName: textOrNull('The name of the file; null until it is written.'),
  fileHash: textOrNull('The SHA-256 of the file in hexadecimal digits, as `sha256sum` prints it.'),
  answer: textOrNull('What the bank said about the file, such as `ACTC`; null until it answered.'),
  version: Type.Integer({ minimum: 1, description: 'Counts the changes of the batch.' }),
  createdAt: time('When its first payment joined.'),
  pendingApproval: Type.Optional(PendingApprovalShape),
};
const example = {
  id: 'bat_0000003J8V2T9X5B3N6H0C7D2F',
  accountId: 'main-eur',
  state: 'WAITING' as const,
  currency: 'EUR',
  sum: '1952.04',
  paymentCount: 1,
  messageId: 'MSG0000003J8V2T9X5B3N6H0C7D2F',
  closesAt: '2026-11-16T12:15:00.000Z',
  executionDay: null,
  fileName: null,
  fileHash: null,
  answer: null,
  version: 3,
  createdAt: '2026-11-16T08:00:00.000Z',
};

export const BatchShape = Type.Object(fields, { title: 'BankBatch', examples: [example] });

export const BatchFileShape = Type.Object(
  {
    ...fields,
    payments: Type.Array(
      Type.Object({
        payoutId: Type.String({ description: 'For `GET /operator/payouts/{attemptId}`, which shows to whom it goes.' }),
        merchant: textOrNull('The client id of the merchant; null for money in suspense of the instance.'),
        reference: Type.String({ description: 'The end-to-end id of the payment.' }),
        direction: Type.Enum(['payout', 'refund'], { description: 'To the beneficiary, or back to the payer.' }),
        amount: Type.String({ description: 'As a decimal.' }),
        hasLeft: Type.Boolean({
          description: 'It is not in the file: it was withdrawn or had to wait when the batch was released.',
        }),
        answer: textOrNull('What the bank said about the payment, such as `ACSP`.'),
      }),
      { description: 'The payments of the batch.' },
    ),
  },
  {
    title: 'BankBatchWithPayments',
    examples: [
      {
        ...example,
        payments: [
          {
            payoutId: 'att_0000013J8V2T9X5B3N6H0C7D2F',
            merchant: 'cli_0000013J8V2T9X5B3N6H0C7D2F',
            reference: 'ORD0000013J8V2T9X5B3N6H0C7D2F',
            direction: 'payout' as const,
            amount: '1952.04',
            hasLeft: false,
            answer: null,
          },
        ],
      },
    ],
  },
);

export const ReleaseShape = Type.Object(
  { version: Type.Integer({ minimum: 1, description: 'The version of the batch that you read.' }) },
  { title: 'BatchRelease', additionalProperties: false, examples: [{ version: 3 }] },
);
