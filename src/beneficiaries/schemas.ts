/** The shapes of beneficiaries and of what they require, on the wire. */

import Type from 'typebox';
import { OriginatorDemandShape, originatorDemandExample } from '../countries/originator-schemas.js';
import { textOrNull, time } from '../http/shapes.js';
import { beneficiaryMethods } from './destinations/destination.js';
import { beneficiaryTypes, type Field } from './fields/field.js';
import { addressFields, nameFields } from './fields/party-fields.js';
import { destinations, exampleOf, publishedFields } from './requirements.js';

const country = Type.String({
  description: 'The country of the account: an ISO 3166-1 code of two letters.',
});
const currency = Type.String({ description: 'The currency that is paid out: an ISO 4217 code.' });
const method = Type.Enum([...beneficiaryMethods], { description: 'How the money is paid out.' });
const type = Type.Enum([...beneficiaryTypes], { description: 'Whether a person or a company receives.' });

const mexican = destinations.filter(
  (destination) => destination.country === 'MX' && destination.method === 'bank_account',
);
const id = Type.String({ description: 'The id of the beneficiary.' });
const idExample = 'ben_0000013J8V2T9X5B3N6H0C7D2F';
const times = {
  createdAt: time('When it was added.'),
  updatedAt: time('When its details last changed.'),
};
const timesExample = { createdAt: '2026-11-15T09:30:00.000Z', updatedAt: '2026-11-15T09:30:00.000Z' };

const partyFields = [...nameFields, ...addressFields('MX', 'Guadalajara', { isRequired: true })];
const accountFields = destinations.flatMap(({ fields }) => fields).filter(({ name }) => name.startsWith('account.'));

const details = {
  country,
  currency,
  method,
  type,
  ...texts(partyFields.filter(({ name }) => !name.includes('.'))),
  address: Type.Optional(
    Type.Object(texts(partyFields.filter(({ name }) => name.startsWith('address.'))), {
      additionalProperties: false,
      description: 'Where the beneficiary lives. Bank accounts and cash need `town` and `country`.',
    }),
  ),
  account: Type.Optional(
    Type.Object(texts(accountFields), {
      additionalProperties: false,
      description: 'Where the money goes. `GET /beneficiaries/requirements` says which of these fields are needed.',
    }),
  ),
};

export const NewBeneficiaryShape = Type.Object(details, {
  title: 'NewBeneficiary',
  description: 'Who receives the money, with the fields that `GET /beneficiaries/requirements` lists.',
  additionalProperties: false,
  examples: mexican.map(exampleOf),
});

export const BeneficiaryShape = Type.Object(
  { id, ...details, ...times },
  {
    title: 'Beneficiary',
    examples: mexican.map((destination) => ({ id: idExample, ...exampleOf(destination), ...timesExample })),
  },
);

export const BeneficiarySummaryShape = Type.Object(
  {
    id,
    country,
    currency,
    method,
    type,
    name: Type.String({
      description: 'A person’s first name and the initial of the last name, or the company.',
    }),
    account: textOrNull('The end of the account number, mobile number or key; null for cash.'),
    ...times,
  },
  {
    title: 'BeneficiarySummary',
    examples: [
      {
        id: idExample,
        country: 'MX',
        currency: 'MXN',
        method: 'bank_account',
        type: 'person',
        name: 'María José G.',
        account: '****9719',
        ...timesExample,
      },
    ],
  },
);

export const BeneficiaryPath = Type.Object({ id });

export const DestinationQuery = Type.Object({ country, currency, method }, { additionalProperties: false });
export const DestinationFilter = Type.Partial(Type.Object({ country, currency, method }), {
  additionalProperties: false,
});
export const DestinationShape = Type.Object(
  { country, currency, method },
  { title: 'Destination', examples: [{ country: 'MX', currency: 'MXN', method: 'bank_account' }] },
);

const OptionShape = Type.Object({
  value: Type.String({ description: 'What to send.' }),
  label: Type.String({ description: 'What to show.' }),
});

const RequirementFieldShape = Type.Object({
  name: Type.String({
    description: 'The path of the value in the request. A dot leads into an object: `account.clabe`.',
  }),
  label: Type.String({ description: 'What to call it in a form, in English.' }),
  type: Type.Enum(['text', 'phone', 'select'], { description: 'The kind of input.' }),
  required: Type.Boolean({ description: 'Whether it must be sent.' }),
  onlyFor: Type.Union([type, Type.Null()], {
    description: 'The `type` of beneficiary that the field belongs to; null for both. Leave it out for the other.',
  }),
  hint: Type.String({ description: 'What is expected, for people.' }),
  pattern: Type.String({
    description:
      'What the value must match, after spaces, dots, slashes and hyphens are removed from account numbers: an ECMAScript pattern with the flag `u`.',
  }),
  minLength: Type.Integer({ description: 'The least number of characters.' }),
  maxLength: Type.Integer({ description: 'The largest number of characters.' }),
  example: Type.String({ description: 'A value that is accepted.' }),
  options: Type.Optional(Type.Array(OptionShape, { description: 'All values that a `select` accepts.' })),
});

export const RequirementsShape = Type.Object(
  {
    country,
    currency,
    method,
    types: Type.Array(type, { description: 'Who may receive this way.' }),
    fields: Type.Array(RequirementFieldShape, { description: 'In the order in which a form shows them.' }),
    example: Type.Unsafe<Record<string, unknown>>({
      ...Type.Object({}, { additionalProperties: true }),
      description: 'A complete body for `POST /beneficiaries`, for a person.',
    }),
    sender: Type.Array(OriginatorDemandShape, {
      description: 'What the law may ask to know of the sender when money goes to this country.',
    }),
  },
  {
    title: 'BeneficiaryRequirements',
    examples: mexican.map((destination) => ({
      country: 'MX',
      currency: 'MXN',
      method: 'bank_account',
      types: ['person', 'company'],
      fields: publishedFields(destination).filter(({ options }) => options === undefined),
      example: exampleOf(destination),
      sender: [originatorDemandExample],
    })),
  },
);

/** Each field once, by the last part of its name, as an optional text. */
function texts(fields: readonly Field[]) {
  const labels = new Map<string, Set<string>>();
  for (const { name, label } of fields) {
    const key = name.split('.').at(-1) ?? name;
    labels.set(key, (labels.get(key) ?? new Set()).add(label));
  }
  const entries = [...labels].map(([key, found]) => {
    return [key, Type.Optional(Type.String({ description: `${[...found].join(', or ')}.` }))] as const;
  });
  return Object.fromEntries(entries);
}
