/** Builds the sandbox room, which a live instance does not have. */
import type { Route } from '../http/route.js';
import type { ReviewService } from '../kyc/review/service.js';
import type { KycService } from '../kyc/service.js';
import type { SimulationService } from '../payments/simulation-service.js';
import type { Job } from '../worker/worker.js';
import { sandboxKycRoutes } from './kyc-routes.js';
import { sandboxPaymentRoutes } from './payment-routes.js';
import { webhookFaultRoutes } from './webhook-faults.js';

export interface SandboxRoom {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
}

export interface SandboxRoomOptions {
  readonly kyc: { readonly service: KycService; readonly reviews: ReviewService };
  readonly payments: { readonly simulation: SimulationService };
}

export function sandboxRoom({ kyc, payments }: SandboxRoomOptions): SandboxRoom {
  const routes = [
    ...sandboxKycRoutes(kyc.service, kyc.reviews),
    ...sandboxPaymentRoutes(payments.simulation),
    ...webhookFaultRoutes(),
  ];
  return { routes, jobs: [] };
}
