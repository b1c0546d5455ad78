/** The shapes of ratings in the operator API. */
import Type from 'typebox';
import { PendingApprovalShape } from '../http/four-eyes.js';
import { textOrNull, time, timeOrNull } from '../http/shapes.js';
import { riskBands, riskFactors } from './rating.js';

const PointsShape = Type.Object(
  {
    factor: Type.Enum([...riskFactors], { description: 'What it is about.' }),
    points: Type.Integer({ description: 'How much it adds.' }),
    explanation: Type.String({ description: 'Why.' }),
  },
  { title: 'RiskPoints' },
);

const ratingFields = {
  band: Type.Enum([...riskBands], {
    description:
      'What holds. `high`: a person looks at each order. `medium` and `high`: orders are looked at from half and a quarter of what the level allows.',
  }),
  ratedBand: Type.Enum([...riskBands], {
    description: 'What the facts give: `medium` from 30 points, `high` from 60.',
  }),
  points: Type.Integer({ description: 'The sum of all points.' }),
  because: Type.Array(PointsShape, { description: 'What gave points, the most first.' }),
  version: Type.Integer({ description: 'Send it with your decision.' }),
  ratedAt: time('When the rating last changed.'),
  reviewBy: time('When somebody looks at the user again. A task asks for it.'),
  reviewedAt: timeOrNull('When an operator last decided.'),
  reviewedBy: textOrNull('The login of that operator.'),
  note: textOrNull('Why it was decided so.'),
};
const ratingExample = {
  band: 'medium',
  ratedBand: 'medium',
  points: 40,
  because: [
    { factor: 'behaviour', points: 30, explanation: '1 hits of screening are not decided.' },
    {
      factor: 'age',
      points: 10,
      explanation: 'The first order was paid less than 90 days ago, or there is none.',
    },
  ],
  version: 3,
  ratedAt: '2026-11-15T09:41:00.000Z',
  reviewBy: '2028-11-15T09:41:00.000Z',
  reviewedAt: null,
  reviewedBy: null,
  note: null,
};

/** In the view of everything about a user. */
export const RatingShape = Type.Object(ratingFields, { title: 'RiskRating', examples: [ratingExample] });

export const RiskFileShape = Type.Object(
  {
    merchant: Type.String({ description: 'The client id of the merchant.' }),
    userId: Type.Integer({ description: 'The user.' }),
    ...ratingFields,
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  { title: 'RiskFile', examples: [{ merchant: 'acme', userId: 241_958_564_297_829, ...ratingExample }] },
);

export const RiskDecisionShape = Type.Object(
  {
    merchant: Type.String({ minLength: 1, maxLength: 64, description: 'The client id of the merchant of the user.' }),
    band: Type.Union([Type.Enum([...riskBands]), Type.Null()], {
      description:
        'What holds from now on; null: what the facts give. A milder band ends once the facts give more points, and is refused for who is politically exposed.',
    }),
    note: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      description: 'Why. It is stored encrypted.',
    }),
    version: Type.Integer({ minimum: 1, description: 'Of the rating that you read.' }),
  },
  {
    title: 'RiskDecision',
    additionalProperties: false,
    examples: [
      { merchant: 'acme', band: 'high', note: 'A business that is run through a private account.', version: 3 },
    ],
  },
);

export const RiskPath = Type.Object({ userId: Type.Integer({ minimum: 1, description: 'The id of the user.' }) });
export const RiskQuery = Type.Object({
  merchant: Type.String({ minLength: 1, maxLength: 64, description: 'The client id of the merchant of the user.' }),
});
