/** Builds the room of risk. */
import type { FindPending } from '../http/four-eyes.js';
import type { Log } from '../log.js';
import { Movements } from '../orders/movements/service.js';
import type { Database } from '../postgres/database.js';
import type { TaskSource } from '../tasks/task.js';
import { type RiskJobOptions, riskJob } from './job.js';
import { riskRoutes } from './routes.js';
import { type RiskOptions, RiskService } from './service.js';
import { listRiskTasks } from './store.js';

export interface RiskRoomOptions {
  readonly database: Database;
  readonly log: Log;
  readonly findPending: FindPending;
  readonly users: { readonly service: RiskOptions['users'] };
  readonly persons: { readonly service: RiskOptions['persons'] };
  readonly kyc: Pick<RiskOptions, 'hits' | 'exposures'> & { readonly service: RiskJobOptions['kyc'] };
  readonly countries: { readonly policies: RiskOptions['countries'] };
  readonly countAlerts: RiskOptions['countAlerts'];
  readonly forgetApprovals: RiskOptions['forgetApprovals'];
}

export function riskRoom({ database, log, findPending, users, persons, kyc, ...rest }: RiskRoomOptions) {
  const service = new RiskService({
    users: users.service,
    persons: persons.service,
    hits: kyc.hits,
    exposures: kyc.exposures,
    countries: rest.countries.policies,
    movements: new Movements(),
    countAlerts: rest.countAlerts,
    forgetApprovals: rest.forgetApprovals,
  });
  const taskSources: TaskSource[] = [{ kind: 'risk_review', list: listRiskTasks }];
  return {
    service,
    routes: riskRoutes(service, findPending),
    jobs: [riskJob({ database, kyc: kyc.service, risk: service, log })],
    taskSources,
  };
}
