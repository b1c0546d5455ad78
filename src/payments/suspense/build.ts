/** Builds what the room has for money in suspense. */
import type { FindPending } from '../../http/four-eyes.js';
import type { Route } from '../../http/route.js';
import type { LedgerService } from '../../ledger/service.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { UserService } from '../../users/service.js';
import type { Job } from '../../worker/worker.js';
import { handOverJobOf } from '../jobs.js';
import type { InstanceSealer } from '../sealed.js';
import type { PaymentSettlement } from '../settlement.js';
import type { SuspenseActions } from './actions.js';
import { HandOverService } from './hand-over-service.js';
import { SuspenseCandidates } from './operator/candidates.js';
import { suspenseRoutes } from './operator/routes.js';
import { SuspenseService } from './operator/service.js';

export interface SuspenseParts {
  readonly database: Database;
  readonly users: UserService;
  readonly sealer: InstanceSealer;
  readonly actions: SuspenseActions;
  readonly settlement: PaymentSettlement;
  readonly ledger: LedgerService;
  readonly findPending: FindPending;
  readonly log: Log;
}

export interface BuiltSuspense {
  readonly service: SuspenseService;
  readonly routes: Route[];
  readonly job: Job;
}

export function buildSuspense(parts: SuspenseParts): BuiltSuspense {
  const { database, users, sealer, actions, settlement, ledger, findPending, log } = parts;
  const candidates = new SuspenseCandidates({ users, sealer });
  const handOvers = new HandOverService({ users, sealer, settlement, ledger, actions });
  const service = new SuspenseService({ users, sealer, actions, candidates });
  return {
    service,
    routes: suspenseRoutes(service, findPending),
    job: handOverJobOf(database, handOvers, log),
  };
}
