/** The verbs of operators: list the urls of all merchants, a merchant's events; send again, enable. */
import type { By } from '../../caller.js';
import type { Channel, EventId } from '../../changes/event.js';
import { listClientIdsOf, merchantIdOf } from '../../merchants/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { ShownState } from '../delivery/delivery.js';
import type { KeptAttempt } from '../events/event-store.js';
import { enableEndpoint } from '../registration.js';
import { findAttempts, redeliver } from '../service.js';
import * as store from './store.js';

/** A channel of a merchant, which operators name by its client id. */
export interface ClientChannel {
  readonly clientId: string;
  readonly channel: Channel;
}

export interface EndpointQuery {
  /** Only endpoints after this one. */
  readonly after: { readonly merchantId: number; readonly channel: string };
  readonly status: 'active' | 'disabled' | undefined;
  readonly clientId: string | undefined;
  readonly limit: number;
}

export interface MerchantEndpoint extends store.WatchedEndpoint {
  readonly clientId: string;
}

/** `next` is undefined when the page is the last. Throws `merchant_not_found`. */
export async function listMerchantEndpoints(
  database: Queryable,
  { clientId, status, after, limit }: EndpointQuery,
): Promise<{ endpoints: MerchantEndpoint[]; next: store.WatchedEndpoint | undefined }> {
  const merchantId = clientId === undefined ? undefined : await merchantIdOf(database, clientId);
  const page = await store.listWatchedEndpoints(database, { after, status, merchantId }, limit);
  const merchants = await listClientIdsOf(
    database,
    page.map((endpoint) => endpoint.merchantId),
  );
  const clientIds = new Map(merchants.map((merchant) => [merchant.merchantId, merchant.clientId]));
  return {
    endpoints: page.map((endpoint) => ({ ...endpoint, clientId: clientIds.get(endpoint.merchantId) ?? '' })),
    next: page.length < limit ? undefined : page.at(-1),
  };
}

/** `next` is undefined when the page is the last. Throws `merchant_not_found`. */
export async function listMerchantEvents(
  database: Queryable,
  { clientId, channel }: ClientChannel,
  query: { readonly after: number; readonly state: ShownState | undefined; readonly limit: number },
): Promise<{ events: store.ReviewedEvent[]; next: bigint | undefined }> {
  const merchantId = await merchantIdOf(database, clientId);
  const events = await store.listReviewedEvents(database, { merchantId, channel }, query, query.limit);
  return { events, next: events.length < query.limit ? undefined : events.at(-1)?.sequence };
}

/** Throws `merchant_not_found` or `event_not_found`. */
export async function findMerchantAttempts(
  database: Queryable,
  clientId: string,
  eventId: EventId | undefined,
): Promise<KeptAttempt[]> {
  return findAttempts(database, await merchantIdOf(database, clientId), eventId);
}

/** Throws `merchant_not_found`, and what `redeliver` throws. */
export async function redeliverForMerchant(
  tx: Transaction,
  by: By,
  clientId: string,
  eventId: EventId | undefined,
): Promise<void> {
  await redeliver(tx, by, await merchantIdOf(tx, clientId), eventId);
}

/** Throws `merchant_not_found` or `webhook_not_registered`. */
export async function enableForMerchant(tx: Transaction, by: By, { clientId, channel }: ClientChannel): Promise<void> {
  await enableEndpoint(tx, by, { merchantId: await merchantIdOf(tx, clientId), channel });
}
