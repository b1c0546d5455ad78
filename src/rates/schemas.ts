/** The shapes of rates and corridors on the wire. */
import Type from 'typebox';
import { currencyCodes } from '../money/currency.js';
import { payoutMethods } from './corridor.js';

const Currency = Type.Enum([...currencyCodes], { title: 'Currency' });

export const RateRequest = Type.Object(
  {
    fiatIn: Currency,
    fiatOut: Currency,
    amountIn: Type.Number({
      description:
        'All that the user sends; fees come out of it. A plain decimal: no sign, no exponent, at most 15 digits and no ' +
        'more decimals than the currency has.',
    }),
  },
  {
    title: 'RateRequest',
    additionalProperties: false,
    examples: [{ fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 }],
  },
);

const rateFields = {
  fiatIn: Currency,
  fiatOut: Currency,
  amountIn: Type.Number(),
  amountOut: Type.Number({ description: 'Always `floor(amountIn × rate)` at the minor unit of `fiatOut`.' }),
  rate: Type.Number({ description: 'All-in: margin and fee are in it. At most 10 significant digits.' }),
  code: Type.String({ description: 'Names the quote; good for one order.' }),
  expirationDate: Type.String({ format: 'date-time' }),
};
const rateExample = {
  fiatIn: 'USD',
  fiatOut: 'MXN',
  amountIn: 100,
  amountOut: 1738.21,
  rate: 17.38215114,
  code: 'rt_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
  expirationDate: '2026-11-15T10:00:00.000Z',
};
const madeOfExample = {
  midMarketRate: 17.7369909,
  rateSource: 'ecb',
  ratePublishedAt: '2026-11-13T15:00:00.000Z',
  marginBasisPoints: 100,
  fee: 1,
  createdAt: '2026-11-15T09:30:00.000Z',
};

export const RateShape = Type.Object(rateFields, {
  title: 'Rate',
  additionalProperties: false,
  examples: [rateExample],
});

export const RateDetails = Type.Object(
  {
    ...rateFields,
    madeOf: Type.Object(
      {
        midMarketRate: Type.Number(),
        rateSource: Type.String(),
        ratePublishedAt: Type.String({ format: 'date-time' }),
        marginBasisPoints: Type.Integer(),
        fee: Type.Number({ description: 'In `fiatIn`.' }),
        createdAt: Type.String({ format: 'date-time' }),
      },
      { title: 'RateIngredients' },
    ),
    status: Type.Enum(['open', 'used', 'expired']),
    proof: Type.String({
      description: 'A compact JWS over the fields above; its key is in the published key set.',
    }),
  },
  {
    title: 'RateDetails',
    examples: [{ ...rateExample, madeOf: madeOfExample, status: 'open', proof: 'eyJhbGciOiJFZERTQSIs…' }],
  },
);

const terms = {
  isOpen: Type.Boolean(),
  minAmountIn: Type.Number({ description: 'In `fiatIn`.' }),
  maxAmountIn: Type.Number({ description: 'In `fiatIn`.' }),
  minAmountOut: Type.Number({ description: 'In `fiatOut`.' }),
  quoteLifetimeSeconds: Type.Integer({ minimum: 30, maximum: 86_400 }),
  kycBands: Type.Array(
    Type.Object(
      {
        upTo: Type.Optional(Type.Number({ description: 'In `fiatIn`; absent in the last band.' })),
        level: Type.Enum(['LEVEL_1', 'LEVEL_2', 'LEVEL_3']),
      },
      { title: 'KycBand', additionalProperties: false },
    ),
    { minItems: 1, maxItems: 3 },
  ),
  payoutMethods: Type.Array(Type.Enum([...payoutMethods]), { minItems: 1, maxItems: 4 }),
};
const prices = {
  marginBasisPoints: Type.Integer({ minimum: 0, maximum: 5000 }),
  feeFixed: Type.Number({ description: 'In `fiatIn`.' }),
  feeBasisPoints: Type.Integer({ minimum: 0, maximum: 5000 }),
};
const termsExample = {
  isOpen: true,
  minAmountIn: 10,
  maxAmountIn: 10_000,
  minAmountOut: 50,
  quoteLifetimeSeconds: 1800,
  kycBands: [{ upTo: 200, level: 'LEVEL_1' }, { level: 'LEVEL_2' }],
  payoutMethods: ['bank_account', 'cash_pickup'],
};
const pricesExample = { marginBasisPoints: 100, feeFixed: 1, feeBasisPoints: 50 };

export const CorridorShape = Type.Object(
  { fiatIn: Currency, fiatOut: Currency, ...terms },
  { title: 'Corridor', examples: [{ fiatIn: 'USD', fiatOut: 'MXN', ...termsExample }] },
);

export const CorridorTermsShape = Type.Object(
  { ...terms, ...prices },
  { title: 'CorridorTerms', additionalProperties: false, examples: [{ ...termsExample, ...pricesExample }] },
);

export const OperatorCorridorShape = Type.Object(
  { fiatIn: Currency, fiatOut: Currency, ...terms, ...prices, version: Type.Integer() },
  {
    title: 'OperatorCorridor',
    examples: [{ fiatIn: 'USD', fiatOut: 'MXN', ...termsExample, ...pricesExample, version: 1 }],
  },
);

export const CorridorFilter = Type.Object(
  { fiatIn: Type.Optional(Currency), fiatOut: Type.Optional(Currency) },
  { additionalProperties: false },
);

export const CorridorPath = Type.Object({ fiatIn: Currency, fiatOut: Currency });

const heldExample = {
  source: 'ecb',
  currency: 'ARS',
  rate: '2100.5',
  previousRate: '1500.25',
  publishedAt: '2026-11-13T15:00:00.000Z',
};

export const RateBoardShape = Type.Object(
  {
    sources: Type.Array(
      Type.Object({
        name: Type.String(),
        ageLimitBusinessDays: Type.Optional(Type.Integer({ description: 'Absent: never too old.' })),
        checkedAt: Type.Optional(Type.String({ format: 'date-time' })),
        changedAt: Type.Optional(Type.String({ format: 'date-time' })),
        fault: Type.Optional(Type.String()),
        rates: Type.Array(
          Type.Object({
            currency: Type.String(),
            base: Type.String(),
            rate: Type.String(),
            publishedAt: Type.String({ format: 'date-time' }),
            ageBusinessDays: Type.Integer(),
          }),
        ),
      }),
    ),
    held: Type.Array(
      Type.Object({
        source: Type.String(),
        currency: Type.String(),
        rate: Type.String(),
        previousRate: Type.String(),
        publishedAt: Type.String({ format: 'date-time' }),
      }),
    ),
  },
  { title: 'RateBoard', examples: [{ sources: [], held: [heldExample] }] },
);
