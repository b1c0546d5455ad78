/** The shapes of quotes on the wire. A quote is the offer; a rate is the figure in it. */

import Type from 'typebox';
import { time } from '../http/shapes.js';
import { currencyCodes } from '../money/currency.js';

export const FiatIn = Type.Enum([...currencyCodes], {
  title: 'Currency',
  description: 'The currency that the user pays in (ISO 4217).',
});
export const FiatOut = Type.Enum([...currencyCodes], {
  title: 'Currency',
  description: 'The currency that the beneficiary receives (ISO 4217).',
});

export const RateRequest = Type.Object(
  {
    fiatIn: FiatIn,
    fiatOut: FiatOut,
    amountIn: Type.Number({
      description:
        'The total that the user sends, fees included. A plain decimal: no sign, no exponent, at most 15 digits and no ' +
        'more decimals than the currency has.',
    }),
  },
  {
    title: 'RateRequest',
    additionalProperties: false,
    examples: [{ fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 }],
  },
);

export const TargetRateRequest = Type.Object(
  {
    fiatIn: FiatIn,
    fiatOut: FiatOut,
    amountOut: Type.Number({
      description:
        'What is to arrive. A plain decimal: no sign, no exponent, at most 15 digits and no more decimals than the ' +
        'currency has.',
    }),
  },
  {
    title: 'TargetRateRequest',
    additionalProperties: false,
    examples: [{ fiatIn: 'USD', fiatOut: 'MXN', amountOut: 1738 }],
  },
);

const rateFields = {
  fiatIn: FiatIn,
  fiatOut: FiatOut,
  amountIn: Type.Number({ description: 'The total that the user sends, fees included.' }),
  amountOut: Type.Number({
    description: 'What arrives: `amountIn × rate`, rounded down to the minor unit of `fiatOut`.',
  }),
  rate: Type.Number({
    description: 'The exchange rate with margin and fee included. At most 10 significant digits.',
  }),
  code: Type.String({ description: 'The code of the quote. It can be used for one order.' }),
  expirationDate: time('When the quote expires.'),
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
  description: 'A quote: the price of a transfer, valid until it expires.',
  additionalProperties: false,
  examples: [rateExample],
});

export const IndicativeQuery = Type.Object(
  {
    fiatIn: FiatIn,
    fiatOut: FiatOut,
    amountIn: Type.String({
      pattern: '^[0-9]{1,16}(\\.[0-9]{1,4})?$',
      description: 'The total that the user would send, fees included, as a plain decimal.',
      examples: ['100'],
    }),
  },
  { additionalProperties: false, examples: [{ fiatIn: 'USD', fiatOut: 'MXN', amountIn: '100' }] },
);

export const IndicativeShape = Type.Object(
  {
    fiatIn: FiatIn,
    fiatOut: FiatOut,
    amountIn: rateFields.amountIn,
    amountOut: rateFields.amountOut,
    rate: rateFields.rate,
    exchangeRate: Type.Number({ description: 'What one unit buys of what is left after the fee, to six digits.' }),
    fee: Type.Number({ description: 'The fee, in `fiatIn`, which `amountIn` includes.' }),
    midMarketRate: Type.Number({ description: 'The mid-market rate, without margin and fee.' }),
    ratePublishedAt: time('When the source published the mid-market rate.'),
  },
  {
    title: 'IndicativeRate',
    description: 'A price of this moment, without a promise.',
    examples: [
      {
        fiatIn: 'USD',
        fiatOut: 'MXN',
        amountIn: 100,
        amountOut: 1738.21,
        rate: 17.38215114,
        exchangeRate: 17.5577,
        fee: 1,
        midMarketRate: 17.7369909,
        ratePublishedAt: '2026-11-13T15:00:00.000Z',
      },
    ],
  },
);

export const RateDetails = Type.Object(
  {
    ...rateFields,
    madeOf: Type.Object(
      {
        midMarketRate: Type.Number({ description: 'The mid-market rate that the quote is based on.' }),
        rateSource: Type.String({ description: 'Where the mid-market rate comes from.' }),
        ratePublishedAt: time('When the source published it.'),
        marginBasisPoints: Type.Integer({
          description: 'The margin on the mid-market rate, in hundredths of a percent.',
        }),
        fee: Type.Number({ description: 'The fee, in `fiatIn`.' }),
        createdAt: time('When the quote was created.'),
      },
      { title: 'RateIngredients', description: 'What the quote was made of.' },
    ),
    status: Type.Enum(['open', 'used', 'expired'], {
      description: '`open`: it can be used. `used`: an order has used it. `expired`: it was not used in time.',
    }),
    proof: Type.String({
      description:
        'A compact JWS over the fields above. `GET /.well-known/quote-keys.json` has the key that verifies it.',
    }),
  },
  {
    title: 'RateDetails',
    description: 'A quote with what it was made of.',
    examples: [{ ...rateExample, madeOf: madeOfExample, status: 'open', proof: 'eyJhbGciOiJFZERTQSIs…' }],
  },
);
