/** Builds the sandbox room, which a live instance does not have. */
import type { BeneficiaryService } from '../beneficiaries/service.js';
import type { ReviewService } from '../kyc/review/service.js';
import type { KycService } from '../kyc/service.js';
import type { Log } from '../log.js';
import type { OrderService } from '../orders/api/service.js';
import type { Expiry } from '../orders/deadlines/expiry.js';
import type { RetryService } from '../orders/flow/retry-service.js';
import type { InformationService } from '../orders/information/service.js';
import type { RefundService } from '../orders/operator/refund-service.js';
import type { OrderCreation } from '../orders/placing/creation.js';
import type { FreezeService } from '../orders/review/freeze-service.js';
import type { ReviewService as OrderReviewService } from '../orders/review/service.js';
import type { SimulationService } from '../payments/simulation-service.js';
import type { SuspenseService } from '../payments/suspense/operator/service.js';
import type { PayoutSimulation } from '../payouts/reports/simulation-service.js';
import type { PayoutService } from '../payouts/service.js';
import type { Database } from '../postgres/database.js';
import type { Board } from '../rates/board/board.js';
import type { UserService } from '../users/service.js';
import type { Agenda } from '../worker/agenda.js';
import { clockRoutes } from './clock/routes.js';
import { ClockService } from './clock/service.js';
import { sandboxKycRoutes } from './kyc-routes.js';
import { sandboxMerchantRoutes } from './merchant-routes.js';
import { sandboxOperatorRoutes } from './operator-routes.js';
import { orderEventRoutes } from './order-events/routes.js';
import { OrderEventService } from './order-events/service.js';
import { sandboxPaymentRoutes } from './payment-routes.js';
import { Player } from './scenarios/player.js';
import { scenarioRoutes } from './scenarios/routes.js';
import type { ScenarioServices } from './scenarios/scenario.js';
import { ScenarioService } from './scenarios/service.js';
import { scenarios } from './scenarios/stories.js';
import { testValueRoutes } from './values/routes.js';
import { webhookFaultRoutes } from './webhook-faults.js';

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
  readonly orders: WithAgenda & {
    readonly service: OrderService;
    readonly creation: OrderCreation;
    readonly reviews: OrderReviewService;
    readonly freezes: FreezeService;
    readonly retries: RetryService;
    readonly expiry: Expiry;
    readonly refunds: RefundService;
    readonly information: InformationService;
  };
  readonly payments: { readonly simulation: SimulationService; readonly suspense: SuspenseService };
  readonly payouts: WithAgenda & {
    readonly service: PayoutService;
    readonly simulation: PayoutSimulation;
  };
}

/** Below the 30 seconds that a call may take. */
const longestCallMs = 28_000;

export function sandboxRoom(options: SandboxRoomOptions) {
  const { database, log, users, kyc, orders, payments, payouts } = options;
  const agendas = [kyc, orders, payouts, users].map(({ agenda }) => agenda);
  const clocks = new ClockService({ database, log, agendas, longestCallMs });
  const { expiry, reviews, freezes, retries, refunds } = orders;
  const parts = { users: users.service, expiry, reviews, freezes, retries, refunds, payouts: payouts.simulation };
  const events = new OrderEventService(parts);
  const stories = new ScenarioService(scenarios);
  const player = new Player({ database, log, scenarios, services: servicesOf(options, events) });
  return {
    routes: [
      ...clockRoutes(clocks),
      ...sandboxKycRoutes(kyc.service, kyc.reviews),
      ...sandboxPaymentRoutes(payments.simulation),
      ...orderEventRoutes(database, events),
      ...scenarioRoutes(stories),
      ...sandboxMerchantRoutes(),
      ...testValueRoutes(),
      ...webhookFaultRoutes(),
      ...sandboxOperatorRoutes({ database, clocks, scenarios: stories }),
    ],
    jobs: [player.job, { name: 'sandbox.release-clocks', everySeconds: 30, run: () => clocks.releaseGivenUp() }],
  };
}

function servicesOf(options: SandboxRoomOptions, events: OrderEventService): ScenarioServices {
  const { users, kyc, rates, beneficiaries, orders, payments, payouts } = options;
  return {
    users: users.service,
    kyc: kyc.service,
    kycReviews: kyc.reviews,
    board: rates.board,
    events,
    beneficiaries: beneficiaries.service,
    orders: orders.service,
    creation: orders.creation,
    information: orders.information,
    payments: payments.simulation,
    suspense: payments.suspense,
    pickupCode: (...order) => payouts.service.pickupCode(...order),
  };
}
