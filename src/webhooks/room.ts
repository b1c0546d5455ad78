/** Builds the webhooks room: endpoints, events, and the deliverer, which stops with the process. */
import type { EventQueue } from '../changes/chain/numbering.js';
import type { Route, Webhook } from '../http/route.js';
import { deriveKey } from '../keys/derive.js';
import type { Log } from '../log.js';
import type { AddressGuard } from '../outgoing/guard.js';
import type { Database } from '../postgres/database.js';
import type { TaskSource } from '../tasks/task.js';
import type { Job } from '../worker/worker.js';
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
  /** The types of events that other rooms record. */
  readonly eventTypes: readonly EventType[];
}

export interface WebhookRoom {
  /** The types of notifications, for the API reference. */
  readonly webhooks: readonly Webhook[];
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  /** Takes the events that have just been numbered. */
  readonly queue: EventQueue;
  readonly taskSources: readonly TaskSource[];
  close(): Promise<void>;
}

export function webhookRoom(options: WebhookRoomOptions): WebhookRoom {
  const { database, rootKey, guard, mode, ownUrl, log } = options;
  const signingKeys = new MerchantSigningKeys(rootKey);
  const shapes = eventShapes(options.eventTypes);
  const sealingKey = deriveKey(rootKey, 'webhook secrets');
  const makeClient = (url: string) => new EndpointClient({ url, lanes: lanesOfHealthy, guard });
  const deliverer = new Deliverer({ database, log, signingKeys, sealingKey, makeClient });
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
    taskSources: [{ kind: 'failing_endpoint', list: listFailingEndpointTasks }],
    close: () => deliverer.stop(),
  };
}
