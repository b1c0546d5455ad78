/** The shapes of tasks on the wire. */

import Type from 'typebox';
import { pageLimit, pageStart, severalOf, textOrNull, time } from '../http/shapes.js';
import { taskKinds } from './task.js';

const KindShape = Type.Enum([...taskKinds], {
  description:
    '`approval`: something that another operator asked for. `kyc_review`: a case in review. `order_review`: an order in review. `order_frozen`: an order whose money must not move. `order_stuck`: orders that have not moved although they should have, one task for each reason and merchant. `screening_hit`: an open hit. `block_unapplied`: something of a blocked user that could not be frozen. `hit_unapplied`: the same of the other accounts of a person with a confirmed hit. `held_rate`: a rate that jumped, or about which two sources differ. `rate_source_failing`: a rate source that has failed for an hour. `import_fault`: lines of an imported file that could not be recorded. `failing_endpoint`: a merchant’s url that has failed for an hour, or was disabled. `ledger_fault`: a ledger that was changed or is not complete. `suspense`: money that no order takes. `payout_failed`: a payout that failed or came back, about which an operator decides. `refund_failed`: a refund that failed, or was not paid when it was due. `loss`: a payment that a bank took back after it was paid out. `payout_to_make`: a payment to be made by hand. `payout_unknown`: a payout or refund that was not sent to its rail, or whose outcome the rail has not reported for too long. `balance_differs`: a bank statement that has differed from the ledger for a day. `balance_low`: an account below its minimum. `safeguarding_short`: customers were owed more than was kept apart for them. `bank_batch`: a batch of payments to be released, or whose file has not reached the bank. `bank_break`: a line of a bank that nothing explains. `bank_day`: a day of an account that its statements, lines and the ledger do not close, a statement that is late, or an account of which the ledger does not hold what its lines say. `statement_file`: a statement that could not be read to its end. `bank_answer`: payments that a bank says it has rejected, or has twice. `bank_file`: a file of a bank that could not be read in full. `bank_payment_unfit`: a payment that no account of ours can make. `bank_transfer`: money that left one of our bank accounts for another one days ago, and has not arrived. `rail_failing`: a rail that does not work. `unmatched_report`: a report of a rail that matches no payout, or contradicts what is recorded.',
});

export const TaskShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the task: its kind, a dot, and the id of what waits.' }),
    kind: KindShape,
    since: time('Since when it waits.'),
    summary: Type.String({ description: 'What there is to do.' }),
    path: Type.String({ description: 'Where to find it in the operator API.' }),
    dueAt: time('When somebody should have acted.'),
    isOverdue: Type.Boolean({ description: 'Whether that time is over. Then it is for an admin too.' }),
    merchant: textOrNull('The client id of the merchant; null when it concerns no single merchant.'),
    count: Type.Integer({
      description: 'How many things it stands for, such as orders that wait for the same reason.',
    }),
    amount: textOrNull('The money that it is about, with all decimals of the currency; null when it is about none.'),
    currency: textOrNull('The currency of `amount`.'),
    orderId: textOrNull('The order that it is about.'),
    userId: Type.Union([Type.Integer(), Type.Null()], { description: 'The user that it is about.' }),
    caseId: textOrNull('The KYC case that it belongs to. A hit and the case of its user have the same.'),
    claim: Type.Union(
      [
        Type.Object({
          operator: Type.String({ description: 'The login of the operator.' }),
          expiresAt: time('When the claim ends.'),
        }),
        Type.Null(),
      ],
      { description: 'Who works on it; null when nobody does.' },
    ),
  },
  {
    title: 'OperatorTask',
    examples: [
      {
        id: 'kyc_review.kyc_3J8V2T9X5B3N6H0C7D2FW7ZQ4M',
        kind: 'kyc_review',
        since: '2026-11-15T09:41:00.000Z',
        summary: 'Decide a LEVEL_2 case in EEA.',
        path: '/operator/kyc/kyc_3J8V2T9X5B3N6H0C7D2FW7ZQ4M',
        dueAt: '2026-11-16T09:41:00.000Z',
        isOverdue: false,
        merchant: 'acme',
        count: 1,
        amount: null,
        currency: null,
        orderId: null,
        userId: 241958564297829,
        caseId: 'kyc_3J8V2T9X5B3N6H0C7D2FW7ZQ4M',
        claim: { operator: 'rita', expiresAt: '2026-11-15T10:11:00.000Z' },
      },
    ],
  },
);

const filters = {
  kind: Type.Optional(severalOf(taskKinds, 'Only tasks of this kind.')),
  merchant: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only tasks of the merchant with this client id.' }),
  ),
  claimed: Type.Optional(
    Type.Enum(['mine', 'anyone', 'nobody'], {
      description: 'Only tasks that you claimed, that somebody claimed, or that nobody did.',
    }),
  ),
  olderThanSeconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Only tasks that have waited for so long.' }),
  ),
  overdue: Type.Optional(Type.Enum(['yes', 'no'], { description: 'Only tasks that are overdue, or that are not.' })),
};

export const TaskFilterShape = Type.Object(filters, { additionalProperties: false });

export const TaskQueryShape = Type.Object(
  {
    ...filters,
    sort: Type.Optional(
      Type.Enum(['since', 'due'], { description: 'What has waited longest first, or what is due first.' }),
    ),
    after: pageStart('^[0-9]{1,18}\\.[a-z_]{1,40}\\.[^\\x00-\\x1f]{1,200}$'),
    limit: pageLimit(),
  },
  { additionalProperties: false },
);

export const TaskCountShape = Type.Object(
  {
    kind: KindShape,
    count: Type.Integer({ description: 'How many there are.' }),
    overdue: Type.Integer({ description: 'How many tasks of them are overdue.' }),
    oldestSince: time('Since when the oldest waits.'),
    amounts: Type.Array(
      Type.Object({
        currency: Type.String({ description: 'The currency.' }),
        amount: Type.String({ description: 'The sum, with all decimals of the currency.' }),
      }),
      { description: 'The money that they are about, for each currency.' },
    ),
  },
  {
    title: 'OperatorTaskCount',
    examples: [
      {
        kind: 'suspense',
        count: 3,
        overdue: 1,
        oldestSince: '2026-11-12T08:30:00.000Z',
        amounts: [{ currency: 'EUR', amount: '1250.00' }],
      },
    ],
  },
);

export const ClaimShape = Type.Object(
  {
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 480, description: 'How long the claim lasts; 30 by default.' }),
    ),
  },
  { title: 'TaskClaim', additionalProperties: false, examples: [{ minutes: 30 }] },
);
