/** The verbs of a merchant's urls: register, replace, take away, enable again. */
import { recordAudit } from '../audit/service.js';
import type { By } from '../caller.js';
import { RemesaError } from '../errors.js';
import type { Transaction } from '../postgres/statement.js';
import { urlWithdrawn } from './delivery/permits.js';
import type { Endpoint, EndpointRef } from './endpoint.js';
import { addEndpoint, lockEndpointOf, removeEndpoint, renewEndpointOf } from './endpoint-store.js';

/** Looks for endpoints where something is due. */
export const deliverJobName = 'webhooks.deliver';

/** What the name in a url leads to; found out before the transaction, for it may take seconds. */
export type Reachability = 'public' | 'blocked_address' | 'name_not_found';

/**
 * One url for each channel: another one replaces it and inherits what is pending, the same one again changes nothing or
 * enables what was disabled.
 */
export async function registerUrl(
  tx: Transaction,
  by: By,
  endpoint: EndpointRef,
  url: string,
  reachability: Reachability,
): Promise<void> {
  const before = await lockEndpointOf(tx, endpoint);
  const isSame = before?.url === url;
  if (before && isSame && before.disabledBecause === undefined) return;
  if (reachability !== 'public') throw unreachable();
  if (!before) {
    // Another request was quicker: what is there now is what this one replaces.
    if (!(await addEndpoint(tx, endpoint, url))) return registerUrl(tx, by, endpoint, url, reachability);
    await audit(tx, by, endpoint, 'webhook.registered', url);
    return;
  }
  await renewEndpointOf(tx, endpoint, url);
  await audit(tx, by, endpoint, isSame ? 'webhook.enabled' : 'webhook.replaced', url);
  tx.wake(urlWithdrawn);
  tx.wake(deliverJobName);
}

/** What was pending is not pushed any more; it can be pulled. */
export async function unregisterUrl(tx: Transaction, by: By, endpoint: EndpointRef): Promise<void> {
  const url = await removeEndpoint(tx, endpoint);
  if (url === undefined) return;
  await audit(tx, by, endpoint, 'webhook.deleted', url);
  tx.wake(urlWithdrawn);
}

/** An operator's way to enable what was disabled; what was pending is due again. */
export async function enableEndpoint(tx: Transaction, by: By, endpoint: EndpointRef): Promise<void> {
  const { url, disabledBecause } = await lockRegistered(tx, endpoint);
  if (disabledBecause === undefined) return;
  await renewEndpointOf(tx, endpoint, url);
  await audit(tx, by, endpoint, 'webhook.enabled', url);
  tx.wake(urlWithdrawn);
  tx.wake(deliverJobName);
}

/** For whoever wants to send something: there must be an endpoint, and it must not be disabled. */
export async function lockServing(tx: Transaction, endpoint: EndpointRef): Promise<void> {
  const { disabledBecause } = await lockRegistered(tx, endpoint);
  if (disabledBecause === undefined) return;
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

/** One answer for a name that is not there and for one that leads where we do not go: neither maps a network. */
function unreachable(): RemesaError {
  return new RemesaError(
    'impossible',
    'webhook_url_unreachable',
    'The host of the url cannot be reached from here.',
  );
}

/** The origin only: what follows it may hold the merchant's own secrets. */
function audit(
  tx: Transaction,
  by: By,
  { merchantId, channel }: EndpointRef,
  action: string,
  url: string,
): Promise<void> {
  const subject = `merchant:${merchantId}`;
  const details = { channel, origin: new URL(url).origin };
  return recordAudit(tx, { ...by, action, subject, merchantId, details });
}
