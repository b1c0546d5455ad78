/** Builds the sandbox room, which a live instance does not have. */
import type { BeneficiaryService } from '../beneficiaries/service.js';
import type { Route } from '../http/route.js';
import type { ReviewService } from '../kyc/review/service.js';
import type { KycService } from '../kyc/service.js';
import type { OrderCreation } from '../orders/creation.js';
import type { OrderService } from '../orders/service.js';
import type { SimulationService } from '../payments/simulation-service.js';
import type { Board } from '../rates/board/board.js';
import type { UserService } from '../users/service.js';
import type { Job } from '../worker/worker.js';
import { sandboxKycRoutes } from './kyc-routes.js';
import { sandboxPaymentRoutes } from './payment-routes.js';
import { scenarioRoutes } from './scenario-routes.js';
import { ScenarioService } from './scenario-service.js';
import { webhookFaultRoutes } from './webhook-faults.js';

export interface SandboxRoom {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
}

export interface SandboxRoomOptions {
  readonly users: { readonly service: UserService };
  readonly kyc: { readonly service: KycService; readonly reviews: ReviewService };
  readonly rates: { readonly board: Board };
  readonly beneficiaries: { readonly service: BeneficiaryService };
  readonly orders: { readonly service: OrderService; readonly creation: OrderCreation };
  readonly payments: { readonly simulation: SimulationService };
}

export function sandboxRoom(options: SandboxRoomOptions): SandboxRoom {
  const { users, kyc, rates, beneficiaries, orders, payments } = options;
  const { simulation } = payments;
  const scenarios = new ScenarioService({
    ...{ users: users.service, kyc: kyc.service, board: rates.board, beneficiaries: beneficiaries.service },
    ...{ orders: orders.service, creation: orders.creation, simulation },
  });
  const routes = [
    ...sandboxKycRoutes(kyc.service, kyc.reviews),
    ...sandboxPaymentRoutes(simulation),
    ...scenarioRoutes(scenarios),
    ...webhookFaultRoutes(),
  ];
  return { routes, jobs: [] };
}
