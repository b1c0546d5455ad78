/**
 * The verbs of payouts on a database, without a service. Programs use them too, so nothing here belongs to a test run.
 */
import { type Clock, systemClock } from '../../src/clock.js';
import { deriveKey } from '../../src/keys/derive.js';
import type { OrderTransitions } from '../../src/orders/order/transition.js';
import type { Receiving } from '../../src/orders/payin/receiving.js';
import { InstanceSealer } from '../../src/payments/sealed.js';
import { SuspenseActions } from '../../src/payments/suspense/actions.js';
import { RefundOutcomes } from '../../src/payments/suspense/refund-outcomes.js';
import { AttemptKeys } from '../../src/payouts/attempt-keys.js';
import type { Rail } from '../../src/payouts/rail.js';
import { SuspenseRefundService } from '../../src/payouts/refunds/suspense-refunds.js';
import { ReportService } from '../../src/payouts/reports/report-service.js';
import type { RailRoute } from '../../src/payouts/routing.js';
import { ExitChecks } from '../../src/payouts/sending/exit-checks.js';
import { PayoutSending } from '../../src/payouts/sending/sending.js';
import { type FindPayer, PayoutService } from '../../src/payouts/service.js';
import type { Database } from '../../src/postgres/database.js';
import { manualRail } from '../../src/providers/payout/manual.js';
import type { UserService } from '../../src/users/service.js';
import { silentLog } from '../harness/silent-log.js';
import { openExit, orderVerbs } from '../orders/verbs.js';

export interface PayoutVerbs {
  readonly database: Database;
  readonly users: UserService;
  readonly receiving: Receiving;
  readonly transitions: OrderTransitions;
  readonly payouts: PayoutService;
  readonly suspense: SuspenseActions;
  readonly reports: ReportService;
  readonly sending: PayoutSending;
  readonly keys: AttemptKeys;
  readonly exitChecks: ExitChecks;
  readonly rootKey: Buffer;
}

interface PayoutSetting {
  readonly answerWithinMs?: number;
  readonly holder?: string;
  readonly clock?: Clock;
  readonly routes?: readonly RailRoute[];
  readonly findPayer?: FindPayer;
  /** What the worker uses in the place of the database. */
  readonly sendingDatabase?: Database;
}

/** The room's verbs on a database, with these rails. */
export async function payoutVerbs(
  database: Database,
  rails: readonly Rail[],
  {
    answerWithinMs = 5_000,
    holder = 'test',
    clock = systemClock,
    routes: payoutRoutes = [],
    findPayer = async () => undefined,
    sendingDatabase = database,
  }: PayoutSetting = {},
): Promise<PayoutVerbs> {
  const verbs = await orderVerbs(database);
  const { users, vault, ledger, transitions, receiving, requotes } = verbs;
  const byName = new Map([manualRail, ...rails].map((rail) => [rail.name, rail]));
  const reportKey = deriveKey(vault.rootKey, 'payout reports');
  const keys = new AttemptKeys(users, vault.rootKey);
  const sealer = new InstanceSealer(vault.rootKey);
  const outcomes = new RefundOutcomes({ ledger, sealer, refunds: { withdraw: async () => false } });
  const reports = new ReportService({
    payouts: verbs.payoutOutcomes,
    refunds: verbs.refundOutcomes,
    users,
    keys,
    outcomes,
    rails: byName,
    reportKey,
  });
  const routes = rails.map(({ name }) => ({ rail: name, methods: 'any', currencies: 'any' }) as const);
  const refunds = new SuspenseRefundService({ keys, rails: byName, manualRail, routes });
  const suspense = new SuspenseActions({
    ...{ ledger, receiving, requotes, users, sealer, refunds },
    gate: openExit,
    findPending: async () => new Map(),
  });
  const payouts = new PayoutService({
    ...{ users, rails: byName, manualRail, routes: payoutRoutes },
    pauses: () => [],
    findPayer,
  });
  const exitChecks = new ExitChecks({
    ...{ database, keys },
    recheck: async () => new Map(),
    exits: { ofOrder: async () => 'pass', ofSuspense: async () => 'pass' },
  });
  const sending = new PayoutSending({
    ...{
      database: sendingDatabase,
      keys,
      rails: byName,
      reports,
      exitChecks,
      clock,
      log: silentLog,
      holder,
      answerWithinMs,
    },
  });
  const { rootKey } = vault;
  return { database, users, receiving, transitions, payouts, suspense, reports, sending, keys, exitChecks, rootKey };
}
