/** Routes of a merchant's urls: registration (section 4.4 of the API contract), health, secrets, keys, test events. */
import Type from 'typebox';
import type { Channel } from '../changes/event.js';
import type { FieldFault } from '../errors.js';
import { type Callback, command, type Route, read, type Webhook } from '../http/route.js';
import type { MerchantId } from '../ids.js';
import { getMerchant } from '../merchants/service.js';
import { type EventShapes, NotificationHeaders } from './events/event-schemas.js';
import { getRegistration, type Reachability, registerUrl, unregisterUrl } from './registration.js';
import {
  KeysShape,
  NewSecretShape,
  RegistrationShape,
  RotationQuery,
  TestAnswer,
  TestRequest,
  UrlShape,
} from './schemas.js';
import { sendTestEvents } from './service.js';
import { rotateWebhookSecret } from './signing/secrets.js';
import type { MerchantSigningKeys } from './signing/signing-keys.js';
import { shownEndpoint, time } from './wire.js';

const described = { tag: 'Webhooks' } as const;
const ofMerchant = { token: 'merchant', scope: 'webhooks', user: 'none' } as const;

/** What the answer of a receiver means, by status. */
const receiverAnswers = {
  '2XX': 'The notification is delivered.',
  '410': 'The url is disabled at once.',
  default: 'The notification is sent again later, ten attempts in all.',
};

function callbackOf({ notification }: EventShapes): Callback {
  return {
    summary: 'A notification to the url',
    description:
      'Sent whenever something changes. The introduction of this section explains signatures, retries and order.',
    headers: NotificationHeaders,
    body: notification,
    answers: receiverAnswers,
  };
}

/** Each type of event, for the `webhooks` section of the OpenAPI document. */
export function webhooksOf({ types }: EventShapes): Webhook[] {
  return types.map(({ type, summary, notification }) => ({
    ...described,
    name: type,
    summary,
    description: 'A signed `POST` to the url of the channel, at least once.',
    headers: NotificationHeaders,
    body: notification,
    answers: receiverAnswers,
  }));
}

export interface WebhookRouteOptions {
  /** Checks the text of a url. */
  readonly urlFaults: (url: string) => readonly FieldFault[];
  /** Resolves the host of a url. */
  readonly reachabilityOf: (url: string, merchantId: MerchantId) => Promise<Reachability>;
  readonly signingKeys: MerchantSigningKeys;
  /** Encrypts the secrets of the merchants. */
  readonly sealingKey: Buffer;
  readonly shapes: EventShapes;
}

export function webhookRoutes(options: WebhookRouteOptions): Route[] {
  return [
    ...registrationRoutes('order', 'Order', options),
    ...registrationRoutes('kyc', 'Kyc', options),
    overviewRoute(options),
    rotationRoute(options),
    testRoute(),
    keysRoute(options),
  ];
}

function registrationRoutes(channel: Channel, name: string, options: WebhookRouteOptions): Route[] {
  const path = `/merchant/webhook/${channel}-notification`;
  const written = channel === 'kyc' ? 'KYC' : channel;
  return [
    command({
      ...described,
      method: 'POST',
      path,
      operationId: `set${name}NotificationUrl`,
      summary: `Set ${written} notification URL`,
      description:
        'Replaces the url that was registered before; pending events go to the new one. The same url again changes nothing, ' +
        'or enables it if it was disabled.',
      returns: 'The url is registered.',
      access: ofMerchant,
      body: UrlShape,
      callback: callbackOf(options.shapes),
      inspect: (body) => faultsOfBody(body, options.urlFaults),
      refusals: ['webhook_url_unreachable'],
      prepare: (call) => options.reachabilityOf(call.body.url, call.caller.merchantId),
      async run(call, tx, reachability) {
        const endpoint = { merchantId: call.caller.merchantId, channel };
        const { url, traceparent: sendsTraceparent } = call.body;
        await registerUrl(tx, call.by, endpoint, { url, sendsTraceparent }, reachability);
      },
    }),
    command({
      ...described,
      method: 'DELETE',
      path,
      operationId: `delete${name}NotificationUrl`,
      summary: `Delete the ${written} notification URL`,
      description: 'Pending events are no longer sent. They stay in `GET /events`.',
      returns: 'No url is registered any more.',
      access: ofMerchant,
      run: (call, tx) => unregisterUrl(tx, call.by, { merchantId: call.caller.merchantId, channel }),
    }),
  ];
}

/** Runs together with the schema check, so the body may have any shape. */
function faultsOfBody(body: unknown, urlFaults: WebhookRouteOptions['urlFaults']): readonly FieldFault[] {
  const { url } = (body ?? {}) as { url?: unknown };
  return typeof url === 'string' ? urlFaults(url) : [];
}

function overviewRoute({ signingKeys }: WebhookRouteOptions): Route {
  return read({
    ...described,
    method: 'GET',
    path: '/merchant/webhook',
    operationId: 'getWebhooks',
    summary: 'Get the registered urls, their health and signing keys',
    returns: 'The urls with their health, the public keys, and when the secrets were created.',
    access: ofMerchant,
    answer: RegistrationShape,
    async run(call, database) {
      const { merchantId } = call.caller;
      const { endpoints, secrets } = await getRegistration(database, merchantId);
      return {
        endpoints: endpoints.map(shownEndpoint),
        keys: [signingKeys.publishedKeyOf(merchantId)],
        secrets: secrets.map(({ createdAt, expiresAt }) => ({
          createdAt: createdAt.toISOString(),
          ...time('expiresAt', expiresAt),
        })),
      };
    },
  });
}

function rotationRoute({ sealingKey }: WebhookRouteOptions): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/merchant/webhook/secret/rotate',
    operationId: 'rotateWebhookSecret',
    summary: 'Create or rotate the secret of `v1` signatures',
    description:
      'The previous secret also signs for 24 hours. Send an Idempotency-Key: if the answer is lost, the same request gets ' +
      'the same secret again, for 24 hours. Without a key the secret is shown once.',
    returns: 'The new secret.',
    access: ofMerchant,
    query: RotationQuery,
    answer: NewSecretShape,
    idempotency: { keepForHours: 24, isSecret: true },
    refusals: ['webhook_secret_rotating'],
    async run(call, tx) {
      const endOthers = call.query.overlap === 'none';
      const made = await rotateWebhookSecret(tx, call.by, sealingKey, call.caller.merchantId, { endOthers });
      return { secret: made.secret, ...time('previousSignsUntil', made.previousSignsUntil) };
    },
  });
}

function testRoute(): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/merchant/webhook/test',
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description:
      'To the url of one channel, or to every registered url. It is signed and retried like any other event, but has no sequence.',
    returns: 'The ids of the test events.',
    access: ofMerchant,
    body: TestRequest,
    answer: TestAnswer,
    refusals: ['webhook_not_registered', 'webhook_disabled'],
    async run(call, tx) {
      const sent = await sendTestEvents(tx, call.by, call.caller.merchantId, call.body.channel);
      return { events: sent.map(({ eventId, channel: to }) => ({ id: eventId, channel: to })) };
    },
  });
}

/** Needs no token: a receiver can verify signatures without being able to act for the merchant. */
function keysRoute({ signingKeys }: WebhookRouteOptions): Route {
  return read({
    ...described,
    method: 'GET',
    path: '/.well-known/webhook-keys/{clientId}',
    operationId: 'getWebhookKeys',
    summary: 'Get the public keys of a merchant’s `v1a` signatures',
    returns: 'The public keys.',
    access: { token: 'none' },
    params: Type.Object({ clientId: Type.String({ description: 'The client id of the merchant.' }) }),
    answer: KeysShape,
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const merchant = await getMerchant(database, call.params.clientId);
      return { keys: [signingKeys.publishedKeyOf(merchant.merchantId)] };
    },
  });
}
