/** The shape of policies on the wire. */
import Type from 'typebox';
import { policyChoices } from './policies.js';

const fields = {
  short: Type.Enum([...policyChoices.short], {
    description:
      'Less came than is missing. `wait`: the order keeps it and waits for the rest. `refund`: it goes back. `suspense`: an operator decides.',
  }),
  over: Type.Enum([...policyChoices.over], {
    description:
      'More came than is missing. The order takes what it needs. `refund`: the excess goes back. `suspense`: an operator decides about the excess.',
  }),
  late: Type.Enum([...policyChoices.late], {
    description:
      'Booked after `rateGuaranteedUntil`. `requote`: the order goes on at the rate of the day, which the sender must accept if it is more than 1 % worse. `refund`: it goes back. `suspense`: an operator decides.',
  }),
  duplicate: Type.Enum([...policyChoices.duplicate], {
    description: 'The order is paid, and the same amount came again.',
  }),
  wrongCurrency: Type.Enum([...policyChoices.wrongCurrency], {
    description: 'It came in another currency than `fiatIn`.',
  }),
  afterEnd: Type.Enum([...policyChoices.afterEnd], {
    description: 'The order was cancelled, has expired, or does not wait for money any more.',
  }),
};
const example = {
  short: 'wait',
  over: 'refund',
  late: 'requote',
  duplicate: 'refund',
  wrongCurrency: 'suspense',
  afterEnd: 'refund',
};

export const PoliciesShape = Type.Object(
  {
    ...fields,
    version: Type.Integer({ minimum: 0, description: 'Counts your declarations; 0 for the defaults.' }),
  },
  { title: 'PaymentPolicies', examples: [{ ...example, version: 1 }] },
);

export const DeclaredPoliciesShape = Type.Object(
  {
    ...fields,
    version: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The `version` that you read. If it has changed since, nothing is saved.',
    }),
  },
  {
    title: 'DeclaredPaymentPolicies',
    additionalProperties: false,
    examples: [{ ...example, version: 0 }],
  },
);
