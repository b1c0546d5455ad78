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

const pricedTerms = { ...terms, ...prices };
const corridorExample = { fiatIn: 'USD', fiatOut: 'MXN', ...termsExample, ...pricesExample, version: 1 };

/** What both ways of saving a corridor have in common. */
export const CorridorTermsShape = Type.Object(pricedTerms);

export const SaveCorridorBody = Type.Object(
  {
    fiatIn: Type.Optional(Type.Enum([...currencyCodes], { description: 'If sent, that of the path.' })),
    fiatOut: Type.Optional(Type.Enum([...currencyCodes], { description: 'If sent, that of the path.' })),
    ...pricedTerms,
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The version that you read, 0 for a corridor that does not exist yet. If another version is current, nothing is ' +
          'saved. Absent: whatever is there is replaced.',
      }),
    ),
  },
  {
    title: 'CorridorTerms',
    additionalProperties: false,
    examples: [{ ...termsExample, ...pricesExample, version: 1 }],
  },
);

export const CorridorsBody = Type.Array(
  Type.Object(
    {
      fiatIn: Currency,
      fiatOut: Currency,
      ...pricedTerms,
      version: Type.Integer({
        minimum: 0,
        description: 'The version that you read, 0 for a corridor that does not exist yet.',
      }),
    },
    { title: 'CorridorEdit', additionalProperties: false, examples: [corridorExample] },
  ),
  { minItems: 1, maxItems: 1000, examples: [[corridorExample]] },
);

export const OperatorCorridorShape = Type.Object(
  {
    fiatIn: Currency,
    fiatOut: Currency,
    ...pricedTerms,
    version: Type.Integer({
      description: 'Counts the changes. Send it back to protect the changes of others.',
    }),
  },
  { title: 'OperatorCorridor', examples: [corridorExample] },
);

export const CorridorFilter = Type.Object(
  { fiatIn: Type.Optional(Currency), fiatOut: Type.Optional(Currency) },
  { additionalProperties: false },
);

export const CorridorPath = Type.Object({ fiatIn: Currency, fiatOut: Currency });

export const SeenRate = Type.Object(
  {
    rate: Type.String({
      pattern: '^[0-9]{1,60}(\\.[0-9]{1,60})?$',
      maxLength: 121,
      description: 'The held rate that you saw. If another is held by now, nothing is accepted.',
    }),
  },
  { title: 'SeenRate', additionalProperties: false, examples: [{ rate: '2100.5' }] },
);

const corridorChange = {
  fiatIn: Currency,
  fiatOut: Currency,
  acceptedRate: Type.Optional(
    Type.String({ description: 'The mid-market rate that was last accepted. Absent: none was yet.' }),
  ),
  newRate: Type.String({ description: 'The mid-market rate that it would be.' }),
  changePercent: Type.Optional(Type.Number({ description: 'From `acceptedRate` to `newRate`.' })),
};
const changeExample = {
  fiatIn: 'USD',
  fiatOut: 'ARS',
  acceptedRate: '1284.02088326947',
  newRate: '1797.75761725436',
  changePercent: 40,
};
const heldExample = {
  source: 'ecb',
  currency: 'ARS',
  base: 'EUR',
  rate: '2100.5',
  previousRate: '1500.25',
  publishedAt: '2026-11-13T15:00:00.000Z',
  corridors: [changeExample],
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
        base: Type.String(),
        rate: Type.String({ description: 'What the source says: one `base` is so many of `currency`.' }),
        previousRate: Type.Optional(
          Type.String({ description: 'The last accepted figure of this source. Absent: there is none.' }),
        ),
        publishedAt: Type.String({ format: 'date-time' }),
        corridors: Type.Array(Type.Object(corridorChange, { title: 'CorridorRateChange' }), {
          description: 'The open corridors whose rate changes if you accept this figure.',
        }),
      }),
      { description: 'Figures of sources that were not taken, because an open corridor would have jumped.' },
    ),
    heldCorridors: Type.Array(
      Type.Object({
        ...corridorChange,
        source: Type.String({ description: 'Which source says so.' }),
        publishedAt: Type.String({ format: 'date-time' }),
      }),
      {
        description:
          'Open corridors whose preferred rate jumped although no figure did: the order of the sources changed, or a source ' +
          'became too old and the next one says something else.',
      },
    ),
  },
  {
    title: 'RateBoard',
    examples: [
      {
        sources: [],
        held: [heldExample],
        heldCorridors: [{ ...changeExample, source: 'json-1', publishedAt: '2026-11-13T15:00:00.000Z' }],
      },
    ],
  },
);
