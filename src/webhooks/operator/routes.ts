/** Routes for operators: the health of all urls, failed deliveries, sending events again. */
import Type from 'typebox';
import { ListPage } from '../../http/answer.js';
import type { Subject } from '../../http/key-declaration.js';
import { command, type Route, read } from '../../http/route.js';
import { publicId } from '../../ids.js';
import { listClientIdsOf, merchantIdOf } from '../../merchants/service.js';
import type { Queryable } from '../../postgres/statement.js';
import { untilWithdrawn } from '../delivery/permits.js';
import type { Channel } from '../event.js';
import { enableEndpoint } from '../registration.js';
import { findAttempts, redeliver } from '../service.js';
import { attemptForOperators, shownDelivery, shownEndpoint, time } from '../wire.js';
import {
  OperatorAttemptShape,
  OperatorChannelPath,
  OperatorEndpointQuery,
  OperatorEndpointShape,
  OperatorEventPath,
  OperatorEventQuery,
  OperatorEventShape,
} from './schemas.js';
import {
  listReviewedEvents,
  listWatchedEndpoints,
  type ReviewedEvent,
  type WatchedEndpoint,
} from './store.js';

const described = { tag: 'Webhooks for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' } } as const;
const merchantInPath: Subject<{ params: { clientId: string } }> = (call, database) =>
  merchantIdOf(database, call.params.clientId);
const usualPage = 100;

export function operatorWebhookRoutes(): Route[] {
  return [endpointsRoute(), eventsRoute(), attemptsRoute(), ...changingRoutes()];
}

function endpointsRoute(): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/webhooks',
    operationId: 'listWebhooksForOperators',
    summary: 'List the urls of all merchants and their health',
    returns: 'A page of urls with their health.',
    query: OperatorEndpointQuery,
    answer: Type.Array(OperatorEndpointShape),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const { status, clientId, after = '0-', limit = usualPage } = call.query;
      const merchantId = clientId === undefined ? undefined : await merchantIdOf(database, clientId);
      const [number = '0', channel = ''] = after.split('-');
      const filter = { after: { merchantId: Number(number), channel }, status, merchantId };
      const page = await listWatchedEndpoints(database, filter, limit);
      const last = page.at(-1);
      const query = new URLSearchParams({
        ...(status ? { status } : {}),
        ...(clientId ? { clientId } : {}),
        after: `${last?.merchantId}-${last?.channel}`,
        limit: String(limit),
      });
      const next = page.length < limit ? undefined : `/operator/webhooks?${query}`;
      return new ListPage(await shown(database, page), next);
    },
  });
}

function eventsRoute(): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/webhooks/{clientId}/{channel}/events',
    operationId: 'listEventsForOperators',
    summary: 'List a merchant’s events and their deliveries',
    returns: 'A page of events, without their objects, in the order of their sequence.',
    params: OperatorChannelPath,
    query: OperatorEventQuery,
    answer: Type.Array(OperatorEventShape),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const { clientId, channel } = call.params;
      const { state, after = 0, limit = usualPage } = call.query;
      const merchantId = await merchantIdOf(database, clientId);
      const page = await listReviewedEvents(database, { merchantId, channel }, { after, state }, limit);
      const query = new URLSearchParams({
        ...(state ? { state } : {}),
        after: String(page.at(-1)?.sequence),
        limit: String(limit),
      });
      const next = `/operator/webhooks/${clientId}/${channel}/events?${query}`;
      return new ListPage(page.map(shownEvent), page.length < limit ? undefined : next);
    },
  });
}

function attemptsRoute(): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/webhooks/{clientId}/events/{id}/attempts',
    operationId: 'listAttemptsForOperators',
    summary: 'List the attempts to deliver a merchant’s event',
    returns: 'Every attempt with the beginning of its answer, the latest last.',
    params: OperatorEventPath,
    answer: Type.Array(OperatorAttemptShape),
    refusals: ['merchant_not_found', 'event_not_found'],
    async run(call, database) {
      const merchantId = await merchantIdOf(database, call.params.clientId);
      const attempts = await findAttempts(database, merchantId, publicId('evt', call.params.id));
      return attempts.map(attemptForOperators);
    },
  });
}

function changingRoutes(): Route[] {
  return [
    command({
      ...forReviewers,
      method: 'POST',
      path: '/operator/webhooks/{clientId}/events/{id}/redeliver',
      operationId: 'redeliverEventForMerchant',
      summary: 'Send a merchant’s event again',
      subject: merchantInPath,
      returns: 'The event will be sent again.',
      params: OperatorEventPath,
      refusals: [
        'merchant_not_found',
        'event_not_found',
        'webhook_not_registered',
        'webhook_disabled',
        'event_object_gone',
      ],
      async run(call, tx) {
        const merchantId = await merchantIdOf(tx, call.params.clientId);
        await redeliver(tx, call.by, merchantId, publicId('evt', call.params.id));
        return undefined;
      },
    }),
    command({
      ...forReviewers,
      method: 'POST',
      path: '/operator/webhooks/{clientId}/{channel}/enable',
      operationId: 'enableWebhook',
      summary: 'Enable a url that was disabled',
      subject: merchantInPath,
      description: 'Pending events are sent again.',
      returns: 'The url is enabled.',
      params: OperatorChannelPath,
      refusals: ['merchant_not_found', 'webhook_not_registered'],
      async run(call, tx) {
        const merchantId = await merchantIdOf(tx, call.params.clientId);
        await enableEndpoint(tx, call.by, { merchantId, channel: call.params.channel as Channel });
        return undefined;
      },
      async afterCommit(call, database) {
        const merchantId = await merchantIdOf(database, call.params.clientId);
        await untilWithdrawn(database, { merchantId, channel: call.params.channel as Channel });
      },
    }),
  ];
}

async function shown(database: Queryable, page: readonly WatchedEndpoint[]) {
  const merchants = await listClientIdsOf(
    database,
    page.map((endpoint) => endpoint.merchantId),
  );
  const clientIds = new Map(merchants.map(({ merchantId, clientId }) => [merchantId, clientId]));
  return page.map((endpoint) => ({
    clientId: clientIds.get(endpoint.merchantId) ?? '',
    ...shownEndpoint(endpoint),
    ...time('failingSince', endpoint.failingSince),
    lanes: endpoint.lanes,
    pending: endpoint.pending,
    ...time('oldestDueAt', endpoint.oldestDueAt),
  }));
}

function shownEvent({ eventId, type, subject, occurredAt, sequence, delivery }: ReviewedEvent) {
  return {
    id: eventId,
    type,
    subject,
    timestamp: occurredAt.toISOString(),
    sequence: Number(sequence),
    ...(delivery ? { delivery: shownDelivery(delivery) } : {}),
  };
}
