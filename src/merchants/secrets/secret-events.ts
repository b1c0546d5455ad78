/** What a merchant is told when its secrets change. So it notices one that somebody else made. */
import Type from 'typebox';
import type { NewEvent } from '../../changes/event.js';
import type { Merchant, Secret } from '../merchant.js';
import { encodeSecret, SecretsShape, secretsExample } from './secret-schemas.js';

const summaries = {
  'merchant.secret_rotated': 'A new client secret was made for you; ask the operator if you did not order it',
  'merchant.secret_created': 'A restricted secret was made for you; ask the operator if you did not order it',
  'merchant.secret_ended': 'One of your client secrets was ended, and all your tokens',
};

/** On the channel of orders, because whoever has a secret can send money in the name of the merchant. */
export const secretEventTypes = Object.entries(summaries).map(([type, summary]) => ({
  type,
  channel: 'order' as const,
  summary,
  object: Type.Unsafe({
    description: 'Your secrets, as `GET /merchant/secrets` showed them at that moment.',
    allOf: [SecretsShape],
  }),
  objectExample: secretsExample,
  previousStatus: Type.Null(),
  previousStatusExample: null,
}));

export function secretsEvent(type: string, { clientId }: Merchant, secrets: readonly Secret[]): NewEvent {
  const object = { clientId, secrets: secrets.map(encodeSecret) };
  return { channel: 'order', type, object, previousStatus: null };
}
