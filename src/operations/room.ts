/** Builds the operators' desk: what operators see of an order over all rooms through which it goes. */
import { simulatedAccountId } from '../bank/accounts/bank-account.js';
import type { Clock } from '../clock.js';
import type { FindPending } from '../http/four-eyes.js';
import type { Log } from '../log.js';
import type { OrderDesk } from '../orders/operator/desk/service.js';
import type { Database } from '../postgres/database.js';
import type { QuoteProver } from '../rates/quote-proof.js';
import type { UserService } from '../users/service.js';
import { balanceRoutes } from './balances/routes.js';
import { BalanceService } from './balances/service.js';
import { balanceGauges, balanceTaskSources, compareBalancesJob } from './balances/watching.js';
import { noteRoutes } from './note-routes.js';
import { NoteService } from './note-service.js';
import { reportRoutes } from './reports/routes.js';
import { deskRoutes } from './routes.js';
import { recordSafeguardingJob, safeguardingTaskSources } from './safeguarding/jobs.js';
import { safeguardingRoutes } from './safeguarding/routes.js';
import { SafeguardingService } from './safeguarding/service.js';
import { DeskService } from './service.js';

export interface OperationsRoomOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly users: { readonly service: UserService };
  readonly orders: { readonly desk: OrderDesk };
  readonly rates: { readonly prover: QuoteProver };
  readonly mode: 'sandbox' | 'live';
  readonly findPending: FindPending;
}

export function operationsRoom(options: OperationsRoomOptions) {
  const { database, clock, log, users, orders, findPending, mode } = options;
  const balances = new BalanceService();
  const safeguarding = new SafeguardingService({
    prover: options.rates.prover,
    clock,
    simulatedAccount: mode === 'sandbox' ? simulatedAccountId : undefined,
  });
  return {
    routes: [
      ...deskRoutes(new DeskService(orders.desk), findPending),
      ...noteRoutes(new NoteService(users.service)),
      ...balanceRoutes(balances, clock),
      ...reportRoutes(orders.desk),
      ...safeguardingRoutes(safeguarding),
    ],
    jobs: [compareBalancesJob(database, balances, log), recordSafeguardingJob(database, safeguarding)],
    gauges: balanceGauges(database),
    taskSources: [...balanceTaskSources, ...safeguardingTaskSources],
  };
}
