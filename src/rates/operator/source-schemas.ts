/** The shapes of rate sources and held rates, for operators. */
import Type from 'typebox';
import { time } from '../../http/shapes.js';
import { holdReasons } from '../board/guard.js';
import { FiatIn, FiatOut } from '../schemas.js';

const rate = Type.String({
  pattern: '^[0-9]{1,60}(\\.[0-9]{1,60})?$',
  maxLength: 121,
  description: 'The held rate that you saw. If another rate is held now, nothing is accepted.',
});

export const SeenRate = Type.Object(
  { rate },
  { title: 'SeenRate', additionalProperties: false, examples: [{ rate: '2100.5' }] },
);

export const SeenFigure = Type.Object(
  {
    rate,
    base: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description:
          'The `base` that you saw. If the held rate has another base now, nothing is accepted. Absent: only `rate` is ' +
          'compared.',
      }),
    ),
  },
  { title: 'SeenFigure', additionalProperties: false, examples: [{ rate: '2100.5', base: 'EUR' }] },
);

const corridorChange = {
  fiatIn: FiatIn,
  fiatOut: FiatOut,
  acceptedRate: Type.Optional(
    Type.String({
      description: 'The mid-market rate that was last accepted. Absent: none was accepted yet.',
    }),
  ),
  newRate: Type.String({ description: 'The mid-market rate that is held.' }),
  changePercent: Type.Optional(
    Type.Number({ description: 'The change from `acceptedRate` to `newRate`, in percent.' }),
  ),
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
        name: Type.String({ description: 'The name of the source.' }),
        ageLimitBusinessDays: Type.Optional(
          Type.Integer({ description: 'After how many business days a rate is too old. Absent: never.' }),
        ),
        checkedAt: Type.Optional(time('When the source was last asked.')),
        changedAt: Type.Optional(time('When its rates last changed.')),
        fault: Type.Optional(Type.String({ description: 'Why the last request failed.' })),
        failingSince: Type.Optional(time('Since when every request failed.')),
        rates: Type.Array(
          Type.Object({
            currency: Type.String({ description: 'The currency.' }),
            base: Type.String({ description: 'The base currency of the source.' }),
            rate: Type.String({ description: 'Units of the currency for one unit of the base.' }),
            publishedAt: time('When the source published it.'),
            ageBusinessDays: Type.Integer({ description: 'Its age in business days.' }),
          }),
          { description: 'The rates in use from this source.' },
        ),
      }),
      { description: 'The rate sources, in the order in which they are used.' },
    ),
    held: Type.Array(
      Type.Object({
        source: Type.String({ description: 'The name of the source.' }),
        currency: Type.String({ description: 'The currency.' }),
        base: Type.String({ description: 'The base currency: `rate` is for one unit of it.' }),
        rate: Type.String({ description: 'The published rate: units of `currency` for one unit of `base`.' }),
        previousRate: Type.Optional(
          Type.String({ description: 'The last accepted rate of this source. Absent: there is none.' }),
        ),
        publishedAt: time('When the source published it.'),
        corridors: Type.Array(Type.Object(corridorChange, { title: 'CorridorRateChange' }), {
          description: 'The open corridors whose rate changes if you accept this rate.',
        }),
      }),
      { description: 'Published rates that are held because an open corridor would jump.' },
    ),
    heldCorridors: Type.Array(
      Type.Object({
        ...corridorChange,
        because: Type.Enum([...holdReasons], {
          description:
            '`changed`: the rate jumped although no published rate did, because the order of the sources changed, or a ' +
            'source became too old and the next one has a different rate. `sources_differ`: `newRate` is that of another ' +
            'source, too far from `acceptedRate`, which is in use.',
        }),
        source: Type.String({ description: 'The source of `newRate`.' }),
        publishedAt: time('When the source published it.'),
      }),
      { description: 'Open corridors whose own rate is held.' },
    ),
  },
  {
    title: 'RateBoard',
    examples: [
      {
        sources: [],
        held: [heldExample],
        heldCorridors: [
          { ...changeExample, because: 'changed', source: 'json-1', publishedAt: '2026-11-13T15:00:00.000Z' },
        ],
      },
    ],
  },
);
