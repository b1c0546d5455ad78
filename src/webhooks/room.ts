/** Builds the webhooks room: endpoints, events, and the deliverer, which stops with the process. */
import { deriveKey } from '../keys/derive.js';
import type { Log } from '../log.js';
import type { AddressGuard } from '../outgoing/guard.js';
import type { Database } from '../postgres/database.js';
import type { TaskSource } from '../tasks/task.js';
import { EndpointClient } from './delivery/client.js';
import { Deliverer } from './delivery/deliverer.js';
import { lanesOfHealthy } from './endpoints/endpoint.js';
import { resolvesToPublic, urlFaults } from './endpoints/endpoint-url.js';
import { eventRoutes } from './events/event-routes.js';
import { type EventType, eventShapes } from './events/event-schemas.js';
import { eventQueue } from './events/queueing.js';
import { eventRetentionJob } from './events/retention.js';
import { operatorWebhookRoutes } from './operator/routes.js';
import { listFailingEndpointTasks } from './operator/task-store.js';
import { webhookRoutes, webhooksOf } from './routes.js';
import { MerchantSigningKeys } from './signing/signing-keys.js';

export interface WebhookRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  /** Which addresses may be connected to. */
  readonly guard: AddressGuard;
  readonly mode: 'sandbox' | 'live';
  /** The public address of this service, which an endpoint must not name. */
  readonly ownUrl: () => string;
  readonly log: Log;
  /** Whether nothing may leave this instance now. */
  readonly isSendingHeld: () => Promise<boolean>;
  readonly eventTypes: readonly EventType[];
}

export function webhookRoom(options: WebhookRoomOptions) {
  const { database, rootKey, guard, mode, ownUrl, log, isSendingHeld } = options;
  const signingKeys = new MerchantSigningKeys(rootKey);
  const shapes = eventShapes(options.eventTypes);
  const sealingKey = deriveKey(rootKey, 'webhook secrets');
  const makeClient = (url: string) => new EndpointClient({ url, lanes: lanesOfHealthy, guard });
  const deliverer = new Deliverer({ database, log, signingKeys, sealingKey, makeClient, isSendingHeld });
  return {
    webhooks: webhooksOf(shapes),
    routes: [
      ...webhookRoutes({
        urlFaults: (url) => urlFaults(url, { mode, ownUrl: ownUrl() }),
        async reachabilityOf(url, merchantId) {
          const reachability = await resolvesToPublic(url, guard);
          // The merchant is not told whether the address is private or unknown; the log of the operator has it.
          if (reachability !== 'public') {
            log.warn({ merchantId, host: new URL(url).hostname, reachability }, 'a url cannot be reached');
          }
          return reachability;
        },
        signingKeys,
        sealingKey,
        shapes,
      }),
      ...eventRoutes(shapes),
      ...operatorWebhookRoutes(),
    ],
    jobs: [deliverer.job(), eventRetentionJob(database)],
    queue: eventQueue((endpoints) => deliverer.offer(endpoints)),
    taskSources: [{ kind: 'failing_endpoint', list: listFailingEndpointTasks }] satisfies TaskSource[],
    close: () => deliverer.stop(),
  };
}
