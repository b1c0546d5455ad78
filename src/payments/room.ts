/** Builds the payments room from the rooms that it uses. */
import type { LineTaker } from '../bank/matching/taker.js';
import type { FindPending } from '../http/four-eyes.js';
import type { RoomGauge } from '../http/monitoring/metrics.js';
import type { Route } from '../http/route.js';
import { storedPublicId, type TenantId } from '../ids.js';
import type { HitService, ListsSnapshot } from '../kyc/hits/service.js';
import type { LedgerService } from '../ledger/service.js';
import type { Log } from '../log.js';
import type { OrderCorrections } from '../orders/corrections/service.js';
import type { UsdRates } from '../orders/limits/usd-value.js';
import type { ExitVerdict, RefundRecipient } from '../orders/order/ports.js';
import type { Receiving } from '../orders/payin/receiving.js';
import type { Requotes } from '../orders/requote/service.js';
import type { BlockService } from '../persons/blocks/service.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import type { TaskSource } from '../tasks/task.js';
import type { UserService } from '../users/service.js';
import type { Job } from '../worker/worker.js';
import { payinAccountRoutes } from './accounts/routes.js';
import type { PayinAccountService } from './accounts/service.js';
import { paymentTaker } from './bank-lines.js';
import { HandPaymentService } from './by-hand/service.js';
import { listLossTasks } from './corrections/reversal-store.js';
import { paymentCorrectionRoutes } from './corrections/routes.js';
import { PaymentCorrections } from './corrections/service.js';
import { VoidService } from './corrections/void-service.js';
import { listFaultTasks } from './imports/fault-store.js';
import { importJobOf } from './imports/jobs.js';
import { ImportListing } from './imports/listing-service.js';
import { importRoutes } from './imports/routes.js';
import { ImportService } from './imports/service.js';
import { voidImportJobOf } from './imports/void-job.js';
import { handBackJobOf, takeOverJobOf } from './jobs.js';
import { paymentDeskRoutes } from './operator/routes.js';
import { PaymentDesk } from './operator/service.js';
import { policyRoutes } from './policies/routes.js';
import type { SuspenseRefunds } from './ports.js';
import { paymentRoutes } from './routes.js';
import { InstanceSealer } from './sealed.js';
import { PaymentService } from './service.js';
import { PaymentSettlement } from './settlement.js';
import { SimulationService } from './simulation-service.js';
import { SuspenseActions } from './suspense/actions.js';
import { buildSuspense } from './suspense/build.js';
import { ExitGate } from './suspense/exits/exit-gate.js';
import { suspenseGauges } from './suspense/operator/gauges.js';
import type { SuspenseService } from './suspense/operator/service.js';
import { listSuspenseTasks } from './suspense/operator/suspense-listing-store.js';
import { RefundOutcomes } from './suspense/refund-outcomes.js';

export interface PaymentRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly users: { readonly service: UserService };
  readonly ledger: { readonly service: LedgerService };
  readonly orders: {
    readonly receiving: Receiving;
    readonly requotes: Requotes;
    readonly corrections: OrderCorrections;
  };
  /** Who is on a list. */
  readonly kyc: { readonly hits: HitService };
  readonly persons: { readonly blocks: BlockService };
  readonly screening: { readonly service: { snapshot(): ListsSnapshot } };
  readonly rates: { readonly board: UsdRates };
  readonly accounts: PayinAccountService;
  /** Pays money back. */
  readonly suspenseRefunds: SuspenseRefunds;
  readonly findPending: FindPending;
  readonly settings: { readonly recordedPaymentsUsdPerDay: number };
  readonly log: Log;
}

export interface PaymentRoom {
  readonly service: PaymentService;
  /** For the operators' desk. */
  readonly desk: PaymentDesk;
  /** For the sandbox. */
  readonly simulation: SimulationService;
  readonly suspense: SuspenseService;
  /** For the statements of banks. */
  readonly lineTaker: LineTaker;
  /** For the room that pays money back. */
  readonly refundOutcomes: RefundOutcomes;
  /** For the same room: asked before money in suspense is sent back, to this account if one is known. */
  mayLeave(
    tx: Transaction,
    record: { readonly ownerId: TenantId; readonly suspenseId: string },
    recipient: RefundRecipient | undefined,
  ): Promise<ExitVerdict>;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly gauges: readonly RoomGauge[];
  readonly taskSources: readonly TaskSource[];
}

export function paymentRoom(options: PaymentRoomOptions): PaymentRoom {
  const { database, accounts, log, findPending } = options;
  const { service: users } = options.users;
  const { receiving, requotes } = options.orders;
  const sealer = new InstanceSealer(options.rootKey);
  const { service: ledger } = options.ledger;
  const refunds = options.suspenseRefunds;
  const gate = new ExitGate({
    hits: options.kyc.hits,
    blocks: options.persons.blocks,
    snapshot: () => options.screening.service.snapshot(),
  });
  const actions = new SuspenseActions({ ledger, receiving, requotes, users, sealer, refunds, gate, findPending });
  const settlement = new PaymentSettlement({ ledger, receiving, users, sealer, suspense: actions });
  const payments = new PaymentService({ requotes, users, sealer, settlement, ledger });
  const usdPerDay = options.settings.recordedPaymentsUsdPerDay;
  const byHand = new HandPaymentService({
    accounts,
    payments,
    rates: options.rates.board,
    usdPerDay,
  });
  const desk = new PaymentDesk({ users, sealer });
  const { corrections } = options.orders;
  const voids = new VoidService({ ledger, sealer, users, orders: corrections });
  const imports = new ImportService(accounts, sealer);
  const suspense = buildSuspense({ database, users, sealer, actions, settlement, ledger, findPending, log });
  return {
    service: payments,
    desk,
    suspense: suspense.service,
    lineTaker: paymentTaker({ accounts, payments }),
    simulation: new SimulationService({ users, payments }),
    refundOutcomes: new RefundOutcomes({ ledger, sealer, refunds }),
    mayLeave: (tx, { ownerId, suspenseId }, recipient) =>
      actions.mayLeave(tx, { ownerId, suspenseId: storedPublicId('sus', suspenseId) }, recipient),
    routes: [
      ...payinAccountRoutes(accounts, findPending),
      ...policyRoutes(),
      ...paymentRoutes(byHand),
      ...paymentDeskRoutes(desk, findPending),
      ...paymentCorrectionRoutes(new PaymentCorrections(users, corrections, { ledger, sealer, refunds }), voids),
      ...importRoutes(imports, new ImportListing(imports, desk)),
      ...suspense.routes,
    ],
    jobs: [
      takeOverJobOf(database, payments, log),
      suspense.job,
      importJobOf({ database, accounts, payments, sealer, log }),
      handBackJobOf(database, voids, log),
      voidImportJobOf({ database, voids, sealer }),
    ],
    gauges: suspenseGauges(database),
    taskSources: [
      { kind: 'suspense', list: listSuspenseTasks },
      { kind: 'import_fault', list: listFaultTasks },
      { kind: 'loss', list: listLossTasks },
    ],
  };
}
