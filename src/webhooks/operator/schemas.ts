/** The shapes of webhooks in the operator API. */

import Type from 'typebox';
import { pageLimit, pageStart, time } from '../../http/shapes.js';
import {
  attemptExample,
  attemptFields,
  ChannelShape,
  DeliveryShape,
  DeliveryStateShape,
  deliveryExample,
  endpointExample,
  endpointFields,
} from '../schemas.js';

export const OperatorAttemptShape = Type.Object(
  {
    ...attemptFields,
    answerStart: Type.Optional(Type.String({ description: 'The first KiB of the answer.' })),
  },
  { title: 'OperatorAttempt', examples: [{ ...attemptExample, answerStart: 'ok' }] },
);

export const OperatorEndpointShape = Type.Object(
  {
    clientId: Type.String({ description: 'The client id of the merchant.' }),
    ...endpointFields,
    failingSince: Type.Optional(time('Since when every attempt has failed.')),
    lanes: Type.Integer({ description: 'How many attempts may run at once.' }),
    pending: Type.Integer({ description: 'Events that wait to be sent, counted up to 10,000.' }),
    oldestDueAt: Type.Optional(time('Since when the oldest of them has been due.')),
  },
  {
    title: 'OperatorWebhook',
    examples: [{ clientId: 'acme', ...endpointExample, lanes: 4, pending: 0 }],
  },
);
export const OperatorEndpointQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum(['active', 'disabled'], { description: 'Only urls with this status.' })),
    clientId: Type.Optional(Type.String({ description: 'Only the urls of this merchant.' })),
    after: pageStart('^[0-9]{1,15}-(kyc|order)$'),
    limit: pageLimit(100, 1000),
  },
  { additionalProperties: false },
);
const ClientId = Type.String({ description: 'The client id of the merchant.' });
export const OperatorChannelPath = Type.Object({ clientId: ClientId, channel: ChannelShape });
export const OperatorEventPath = Type.Object({
  clientId: ClientId,
  id: Type.String({ description: 'The id of the event.' }),
});
export const OperatorEventQuery = Type.Object(
  {
    state: Type.Optional(DeliveryStateShape),
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only events with a larger sequence.' })),
    limit: pageLimit(100, 1000),
  },
  { additionalProperties: false },
);
export const OperatorEventShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the event.' }),
    type: Type.String({ description: 'The type of the event.' }),
    subject: Type.String({ description: 'The id of the case or order that it is about.' }),
    timestamp: time('When it happened.'),
    sequence: Type.Integer({ description: 'Its number in the channel.' }),
    delivery: Type.Optional(DeliveryShape),
  },
  {
    title: 'OperatorEvent',
    examples: [
      {
        id: 'evt_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
        type: 'kyc.submitted',
        subject: 'kyc_1T9X5B3N6H0C7D2FW7ZQ4M1K8V',
        timestamp: '2026-11-15T09:30:00.000Z',
        sequence: 12,
        delivery: deliveryExample,
      },
    ],
  },
);
