/** Makes another merchant of a sandbox, so that tests do not share clock, orders and notifications. */
import Type from 'typebox';
import { RemesaError } from '../errors.js';
import { command, type Route } from '../http/route.js';
import { createMerchant, listMerchants } from '../merchants/service.js';

/** More would only fill the database of a sandbox that others use too. */
const merchantsAtMost = 1000;

const NewMerchantShape = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 120, description: 'What users see; `Test merchant` by default.' }),
    ),
  },
  { title: 'NewTestMerchant', additionalProperties: false, examples: [{ name: 'Nightly tests' }] },
);
const MadeMerchantShape = Type.Object(
  {
    clientId: Type.String({ description: 'The client id.' }),
    clientSecret: Type.String({ description: 'The client secret. It is only in this answer.' }),
  },
  {
    title: 'TestMerchant',
    examples: [{ clientId: 'client_9f86d081884c7d659a', clientSecret: 'rms_6Rk3…' }],
  },
);

export function sandboxMerchantRoutes(): Route[] {
  return [
    command({
      tag: 'Sandbox',
      access: { token: 'merchant', scope: 'orders', user: 'none' },
      method: 'POST',
      path: '/sandbox/merchants',
      operationId: 'createSandboxMerchant',
      summary: 'Create a merchant of your own',
      description:
        'A new merchant has its own clock, users, orders and urls of notifications. Use one for each run of your tests.',
      returns: 'The credentials of the merchant.',
      body: NewMerchantShape,
      answer: MadeMerchantShape,
      idempotency: false,
      refusals: ['too_many_merchants'],
      async run({ by, body: { name = 'Test merchant' } }, tx) {
        const known = await listMerchants(tx, 0, merchantsAtMost);
        if (known.length >= merchantsAtMost) throw tooMany();
        const { clientId, clientSecret } = await createMerchant(tx, by, { name });
        return { clientId, clientSecret };
      },
    }),
  ];
}

function tooMany(): RemesaError {
  const message = `A sandbox has at most ${merchantsAtMost} merchants.`;
  return new RemesaError('conflict', 'too_many_merchants', message, { members: { max: merchantsAtMost } });
}
