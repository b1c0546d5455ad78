/** The shapes of notifications on the wire. */
import Type from 'typebox';
import { failureReasons } from './attempt.js';
import { injectableFaults, shownStates } from './delivery.js';
import { channels } from './event.js';

export const Time = Type.String({ format: 'date-time' });
export const ChannelShape = Type.Enum([...channels], { description: 'What a url is registered for.' });
const FaultShape = Type.Enum([...injectableFaults], {
  description: 'In the sandbox: what it was asked to do to this event.',
});

export const UrlShape = Type.Object(
  { url: Type.String({ description: 'Where notifications are sent, at most 2048 characters.' }) },
  {
    title: 'WebhookUrl',
    additionalProperties: false,
    examples: [{ url: 'https://merchant.example/hooks/remesa' }],
  },
);

export const StatusShape = Type.Enum(['active', 'disabled']);
export const endpointFields = {
  channel: ChannelShape,
  url: Type.String(),
  status: StatusShape,
  disabledBecause: Type.Optional(
    Type.Enum(['gone', 'failing'], {
      description: 'It answered 410, or nothing but failures came for five days.',
    }),
  ),
  disabledAt: Type.Optional(Time),
  registeredAt: Time,
  lastSuccessAt: Type.Optional(Time),
  lastFailureAt: Type.Optional(Time),
  consecutiveFailures: Type.Integer(),
  pausedUntil: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'After too many failures nothing is sent until then; waiting uses up no attempt.',
    }),
  ),
};
export const endpointExample = {
  channel: 'kyc',
  url: 'https://merchant.example/hooks/remesa',
  status: 'active',
  registeredAt: '2026-11-15T09:30:00.000Z',
  lastSuccessAt: '2026-11-15T09:41:12.000Z',
  consecutiveFailures: 0,
};
export const EndpointShape = Type.Object(endpointFields, {
  title: 'WebhookEndpoint',
  examples: [endpointExample],
});

const KeyShape = Type.Object(
  {
    id: Type.String(),
    publicKey: Type.String({ description: 'The 32 bytes of an Ed25519 key in base64, after `whpk_`.' }),
  },
  { title: 'WebhookKey' },
);
const keyExample = { id: '3f1d9a0c5be27f44', publicKey: 'whpk_G1pHkqv0mQ9hZbB0aH5r0Lk1m2f0w3o5y9m3J0tq1mY=' };

export const KeysShape = Type.Object(
  { keys: Type.Array(KeyShape) },
  { title: 'WebhookKeys', examples: [{ keys: [keyExample] }] },
);

export const RegistrationShape = Type.Object(
  {
    endpoints: Type.Array(EndpointShape),
    keys: Type.Array(KeyShape, { description: 'What verifies `v1a` signatures.' }),
    secrets: Type.Array(Type.Object({ createdAt: Time, expiresAt: Type.Optional(Time) }), {
      description: 'The secrets that sign `v1` now; what they are was told when they were made.',
    }),
  },
  {
    title: 'WebhookRegistration',
    examples: [
      {
        endpoints: [endpointExample],
        keys: [keyExample],
        secrets: [{ createdAt: '2026-11-15T09:31:00.000Z' }],
      },
    ],
  },
);

export const RotationQuery = Type.Object(
  {
    overlap: Type.Optional(
      Type.Enum(['day', 'none'], {
        description: '`none` is for a secret that has leaked: all previous secrets end at once.',
      }),
    ),
  },
  { additionalProperties: false },
);
export const NewSecretShape = Type.Object(
  {
    secret: Type.String({ description: 'Shown only here; store it.' }),
    previousSignsUntil: Type.Optional(
      Type.String({ format: 'date-time', description: 'Until then the previous secret also signs.' }),
    ),
  },
  {
    title: 'WebhookSecret',
    examples: [
      {
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
        previousSignsUntil: '2026-11-16T09:30:00.000Z',
      },
    ],
  },
);

export const TestRequest = Type.Object(
  { channel: Type.Optional(ChannelShape) },
  { title: 'WebhookTest', additionalProperties: false, examples: [{ channel: 'kyc' }] },
);
export const TestAnswer = Type.Object(
  { events: Type.Array(Type.Object({ id: Type.String(), channel: ChannelShape })) },
  {
    title: 'WebhookTestEvents',
    examples: [{ events: [{ id: 'evt_7ZQ4M1K8V2T9X5B3N6H0C7D2FW', channel: 'kyc' }] }],
  },
);

const contentFields = {
  type: Type.String({ description: '`order.<state>`, `kyc.<state>`, `kyc.expiring`, `webhook.test`.' }),
  timestamp: Time,
  data: Type.Object({
    object: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'The order or case as its GET showed it; null once 30 days are over.',
    }),
    previousStatus: Type.Union([Type.String(), Type.Null()]),
    sequence: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Without a gap in each channel; null for a test.',
    }),
  }),
};
const eventFields = {
  id: Type.String({ description: 'The same in `webhook-id`, at every attempt.' }),
  channel: ChannelShape,
  ...contentFields,
};
const contentExample = {
  type: 'kyc.submitted',
  timestamp: '2026-11-15T09:30:00.000Z',
  data: {
    object: { id: 'kyc_1T9X5B3N6H0C7D2FW7ZQ4M1K8V', status: 'SUBMITTED' },
    previousStatus: 'PENDING',
    sequence: 12,
  },
};
export const eventExample = { id: 'evt_7ZQ4M1K8V2T9X5B3N6H0C7D2FW', channel: 'kyc', ...contentExample };
/** The body that is sent. */
export const NotificationShape = Type.Object(contentFields, {
  title: 'Notification',
  examples: [contentExample],
});
export const NotificationHeaders = Type.Object({
  'webhook-id': Type.String({ description: 'The id of the event: the same at every attempt.' }),
  'webhook-timestamp': Type.String({ description: 'When this attempt was signed, in seconds since 1970.' }),
  'webhook-signature': Type.String({
    description: 'Signatures with spaces between them: `v1a,…` (Ed25519), and `v1,…` once you have a secret.',
  }),
});
export const EventShape = Type.Object(eventFields, { title: 'Event', examples: [eventExample] });

export const DeliveryStateShape = Type.Enum([...shownStates], {
  description: 'held: the url is disabled. exhausted: every attempt failed. dropped: not pushed any more.',
});
export const DeliveryShape = Type.Object(
  {
    state: DeliveryStateShape,
    attempts: Type.Integer({ description: 'Since it was last put on its way.' }),
    nextAttemptAt: Type.Optional(Time),
    deliveredAt: Type.Optional(Time),
    injectedFault: Type.Optional(FaultShape),
  },
  { title: 'Delivery' },
);
export const deliveryExample = { state: 'delivered', attempts: 1, deliveredAt: '2026-11-15T09:30:00.120Z' };
export const EventDetailsShape = Type.Object(
  { ...eventFields, delivery: Type.Optional(DeliveryShape) },
  { title: 'EventDetails', examples: [{ ...eventExample, delivery: deliveryExample }] },
);

export const EventQuery = Type.Object(
  {
    channel: ChannelShape,
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only events with a larger sequence; 0 for all.' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'At most so many; 100 if left out.' }),
    ),
  },
  { additionalProperties: false },
);
export const EventPath = Type.Object({ id: Type.String() });

export const attemptFields = {
  attempt: Type.Integer({ description: 'Runs on over redeliveries.' }),
  startedAt: Time,
  durationMs: Type.Integer(),
  url: Type.String(),
  outcome: Type.Enum(['delivered', 'refused_status', ...failureReasons]),
  status: Type.Optional(Type.Integer({ description: 'What it answered, if it did.' })),
};
export const attemptExample = {
  attempt: 1,
  startedAt: '2026-11-15T09:30:00.080Z',
  durationMs: 40,
  url: 'https://merchant.example/hooks/remesa',
  outcome: 'delivered',
  status: 200,
};
export const AttemptShape = Type.Object(attemptFields, { title: 'Attempt', examples: [attemptExample] });
