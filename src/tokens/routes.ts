/** Routes for operators: signing keys. */

import Type from 'typebox';
import { command, type Route, read } from '../http/route.js';
import { time } from '../http/shapes.js';
import { listSigningKeys, rotateSigningKeys } from './service.js';

const KeyShape = Type.Object(
  {
    keyId: Type.String({ description: 'The id of the key, as in the header `kid` of a token.' }),
    activatesAt: time('When the key starts to sign tokens.'),
    expiresAt: Type.Optional(
      time('When tokens of this key are no longer accepted. Absent: no newer key has replaced it.'),
    ),
  },
  { title: 'SigningKey', examples: [{ keyId: 'n3xQ…', activatesAt: '2026-11-15T09:30:00.000Z' }] },
);
const RotationShape = Type.Object(
  {
    emergency: Type.Optional(
      Type.Boolean({
        description: 'For a leaked key: all other keys expire at once, and so does every token.',
      }),
    ),
  },
  { title: 'KeyRotation', additionalProperties: false, examples: [{ emergency: false }] },
);
const RotatedShape = Type.Object(
  {
    keyId: Type.String({ description: 'The id of the new key.' }),
    activatesInSeconds: Type.Integer({ description: 'In how many seconds it starts to sign tokens.' }),
    othersExpireInSeconds: Type.Integer({ description: 'In how many seconds the other keys expire.' }),
  },
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
      summary: 'List the signing keys',
      returns: 'Every signing key that has not expired.',
      access: { token: 'operator', role: 'viewer' },
      answer: Type.Array(KeyShape),
      async run(_call, database) {
        const keys = await listSigningKeys(database);
        return keys.map(({ keyId, activatesAt, expiresAt }) => ({
          keyId,
          activatesAt: activatesAt.toISOString(),
          ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}),
        }));
      },
    }),
    command({
      tag: 'Keys',
      method: 'POST',
      path: '/operator/keys/rotate',
      operationId: 'rotateSigningKeys',
      asksPassword: true,
      summary: 'Rotate the signing key',
      subject: 'instance',
      description: 'Existing tokens stay valid, unless `emergency` is set.',
      returns: 'The new key, and when it takes over.',
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
