/** The verbs of payouts on a database, without a service. Programs use them too, so nothing here belongs to a test run. */
import { systemClock } from '../../src/clock.js';
import { deriveKey } from '../../src/keys/derive.js';
import type { MovementService } from '../../src/orders/flow/movement-service.js';
import type { OrderTransitions } from '../../src/orders/order/transition.js';
import { InstanceSealer } from '../../src/payments/sealed.js';
import { SuspenseActions } from '../../src/payments/suspense/actions.js';
import { RefundOutcomes } from '../../src/payments/suspense/refund-outcomes.js';
import { AttemptKeys } from '../../src/payouts/attempt-keys.js';
import type { Rail } from '../../src/payouts/rail.js';
import { ReportService } from '../../src/payouts/reports/report-service.js';
import { PayoutSending } from '../../src/payouts/sending/sending.js';
import { PayoutService } from '../../src/payouts/service.js';
import { SuspenseRefundService } from '../../src/payouts/suspense-refunds.js';
import type { Database } from '../../src/postgres/database.js';
import { manualRail } from '../../src/providers/payout/manual.js';
import { silentLog } from '../harness/silent-log.js';
import { orderVerbs } from '../orders/verbs.js';

export interface PayoutVerbs {
  readonly database: Database;
  readonly movements: MovementService;
  readonly transitions: OrderTransitions;
  readonly payouts: PayoutService;
  readonly suspense: SuspenseActions;
  readonly reports: ReportService;
  readonly sending: PayoutSending;
}

/** The room's verbs on a database, with these rails. */
export async function payoutVerbs(
  database: Database,
  rails: readonly Rail[],
  { answerWithinMs = 5_000, holder = 'test', clock = systemClock } = {},
): Promise<PayoutVerbs> {
  const { users, vault, ledger, transitions, movements } = await orderVerbs(database);
  const byName = new Map([manualRail, ...rails].map((rail) => [rail.name, rail]));
  const reportKey = deriveKey(vault.rootKey, 'payout reports');
  const keys = new AttemptKeys(users, vault.rootKey);
  const sealer = new InstanceSealer(vault.rootKey);
  const outcomes = new RefundOutcomes({ ledger, sealer });
  const reports = new ReportService({ users, movements, keys, outcomes, rails: byName, reportKey });
  const routes = rails.map(({ name }) => ({ rail: name, methods: 'any', currencies: 'any' }) as const);
  const refunds = new SuspenseRefundService({ keys, rails: byName, manualRail, routes });
  const suspense = new SuspenseActions({ ledger, movements, users, sealer, refunds: () => refunds });
  const payouts = new PayoutService({
    ...{ users, movements, rails: byName, manualRail, routes: [] },
    pauses: () => [],
    findPayer: async () => undefined,
  });
  const sending = new PayoutSending({
    ...{
      database,
      keys,
      rails: byName,
      reports,
      clock,
      log: silentLog,
      holder,
      answerWithinMs,
      onTampered: async () => {},
    },
  });
  return { database, movements, transitions, payouts, suspense, reports, sending };
}
