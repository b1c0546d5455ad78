/** The shapes of suspense records on the wire. */

import Type from 'typebox';
import { PendingApprovalShape } from '../../../http/four-eyes.js';
import { pageLimit, pageStart, textOrNull, time } from '../../../http/shapes.js';
import { MatchShape as ScreeningMatchShape } from '../../../orders/operator/schemas.js';
import { longestTexts } from '../../movement-fields.js';
import { currency, reason } from '../../schemas.js';
import { suspenseEvents, suspenseStates } from '../transitions.js';
import { candidateReasons } from './candidate-rules.js';

const state = Type.Enum([...suspenseStates], {
  description:
    '`OPEN`: nobody has decided. `MATCHED`: an order has the money. `HANDED_OVER`: it is in the books of the merchant of its order. `REFUND_PENDING`, `RETURNED`: it goes back to the payer, and has. `REFUND_FAILED`: it could not be paid back; decide again. `FROZEN`: it must not move. `WRITTEN_OFF`: it is ours. `CLAWED_BACK`: the bank of the payer took it back. `VOIDED`: the payment never arrived like this.',
});

export const SuspensePath = Type.Object({
  suspenseId: Type.String({ description: 'The id of the record.' }),
});

const fields = {
  id: Type.String({ description: 'The id of the record.' }),
  merchant: textOrNull('The client id of the merchant in whose books the money is; null for the instance.'),
  paymentId: Type.String({ description: 'The payment.' }),
  reason,
  state,
  amount: Type.Number({ description: 'How much came into suspense.' }),
  remaining: Type.Number({
    description: 'What we still hold of it. The rest was matched, paid back or written off.',
  }),
  currency,
  orderId: textOrNull('The order that the money seems to be for.'),
  version: Type.Integer({ description: 'Send it with your decision.' }),
  openedAt: time('Since when it is in suspense.'),
  changedAt: time('Since when it is as it is now.'),
};
const example = {
  id: 'sus_0000013J8V2T9X5B3N6H0C7D2F',
  merchant: 'acme',
  paymentId: 'pay_0000013J8V2T9X5B3N6H0C7D2F',
  reason: 'short',
  state: 'OPEN',
  amount: 99.5,
  remaining: 99.5,
  currency: 'EUR',
  orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
  version: 1,
  openedAt: '2026-11-15T10:06:00.000Z',
  changedAt: '2026-11-15T10:06:00.000Z',
};

export const SuspenseShape = Type.Object(fields, { title: 'SuspenseRecord', examples: [example] });

const CandidateShape = Type.Object({
  orderId: Type.String({ description: 'An order that the money could be for.' }),
  reasons: Type.Array(Type.Enum([...candidateReasons]), {
    description:
      'Why, the strongest first. `reference`: the text names it. `mistyped_reference`: it nearly does, by the check digits. `payer_account`, `payer_name`: this account or name has paid for this user before. `user_name`: the payer has the user’s name. `amount`: it is exactly what the order waits for.',
  }),
  status: Type.String({ description: 'The status of the order.' }),
  missing: Type.Number({ description: 'What the order waits for.' }),
  createdAt: time('When the order was created.'),
});

const StepShape = Type.Object({
  event: Type.Enum([...suspenseEvents], {
    description:
      'What happened. `match_part`: an order took a part, and the rest stayed. `withdraw`: a return was stopped before a bank was instructed.',
  }),
  state,
  amount: Type.Number({ description: 'How much of it.' }),
  orderId: textOrNull('The order that took it.'),
  by: textOrNull('The login of the operator who asked for it; null for a policy, a job or a rail.'),
  note: textOrNull('What the operator wrote.'),
  at: time('When.'),
});

export const SuspenseFileShape = Type.Object(
  {
    ...fields,
    accountId: Type.String({ description: 'The pay-in account that the money arrived on.' }),
    bankReference: Type.String({ description: 'The bank’s own reference of the movement.' }),
    bookedAt: time('When the bank booked it.'),
    payer: Type.Union(
      [
        Type.Object({
          name: Type.String({ description: 'The payer’s name.' }),
          account: textOrNull('The payer’s account.'),
          remittanceText: Type.String({ description: 'What the payer wrote.' }),
        }),
        Type.Null(),
      ],
      { description: 'Who paid; null once this had to be erased.' },
    ),
    candidates: Type.Array(CandidateShape, {
      description: 'Orders that can take the money, the likeliest first; at most five.',
    }),
    screening: Type.Union(
      [
        Type.Object({
          areListsUsable: Type.Boolean({ description: 'Whether the lists are complete and recent.' }),
          isNameUnreadable: Type.Boolean({
            description:
              'The name of the payer or of the recipient cannot be compared well as it is written: compare it yourself. Its return needs a second operator.',
          }),
          isOrderFrozen: Type.Boolean({ description: 'Whether the order that the money came for is frozen.' }),
          isBlocked: Type.Boolean({
            description: 'Whether the block list names the user, or an account of the payer or the recipient.',
          }),
          likeBlocked: Type.Array(Type.String(), {
            description:
              'Blocks of somebody who has in common with the user what nobody has verified for both. Its return needs a second operator.',
          }),
          hits: Type.Array(Type.String(), {
            description: 'Hits of the user of that order, open or confirmed, for `/operator/screening/hits/{hitId}`.',
          }),
          matches: Type.Array(ScreeningMatchShape, {
            description:
              'Entries that the payer resembles; or the user of the order, of whom nothing was recorded yet.',
          }),
        }),
        Type.Null(),
      ],
      {
        description:
          'What stands in the way of a return, as of now. Nothing is returned automatically while there is a hit or a match. Null once we hold nothing of the money.',
      },
    ),
    history: Type.Array(StepShape, { description: 'What was done with it, the oldest first.' }),
    pendingApproval: Type.Optional(PendingApprovalShape),
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
        candidates: [
          {
            orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
            reasons: ['reference', 'user_name'],
            status: 'AWAITING_PAYMENT',
            missing: 100,
            createdAt: '2026-11-15T09:41:00.000Z',
          },
        ],
        screening: {
          areListsUsable: true,
          isNameUnreadable: false,
          isOrderFrozen: false,
          isBlocked: false,
          likeBlocked: [],
          hits: [],
          matches: [],
        },
        history: [],
      },
    ],
  },
);

export const SuspenseQueryShape = Type.Object(
  {
    merchant: Type.Optional(Type.String({ maxLength: 100, description: 'Only of this merchant (client id).' })),
    reason: Type.Optional(reason),
    currency: Type.Optional(currency),
    state: Type.Optional(
      Type.Enum([...suspenseStates], {
        description: 'Only this state. Absent: what waits for a decision, which is `OPEN` and `REFUND_FAILED`.',
      }),
    ),
    after: pageStart('^[0-9]{1,18}\\.sus_[0-9A-HJKMNP-TV-Z]{26}$'),
    limit: pageLimit(),
  },
  { additionalProperties: false },
);

const decided = {
  version: Type.Integer({ minimum: 1, description: 'The `version` of the record as you read it.' }),
  note: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Why you decided so. It is stored encrypted.',
  }),
};
const decidedExample = { version: 1, note: 'The payer called and named the order.' };

export const MatchShape = Type.Object(
  { orderId: Type.String({ maxLength: 100, description: 'The order that the money is for.' }), ...decided },
  {
    title: 'SuspenseMatch',
    additionalProperties: false,
    examples: [{ orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F', ...decidedExample }],
  },
);

export const ReturnShape = Type.Object(
  {
    ...decided,
    recipient: Type.Optional(
      Type.Object(
        {
          name: Type.String({
            minLength: 1,
            maxLength: longestTexts.payerName,
            description: 'Whose account.',
          }),
          account: Type.String({
            minLength: 1,
            maxLength: longestTexts.payerAccount,
            description: 'The number of the account.',
          }),
        },
        {
          additionalProperties: false,
          description: 'Where to pay it. Only when the account that paid is not known, or a refund to it has failed.',
        },
      ),
    ),
  },
  {
    title: 'SuspenseReturn',
    additionalProperties: false,
    examples: [{ version: 1, note: 'Nobody knows what it is for.' }],
  },
);

export const DecisionShape = Type.Object(decided, {
  title: 'SuspenseDecision',
  additionalProperties: false,
  examples: [{ version: 2, note: 'The authority has let it go: letter 4711.' }],
});

export const FreezeShape = Type.Object(
  { note: decided.note },
  { title: 'SuspenseFreeze', additionalProperties: false, examples: [{ note: 'Request 4711 of the authority.' }] },
);

export const WriteOffShape = Type.Object(decided, {
  title: 'SuspenseWriteOff',
  additionalProperties: false,
  examples: [{ version: 1, note: 'Unclaimed for three years.' }],
});
