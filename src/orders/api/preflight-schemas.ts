/** The shape of a preflight on the wire. */
import Type from 'typebox';
import { OriginatorDemandShape, originatorDemandExample } from '../../countries/originator-schemas.js';
import { locales } from '../../locale.js';
import { DisclosureShape } from '../disclosure/schemas.js';
import { userLimits, userLimitsExample } from '../limits/schemas.js';
import { orderExample, priceFields, time } from '../order/wire/order-shape.js';

const ProblemShape = Type.Object(
  {
    code: Type.String({ description: 'The error code that `POST /orders` would answer.' }),
    status: Type.Integer({ description: 'The HTTP status that `POST /orders` would answer.' }),
    detail: Type.String({ description: 'What is wrong.' }),
  },
  {
    title: 'PreflightProblem',
    additionalProperties: true,
    description: 'One thing that would stop the order, with the additional members of its error.',
  },
);

const PriceShape = Type.Object(
  {
    ...priceFields,
    expirationDate: time('When the quote expires.'),
  },
  { title: 'PreflightPrice' },
);

const CancellableUntilShape = Type.Object(
  {
    status: Type.Literal('PAYOUT_SUBMITTED', {
      description: 'The order can be cancelled until it reaches this status.',
    }),
    minutesAfterPayment: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'The sender has a right to cancel for so long after paying, and the payout waits until then. Null where the sender’s country gives no such right.',
    }),
  },
  { description: 'The last moment at which the order could be cancelled.' },
);

export const PreflightQuery = Type.Object(
  {
    lang: Type.Optional(
      Type.Enum([...locales], { description: 'The language of the disclosure; English is the default.' }),
    ),
  },
  { additionalProperties: false },
);

export const PreflightShape = Type.Object(
  {
    accepted: Type.Boolean({ description: 'Whether `POST /orders` would accept this order now.' }),
    problems: Type.Array(ProblemShape, {
      description: 'Everything that would stop the order. Empty when it would be accepted.',
    }),
    price: Type.Union([PriceShape, Type.Null()], {
      description: 'What the quote promises. Null when there is no such quote.',
    }),
    amountUsd: Type.Union([Type.Number(), Type.Null()], {
      description: 'What the order counts for in the limits. Null without a quote or a recent rate.',
    }),
    estimatedArrivalAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description:
        'When the money would arrive if it were paid now. Null when the order could not be paid out, and where the operator gives no estimate.',
    }),
    cancellableUntil: CancellableUntilShape,
    disclosure: Type.Union([DisclosureShape, Type.Null()], {
      description:
        'What the sender must be told before paying, in words to show. Null without a quote or a beneficiary.',
    }),
    sender: Type.Array(OriginatorDemandShape, {
      description:
        'What the law asks to know of the sender when money goes this way. Empty while the beneficiary is not known.',
    }),
    ...userLimits,
  },
  {
    title: 'Preflight',
    examples: [
      {
        accepted: false,
        problems: [{ code: 'payout_unavailable', status: 422, detail: 'This corridor pays out MXN by bank_account.' }],
        price: {
          fiatIn: 'EUR',
          fiatOut: 'MXN',
          amountIn: 100,
          amountOut: 1952.04,
          rate: 19.5204,
          fee: 2,
          expirationDate: orderExample.createdAt,
        },
        amountUsd: 108.37,
        estimatedArrivalAt: null,
        sender: [originatorDemandExample],
        cancellableUntil: { status: 'PAYOUT_SUBMITTED', minutesAfterPayment: null },
        disclosure: null,
        ...userLimitsExample,
      },
    ],
  },
);
