/**
 * The shapes of events, one for each type. The rooms that record events declare their types. Receivers tell them apart
 * by `type`, both in notifications and in `GET /events`.
 */
import Type, { type TSchema } from 'typebox';
import { type Channel, channels, testEventType } from '../../changes/event.js';
import { ChannelShape, DeliveryShape, deliveryExample, timeShape } from '../schemas.js';

/** A type of event, declared by the room that records it. */
export interface EventType {
  /** For example `kyc.approved`. */
  readonly type: string;
  readonly channel: Channel;
  /** What happened, in a few words. */
  readonly summary: string;
  /** `data.object`, with an example. */
  readonly object: TSchema;
  readonly objectExample: object;
  readonly previousStatus: TSchema;
  readonly previousStatusExample: string | null;
}

export const NotificationHeaders = Type.Object({
  'webhook-id': Type.String({
    description: 'The id of the event, the same at every attempt. Use it to recognise repetitions.',
  }),
  'webhook-timestamp': Type.String({ description: 'When this attempt was signed, in seconds since 1970.' }),
  'webhook-signature': Type.String({
    description:
      'One or more signatures, separated by spaces: `v1a,…` (Ed25519), and `v1,…` (HMAC-SHA256) once you have a secret.',
  }),
  traceparent: Type.Optional(
    Type.String({
      description:
        'The trace of this delivery, if you have asked for it when you set the url, and the instance traces.',
    }),
  ),
});

const testType: Omit<EventType, 'channel'> = {
  type: testEventType,
  summary: 'Test event',
  object: Type.Object(
    { channel: ChannelShape, message: Type.String({ description: 'A sentence for people.' }) },
    { description: 'Nothing changed: this is a test.' },
  ),
  objectExample: { channel: 'kyc', message: 'Your endpoint is reached.' },
  previousStatus: Type.Null(),
  previousStatusExample: null,
};

const eventIdExample = 'evt_7ZQ4M1K8V2T9X5B3N6H0C7D2FW';

export interface DocumentedEvent {
  readonly type: string;
  readonly summary: string;
  readonly notification: TSchema;
}

export interface EventShapes {
  /** Each type with the body of its notification. */
  readonly types: readonly DocumentedEvent[];
  /** The body of a notification of any type. */
  readonly notification: TSchema;
  /** An event in `GET /events`. */
  readonly event: TSchema;
  /** The same, with an example that has a delivery. */
  readonly eventDetails: TSchema;
}

export function eventShapes(declared: readonly EventType[]): EventShapes {
  const types = [...declared, testType];
  const notifications = types.map((type) => ({ type: type.type, shape: notificationOf(type) }));
  const events = types.map((type) => ({ type: type.type, shape: eventOf(type) }));
  const event = choiceOf('Event', 'An event as `GET /events` lists it. Its `type` tells its shape.', events);
  return {
    types: types.map(({ type, summary }, index) => ({
      type,
      summary,
      notification: notifications[index]?.shape as TSchema,
    })),
    notification: choiceOf(
      'Notification',
      'The body of a notification. Its `type` tells its shape. New types may be added: answer 2xx to those you do not know.',
      notifications,
    ),
    event,
    eventDetails: Type.Unsafe({
      allOf: [event],
      examples: examplesOf(event).map((example) => ({ ...example, delivery: deliveryExample })),
    }),
  };
}

function notificationOf(type: Omit<EventType, 'channel'>): TSchema {
  return Type.Object(contentOf(type, type.object), {
    title: `${nameOf(type.type)}Notification`,
    description: `${type.summary}.`,
    examples: [contentExample(type)],
  });
}

function eventOf(type: Omit<EventType, 'channel'> & { readonly channel?: Channel }): TSchema {
  const object = Type.Union([type.object, Type.Null()], {
    description: `${aboutObject} Null after 30 days.`,
  });
  const channel = type.channel === undefined ? [...channels] : [type.channel];
  return Type.Object(
    {
      id: Type.String({ description: 'The id of the event, also in the header `webhook-id`.' }),
      channel: Type.Enum(channel, { description: 'The channel of the event.' }),
      ...contentOf(type, object),
      delivery: Type.Optional(DeliveryShape),
    },
    {
      title: `${nameOf(type.type)}Event`,
      description: `${type.summary}.`,
      examples: [{ id: eventIdExample, channel: channel[0], ...contentExample(type) }],
    },
  );
}

const aboutObject = 'What changed, as its `GET` showed it at that moment.';

function contentOf({ type, previousStatus }: Omit<EventType, 'channel'>, object: TSchema) {
  const isTest = type === testEventType;
  return {
    type: Type.Literal(type, { description: 'The type of the event.' }),
    timestamp: timeShape('When it happened.'),
    data: Type.Object(
      {
        object,
        previousStatus: { ...previousStatus, description: 'The status before; null if there was none.' },
        sequence: isTest
          ? Type.Null({ description: 'Null: a test is not numbered.' })
          : Type.Integer({
              minimum: 1,
              description: 'The number of the event in its channel, without gaps.',
            }),
      },
      { description: 'What happened.' },
    ),
  };
}

function contentExample({ type, objectExample, previousStatusExample }: Omit<EventType, 'channel'>) {
  const sequence = type === testEventType ? null : 12;
  return {
    type,
    timestamp: '2026-11-15T09:30:00.000Z',
    data: { object: objectExample, previousStatus: previousStatusExample, sequence },
  };
}

interface Choice {
  readonly type: string;
  readonly shape: TSchema;
}

/** One of several named shapes, told apart by `type`. */
function choiceOf(title: string, description: string, choices: readonly Choice[]): TSchema {
  const nameOfShape = (shape: TSchema) => (shape as { title?: string }).title;
  const mapping = choices.map(({ type, shape }) => [type, `#/components/schemas/${nameOfShape(shape)}`]);
  return Type.Unsafe({
    title,
    description,
    oneOf: choices.map(({ shape }) => shape),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
    examples: choices.slice(0, 1).flatMap(({ shape }) => examplesOf(shape)),
  });
}

function examplesOf(shape: TSchema): readonly object[] {
  return (shape as { examples?: readonly object[] }).examples ?? [];
}

/** `kyc.in_review` → `KycInReview`. */
function nameOf(type: string): string {
  return type.replaceAll(/(?:^|[._])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
