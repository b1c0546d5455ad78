/** Section 4.4 of the contract, and its companions: health, secrets, keys, a test. */
import Type from 'typebox';
import type { FieldFault } from '../errors.js';
import { type Callback, command, type Route, read } from '../http/route.js';
import type { MerchantId } from '../ids.js';
import { findMerchant, merchantNotFound } from '../merchants/service.js';
import { listEndpointsOf } from './endpoint-store.js';
import type { Channel } from './event.js';
import { untilWithdrawn } from './permits.js';
import { type Reachability, registerUrl, unregisterUrl } from './registration.js';
import {
  KeysShape,
  NewSecretShape,
  NotificationHeaders,
  NotificationShape,
  RegistrationShape,
  RotationQuery,
  TestAnswer,
  TestRequest,
  UrlShape,
} from './schemas.js';
import { listLiveSecrets } from './secret-store.js';
import { rotateWebhookSecret } from './secrets.js';
import { sendTestEvents } from './service.js';
import type { MerchantSigningKeys } from './signing-keys.js';
import { shownEndpoint, time } from './wire.js';

const described = { tag: 'Webhooks' } as const;
const ofMerchant = { token: 'merchant', scope: 'webhooks', user: 'none' } as const;

const notification: Callback = {
  summary: 'What is sent to the url',
  description:
    'Whenever something changes; see the introduction of this section for signatures, retries and order.',
  headers: NotificationHeaders,
  body: NotificationShape,
  answers: {
    '2XX': 'You have it.',
    '410': 'Nobody lives here any more: the url is disabled at once.',
    default: 'It is sent again, later and later, up to ten times.',
  },
};

export interface WebhookRouteParts {
  /** What is wrong with a url by itself. */
  readonly urlFaults: (url: string) => readonly FieldFault[];
  /** Where its host leads now. */
  readonly reachabilityOf: (url: string, asked: MerchantId) => Promise<Reachability>;
  readonly signingKeys: MerchantSigningKeys;
  /** Seals the merchants' secrets. */
  readonly sealingKey: Buffer;
}

export function webhookRoutes(parts: WebhookRouteParts): Route[] {
  return [
    ...registrationRoutes('order', 'Order', parts),
    ...registrationRoutes('kyc', 'Kyc', parts),
    overviewRoute(parts),
    rotationRoute(parts),
    testRoute(),
    keysRoute(parts),
  ];
}

function registrationRoutes(channel: Channel, name: string, parts: WebhookRouteParts): Route[] {
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
        'Another url replaces the one before and inherits what is pending. The same url again changes nothing, or enables ' +
        'it if it was disabled.',
      access: ofMerchant,
      body: UrlShape,
      callback: notification,
      inspect: (body) => faultsOfBody(body, parts.urlFaults),
      refusals: ['webhook_url_unreachable'],
      prepare: (call) => parts.reachabilityOf(call.body.url, call.caller.merchantId),
      async run(call, tx, reachability) {
        const by = { actor: call.caller, requestId: call.requestId };
        const endpoint = { merchantId: call.caller.merchantId, channel };
        await registerUrl(tx, by, endpoint, call.body.url, reachability);
        return undefined;
      },
      afterCommit: (call, database) =>
        untilWithdrawn(database, { merchantId: call.caller.merchantId, channel }),
    }),
    command({
      ...described,
      method: 'DELETE',
      path,
      operationId: `delete${name}NotificationUrl`,
      summary: `Take the ${written} notification URL away`,
      description: 'What is pending is not pushed any more. Events are kept, to pull.',
      access: ofMerchant,
      async run(call, tx) {
        const by = { actor: call.caller, requestId: call.requestId };
        await unregisterUrl(tx, by, { merchantId: call.caller.merchantId, channel });
        return undefined;
      },
      afterCommit: (call, database) =>
        untilWithdrawn(database, { merchantId: call.caller.merchantId, channel }),
    }),
  ];
}

/** Asked of whatever was sent, together with the schema. */
function faultsOfBody(body: unknown, urlFaults: WebhookRouteParts['urlFaults']): readonly FieldFault[] {
  const { url } = (body ?? {}) as { url?: unknown };
  return typeof url === 'string' ? urlFaults(url) : [];
}

function overviewRoute({ signingKeys }: WebhookRouteParts): Route {
  return read({
    ...described,
    method: 'GET',
    path: '/merchant/webhook',
    operationId: 'getWebhooks',
    summary: 'The registered urls, how they are faring, and what signs',
    access: ofMerchant,
    answer: RegistrationShape,
    async run(call, database) {
      const { merchantId } = call.caller;
      const [endpoints, secrets] = await Promise.all([
        listEndpointsOf(database, merchantId),
        listLiveSecrets(database, merchantId),
      ]);
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

function rotationRoute({ sealingKey }: WebhookRouteParts): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/merchant/webhook/secret/rotate',
    operationId: 'rotateWebhookSecret',
    summary: 'Make a new secret for `v1` signatures, or the first',
    description:
      'The previous secret also signs for 24 hours. Send an Idempotency-Key: if the answer is lost, the same request gets ' +
      'the same secret again, for 24 hours. Without a key the secret is shown once.',
    access: ofMerchant,
    query: RotationQuery,
    answer: NewSecretShape,
    idempotency: { keepForHours: 24, isSecret: true },
    refusals: ['webhook_secret_rotating'],
    async run(call, tx) {
      const by = { actor: call.caller, requestId: call.requestId };
      const endOthers = call.query.overlap === 'none';
      const made = await rotateWebhookSecret(tx, by, sealingKey, call.caller.merchantId, { endOthers });
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
    summary: 'Send an event that says nothing',
    description:
      'To one channel, or to every url that is registered. It is signed and retried like any other, but has no sequence.',
    access: ofMerchant,
    body: TestRequest,
    answer: TestAnswer,
    refusals: ['webhook_not_registered', 'webhook_disabled'],
    async run(call, tx) {
      const sent = await sendTestEvents(tx, call.caller.merchantId, call.body.channel);
      return { events: sent.map(({ eventId, channel: to }) => ({ id: eventId, channel: to })) };
    },
  });
}

/** Without a token: whoever receives for a merchant need not be able to act for it. */
function keysRoute({ signingKeys }: WebhookRouteParts): Route {
  return read({
    ...described,
    method: 'GET',
    path: '/.well-known/webhook-keys/{clientId}',
    operationId: 'getWebhookKeys',
    summary: 'What verifies the `v1a` signatures of a merchant’s notifications',
    access: { token: 'none' },
    params: Type.Object({ clientId: Type.String() }),
    answer: KeysShape,
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const merchant = await findMerchant(database, call.params.clientId);
      if (!merchant) throw merchantNotFound();
      return { keys: [signingKeys.publishedKeyOf(merchant.merchantId)] };
    },
  });
}
