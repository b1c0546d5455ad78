/** The shapes of limits on the wire. */
import Type from 'typebox';
import { kycLevels } from '../../kyc-level.js';
import { limitNames } from './limits.js';

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const LimitShape = Type.Object(
  {
    name: Type.Enum([...limitNames], {
      description:
        'What is limited: the amount of one order, the amount or the number of orders in a window that ends now, or the orders that wait for payment.',
    }),
    unit: Type.Enum(['USD', 'orders'], { description: 'What the figures count.' }),
    max: Type.Number({ description: 'The limit.' }),
    used: Type.Number({ description: 'What earlier orders have used of it.' }),
    left: Type.Number({ description: 'What the next order may use.' }),
  },
  { title: 'Limit' },
);

const exampleLimits = (max: readonly [number, number, number, number, number, number]) => [
  { name: 'amount_per_order', unit: 'USD', max: max[0], used: 0, left: max[0] },
  { name: 'amount_24h', unit: 'USD', max: max[1], used: 100, left: max[1] - 100 },
  { name: 'amount_30d', unit: 'USD', max: max[2], used: 300, left: max[2] - 300 },
  { name: 'amount_365d', unit: 'USD', max: max[3], used: 300, left: max[3] - 300 },
  { name: 'orders_24h', unit: 'orders', max: max[4], used: 1, left: max[4] - 1 },
  { name: 'orders_30d', unit: 'orders', max: max[5], used: 2, left: max[5] - 2 },
  { name: 'unpaid_orders', unit: 'orders', max: 10, used: 1, left: 9 },
];

const NextLevelShape = Type.Object(
  {
    kycLevel: Type.Enum([...kycLevels], { description: 'The level after the one that the user holds.' }),
    zone: textOrNull('The zone of the user’s country.'),
    formPath: textOrNull('The path of the form that leads to the level. Null where no zone has the country.'),
    limits: Type.Array(LimitShape, { description: 'What the limits would be at this level.' }),
  },
  { title: 'NextKycLevel' },
);

/** What a user may send: for `GET /user/limits` and for a preflight. */
export const userLimits = {
  kycLevel: Type.Union([Type.Enum([...kycLevels]), Type.Null()], {
    description: 'The highest level that the user holds. Null: none, so nothing can be sent.',
  }),
  limits: Type.Array(LimitShape, { description: 'All limits of the user.' }),
  nextLevel: Type.Union([NextLevelShape, Type.Null()], {
    description: 'What the next level would unlock. Null at the highest level.',
  }),
};

export const userLimitsExample = {
  kycLevel: 'LEVEL_1',
  limits: exampleLimits([200, 500, 1000, 5000, 5, 20]),
  nextLevel: {
    kycLevel: 'LEVEL_2',
    zone: 'EEA',
    formPath: '/kyc/register/LEVEL_2/EEA',
    limits: exampleLimits([25_000, 25_000, 50_000, 250_000, 10, 100]),
  },
};

export const UserLimitsShape = Type.Object(
  { userId: Type.Integer({ description: 'The id of the user.' }), ...userLimits },
  { title: 'UserLimits', examples: [{ userId: 241_958_564_297_829, ...userLimitsExample }] },
);
