/**
 * Owns what compliance officers look at. Does not own the people, their orders or the block list: it brings together
 * what the rooms below know of them. No merchant and no user sees anything of it.
 */

import type { Clock } from '../clock.js';
import type { FindPending } from '../http/four-eyes.js';
import type { HitReviewService } from '../kyc/hits/review-service.js';
import type { HitService } from '../kyc/hits/service.js';
import type { KycService } from '../kyc/service.js';
import type { Licensee } from '../licensee/licensee.js';
import type { Log } from '../log.js';
import type { LimitService } from '../orders/limits/service.js';
import { Movements } from '../orders/movements/service.js';
import type { OrderDesk } from '../orders/operator/desk/service.js';
import type { AccountIndex } from '../orders/rules/account-index.js';
import type { BlockService } from '../persons/blocks/service.js';
import type { PersonIndex } from '../persons/service.js';
import type { Database } from '../postgres/database.js';
import type { RiskService } from '../risk/service.js';
import type { TaskSource } from '../tasks/task.js';
import type { UserService } from '../users/service.js';
import { References } from './case/finding.js';
import { caseRoutes } from './case/routes.js';
import { CaseService } from './case/service.js';
import { listCaseTasks } from './case/store.js';
import { holdRoutes } from './holds/routes.js';
import { HoldService } from './holds/service.js';
import { countAlertsOf, listAlertTasks } from './monitoring/alert-store.js';
import { monitoringJobs } from './monitoring/job.js';
import { listMonitoringTasks } from './monitoring/progress-store.js';
import { monitoringRoutes } from './monitoring/routes.js';
import { MonitoringService } from './monitoring/service.js';
import { peopleRoutes } from './people/routes.js';
import { PeopleService } from './people/service.js';
import { reportRoute } from './reports/routes.js';
import { ReportService } from './reports/service.js';
import { CaseSealer } from './sealed.js';

export interface CaseRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly clock: Clock;
  readonly log: Log;
  readonly findPending: FindPending;
  readonly licensee: () => Licensee | undefined;
  readonly risk: { readonly service: RiskService };
  readonly users: { readonly service: UserService };
  readonly persons: { readonly service: PersonIndex; readonly blocks: BlockService };
  readonly kyc: {
    readonly service: KycService;
    readonly hits: HitService;
    readonly hitReviews: HitReviewService;
  };
  readonly orders: {
    readonly desk: OrderDesk;
    readonly limits: LimitService;
    readonly accounts: AccountIndex;
  };
}

export function caseRoom(options: CaseRoomOptions) {
  const { database, users, persons, kyc, orders, findPending, log } = options;
  const sealer = new CaseSealer(options.rootKey);
  const monitoring = new MonitoringService(sealer);
  const { licensee, clock } = options;
  const holds = new HoldService(users.service, sealer);
  const references = new References({
    users: users.service,
    hitReviews: kyc.hitReviews,
    blocks: persons.blocks,
  });
  const cases = new CaseService(sealer, references, () => clock.now());
  const reports = new ReportService({ cases, users: users.service, licensee, now: () => clock.now() });
  const people = new PeopleService({
    users: users.service,
    cases,
    persons: persons.service,
    blocks: persons.blocks,
    kyc: kyc.service,
    hits: kyc.hits,
    desk: orders.desk,
    limits: orders.limits,
    accounts: orders.accounts,
    risk: options.risk.service,
  });
  const taskSources: TaskSource[] = [
    { kind: 'alert', list: listAlertTasks },
    { kind: 'compliance_case', list: listCaseTasks },
    { kind: 'monitoring', list: listMonitoringTasks },
  ];
  return {
    holds,
    countAlerts: countAlertsOf,
    routes: [
      ...holdRoutes(holds, findPending),
      ...peopleRoutes(people),
      ...monitoringRoutes(monitoring, findPending),
      ...caseRoutes(cases),
      reportRoute(reports),
    ],
    jobs: monitoringJobs({ database, persons: persons.service, movements: new Movements(), log }),
    taskSources,
  };
}
