/** The shapes of webhooks in the API. */

import Type from 'typebox';
import { channels } from '../changes/event.js';
import { pageLimit, time } from '../http/shapes.js';
import { failureReasons } from './delivery/attempt.js';
import { injectableFaults, shownStates } from './delivery/delivery.js';

export { time as timeShape } from '../http/shapes.js';
export const ChannelShape = Type.Enum([...channels], {
  description: 'The channel. Each has its own url and its own sequence.',
});
const FaultShape = Type.Enum([...injectableFaults], {
  description: 'In the sandbox: the fault that was injected into this event.',
});

export const UrlShape = Type.Object(
  {
    url: Type.String({ description: 'The address that notifications are sent to; at most 2048 characters.' }),
    traceparent: Type.Optional(
      Type.Boolean({
        description:
          'Whether notifications carry a `traceparent` header (W3C Trace Context), so that your traces continue ours. ' +
          'Absent: as it was, and not at first. Only instances that trace send it.',
      }),
    ),
  },
  {
    title: 'WebhookUrl',
    additionalProperties: false,
    examples: [{ url: 'https://merchant.example/hooks/remesa' }],
  },
);

const StatusShape = Type.Enum(['active', 'disabled'], {
  description: 'Nothing is sent to a disabled url.',
});
export const endpointFields = {
  channel: ChannelShape,
  url: Type.String({ description: 'The registered url.' }),
  status: StatusShape,
  disabledBecause: Type.Optional(
    Type.Enum(['gone', 'failing'], {
      description: '`gone`: it answered 410. `failing`: every attempt failed for five days.',
    }),
  ),
  disabledAt: Type.Optional(time('When it was disabled.')),
  registeredAt: time('When it was registered.'),
  traceparent: Type.Boolean({ description: 'Whether notifications carry a `traceparent` header.' }),
  lastSuccessAt: Type.Optional(time('When the last delivery succeeded.')),
  lastFailureAt: Type.Optional(time('When the last attempt failed.')),
  consecutiveFailures: Type.Integer({ description: 'Failed attempts since the last success.' }),
  pausedUntil: Type.Optional(
    time('After too many failures nothing is sent until this time. Waiting uses up no attempt.'),
  ),
};
export const endpointExample = {
  channel: 'kyc',
  url: 'https://merchant.example/hooks/remesa',
  status: 'active',
  registeredAt: '2026-11-15T09:30:00.000Z',
  traceparent: false,
  lastSuccessAt: '2026-11-15T09:41:12.000Z',
  consecutiveFailures: 0,
};
export const EndpointShape = Type.Object(endpointFields, {
  title: 'WebhookEndpoint',
  description: 'A registered url and its health.',
  examples: [endpointExample],
});

const KeyShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the key.' }),
    publicKey: Type.String({ description: '`whpk_`, then the 32 bytes of an Ed25519 public key in base64.' }),
  },
  { title: 'WebhookKey' },
);
const keyExample = { id: '3f1d9a0c5be27f44', publicKey: 'whpk_G1pHkqv0mQ9hZbB0aH5r0Lk1m2f0w3o5y9m3J0tq1mY=' };

export const KeysShape = Type.Object(
  { keys: Type.Array(KeyShape, { description: 'The public keys of `v1a` signatures.' }) },
  { title: 'WebhookKeys', examples: [{ keys: [keyExample] }] },
);

export const RegistrationShape = Type.Object(
  {
    endpoints: Type.Array(EndpointShape, {
      description: 'The registered urls, at most one for each channel.',
    }),
    keys: Type.Array(KeyShape, { description: 'The public keys that verify `v1a` signatures.' }),
    secrets: Type.Array(
      Type.Object({
        createdAt: time('When the secret was created.'),
        expiresAt: Type.Optional(time('When the secret stops signing.')),
      }),
      { description: 'The secrets that sign `v1` now. A secret itself is shown only when it is created.' },
    ),
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
        description:
          '`day` (default): the previous secret keeps signing for 24 hours. `none`: all previous secrets end at once; use it for a leaked secret.',
      }),
    ),
  },
  { additionalProperties: false },
);
export const NewSecretShape = Type.Object(
  {
    secret: Type.String({
      description: '`whsec_`, then the key of the HMAC in base64. Shown only here: store it now.',
    }),
    previousSignsUntil: Type.Optional(time('The previous secret also signs until this time.')),
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
  {
    channel: Type.Optional(
      Type.Enum([...channels], { description: 'Only to the url of this channel. Absent: to every url.' }),
    ),
  },
  { title: 'WebhookTest', additionalProperties: false, examples: [{ channel: 'kyc' }] },
);
export const TestAnswer = Type.Object(
  {
    events: Type.Array(
      Type.Object({ id: Type.String({ description: 'The id of the event.' }), channel: ChannelShape }),
      { description: 'One test event for each url.' },
    ),
  },
  {
    title: 'WebhookTestEvents',
    examples: [{ events: [{ id: 'evt_7ZQ4M1K8V2T9X5B3N6H0C7D2FW', channel: 'kyc' }] }],
  },
);

export const DeliveryStateShape = Type.Enum([...shownStates], {
  description:
    '`pending`: waits for its next attempt. `held`: the url is disabled. `exhausted`: every attempt failed. `dropped`: it will not be sent.',
});
export const DeliveryShape = Type.Object(
  {
    state: DeliveryStateShape,
    attempts: Type.Integer({ description: 'Attempts so far, since the last redelivery.' }),
    nextAttemptAt: Type.Optional(time('When the next attempt is due.')),
    deliveredAt: Type.Optional(time('When it was delivered.')),
    injectedFault: Type.Optional(FaultShape),
  },
  {
    title: 'Delivery',
    description: 'The state of the delivery. Absent in `GET /events`, and when no url was registered.',
  },
);
export const deliveryExample = { state: 'delivered', attempts: 1, deliveredAt: '2026-11-15T09:30:00.120Z' };
export const EventQuery = Type.Object(
  {
    channel: Type.Enum([...channels], { description: 'Only events of this channel.' }),
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only events with a larger sequence; 0 (default) for all.' }),
    ),
    limit: pageLimit(100, 1000),
  },
  { additionalProperties: false },
);
export const EventPath = Type.Object({ id: Type.String({ description: 'The id of the event.' }) });

export const attemptFields = {
  attempt: Type.Integer({ description: 'The number of the attempt. Redeliveries continue the count.' }),
  startedAt: time('When the attempt began.'),
  durationMs: Type.Integer({ description: 'How long it took, in milliseconds.' }),
  url: Type.String({ description: 'The url that it was sent to.' }),
  outcome: Type.Enum(['delivered', 'refused_status', ...failureReasons], {
    description: '`delivered`: the url answered 2xx. `refused_status`: it answered with another status.',
  }),
  status: Type.Optional(Type.Integer({ description: 'The status that the url answered with, if it answered.' })),
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
