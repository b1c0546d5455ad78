/** Builds the payouts room from the rails and the rooms that it uses. */

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { BankAccounts } from '../bank/accounts/service.js';
import type { BatchedPayments } from '../bank/batches/ports.js';
import type { LineTaker } from '../bank/matching/taker.js';
import type { Clock } from '../clock.js';
import type { FindPending } from '../http/four-eyes.js';
import type { RoomGauge } from '../http/monitoring/metrics.js';
import type { Route } from '../http/route.js';
import { deriveKey } from '../keys/derive.js';
import type { Log } from '../log.js';
import type { Amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import type { OrderPayoutProofs } from '../orders/corrections/payout-proofs.js';
import type { OrderRefundProofs } from '../orders/corrections/refund-proofs.js';
import type { PayoutOutcomes } from '../orders/flow/payout-outcomes.js';
import type { OrderRefundOutcomes } from '../orders/refunds/refund-outcomes.js';
import type { Database } from '../postgres/database.js';
import type { Board } from '../rates/board/board.js';
import type { TaskSource } from '../tasks/task.js';
import type { UserService } from '../users/service.js';
import type { Agenda } from '../worker/agenda.js';
import type { Job } from '../worker/worker.js';
import { AttemptKeys } from './attempt-keys.js';
import { BatchedPayouts } from './batched/service.js';
import { RefundCorrections } from './corrections/refund-corrections.js';
import { payoutCorrectionRoutes } from './corrections/routes.js';
import { PayoutCorrections } from './corrections/service.js';
import { documentRoutes } from './operator/document-routes.js';
import { payoutGauges } from './operator/gauges.js';
import { PayoutRecordings } from './operator/recordings.js';
import { payoutOperatorRoutes } from './operator/routes.js';
import { PayoutOperatorService } from './operator/service.js';
import * as tasks from './operator/task-store.js';
import { PauseWatch, pausesChanged } from './pauses/pause-watch.js';
import { pauseRoutes } from './pauses/routes.js';
import { PauseService } from './pauses/service.js';
import type { PayoutRecheck, RefundExits, SuspenseRefundOutcomes } from './ports.js';
import { isAsked, type Rail, sendJob } from './rail.js';
import { payoutTaker } from './reports/bank-lines.js';
import { DocumentService } from './reports/document-service.js';
import { ReportService } from './reports/report-service.js';
import { PayoutSimulation } from './reports/simulation-service.js';
import { orderPayoutRoutes } from './routes.js';
import type { RailRoute } from './routing.js';
import { ExitChecks } from './sending/exit-checks.js';
import { hasDueAttempt, nextDueAttempt, oldestDueSeconds } from './sending/lease-store.js';
import { answerWithinSeconds } from './sending/schedule.js';
import { PayoutSending } from './sending/sending.js';
import { type FindPayer, PayoutService } from './service.js';

export interface PayoutRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly clock: Clock;
  readonly log: Log;
  readonly users: { readonly service: UserService };
  readonly orders: {
    readonly payoutOutcomes: PayoutOutcomes;
    readonly refundOutcomes: OrderRefundOutcomes;
    wakeWaiting(): Promise<void>;
    readonly payoutProofs: OrderPayoutProofs;
    readonly refundProofs: OrderRefundProofs;
    readonly recheck: PayoutRecheck;
  };
  readonly rails: { readonly all: readonly Rail[]; readonly manual: Rail };
  readonly rates: { readonly board: Pick<Board, 'corridors'> };
  readonly settings: {
    readonly payoutRails: readonly RailRoute[];
    readonly payoutsRecordedPerDay: ReadonlyMap<CurrencyCode, Amount>;
  };
  readonly findPending: FindPending;
  readonly findPayer: FindPayer;
  readonly bankAccounts: BankAccounts;
  /** Who is told what became of money in suspense that is paid back. */
  readonly suspenseOutcomes: SuspenseRefundOutcomes;
  /** Whether nothing may leave this instance now. */
  readonly isSendingHeld: () => Promise<boolean>;
  /** Whether refunds may be sent. */
  readonly refundExits: RefundExits;
}

export interface PayoutRoom {
  /** What orders ask of this room. */
  readonly service: PayoutService;
  /** For the sandbox: what rails report when somebody wants them to. */
  readonly simulation: PayoutSimulation;
  /** For the statements of banks. */
  readonly lineTaker: LineTaker;
  /** Payments that leave in files of the bank; undefined without a rail for them. */
  readonly batched: BatchedPayments | undefined;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly agenda: Agenda;
  readonly gauges: readonly RoomGauge[];
  readonly taskSources: readonly TaskSource[];
  readonly onWake: Readonly<Record<string, () => void>>;
  close(): Promise<void>;
}

export async function payoutRoom(options: PayoutRoomOptions): Promise<PayoutRoom> {
  const { database, rootKey, clock, log, findPending } = options;
  const { payoutRails: routes, payoutsRecordedPerDay: recordedPerDay } = options.settings;
  const { service: users } = options.users;
  const { payoutOutcomes, refundOutcomes, recheck } = options.orders;
  const rails = new Map(options.rails.all.map((rail) => [rail.name, rail]));
  const askedRails = options.rails.all.filter(isAsked).map(({ name }) => name);
  const { manual: manualRail } = options.rails;
  const wakeWaiting = () => {
    // Without it they go on by themselves, a little later.
    options.orders.wakeWaiting().catch((err: unknown) => log.warn({ err }, 'waiting orders not woken'));
  };
  const watch = new PauseWatch(database, wakeWaiting);
  await watch.start();
  const reportKey = deriveKey(rootKey, 'payout reports');
  const keys = new AttemptKeys(users, rootKey);
  const reports = new ReportService({
    users,
    payouts: payoutOutcomes,
    refunds: refundOutcomes,
    keys,
    rails,
    reportKey,
    outcomes: options.suspenseOutcomes,
  });
  const service = new PayoutService({
    users,
    rails,
    routes,
    manualRail,
    pauses: () => watch.pauses,
    findPayer: options.findPayer,
  });
  const exitChecks = new ExitChecks({ database, keys, recheck, exits: options.refundExits });
  const holder = `${hostname()}.${randomBytes(6).toString('hex')}`;
  const sending = new PayoutSending({
    database,
    keys,
    rails,
    reports,
    exitChecks,
    clock,
    log,
    holder,
    answerWithinMs: answerWithinSeconds * 1000,
  });
  const batchedRail = options.rails.all.find(({ capabilities }) => capabilities.submission === 'batched');
  const batched =
    batchedRail && new BatchedPayouts({ database, keys, rail: batchedRail, reports, exitChecks, log, holder });
  const documents = new DocumentService({ database, reports, log, rails, reportKey });
  const hasCorridor = (fiatIn: string, fiatOut: string) =>
    options.rates.board.corridors().some((known) => known.fiatIn === fiatIn && known.fiatOut === fiatOut);
  const operators = new PayoutOperatorService(keys);
  const { bankAccounts } = options;
  const recordings = new PayoutRecordings({
    files: operators,
    reports,
    rails,
    bankAccounts,
    exitChecks,
    findPending,
    recordedPerDay,
  });
  return {
    service,
    simulation: new PayoutSimulation(reports),
    lineTaker: payoutTaker({ reports, rails }),
    batched,
    routes: [
      ...payoutOperatorRoutes({ database, payouts: operators, recordings, findPending }),
      ...documentRoutes(documents),
      ...payoutCorrectionRoutes(correctionsOf(options, keys, rails)),
      ...pauseRoutes(new PauseService({ rails: [...rails.keys()], hasCorridor }), () => watch.refresh()),
      ...orderPayoutRoutes(service),
    ],
    jobs: [
      {
        name: sendJob,
        everySeconds: 2,
        oldestDueSeconds: () => oldestDueSeconds(database, askedRails),
        run: async (signal) => ((await options.isSendingHeld()) ? 0 : sending.run(signal)),
      },
      documents.job(),
    ],
    agenda: {
      nextDue: (merchantId, after) => nextDueAttempt(database, merchantId, after),
      hasDue: (merchantId) => hasDueAttempt(database, merchantId, askedRails),
      runDue: (merchantId, signal) => sending.runFor([merchantId], signal),
    },
    gauges: payoutGauges(database),
    taskSources: [
      { kind: 'payout_to_make', list: tasks.listPayoutsToMake },
      { kind: 'payout_unknown', list: tasks.listUnknownPayouts },
      { kind: 'rail_failing', list: tasks.listFailingRails },
      { kind: 'unmatched_report', list: tasks.listUnmatchedReports },
    ],
    onWake: { [pausesChanged]: () => void watch.refresh().catch(() => {}) },
    close: async () => watch.stop(),
  };
}

function correctionsOf(
  { users, orders, suspenseOutcomes: suspense, bankAccounts }: PayoutRoomOptions,
  keys: AttemptKeys,
  rails: ReadonlyMap<string, Rail>,
): PayoutCorrections {
  const known = { users: users.service, rails, bankAccounts };
  const refunds = new RefundCorrections({ ...known, orders: orders.refundProofs, suspense, keys });
  return new PayoutCorrections({ ...known, orders: orders.payoutProofs, refunds });
}
