/** The event log of a merchant: events, their deliveries and attempts. */
import Type from 'typebox';
import { JsonText, ListPage } from '../../http/answers/answer.js';
import { command, type Route, read } from '../../http/route.js';
import { publicId } from '../../ids.js';
import { eventJson } from '../event.js';
import { AttemptShape, EventPath, EventQuery } from '../schemas.js';
import { findAttempts, findEvent, listEvents, redeliver } from '../service.js';
import { shownAttempt, shownDelivery } from '../wire.js';
import type { EventShapes } from './event-schemas.js';
import type { EventDetails } from './event-store.js';

const described = { tag: 'Webhooks' } as const;
const ofMerchant = { token: 'merchant', scope: 'webhooks', user: 'none' } as const;
const usualPage = 100;

export function eventRoutes(shapes: EventShapes): Route[] {
  return [
    listRoute(shapes),
    ...readingRoutes(shapes),
    command({
      ...described,
      method: 'POST',
      path: '/events/{id}/redeliver',
      operationId: 'redeliverEvent',
      summary: 'Send an event again',
      description: 'Under the same id, to the url that is registered now, with ten new attempts.',
      returns: 'The event will be sent again.',
      access: ofMerchant,
      params: EventPath,
      refusals: ['event_not_found', 'webhook_not_registered', 'webhook_disabled', 'event_object_gone'],
      async run(call, tx) {
        await redeliver(tx, call.by, call.caller.merchantId, publicId('evt', call.params.id));
        return undefined;
      },
    }),
  ];
}

function listRoute(shapes: EventShapes): Route {
  return read({
    ...described,
    method: 'GET',
    path: '/events',
    operationId: 'listEvents',
    summary: 'List the events of a channel, in order',
    description:
      'The same events that are pushed, kept for 90 days, their objects for 30. Continue with `after` = the last sequence ' +
      'that you have; the header `Link` names the next page.',
    returns: 'A page of events, in the order of their sequence.',
    access: ofMerchant,
    query: EventQuery,
    answer: Type.Array(shapes.event),
    async run(call, database) {
      const { channel, after = 0, limit = usualPage } = call.query;
      const { merchantId } = call.caller;
      const { events, next } = await listEvents(database, { merchantId, channel }, { after, limit });
      const json = new JsonText(`[${events.map((event) => eventJson(event)).join(',')}]`);
      const address = `/events?channel=${channel}&after=${next}&limit=${limit}`;
      return new ListPage(json, next === undefined ? undefined : address);
    },
  });
}

function readingRoutes(shapes: EventShapes): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      path: '/events/{id}',
      operationId: 'getEvent',
      summary: 'Get an event and the state of its delivery',
      returns: 'The event, with its delivery unless no url was registered.',
      access: ofMerchant,
      params: EventPath,
      answer: shapes.eventDetails,
      refusals: ['event_not_found'],
      async run(call, database) {
        const event = await findEvent(database, call.caller.merchantId, publicId('evt', call.params.id));
        return new JsonText(detailsJson(event));
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/events/{id}/attempts',
      operationId: 'listAttempts',
      summary: 'List the attempts to deliver an event',
      returns: 'Every attempt, the latest last.',
      access: ofMerchant,
      params: EventPath,
      answer: Type.Array(AttemptShape),
      refusals: ['event_not_found'],
      async run(call, database) {
        const id = publicId('evt', call.params.id);
        return (await findAttempts(database, call.caller.merchantId, id)).map(shownAttempt);
      },
    }),
  ];
}

function detailsJson(event: EventDetails): string {
  const { delivery } = event;
  return eventJson(event, delivery ? `,"delivery":${JSON.stringify(shownDelivery(delivery))}` : '');
}
