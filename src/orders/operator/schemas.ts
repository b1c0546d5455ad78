/** The shapes of reviews in the operator API. */
import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { DocumentShape } from '../documents/schemas.js';
import { reviewReasons } from '../order/gate.js';
import { askableCodes, requirementCodes } from '../order/requirement.js';
import { refusalReasons } from '../order/review.js';
import { orderStates } from '../order/transitions.js';
import { priceFields, time } from '../order/wire/order-shape.js';

const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

const { fiatIn, fiatOut, amountIn, amountOut } = priceFields;
const reviewFields = {
  orderId: Type.String({ description: 'The id of the order.' }),
  merchant: Type.String({ description: 'The client id of the merchant.' }),
  userId: Type.Integer({ description: 'The id of the user who sends the money.' }),
  state: Type.Enum([...orderStates], {
    description: 'The state of the order. Merchants and users see `FROZEN` as `IN_REVIEW`.',
  }),
  version: Type.Integer({ description: 'The version of the order, for your decision.' }),
  fiatIn,
  fiatOut,
  amountIn,
  amountOut,
  reasons: Type.Array(Type.Enum([...reviewReasons]), {
    description:
      'Why a person must look: `sender_match`, `beneficiary_match` and `payer_match` (screening), `kyc_level` (not held), `terms_differ` (the order does not have the terms of its quote: somebody changed the database), `sender_unknown` and `beneficiary_unknown` (data was deleted), `rule`, `information` (nobody has read what the sender answered), `operator` or `freeze` (an operator asked for it). Empty without a review.',
  }),
  openedAt: timeOrNull('When the review began; null without a review.'),
  cancellationRequestedAt: timeOrNull('When the sender asked to cancel. An approval then pays the money back.'),
  actionRequiredBy: timeOrNull('When the information that the order waits for is due.'),
  pendingApproval: Type.Optional(PendingApprovalShape),
};

const reviewExample = {
  orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
  merchant: 'acme',
  userId: 241958564297829,
  state: 'IN_REVIEW',
  version: 3,
  fiatIn: 'EUR',
  fiatOut: 'MXN',
  amountIn: 100,
  amountOut: 1952.04,
  reasons: ['beneficiary_match'],
  openedAt: '2026-11-15T09:41:00.000Z',
  cancellationRequestedAt: null,
  actionRequiredBy: null,
};

export const ReviewShape = Type.Object(reviewFields, { title: 'OrderReview', examples: [reviewExample] });

export const MatchShape = Type.Object({
  list: Type.String({ description: 'The name of the list.' }),
  entryId: Type.String({ description: 'The id of the entry in the list.' }),
  entryName: Type.String({ description: 'The main name of the entry: the first that the list gives.' }),
  matchedName: Type.String({ description: 'The name of the entry that matches best.' }),
  subjectName: Type.String({ description: 'The name that was compared and matches best.' }),
  score: Type.Integer({ description: 'How well the two match, from 0 to 100.' }),
  isStrong: Type.Boolean({ description: 'Whether the score reaches `SCREENING_STRONG_SCORE`.' }),
  reasons: Type.Array(Type.String(), { description: 'Why the score is what it is.' }),
});

const ruleValues = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()])), Type.Null()], {
    description,
  });

export const ReviewFileShape = Type.Object(
  {
    ...reviewFields,
    senderName: Type.Union([Type.String(), Type.Null()], {
      description: 'The name of the sender; null once it was erased.',
    }),
    payments: Type.Array(
      Type.Object({
        paymentId: Type.String({ description: 'The payment, for `/operator/payments/{paymentId}`.' }),
        payerName: Type.Union([Type.String(), Type.Null()], { description: 'Who paid; null once this was erased.' }),
        payerDiffers: Type.Boolean({ description: 'Whether the name is unlike the sender’s.' }),
      }),
      { description: 'The payments that the order has, the oldest first.' },
    ),
    findings: Type.Union(
      [
        Type.Object({
          hits: Type.Array(Type.String(), {
            description: 'The hits of the sender, for `/operator/screening/hits/{hitId}`. Decide them there.',
          }),
          beneficiaryMatches: Type.Array(MatchShape, {
            description: 'Entries that the beneficiary resembles. An approval clears exactly these.',
          }),
          payerMatches: Type.Array(MatchShape, {
            description:
              'Entries that somebody who paid resembles, or the account that a refund goes to. A decision clears exactly these.',
          }),
          missingLevel: Type.Union([Type.String(), Type.Null()], {
            description: 'The KYC level that the sender did not hold.',
          }),
          rules: Type.Array(
            Type.Object({
              rule: Type.String({
                description: 'The kind of the rule, or `payer_differs`: the payer is not the user.',
              }),
              ruleId: Type.Union([Type.String(), Type.Null()], {
                description: 'The rule, for `/operator/rules`; null for one that is built in.',
              }),
              parameters: ruleValues('The parameters of the rule when it fired; null for one that is built in.'),
              facts: ruleValues(
                'What the rule counted; null for one that is built in. `sendersToday`: what it would count now.',
              ),
              explanation: Type.String({ description: 'Why it fired.' }),
            }),
            { description: 'Rules that fired. An approval clears these, for this order and these facts.' },
          ),
        }),
        Type.Null(),
      ],
      { description: 'What was found; null without a review, and after the data of the user was erased.' },
    ),
    notes: Type.Array(
      Type.Object({
        event: Type.String({ description: 'What the operator did.' }),
        by: Type.String({ description: 'The login of the operator.' }),
        at: time('When.'),
        note: Type.String({ description: 'Why.' }),
      }),
      { description: 'The notes of operators, the oldest first.' },
    ),
    answers: Type.Array(
      Type.Object({
        at: time('When the sender answered.'),
        answers: Type.Array(
          Type.Object({
            code: Type.Enum([...requirementCodes], { description: 'What was asked for.' }),
            answer: Type.Union([Type.String(), Type.Null()], { description: 'The answer in words.' }),
            documentIds: Type.Array(Type.String(), { description: 'The documents that belong to it.' }),
          }),
          { description: 'What the sender answered at this moment.' },
        ),
      }),
      { description: 'What the sender answered, the oldest first.' },
    ),
    documents: Type.Array(DocumentShape, {
      description:
        'What the sender uploaded, the oldest first. Read one with `GET /operator/orders/{id}/information/{documentId}`.',
    }),
  },
  {
    title: 'OrderReviewFile',
    examples: [
      {
        ...reviewExample,
        senderName: 'Ana Reyes',
        payments: [{ paymentId: 'pay_0000013J8V2T9X5B3N6H0C7D2F', payerName: 'Ana Reyes', payerDiffers: false }],
        findings: {
          hits: [],
          beneficiaryMatches: [
            {
              list: 'ofac',
              entryId: '36216',
              entryName: 'BLOCKWELL, Iris Sanctia',
              matchedName: 'BLOCKWELL, Iris Sanctia',
              subjectName: 'Iris Blokwell',
              score: 93,
              isStrong: false,
              reasons: ['blokwell is one letter away from blockwell.'],
            },
          ],
          payerMatches: [],
          missingLevel: null,
          rules: [
            {
              rule: 'velocity',
              ruleId: 'rul_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
              parameters: { hours: 24, maxOrders: 3 },
              facts: { orders: 4, usd: '412.5', hours: 24 },
              explanation: '4 orders in 24 hours; the rule allows 3.',
            },
          ],
        },
        notes: [],
        answers: [],
        documents: [],
      },
    ],
  },
);

export const ReviewQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,18}\\.ord_[0-9A-HJKMNP-TV-Z]{26}$',
        description: 'Where the page begins. Take it from the header `Link` of the page before.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'The size of a page; 50 by default.' })),
  },
  { additionalProperties: false },
);

export const note = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: '\\S',
  description: 'Why you decide so. Only operators see it; it is stored encrypted.',
});
export const version = Type.Integer({
  minimum: 1,
  description: 'The `version` of the order that you decide on. If the order has changed since, you get 409.',
});

export const NoteShape = Type.Object(
  { note },
  { title: 'OrderNote', additionalProperties: false, examples: [{ note: 'Request 4711 of the authority.' }] },
);

export const ApprovalShape = Type.Object(
  { note, version },
  {
    title: 'OrderApproval',
    additionalProperties: false,
    examples: [{ note: 'Another birth date and country.', version: 3 }],
  },
);

export const RefusalShape = Type.Object(
  {
    note,
    version,
    reason: Type.Enum([...refusalReasons], {
      description: 'Why. Merchants and users see `statusReason` `refused` in any case.',
    }),
  },
  {
    title: 'OrderRefusal',
    additionalProperties: false,
    examples: [{ note: 'The account belongs to somebody else.', version: 3, reason: 'beneficiary' }],
  },
);

export const InformationRequestShape = Type.Object(
  {
    items: Type.Array(Type.Enum([...askableCodes]), {
      minItems: 1,
      maxItems: askableCodes.length,
      uniqueItems: true,
      description: 'What the sender must answer. The order shows a fixed sentence for each.',
    }),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, description: 'Days until it is due; 7 by default.' })),
    note,
  },
  {
    title: 'OrderInformationRequest',
    additionalProperties: false,
    examples: [{ items: ['purpose', 'source_of_funds'], days: 7, note: 'The amount is unusual.' }],
  },
);
