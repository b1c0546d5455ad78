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
import { admitByLevel } from './admission.js';
import { OrderCreation } from './creation.js';
import { orderJobs } from './jobs.js';
import { orderRoutes } from './routes.js';
import { OrderService } from './service.js';
import { OrderTransitions } from './transition.js';

export interface OrderRoomOptions {
  readonly database: Database;
  readonly users: UserService;
  readonly beneficiaries: BeneficiaryService;
  readonly kyc: KycService;
  readonly ledger: LedgerService;
  readonly board: Board;
  readonly log: Log;
}

export interface OrderRoom {
  readonly service: OrderService;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
}

export function orderRoom(options: OrderRoomOptions): OrderRoom {
  const { database, users, beneficiaries, ledger, board, log } = options;
  const transitions = new OrderTransitions(ledger);
  const creation = new OrderCreation({
    ...{ users, beneficiaries, ledger, transitions },
    openCorridor: (fiatIn, fiatOut) => board.openCorridor(fiatIn, fiatOut),
    admit: admitByLevel(options.kyc),
  });
  const service = new OrderService({ users, creation, transitions });
  return { service, routes: orderRoutes(service, creation), jobs: orderJobs(database, service, log) };
}
