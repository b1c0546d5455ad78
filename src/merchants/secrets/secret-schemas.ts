/** The shapes of client secrets on the wire. */
import Type, { type Static } from 'typebox';
import { grantableScopes, scopes } from '../../caller.js';
import { time } from '../../http/shapes.js';
import type { Secret } from '../merchant.js';

export const secretsExample = {
  clientId: 'acme',
  secrets: [
    { secretId: '12', createdAt: '2026-11-15T09:30:00.000Z', madeBy: 'merchant' },
    {
      secretId: '9',
      createdAt: '2026-05-20T08:00:00.000Z',
      madeBy: 'merchant',
      name: 'Reports',
      scopes: ['orders.read'],
    },
    { secretId: '7', createdAt: '2026-03-02T14:10:00.000Z', madeBy: 'operator' },
  ],
};

const name = Type.String({ minLength: 1, maxLength: 80, description: 'What it is for. You see it in the list.' });
const SecretScopes = Type.Array(Type.Enum([...grantableScopes]), {
  minItems: 1,
  maxItems: grantableScopes.length,
  uniqueItems: true,
  description: `The scopes that its tokens can have: ${scopes.join(', ')}. With \`.read\` at its end, a scope allows only GET.`,
});
const currentSecret = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'A secret of yours that is not restricted. So a token alone, which may be stolen, changes no secrets.',
});

export const SecretsShape = Type.Object(
  {
    clientId: Type.String({ description: 'The client id of the merchant.' }),
    secrets: Type.Array(
      Type.Object({
        secretId: Type.String({ description: 'The id of the secret.' }),
        createdAt: time('When it was made.'),
        madeBy: Type.Enum(['operator', 'merchant'], { description: 'Who made it.' }),
        name: Type.Optional(name),
        scopes: Type.Optional(SecretScopes),
      }),
      {
        description:
          'The secrets that work, the newest first. They are not shown again. One with `scopes` is restricted to them.',
      },
    ),
  },
  { title: 'ClientSecrets', examples: [secretsExample] },
);

export const OwnRotationShape = Type.Object(
  { currentSecret },
  { title: 'OwnSecretRotation', additionalProperties: false, examples: [{ currentSecret: 'rms_6Rk3…' }] },
);

export const NewOwnSecretShape = Type.Object(
  { currentSecret, name, scopes: SecretScopes },
  {
    title: 'NewRestrictedSecret',
    additionalProperties: false,
    examples: [{ currentSecret: 'rms_6Rk3…', name: 'Reports', scopes: ['orders.read'] }],
  },
);

export const OwnSecretShape = Type.Object(
  {
    clientId: Type.String({ description: 'Your client id.' }),
    secretId: Type.String({ description: 'The id of the new secret.' }),
    clientSecret: Type.String({ description: 'The secret. Shown once; only its hash is stored.' }),
  },
  { title: 'OwnSecret', examples: [{ clientId: 'acme', secretId: '12', clientSecret: 'rms_9Tw5…' }] },
);

export function encodeSecret(secret: Secret): Static<typeof SecretsShape>['secrets'][number] {
  const { secretId, createdAt, madeBy, restricted } = secret;
  const shown = { secretId, createdAt: createdAt.toISOString(), madeBy };
  return restricted ? { ...shown, name: restricted.name, scopes: [...restricted.scopes] } : shown;
}
