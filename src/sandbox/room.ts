/** Builds the sandbox room, which a live instance does not have. */
import type { BeneficiaryService } from '../beneficiaries/service.js';
import type { Route } from '../http/route.js';
import type { ReviewService } from '../kyc/review/service.js';
import type { KycService } from '../kyc/service.js';
import type { Log } from '../log.js';
import type { OrderCreation } from '../orders/creation.js';
import type { OrderService } from '../orders/service.js';
import type { SimulationService } from '../payments/simulation-service.js';
import type { Database } from '../postgres/database.js';
import type { Board } from '../rates/board/board.js';
import type { UserService } from '../users/service.js';
import type { Agenda } from '../worker/agenda.js';
import type { Job } from '../worker/worker.js';
import { clockRoutes } from './clock/routes.js';
import { ClockService } from './clock/service.js';
import { sandboxKycRoutes } from './kyc-routes.js';
import { sandboxPaymentRoutes } from './payment-routes.js';
import { scenarioRoutes } from './scenario-routes.js';
import { ScenarioService } from './scenario-service.js';
import { webhookFaultRoutes } from './webhook-faults.js';

export interface SandboxRoom {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
}

interface WithAgenda {
  readonly agenda: Agenda;
}

export interface SandboxRoomOptions {
  readonly database: Database;
  readonly log: Log;
  readonly users: WithAgenda & { readonly service: UserService };
  readonly kyc: WithAgenda & { readonly service: KycService; readonly reviews: ReviewService };
  readonly rates: { readonly board: Board };
  readonly beneficiaries: { readonly service: BeneficiaryService };
  readonly orders: WithAgenda & { readonly service: OrderService; readonly creation: OrderCreation };
  readonly payments: { readonly simulation: SimulationService };
  readonly payouts: WithAgenda;
}

export function sandboxRoom(options: SandboxRoomOptions): SandboxRoom {
  const { database, log, users, kyc, rates, beneficiaries, orders, payments, payouts } = options;
  const { simulation } = payments;
  const scenarios = new ScenarioService({
    ...{ users: users.service, kyc: kyc.service, board: rates.board, beneficiaries: beneficiaries.service },
    ...{ orders: orders.service, creation: orders.creation, simulation },
  });
  const agendas = [kyc, orders, payouts, users].map(({ agenda }) => agenda);
  const clocks = new ClockService({ database, log, agendas, longestCallMs: 28_000 });
  const routes = [
    ...clockRoutes(clocks),
    ...sandboxKycRoutes(kyc.service, kyc.reviews),
    ...sandboxPaymentRoutes(simulation),
    ...scenarioRoutes(scenarios),
    ...webhookFaultRoutes(),
  ];
  return {
    routes,
    jobs: [{ name: 'sandbox.release-clocks', everySeconds: 30, run: () => clocks.releaseGivenUp() }],
  };
}
