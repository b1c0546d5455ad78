/** Builds the ledger room: posting for other rooms, verification as jobs, and the routes of operators. */
import type { Clock } from '../clock.js';
import type { TenantId } from '../ids.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { TaskSource } from '../tasks/task.js';
import { LedgerNumbering } from './numbering.js';
import { ledgerRoutes } from './operator/routes.js';
import { type KnownBanks, LedgerOperatorService } from './operator/service.js';
import { listLedgerFaultTasks } from './operator/task-store.js';
import { LedgerSealer } from './sealing/seal.js';
import { LedgerService } from './service.js';
import { FaultWatch } from './verify/fault-watch.js';
import { verifyJobs } from './verify/jobs.js';
import type { OwedBalances } from './verify/owed.js';
import { faultsChanged, type RowFaults, recordFault } from './verify/verify.js';

export interface LedgerRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly clock: Clock;
  readonly log: Log;
  /** Says what we owe for each record, by its state. Absent: verification does not compare it. */
  readonly owedBalances?: OwedBalances;
  readonly banks: KnownBanks;
  /** Finds rows that are not what their changes left behind. */
  readonly rowFaults?: RowFaults;
}

export async function ledgerRoom(options: LedgerRoomOptions) {
  const { database, rootKey, clock, log, owedBalances, rowFaults } = options;
  const sealer = new LedgerSealer(rootKey);
  const service = new LedgerService(sealer, clock);
  const context = { database, sealer, owedBalances, rowFaults };
  const watch = new FaultWatch(database);
  await watch.start();
  return {
    service,
    routes: ledgerRoutes(new LedgerOperatorService(service, options.banks)),
    /** For the job that numbers changes. */
    numbering: new LedgerNumbering(sealer),
    jobs: verifyJobs(context, log),
    gauges: [watch.gauge()],
    taskSources: [{ kind: 'ledger_fault', list: listLedgerFaultTasks }] satisfies TaskSource[],
    onWake: { [faultsChanged]: () => void watch.refresh().catch(() => {}) },
    warnings: () => watch.warnings(),
    /** Records what is wrong with a row of the merchant, unless a fault is known. */
    recordFault: (merchantId: TenantId, fault: string) => {
      recordFault(context, merchantId, fault).catch((error) =>
        log.error({ merchantId, fault, err: error }, 'a fault could not be recorded'),
      );
    },
    close: async () => watch.stop(),
  };
}
