/** The verbs of a merchant's urls: read, register, replace, delete, enable again. */
import type { By } from '../caller.js';
import { holdNumbering, recordChange } from '../changes/service.js';
import { RemesaError } from '../errors.js';
import type { MerchantId } from '../ids.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { Endpoint, EndpointRef } from './endpoints/endpoint.js';
import {
  addEndpoint,
  listEndpointsOf,
  lockEndpointOf,
  removeEndpoint,
  renewEndpointOf,
  saveTraceparent,
} from './endpoints/endpoint-store.js';
import { type LiveSecret, listLiveSecrets } from './signing/secret-store.js';

/** The job that finds endpoints with due deliveries. */
export const deliverJobName = 'webhooks.deliver';

/** Where the host of a url leads. It is resolved before the transaction, because that may take seconds. */
export type Reachability = 'public' | 'blocked_address' | 'name_not_found';

/** The registered urls of a merchant with their health, and the secrets that sign now. */
export async function getRegistration(
  database: Queryable,
  merchantId: MerchantId,
): Promise<{ endpoints: Endpoint[]; secrets: LiveSecret[] }> {
  const [endpoints, secrets] = await Promise.all([
    listEndpointsOf(database, merchantId),
    listLiveSecrets(database, merchantId),
  ]);
  return { endpoints, secrets };
}

export interface NewRegistration {
  readonly url: string;
  /** Undefined: as it was, and not at first. */
  readonly sendsTraceparent?: boolean | undefined;
}

/**
 * Registers the url of a channel. A different url replaces the previous one and gets its pending events. The same url
 * again changes nothing, or enables it if it was disabled. Throws `webhook_url_unreachable`.
 */
export async function registerUrl(
  tx: Transaction,
  by: By,
  endpoint: EndpointRef,
  asked: NewRegistration,
  reachability: Reachability,
): Promise<void> {
  const { url } = asked;
  const before = await lockEndpointOf(tx, endpoint);
  const isSame = before?.url === url;
  const sendsTraceparent = asked.sendsTraceparent ?? before?.sendsTraceparent ?? false;
  if (before && isSame && before.disabledBecause === null) {
    if (before.sendsTraceparent === sendsTraceparent) return;
    await saveTraceparent(tx, endpoint, sendsTraceparent);
    return audit(tx, by, endpoint, sendsTraceparent ? 'webhook.traced' : 'webhook.untraced', url);
  }
  if (reachability !== 'public') throw unreachable();
  if (!before) {
    // A concurrent request registered a url first: this one replaces it.
    if (!(await addEndpoint(tx, endpoint, { url, sendsTraceparent })))
      return registerUrl(tx, by, endpoint, asked, reachability);
    await audit(tx, by, endpoint, 'webhook.registered', url);
    return;
  }
  await renewEndpointOf(tx, endpoint, { url, sendsTraceparent });
  await audit(tx, by, endpoint, isSame ? 'webhook.enabled' : 'webhook.replaced', url);
  tx.wake(deliverJobName);
}

/** Pending events are no longer sent, but stay in `GET /events`. Does nothing when no url is registered. */
export async function unregisterUrl(tx: Transaction, by: By, endpoint: EndpointRef): Promise<void> {
  // Numbering that is under way may queue deliveries for the url. None may be queued unnoticed.
  await holdNumbering(tx, endpoint.merchantId);
  const url = await removeEndpoint(tx, endpoint);
  if (url === undefined) return;
  await audit(tx, by, endpoint, 'webhook.deleted', url);
}

/** Enables a disabled url; its pending events are due at once. Throws `webhook_not_registered`. */
export async function enableEndpoint(tx: Transaction, by: By, endpoint: EndpointRef): Promise<void> {
  const registered = await lockRegistered(tx, endpoint);
  if (registered.disabledBecause === null) return;
  await renewEndpointOf(tx, endpoint, registered);
  await audit(tx, by, endpoint, 'webhook.enabled', registered.url);
  tx.wake(deliverJobName);
}

/** Locks the endpoint of something to be sent. Throws `webhook_not_registered` or `webhook_disabled`. */
export async function lockServing(tx: Transaction, endpoint: EndpointRef): Promise<void> {
  const { disabledBecause } = await lockRegistered(tx, endpoint);
  if (disabledBecause === null) return;
  throw new RemesaError(
    'conflict',
    'webhook_disabled',
    'The url of this channel is disabled; register it again to enable it.',
    { members: { channel: endpoint.channel, disabledBecause } },
  );
}

async function lockRegistered(tx: Transaction, endpoint: EndpointRef): Promise<Endpoint> {
  const found = await lockEndpointOf(tx, endpoint);
  if (found) return found;
  throw new RemesaError('conflict', 'webhook_not_registered', 'No url is registered for this channel.', {
    members: { channel: endpoint.channel },
  });
}

/** Unknown names and refused addresses get the same answer, so that registering a url cannot map a network. */
function unreachable(): RemesaError {
  return new RemesaError('impossible', 'webhook_url_unreachable', 'The host of the url cannot be reached from here.');
}

/** Records the origin only: the path may hold the merchant's own secrets. */
function audit(
  tx: Transaction,
  by: By,
  { merchantId, channel }: EndpointRef,
  action: string,
  url: string,
): Promise<void> {
  const subject = `merchant:${merchantId}`;
  const details = { channel, origin: new URL(url).origin };
  return recordChange(tx, by, { merchantId, action, subject, details });
}
