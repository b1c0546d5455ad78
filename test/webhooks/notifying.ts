/** The service as it is shipped, merchants with real tokens, a receiver, and changes that merchants are told of. */
import { beforeAll } from 'vitest';
import type { Channel, EventId } from '../../src/changes/event.js';
import type { Answer } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import type { OpenApiDocument } from '../harness/openapi-observer.js';
import { type Received, useReceiver, type WebhookReceiver } from '../harness/receiver.js';
import { type Remesa, useRemesa } from '../harness/remesa.js';
import type { Merchant } from '../harness/users.js';

export interface Notifications extends Remesa {
  readonly receiver: WebhookReceiver;
}

export function useNotifications(settings: Record<string, string> = {}): Notifications {
  const receiver = useReceiver();
  const running = useRemesa({ settings });
  beforeAll(async () => {
    const { api } = running;
    api.document = api.document && withMadeUpEvents(api.document);
  });
  return Object.defineProperties(running, { receiver: { value: receiver } }) as Notifications;
}

const withMadeUp = new WeakMap<OpenApiDocument, OpenApiDocument>();

/** The objects of these tests are made up. That real ones fit is shown in test/generated/openapi-events.test.ts. */
function withMadeUpEvents(document: OpenApiDocument): OpenApiDocument {
  const known = withMadeUp.get(document);
  if (known) return known;
  const { components } = document;
  const Event = { type: 'object', required: ['id', 'channel', 'type', 'timestamp', 'data'] };
  const schemas = { ...components.schemas, Event };
  const made = { ...document, components: { ...components, schemas } };
  withMadeUp.set(document, made);
  return made;
}

export function pathOf(channel: Channel): string {
  return `/merchant/webhook/${channel}-notification`;
}

export function register(
  { api, receiver }: Pick<Notifications, 'api' | 'receiver'>,
  { token }: Pick<Merchant, 'token'>,
  { channel = 'kyc', url = `${receiver.url}/hook` }: { channel?: Channel; url?: string } = {},
): Promise<Answer> {
  return api.post(pathOf(channel), { token, body: { url } });
}

export async function unregister(
  { api }: Pick<Notifications, 'api'>,
  { token }: Pick<Merchant, 'token'>,
): Promise<void> {
  for (const channel of ['order', 'kyc'] as const) await api.call('DELETE', pathOf(channel), { token });
}

export function arrivalsOf({ receiver }: Pick<Notifications, 'receiver'>, eventId: EventId): Received[] {
  return receiver.received.filter(({ headers }) => headers['webhook-id'] === eventId);
}

export function arrived(running: Pick<Notifications, 'receiver'>, eventId: EventId, times = 1) {
  return eventually(() => (arrivalsOf(running, eventId).length >= times ? arrivalsOf(running, eventId) : undefined), {
    withinMs: 30_000,
    what: `arrival ${times} of ${eventId}`,
  });
}

/** What the merchant is told of an event's delivery, once it is as expected. */
export function deliveryOf(
  { api }: Pick<Notifications, 'api'>,
  { token }: Pick<Merchant, 'token'>,
  eventId: EventId,
  state: string,
) {
  return eventually(
    async () => {
      const { delivery } = (await api.get(`/events/${eventId}`, { token })).json;
      return delivery?.state === state ? delivery : undefined;
    },
    { withinMs: 30_000, what: `${eventId} ${state}` },
  );
}

/** As if the time had come. */
export async function makeDue({ sql }: Pick<Notifications, 'sql'>): Promise<void> {
  await sql.query(`UPDATE deliveries SET due_at = statement_timestamp() - interval '1 second' WHERE state = 'pending'`);
}
