/** Builds the orders room from the rooms that it uses. */
import type { BeneficiaryService } from '../beneficiaries/service.js';
import type { FindPending } from '../http/four-eyes.js';
import type { Route } from '../http/route.js';
import type { HitService, ListsSnapshot } from '../kyc/hits/service.js';
import type { KycService } from '../kyc/service.js';
import type { LedgerService } from '../ledger/service.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Board } from '../rates/board/board.js';
import type { QuoteProver } from '../rates/quote-proof.js';
import type { TaskSource } from '../tasks/task.js';
import type { UserService } from '../users/service.js';
import type { Job } from '../worker/worker.js';
import { OrderCreation } from './creation.js';
import { OrderDesk } from './desk/service.js';
import { Advance } from './flow/advance.js';
import { advanceOrdersJob } from './flow/advance-job.js';
import { GatedSteps } from './flow/gated-steps.js';
import { Refunds } from './flow/refunds.js';
import { RetryService } from './flow/retry-service.js';
import { wakeWaitingOrders } from './flow/waiting.js';
import { Gate } from './gate/examination.js';
import type { GateRule } from './gate/facts.js';
import { RequiredLevels } from './gate/required-levels.js';
import { informationRoutes } from './information/routes.js';
import { InformationService } from './information/service.js';
import { orderJobs } from './jobs.js';
import type { LimitTable } from './limits/limits.js';
import { limitRoutes } from './limits/routes.js';
import { LimitService } from './limits/service.js';
import { MovementService } from './movement-service.js';
import type { PayinAccounts, Payouts } from './ports.js';
import { preflightRoutes } from './preflight/routes.js';
import { PreflightService } from './preflight/service.js';
import { receiptRoute } from './receipt/routes.js';
import { ReceiptService } from './receipt/service.js';
import { FreezeService } from './review/freeze-service.js';
import { listReviewTasks } from './review/queue-store.js';
import { reviewRoutes } from './review/routes.js';
import { ReviewService } from './review/service.js';
import { orderRoutes } from './routes.js';
import { OrderService } from './service.js';
import { timelineRoute } from './timeline/routes.js';
import { TimelineService } from './timeline/service.js';
import { OrderTransitions } from './transition.js';

export interface OrderRoomOptions {
  readonly database: Database;
  readonly users: { readonly service: UserService };
  readonly beneficiaries: { readonly service: BeneficiaryService };
  readonly kyc: { readonly service: KycService; readonly hits: HitService };
  readonly screening: { readonly service: { snapshot(): ListsSnapshot } };
  readonly ledger: { readonly service: LedgerService };
  readonly rates: { readonly board: Board; readonly prover: QuoteProver };
  /** The room that pays out is built after this one. */
  readonly payouts: () => Payouts;
  /** What the gate asks besides screening, KYC level and rails. */
  readonly gateRules: readonly GateRule[];
  readonly findPending: FindPending;
  readonly limits: LimitTable;
  readonly payinAccounts: PayinAccounts;
  readonly log: Log;
}

export interface OrderRoom {
  readonly service: OrderService;
  /** For the rooms that move money. */
  readonly movements: MovementService;
  /** For the sandbox. */
  readonly creation: OrderCreation;
  /** For the room that pays out: a pause has ended. */
  wakeWaiting(): Promise<void>;
  /** For the operators' desk. */
  readonly desk: OrderDesk;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly taskSources: readonly TaskSource[];
}

export function orderRoom(options: OrderRoomOptions): OrderRoom {
  const { database, payouts, findPending, log } = options;
  const { board, prover } = options.rates;
  const { service: users } = options.users;
  const { service: kyc, hits } = options.kyc;
  const { service: ledger } = options.ledger;
  const snapshot = () => options.screening.service.snapshot();
  const limits = new LimitService({ kyc, users, rates: board, table: options.limits });
  const transitions = new OrderTransitions(ledger, () => snapshot().version);
  const refunds = new Refunds({ ledger, transitions, payouts });
  const levels = new RequiredLevels({ kyc, corridor: (...pair) => board.corridor(...pair) });
  const reviews = new ReviewService({ users, hits, ledger, transitions, refunds, payouts, levels });
  const creation = new OrderCreation({
    ...{ users, beneficiaries: options.beneficiaries.service, ledger, transitions },
    openCorridor: (fiatIn, fiatOut) => board.openCorridor(fiatIn, fiatOut),
    admit: limits.admit,
    payouts,
    payinAccounts: options.payinAccounts,
  });
  const service = new OrderService({ users, creation, transitions, refunds, reviews });
  const preflight = new PreflightService({ users, ledger, creation, limits });
  const information = new InformationService({ users, orders: service, transitions });
  const gate = new Gate({
    database,
    users,
    hits,
    ledger,
    reviews,
    payouts,
    levels,
    rules: options.gateRules,
  });
  const steps = new GatedSteps(transitions, payouts);
  const advance = new Advance({ database, steps, reviews, refunds });
  const freezes = new FreezeService(reviews);
  const retries = new RetryService({ gate, snapshot, steps, reviews });
  return {
    service,
    movements: new MovementService({ users, transitions }),
    creation,
    wakeWaiting: () => wakeWaitingOrders(database),
    desk: new OrderDesk({ ledger, users }),
    routes: [
      ...orderRoutes(service, creation),
      timelineRoute(new TimelineService({ orders: service, ledger })),
      receiptRoute(new ReceiptService({ orders: service, users, prover })),
      ...informationRoutes(information),
      ...preflightRoutes(preflight),
      ...limitRoutes(limits),
      ...reviewRoutes({ database, users, reviews, freezes, retries, findPending }),
    ],
    jobs: [
      ...orderJobs(database, service, log),
      advanceOrdersJob({ database, gate, advance, snapshot, log }),
    ],
    taskSources: [{ kind: 'order_review', list: listReviewTasks }],
  };
}
