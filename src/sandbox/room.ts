/** Builds the sandbox room, which a live instance does not have. */
import type { Route } from '../http/route.js';
import type { ReviewService } from '../kyc/review/service.js';
import type { Job } from '../worker/worker.js';
import { sandboxKycRoutes } from './kyc-routes.js';
import { webhookFaultRoutes } from './webhook-faults.js';

export interface SandboxRoom {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
}

export function sandboxRoom({ reviews }: { readonly reviews: ReviewService }): SandboxRoom {
  return { routes: [...sandboxKycRoutes(reviews), ...webhookFaultRoutes()], jobs: [] };
}
