/** Routes for operators: the health of all urls, failed deliveries, sending events again. */
import Type from 'typebox';
import { ListPage, nextPage } from '../../http/answers/answer.js';
import type { Subject } from '../../http/key-declaration.js';
import { command, type Route, read } from '../../http/route.js';
import { publicId } from '../../ids.js';
import { merchantIdOf } from '../../merchants/service.js';
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
  enableForMerchant,
  findMerchantAttempts,
  listMerchantEndpoints,
  listMerchantEvents,
  type MerchantEndpoint,
  redeliverForMerchant,
} from './service.js';
import type { ReviewedEvent } from './store.js';

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
      const { status, clientId, after, limit = usualPage } = call.query;
      const [number = '0', channel = ''] = after?.split('-') ?? [];
      const { endpoints, next } = await listMerchantEndpoints(database, {
        status,
        clientId,
        after: { merchantId: Number(number), channel },
        limit,
      });
      const last = next && `${next.merchantId}-${next.channel}`;
      const query = { status, clientId, after, limit };
      return new ListPage(endpoints.map(encodeEndpoint), last && nextPage('/operator/webhooks', query, last));
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
      const page = { after, state, limit };
      const { events, next } = await listMerchantEvents(database, { clientId, channel }, page);
      const path = `/operator/webhooks/${clientId}/${channel}/events`;
      const query = { state, after, limit };
      return new ListPage(events.map(encodeEvent), next === undefined ? next : nextPage(path, query, String(next)));
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
      const { clientId, id } = call.params;
      return (await findMerchantAttempts(database, clientId, publicId('evt', id))).map(attemptForOperators);
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
        const { clientId, id } = call.params;
        await redeliverForMerchant(tx, call.by, clientId, publicId('evt', id));
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
      run: (call, tx) => enableForMerchant(tx, call.by, call.params),
    }),
  ];
}

function encodeEndpoint(endpoint: MerchantEndpoint) {
  return {
    clientId: endpoint.clientId,
    ...shownEndpoint(endpoint),
    ...time('failingSince', endpoint.failingSince),
    lanes: endpoint.lanes,
    pending: endpoint.pending,
    ...time('oldestDueAt', endpoint.oldestDueAt),
  };
}

function encodeEvent({ eventId, type, subject, occurredAt, sequence, delivery }: ReviewedEvent) {
  return {
    id: eventId,
    type,
    subject,
    timestamp: occurredAt.toISOString(),
    sequence: Number(sequence),
    ...(delivery ? { delivery: shownDelivery(delivery) } : {}),
  };
}
