/** The shapes of countries in the operator API. */
import Type from 'typebox';
import { PendingApprovalShape } from '../http/four-eyes.js';
import { requiredAnswers, treatments } from './policy.js';

const treatment = (description: string) => Type.Enum([...treatments], { description });
const terms = {
  residence: treatment('People who live there. `enhanced`: a person looks at each KYC case and each order.'),
  nationality: treatment('People with that nationality or a document of that country.'),
  payout: treatment('Money that is paid out there.'),
  answers: Type.Array(Type.Enum([...requiredAnswers]), {
    maxItems: requiredAnswers.length,
    uniqueItems: true,
    description: 'What an order to that country must state.',
  }),
};

export const CountryPath = Type.Object({
  country: Type.String({
    pattern: '^[A-Z]{2}$',
    description: 'The country (ISO 3166, two letters).',
    examples: ['KE'],
  }),
});

export const CountryPolicyShape = Type.Object(
  {
    country: Type.String({ description: 'The country.' }),
    ...terms,
    sources: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The list.' }),
        source: Type.String({ description: 'Where it is published.' }),
        date: Type.String({ format: 'date', description: 'As of when it was copied.' }),
      }),
      { description: 'The lists that name the country.' },
    ),
    isDefault: Type.Boolean({ description: 'Whether the default of the program holds, or an operator has decided.' }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'Why the operator decided so.' }),
    version: Type.Integer({ minimum: 0, description: 'Counts decisions; 0 for the default. Send it back with yours.' }),
    pendingApproval: Type.Optional(PendingApprovalShape),
  },
  {
    title: 'CountryPolicy',
    examples: [
      {
        country: 'KE',
        residence: 'enhanced',
        nationality: 'enhanced',
        payout: 'enhanced',
        answers: ['sourceOfFunds'],
        sources: [
          {
            name: 'FATF jurisdictions under increased monitoring',
            source: 'https://www.fatf-gafi.org/en/publications/High-risk-and-other-monitored-jurisdictions.html',
            date: '2026-02-13',
          },
        ],
        isDefault: true,
        reason: null,
        version: 0,
      },
    ],
  },
);

export const DecidedPolicyBody = Type.Object(
  {
    ...terms,
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Why. The audit log keeps it.' }),
    version: Type.Integer({ minimum: 0, description: 'The `version` that you read.' }),
  },
  {
    title: 'DecidedCountryPolicy',
    additionalProperties: false,
    examples: [
      {
        residence: 'enhanced',
        nationality: 'allowed',
        payout: 'allowed',
        answers: ['sourceOfFunds'],
        reason: 'Our risk assessment of 2026, section 4.',
        version: 0,
      },
    ],
  },
);
