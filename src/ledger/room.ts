/** Builds the ledger room: posting for other rooms, numbering and verification as jobs, and the routes of operators. */
import type { Clock } from '../clock.js';
import type { RoomGauge } from '../http/monitoring/metrics.js';
import type { Route } from '../http/route.js';
import type { TenantId } from '../ids.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { TaskSource } from '../tasks/task.js';
import type { Job } from '../worker/worker.js';
import { oldestUnnumberedSeconds } from './journal-number-store.js';
import { LedgerNumbering } from './numbering.js';
import { ledgerRoutes } from './operator/routes.js';
import { LedgerOperatorService } from './operator/service.js';
import { listLedgerFaultTasks } from './operator/task-store.js';
import { LedgerSealer } from './sealing/seal.js';
import { LedgerService, numberJob } from './service.js';
import { FaultWatch } from './verify/fault-watch.js';
import { verifyJobs } from './verify/jobs.js';
import type { OwedBalances } from './verify/owed.js';
import { faultsChanged, type RowFaults, type VerifyContext, verifyLedger } from './verify/verify.js';

export interface LedgerRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly clock: Clock;
  readonly log: Log;
  /** Says what we owe for each record, by its state. Absent: verification does not compare it. */
  readonly owedBalances?: OwedBalances;
  /** Finds rows that are not what their changes left behind. */
  readonly rowFaults?: RowFaults;
}

export interface LedgerRoom {
  readonly service: LedgerService;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly gauges: readonly RoomGauge[];
  readonly taskSources: readonly TaskSource[];
  readonly onWake: Readonly<Record<string, () => void>>;
  warnings(): string[];
  /** Records what is wrong when a row was found that somebody else has changed. Does nothing while a fault is known. */
  examine(merchantId: TenantId): Promise<void>;
  close(): Promise<void>;
}

export async function ledgerRoom(options: LedgerRoomOptions): Promise<LedgerRoom> {
  const { database, rootKey, clock, log, owedBalances, rowFaults } = options;
  const sealer = new LedgerSealer(rootKey);
  const service = new LedgerService(sealer, clock);
  const context = { database, sealer, owedBalances, rowFaults };
  const watch = new FaultWatch(database);
  await watch.start();
  return {
    service,
    routes: ledgerRoutes(new LedgerOperatorService(service)),
    jobs: [numberingJob(context), ...verifyJobs(context, log)],
    gauges: [watch.gauge()],
    taskSources: [{ kind: 'ledger_fault', list: listLedgerFaultTasks }],
    onWake: { [faultsChanged]: () => watch.refresh() },
    warnings: () => watch.warnings(),
    async examine(merchantId) {
      if (await service.isSound(database, merchantId)) await verifyLedger(context, merchantId, { isFull: true });
    },
    close: async () => watch.stop(),
  };
}

function numberingJob(context: VerifyContext): Job {
  const { database, sealer } = context;
  const numbering = new LedgerNumbering({
    database,
    sealer,
    // Verification records the fault.
    onForged: async (merchantId) => void (await verifyLedger(context, merchantId, { isFull: false })),
  });
  return {
    name: numberJob,
    everySeconds: 5,
    oldestDueSeconds: () => oldestUnnumberedSeconds(database),
    run: (signal) => numbering.run(signal),
  };
}
