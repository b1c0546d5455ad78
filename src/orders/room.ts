/** Builds the orders room from the rooms that it uses. */
import type { BeneficiaryService } from '../beneficiaries/service.js';
import type { Route } from '../http/route.js';
import type { KycService } from '../kyc/service.js';
import type { LedgerService } from '../ledger/service.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Board } from '../rates/board/board.js';
import type { UserService } from '../users/service.js';
import type { Job } from '../worker/worker.js';
import { OrderCreation } from './creation.js';
import { orderJobs } from './jobs.js';
import type { LimitTable } from './limits/limits.js';
import { limitRoutes } from './limits/routes.js';
import { LimitService } from './limits/service.js';
import { MovementService } from './movement-service.js';
import type { Payouts } from './ports.js';
import { preflightRoutes } from './preflight/routes.js';
import { PreflightService } from './preflight/service.js';
import { orderRoutes } from './routes.js';
import { OrderService } from './service.js';
import { OrderTransitions } from './transition.js';

export interface OrderRoomOptions {
  readonly database: Database;
  readonly users: { readonly service: UserService };
  readonly beneficiaries: { readonly service: BeneficiaryService };
  readonly kyc: { readonly service: KycService };
  readonly ledger: { readonly service: LedgerService };
  readonly rates: { readonly board: Board };
  /** The room that pays out is built after this one. */
  readonly payouts: () => Payouts;
  readonly limits: LimitTable;
  readonly log: Log;
}

export interface OrderRoom {
  readonly service: OrderService;
  /** For the rooms that move money. */
  readonly movements: MovementService;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
}

export function orderRoom(options: OrderRoomOptions): OrderRoom {
  const { database, log } = options;
  const { board } = options.rates;
  const { service: users } = options.users;
  const { service: kyc } = options.kyc;
  const { service: ledger } = options.ledger;
  const limits = new LimitService({ kyc, users, rates: board, table: options.limits });
  const transitions = new OrderTransitions(ledger);
  const creation = new OrderCreation({
    ...{ users, beneficiaries: options.beneficiaries.service, ledger, transitions },
    openCorridor: (fiatIn, fiatOut) => board.openCorridor(fiatIn, fiatOut),
    admit: limits.admit,
    payouts: options.payouts,
  });
  const service = new OrderService({ users, creation, transitions });
  const preflight = new PreflightService({ users, ledger, creation, limits });
  return {
    service,
    movements: new MovementService({ users, transitions }),
    routes: [...orderRoutes(service, creation), ...preflightRoutes(preflight), ...limitRoutes(limits)],
    jobs: orderJobs(database, service, log),
  };
}
