/** Shows the test values of the sandbox. */
import Type from 'typebox';
import { destinations, exampleOf } from '../../beneficiaries/requirements.js';
import { JsonText } from '../../http/answers/answer.js';
import { type Route, read } from '../../http/route.js';
import { zones } from '../../kyc/cases/case.js';
import { identities } from './identities.js';
import { valueGroups } from './values.js';

const words = (description: string) => Type.String({ description });
const fields = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const TestValuesShape = Type.Object(
  {
    groups: Type.Array(
      Type.Object({
        title: words('What the values are about.'),
        field: words('Where to send them.'),
        values: Type.Array(Type.Object({ value: words('What to send.'), outcome: words('What happens then.') }), {
          description: 'The values.',
        }),
      }),
      { description: 'Values by what they are about.' },
    ),
    identities: Type.Array(
      Type.Object({
        zone: Type.Enum([...zones], { description: 'The zone of the identity.' }),
        profile: fields('The body of `POST /user`.'),
        answers: fields('What the form asks besides that for `LEVEL_1`, by question.'),
      }),
      { description: 'An invented person for each zone.' },
    ),
    beneficiaries: Type.Array(fields('A body of `POST /beneficiaries`.'), {
      description: 'One for each country, currency and method, with a valid account number.',
    }),
  },
  {
    title: 'TestValues',
    examples: [
      {
        groups: [
          {
            title: 'Payouts',
            field: '`lastName` of the beneficiary',
            values: [{ value: 'Invalid', outcome: 'rejected at once' }],
          },
        ],
        identities: [{ zone: 'CA', profile: { firstName: 'Chloe' }, answers: { nationality: 'CA' } }],
        beneficiaries: [{ country: 'MX', currency: 'MXN', method: 'bank_account' }],
      },
    ],
  },
);

/** It never changes while the service runs. */
const text = JSON.stringify({
  groups: valueGroups,
  identities,
  beneficiaries: destinations.map(exampleOf),
});

export function testValueRoutes(): Route[] {
  return [
    read({
      tag: 'Sandbox',
      method: 'GET',
      path: '/sandbox/test-values',
      operationId: 'listTestValues',
      summary: 'List values that trigger an outcome',
      description: 'The same as the guide [Test values](docs/guides/sandbox-values).',
      returns: 'Values by what they are about, an identity for each zone, and a beneficiary for each destination.',
      access: { token: 'merchant', scope: 'orders', user: 'none' },
      answer: TestValuesShape,
      run: async () => new JsonText(text),
    }),
  ];
}
