/** What operators do with signing keys. */
import Type from 'typebox';
import { command, type Route, read } from '../http/route.js';
import { rotateSigningKeys } from './service.js';
import { listSigningKeys } from './store.js';

const KeyShape = Type.Object(
  {
    keyId: Type.String(),
    activatesAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { title: 'SigningKey', examples: [{ keyId: 'n3xQ…', activatesAt: '2026-11-15T09:30:00.000Z' }] },
);
const RotationShape = Type.Object(
  {
    emergency: Type.Optional(
      Type.Boolean({ description: 'All other keys are refused at once, and every token that they signed.' }),
    ),
  },
  { title: 'KeyRotation', additionalProperties: false, examples: [{ emergency: false }] },
);
const RotatedShape = Type.Object(
  { keyId: Type.String(), activatesInSeconds: Type.Integer(), othersExpireInSeconds: Type.Integer() },
  {
    title: 'RotatedKey',
    examples: [{ keyId: 'n3xQ…', activatesInSeconds: 1200, othersExpireInSeconds: 4860 }],
  },
);

export function signingKeyRoutes(sealingKey: Buffer): Route[] {
  return [
    read({
      tag: 'Keys',
      method: 'GET',
      path: '/operator/keys',
      operationId: 'listSigningKeys',
      summary: 'The signing keys that are not expired',
      access: { token: 'operator', role: 'viewer' },
      answer: Type.Array(KeyShape),
      async run(_call, database) {
        const keys = await listSigningKeys(database);
        return keys.map(({ keyId, activatesAt, expiresAt }) => ({
          keyId,
          activatesAt: activatesAt.toISOString(),
          ...(expiresAt instanceof Date ? { expiresAt: expiresAt.toISOString() } : {}),
        }));
      },
    }),
    command({
      tag: 'Keys',
      method: 'POST',
      path: '/operator/keys/rotate',
      operationId: 'rotateSigningKeys',
      summary: 'Begin to sign with a new key',
      access: { token: 'operator', role: 'admin' },
      body: RotationShape,
      answer: RotatedShape,
      async run(call, tx) {
        const emergency = call.body.emergency ?? false;
        return { ...(await rotateSigningKeys(tx, { sealingKey, actor: call.caller, emergency })) };
      },
    }),
  ];
}
