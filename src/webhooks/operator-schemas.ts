/** The shapes of notifications as operators see them. */
import Type from 'typebox';
import {
  attemptExample,
  attemptFields,
  ChannelShape,
  DeliveryShape,
  DeliveryStateShape,
  deliveryExample,
  endpointExample,
  endpointFields,
  eventExample,
  StatusShape,
  Time,
} from './schemas.js';

export const OperatorAttemptShape = Type.Object(
  {
    ...attemptFields,
    answerStart: Type.Optional(Type.String({ description: 'The first KiB of what it answered.' })),
  },
  { title: 'OperatorAttempt', examples: [{ ...attemptExample, answerStart: 'ok' }] },
);

export const OperatorEndpointShape = Type.Object(
  {
    clientId: Type.String(),
    ...endpointFields,
    failingSince: Type.Optional(Time),
    lanes: Type.Integer({ description: 'How many attempts may be under way at once.' }),
    pending: Type.Integer({ description: 'Events to be sent, counted up to 10,000.' }),
    oldestDueAt: Type.Optional(Time),
  },
  {
    title: 'OperatorWebhook',
    examples: [{ clientId: 'acme', ...endpointExample, lanes: 4, pending: 0 }],
  },
);
export const OperatorEndpointQuery = Type.Object(
  {
    status: Type.Optional(StatusShape),
    clientId: Type.Optional(Type.String()),
    after: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}-(kyc|order)$' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  },
  { additionalProperties: false },
);
export const OperatorChannelPath = Type.Object({ clientId: Type.String(), channel: ChannelShape });
export const OperatorEventPath = Type.Object({ clientId: Type.String(), id: Type.String() });
export const OperatorEventQuery = Type.Object(
  {
    state: Type.Optional(DeliveryStateShape),
    after: Type.Optional(Type.Integer({ minimum: 0 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  },
  { additionalProperties: false },
);
export const OperatorEventShape = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    subject: Type.String(),
    timestamp: Time,
    sequence: Type.Integer(),
    delivery: Type.Optional(DeliveryShape),
  },
  {
    title: 'OperatorEvent',
    examples: [
      {
        id: eventExample.id,
        type: eventExample.type,
        subject: 'kyc_1T9X5B3N6H0C7D2FW7ZQ4M1K8V',
        timestamp: eventExample.timestamp,
        sequence: 12,
        delivery: deliveryExample,
      },
    ],
  },
);
