/** The shapes of tasks on the wire. */

import Type from 'typebox';
import { pageLimit, pageStart, textOrNull, time } from '../http/shapes.js';
import { taskKinds } from './task.js';

const KindShape = Type.Enum([...taskKinds], {
  description:
    '`approval`: something that another operator asked for. `kyc_review`: a case in review. `order_review`: an order in review. `screening_hit`: an open hit. `held_rate`: a rate that jumped, or about which two sources differ. `rate_source_failing`: a rate source that has failed for an hour. `failing_endpoint`: a merchant’s url that has failed for an hour, or was disabled. `ledger_fault`: a ledger that was changed or is not complete. `suspense`: money that no order takes. `payout_failed`: a payout that failed or came back, about which an operator decides. `refund_failed`: a refund that failed, or was not paid when it was due. `loss`: a payment that a bank took back after it was paid out. `payout_to_make`: a payment to be made by hand. `payout_unknown`: a payout or refund that was not sent to its rail, or whose outcome the rail has not reported for too long. `balance_differs`: a bank statement that has differed from the ledger for a day. `balance_low`: an account below its minimum. `rail_failing`: a rail that does not work. `unmatched_report`: a report of a rail that matches no payout, or contradicts what is recorded.',
});

export const TaskShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the task: its kind, a dot, and the id of what waits.' }),
    kind: KindShape,
    since: time('Since when it waits.'),
    summary: Type.String({ description: 'What there is to do.' }),
    path: Type.String({ description: 'Where to find it in the operator API.' }),
    merchant: textOrNull('The client id of the merchant; null when it concerns no single merchant.'),
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
        merchant: 'acme',
        claim: { operator: 'rita', expiresAt: '2026-11-15T10:11:00.000Z' },
      },
    ],
  },
);

export const TaskQueryShape = Type.Object(
  {
    kind: Type.Optional(KindShape),
    after: pageStart('^[0-9]{1,18}\\.[a-z_]{1,40}\\.[^\\x00-\\x1f]{1,200}$'),
    limit: pageLimit(),
  },
  { additionalProperties: false },
);

export const ClaimShape = Type.Object(
  {
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 480, description: 'How long the claim lasts; 30 by default.' }),
    ),
  },
  { title: 'TaskClaim', additionalProperties: false, examples: [{ minutes: 30 }] },
);
