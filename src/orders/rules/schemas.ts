/** The shapes of rules in the operator API. */
import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { time } from '../order/wire/order-shape.js';
import { ruleKinds } from './rule.js';

const wholeUnits = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }));

const ParametersShape = Type.Object(
  {
    fromUsd: wholeUnits(
      '`amount`, `new_beneficiary`: fires from this many whole US dollars on, counted as for limits.',
    ),
    from: wholeUnits('`amount`: fires from this many whole units of `currency` on.'),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description: '`amount`: the currency that is paid, if not dollars.',
      }),
    ),
    hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8760, description: '`velocity`: the window in hours.' })),
    maxOrders: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: '`velocity`: this many orders of a user pass; the next one is reviewed.',
      }),
    ),
    maxUsd: wholeUnits('`velocity`: fires when the orders of a user exceed this many whole US dollars.'),
    days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 365,
        description:
          '`new_beneficiary`: for how many days an account still counts as new after the first order to it arrived; 0: only until then. `many_senders`: the window.',
      }),
    ),
    maxSenders: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 999,
        description: '`many_senders`: this many users may pay one account; orders of further users are reviewed.',
      }),
    ),
  },
  { additionalProperties: false, description: 'The thresholds. Each kind has its own.' },
);

const kind = Type.Enum([...ruleKinds], {
  description:
    'What is looked at: `amount` (of one order), `velocity` (orders of one user in a window), `new_beneficiary` (the account is new to the user), `many_senders` (users of one merchant who paid the same account in a window).',
});
const isEnabled = Type.Boolean({ description: 'A disabled rule never fires.' });
const corridor = Type.String({
  pattern: '^[A-Z]{3}-[A-Z]{3}$',
  description: 'Only orders of this corridor, such as `EUR-MXN`.',
});
const merchant = Type.String({ minLength: 1, maxLength: 64, description: 'Only orders of this merchant.' });
const orNull = <Field extends Parameters<typeof Type.Union>[0][number]>(field: Field, description: string) =>
  Type.Union([field, Type.Null()], { description });

const ruleExample = {
  ruleId: 'rul_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
  kind: 'velocity',
  parameters: { hours: 24, maxOrders: 5 },
  merchant: null,
  corridor: null,
  isEnabled: true,
  version: 1,
  updatedAt: '2026-11-15T09:41:00.000Z',
};

export const RuleShape = Type.Object(
  {
    ruleId: Type.String({ description: 'The id of the rule.' }),
    kind,
    parameters: ParametersShape,
    merchant: orNull(Type.String(), 'The client id of the merchant that the rule is for; null for all.'),
    corridor: orNull(Type.String(), 'The corridor that the rule is for; null for all.'),
    isEnabled,
    version: Type.Integer({ description: 'Counts changes. Send it back with yours.' }),
    updatedAt: time('When the rule last changed.'),
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  { title: 'ReviewRule', examples: [ruleExample] },
);

export const NewRuleShape = Type.Object(
  {
    kind,
    parameters: ParametersShape,
    merchant: Type.Optional(merchant),
    corridor: Type.Optional(corridor),
    isEnabled: Type.Optional(isEnabled),
  },
  {
    title: 'NewReviewRule',
    additionalProperties: false,
    examples: [{ kind: 'velocity', parameters: { hours: 24, maxOrders: 3 }, merchant: 'acme', corridor: 'EUR-MXN' }],
  },
);

export const ChangedRuleShape = Type.Object(
  {
    parameters: ParametersShape,
    merchant: Type.Optional(orNull(merchant, 'Only orders of this merchant; absent or null for all.')),
    corridor: Type.Optional(orNull(corridor, 'Only orders of this corridor; absent or null for all.')),
    isEnabled,
    version: Type.Integer({
      minimum: 1,
      description: 'The `version` that you read. If the rule has changed since, you get 409.',
    }),
  },
  {
    title: 'ChangedReviewRule',
    additionalProperties: false,
    examples: [{ parameters: { hours: 24, maxOrders: 4 }, isEnabled: true, version: 1 }],
  },
);
