/** The verbs of payouts on a database, without a service. Programs use them too, so nothing here belongs to a test run. */
import { systemClock } from '../../src/clock.js';
import { deriveKey } from '../../src/keys/derive.js';
import type { MovementService } from '../../src/orders/movement-service.js';
import type { OrderTransitions } from '../../src/orders/transition.js';
import type { Rail } from '../../src/payouts/rail.js';
import { ReportService } from '../../src/payouts/reports/report-service.js';
import { PayoutSending } from '../../src/payouts/sending/sending.js';
import { PayoutService } from '../../src/payouts/service.js';
import type { Database } from '../../src/postgres/database.js';
import { manualRail } from '../../src/providers/payout/manual.js';
import { silentLog } from '../harness/silent-log.js';
import { orderVerbs } from '../orders/verbs.js';

export interface PayoutVerbs {
  readonly database: Database;
  readonly movements: MovementService;
  readonly transitions: OrderTransitions;
  readonly payouts: PayoutService;
  readonly reports: ReportService;
  readonly sending: PayoutSending;
}

/** The room's verbs on a database, with these rails. */
export async function payoutVerbs(
  database: Database,
  rails: readonly Rail[],
  { answerWithinMs = 5_000, holder = 'test', clock = systemClock } = {},
): Promise<PayoutVerbs> {
  const { users, vault, transitions, movements } = await orderVerbs(database);
  const byName = new Map([manualRail, ...rails].map((rail) => [rail.name, rail]));
  const reportKey = deriveKey(vault.rootKey, 'payout reports');
  const reports = new ReportService({ users, movements, rails: byName, reportKey });
  const payouts = new PayoutService({
    ...{ users, movements, rails: byName, manualRail, routes: [] },
    pauses: () => [],
    findPayer: async () => undefined,
  });
  const sending = new PayoutSending({
    ...{
      database,
      users,
      rails: byName,
      reports,
      clock,
      log: silentLog,
      holder,
      answerWithinMs,
    },
  });
  return { database, movements, transitions, payouts, reports, sending };
}
