/** Builds the operators' desk: what operators see of an order over all rooms through which it goes. */
import type { Clock } from '../clock.js';
import type { FindPending } from '../http/four-eyes.js';
import type { Log } from '../log.js';
import type { OrderDesk } from '../orders/operator/desk/service.js';
import type { Database } from '../postgres/database.js';
import type { UserService } from '../users/service.js';
import { balanceRoutes } from './balances/routes.js';
import { BalanceService } from './balances/service.js';
import { balanceGauges, balanceTaskSources, compareBalancesJob } from './balances/watching.js';
import { noteRoutes } from './note-routes.js';
import { NoteService } from './note-service.js';
import { reportRoutes } from './reports/routes.js';
import { deskRoutes } from './routes.js';
import { DeskService } from './service.js';

export interface OperationsRoomOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly users: { readonly service: UserService };
  readonly orders: { readonly desk: OrderDesk };
  readonly findPending: FindPending;
}

export function operationsRoom(options: OperationsRoomOptions) {
  const { database, clock, log, users, orders, findPending } = options;
  const balances = new BalanceService();
  return {
    routes: [
      ...deskRoutes(new DeskService(orders.desk), findPending),
      ...noteRoutes(new NoteService(users.service)),
      ...balanceRoutes(balances, clock),
      ...reportRoutes(orders.desk),
    ],
    jobs: [compareBalancesJob(database, balances, log)],
    gauges: balanceGauges(database),
    taskSources: balanceTaskSources,
  };
}
