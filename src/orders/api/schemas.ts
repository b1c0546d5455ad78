/** The shapes of requests about orders and of the states. */
import Type from 'typebox';
import { NewBeneficiaryShape } from '../../beneficiaries/schemas.js';
import { severalOf } from '../../http/shapes.js';
import { locales } from '../../locale.js';
import { payoutMethods } from '../../rates/corridors/corridor.js';
import { relationships, sourcesOfFunds } from '../order/order.js';
import { publicEvents, publicStates } from '../order/transitions.js';
import { metadata, orderExample, purpose, StatusShape, time } from '../order/wire/order-shape.js';

const externalOrderId = Type.String({
  pattern: '^[A-Za-z0-9._:-]{1,64}$',
  description: 'Your own id of the order, unique among your orders. Do not put personal data into it.',
});

const beneficiaryChoice = {
  beneficiaryId: Type.Optional(
    Type.String({ description: 'A beneficiary of the user. Send either this or `beneficiary`.' }),
  ),
  beneficiary: Type.Optional(NewBeneficiaryShape),
};

export const NewOrderShape = Type.Object(
  {
    rateCode: Type.String({ maxLength: 200, description: 'The code of the quote. It can be used once.' }),
    ...beneficiaryChoice,
    payoutMethod: Type.Optional(
      Type.Enum([...payoutMethods], {
        description: 'How the money is to be paid out. If you send it, the beneficiary must have this method.',
      }),
    ),
    purpose,
    sourceOfFunds: Type.Optional(Type.Enum([...sourcesOfFunds], { description: 'Where the money comes from.' })),
    relationship: Type.Optional(
      Type.Enum([...relationships], { description: 'What the beneficiary is to the sender.' }),
    ),
    refundAccount: Type.Optional(
      Type.Object(
        {
          country: Type.String({
            description: 'The country of the account: an ISO 3166-1 code of two letters.',
          }),
          account: NewBeneficiaryShape.properties.account,
        },
        {
          additionalProperties: false,
          description:
            'A bank account of the user in `fiatIn`, for a refund when the paying account is not known. `GET /beneficiaries/requirements` lists its fields.',
        },
      ),
    ),
    externalOrderId: Type.Optional(externalOrderId),
    metadata: Type.Optional(metadata),
    acceptedDisclosure: Type.Optional(
      Type.Object(
        {
          textHash: Type.String({
            pattern: '^[0-9a-f]{64}$',
            description: '`textHash` of the disclosure that was shown.',
          }),
          language: Type.Enum([...locales], { description: 'The language in which it was shown.' }),
        },
        {
          additionalProperties: false,
          description:
            'The disclosure of `POST /orders/preflight` that the sender has read and accepted. The order keeps its exact text. If the text would be another one by now, the answer is 409 `disclosure_changed`.',
        },
      ),
    ),
  },
  {
    title: 'NewOrder',
    additionalProperties: false,
    examples: [
      {
        rateCode: orderExample.rateCode,
        beneficiaryId: orderExample.beneficiaryId,
        purpose: 'family_support',
        sourceOfFunds: 'salary',
        relationship: 'parent',
        externalOrderId: 'invoice-1001',
        metadata: { campaign: 'spring' },
      },
    ],
  },
);

export const ChangedBeneficiaryShape = Type.Object(beneficiaryChoice, {
  title: 'ChangedBeneficiary',
  additionalProperties: false,
  examples: [{ beneficiaryId: orderExample.beneficiaryId }],
});

export const OrderBeneficiaryShape = Type.Object(NewBeneficiaryShape.properties, {
  title: 'OrderBeneficiary',
  examples: (NewBeneficiaryShape as { examples?: unknown[] }).examples ?? [],
});

export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'The size of a page; 50 by default.' })),
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}-ord_[0-9A-HJKMNP-TV-Z]{26}$',
      description: 'Where the page begins. Take it from the header `Link` of the previous page.',
    }),
  ),
};

export const OrdersQuery = Type.Object(pageQuery, { additionalProperties: false });

export const MerchantOrdersQuery = Type.Object(
  {
    status: Type.Optional(severalOf(publicStates, 'Only orders in this state.')),
    from: Type.Optional(time('Only orders that were created at this moment or later.')),
    to: Type.Optional(time('Only orders that were created before this moment.')),
    fiatIn: Type.Optional(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'Only orders that are paid in this currency.' }),
    ),
    fiatOut: Type.Optional(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'Only orders that are paid out in this currency.' }),
    ),
    userId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only orders of the user with this id.',
      }),
    ),
    externalOrderId: Type.Optional(externalOrderId),
    updatedSince: Type.Optional(
      time('Only orders that changed at this moment or later; the list then begins with the oldest change.'),
    ),
    ...pageQuery,
  },
  { additionalProperties: false },
);

export const ReportQuery = Type.Object(
  { day: Type.String({ format: 'date', description: 'The day, in UTC: `2026-11-15`.' }) },
  { additionalProperties: false, examples: [{ day: '2026-11-15' }] },
);

export const OrderStatesShape = Type.Object(
  {
    states: Type.Array(
      Type.Object({
        state: StatusShape,
        cancellable: Type.Enum(['yes', 'on_request', 'no'], {
          description:
            '`yes`: a cancellation takes effect at once. `on_request`: when the review is over. `no`: it is refused.',
        }),
        open: Type.Boolean({ description: 'Whether the order is not finished. Its user cannot be deleted.' }),
      }),
      { description: 'All states.' },
    ),
    transitions: Type.Array(
      Type.Object({
        event: Type.Enum([...publicEvents], { description: 'What happens.' }),
        from: Type.Union([StatusShape, Type.Null()], { description: 'Null when the order is created.' }),
        to: StatusShape,
        by: Type.Array(Type.Enum(['merchant', 'user', 'operator', 'system']), {
          description: 'Who may cause it.',
        }),
      }),
      {
        description: 'All transitions. Where the state stays the same, something else about the order changes.',
      },
    ),
  },
  {
    title: 'OrderStates',
    examples: [
      {
        states: [{ state: 'AWAITING_PAYMENT', cancellable: 'yes', open: true }],
        transitions: [
          {
            event: 'cancel',
            from: 'AWAITING_PAYMENT',
            to: 'CANCELLED',
            by: ['merchant', 'user', 'operator'],
          },
        ],
      },
    ],
  },
);
