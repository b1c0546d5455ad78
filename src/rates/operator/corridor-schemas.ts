/** The shapes of corridors on the wire. */

import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { kycLevels } from '../../kyc-level.js';
import { currencyCodes } from '../../money/currency.js';
import { holdPolicies, largestToleranceBasisPoints, payoutMethods } from '../corridors/corridor.js';
import { FiatIn, FiatOut } from '../schemas.js';

const terms = {
  isOpen: Type.Boolean({ description: 'Whether quotes can be created.' }),
  minAmountIn: Type.Number({ description: 'The smallest amount that can be sent, in `fiatIn`.' }),
  maxAmountIn: Type.Number({ description: 'The largest amount that can be sent, in `fiatIn`.' }),
  minAmountOut: Type.Number({ description: 'The smallest amount that can be paid out, in `fiatOut`.' }),
  quoteLifetimeSeconds: Type.Integer({
    minimum: 30,
    maximum: 86_400,
    description: 'How long a quote is valid, in seconds.',
  }),
  kycBands: Type.Array(
    Type.Object(
      {
        upTo: Type.Optional(Type.Number({ description: 'Up to this amount, in `fiatIn`. Absent in the last band.' })),
        level: Type.Enum([...kycLevels], {
          description: 'The KYC level that the user needs.',
        }),
      },
      { title: 'KycBand', additionalProperties: false },
    ),
    { minItems: 1, maxItems: 3, description: 'The KYC level that each amount requires.' },
  ),
  payoutMethods: Type.Array(Type.Enum([...payoutMethods]), {
    minItems: 1,
    maxItems: 4,
    description: 'How the money can be paid out.',
  }),
};
const prices = {
  marginBasisPoints: Type.Integer({
    minimum: 0,
    maximum: 5000,
    description: 'The margin on the mid-market rate, in hundredths of a percent.',
  }),
  feeFixed: Type.Number({ description: 'The fixed fee, in `fiatIn`.' }),
  feeBasisPoints: Type.Integer({
    minimum: 0,
    maximum: 5000,
    description: 'The fee on the amount, in hundredths of a percent.',
  }),
};
/** How long an unpaid order binds us: merchants see it too. */
const waitingTerms = {
  rateGuaranteeHours: Type.Integer({
    minimum: 1,
    maximum: 168,
    description: 'An order keeps its rate for so many hours after its creation. At most `paymentDueHours`.',
  }),
  paymentDueHours: Type.Integer({
    minimum: 1,
    maximum: 720,
    description:
      'The payment of an order is due so many hours after its creation. A day later, an unpaid order expires.',
  }),
  maxUnpaidOrders: Type.Integer({
    minimum: 1,
    maximum: 10,
    description: 'A user may have so many unpaid orders of this corridor at a time.',
  }),
};
const waitingExample = { rateGuaranteeHours: 24, paymentDueHours: 72, maxUnpaidOrders: 10 };
/** Which rates are believed, and what an unpaid order counts for: for operators only. */
const rateTerms = {
  rateToleranceBasisPoints: Type.Integer({
    minimum: 10,
    maximum: largestToleranceBasisPoints,
    description:
      'A rate may change by so many hundredths of a percent, and two sources may differ by so many. Beyond that, the rate ' +
      'is held for an operator.',
  }),
  rateMaxAgeHours: Type.Integer({
    minimum: 1,
    maximum: 8760,
    description: 'A rate that is older is not quoted, whatever its source allows.',
  }),
  onHold: Type.Enum([...holdPolicies], {
    description:
      'What happens while the rate is held. `close`: no quotes. `quote`: quotes from the last accepted rate, or from the ' +
      'next source within the tolerance.',
  }),
  countsUnpaidOrders: Type.Boolean({
    description: 'Whether orders that were cancelled or expired unpaid count in the number of orders of their user.',
  }),
};
const rateTermsExample = {
  rateToleranceBasisPoints: 1000,
  rateMaxAgeHours: 124,
  onHold: 'close',
  countsUnpaidOrders: false,
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
  { fiatIn: FiatIn, fiatOut: FiatOut, ...terms, ...waitingTerms },
  {
    title: 'Corridor',
    description: 'A pair of currencies that money can be sent between, and its limits.',
    examples: [{ fiatIn: 'USD', fiatOut: 'MXN', ...termsExample, ...waitingExample }],
  },
);

const pricedTerms = { ...terms, ...prices };
/** What is not sent stays as it is; a new corridor gets the defaults. */
const editedTerms = { ...pricedTerms, ...Type.Partial(Type.Object({ ...waitingTerms, ...rateTerms })).properties };
const pricedExample = { ...termsExample, ...pricesExample, ...waitingExample, ...rateTermsExample };
const corridorExample = { fiatIn: 'USD', fiatOut: 'MXN', ...pricedExample, version: 1 };

/** A corridor may be sent as it was read. */
const ignoredPending = Type.Optional(Type.Unknown({ description: 'Ignored.' }));

export const CorridorTermsShape = Type.Object(editedTerms);

export const SaveCorridorBody = Type.Object(
  {
    fiatIn: Type.Optional(
      Type.Enum([...currencyCodes], { description: 'If sent, it must be the currency in the path.' }),
    ),
    fiatOut: Type.Optional(
      Type.Enum([...currencyCodes], { description: 'If sent, it must be the currency in the path.' }),
    ),
    ...editedTerms,
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The version that you read, 0 for a corridor that does not exist yet. If another version is current, nothing is ' +
          'saved. Absent: any version is replaced.',
      }),
    ),
    pendingApproval: ignoredPending,
  },
  {
    title: 'CorridorTerms',
    additionalProperties: false,
    examples: [{ ...pricedExample, version: 1 }],
  },
);

export const CorridorsBody = Type.Array(
  Type.Object(
    {
      fiatIn: FiatIn,
      fiatOut: FiatOut,
      ...editedTerms,
      version: Type.Integer({
        minimum: 0,
        description: 'The version that you read, 0 for a corridor that does not exist yet.',
      }),
      pendingApproval: ignoredPending,
    },
    { title: 'CorridorEdit', additionalProperties: false, examples: [corridorExample] },
  ),
  { minItems: 1, maxItems: 1000, examples: [[corridorExample]] },
);

export const OperatorCorridorShape = Type.Object(
  {
    fiatIn: FiatIn,
    fiatOut: FiatOut,
    ...pricedTerms,
    ...waitingTerms,
    ...rateTerms,
    version: Type.Integer({
      description: 'Increases with each change. Send it back so that you do not overwrite the changes of others.',
    }),
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  { title: 'OperatorCorridor', examples: [corridorExample] },
);

export const CorridorFilter = Type.Object(
  { fiatIn: Type.Optional(FiatIn), fiatOut: Type.Optional(FiatOut) },
  { additionalProperties: false },
);

export const OpenFilter = Type.Object(
  { isOpen: Type.Optional(Type.Enum(['true', 'false'], { description: 'Only open corridors, or only closed ones.' })) },
  { additionalProperties: false },
);

export const CorridorPath = Type.Object({ fiatIn: FiatIn, fiatOut: FiatOut });
