/** Builds the orders room from the rooms that it uses. */
import { fileSweep } from '../documents/file-sweep.js';
import { movementRoutes } from './api/movements/routes.js';
import { preflightRoutes } from './api/preflight-routes.js';
import { orderRoutes } from './api/routes.js';
import { OrderService } from './api/service.js';
import { OrderPayoutProofs } from './corrections/payout-proofs.js';
import { OrderRefundProofs } from './corrections/refund-proofs.js';
import { OrderCorrections } from './corrections/service.js';
import { orderAgenda } from './deadlines/agenda.js';
import { Expiry } from './deadlines/expiry.js';
import { orderJobs } from './deadlines/jobs.js';
import { disclosureRoute } from './disclosure/routes.js';
import { DisclosureService } from './disclosure/service.js';
import { orderFilesInUse } from './documents/order-document-store.js';
import { documentRoutes } from './documents/routes.js';
import { OrderDocuments } from './documents/service.js';
import { OrderErasure } from './erasure/erasure.js';
import { Advance } from './flow/advance.js';
import { advanceOrdersJob } from './flow/advance-job.js';
import { GatedSteps } from './flow/gated-steps.js';
import { PayoutOutcomes } from './flow/payout-outcomes.js';
import { Recheck } from './flow/recheck.js';
import { RetryService } from './flow/retry-service.js';
import { listFailedPayouts, listFailedRefunds, listFrozenOrders } from './flow/task-store.js';
import { wakeWaitingOrders } from './flow/waiting.js';
import { Gate } from './gate/examination.js';
import { RefundExit } from './gate/refund-exit.js';
import { RefundGate } from './gate/refund-gate.js';
import { informationRoutes } from './information/routes.js';
import { InformationService } from './information/service.js';
import { RequiredLevels } from './limits/required-levels.js';
import { limitRoutes } from './limits/routes.js';
import { LimitService } from './limits/service.js';
import { OrderDesk } from './operator/desk/service.js';
import { listStuckTasks } from './operator/desk/stuck-store.js';
import { orderGauges } from './operator/gauges.js';
import { listReviewTasks } from './operator/queue-store.js';
import { RefundService } from './operator/refund-service.js';
import { reviewRoutes } from './operator/routes.js';
import { OrderTransitions } from './order/transition.js';
import { Receiving } from './payin/receiving.js';
import { OrderCreation } from './placing/creation.js';
import { Originators } from './placing/originators.js';
import { PreflightService } from './preflight/service.js';
import { receiptRoute } from './receipt/routes.js';
import { ReceiptService } from './receipt/service.js';
import type { RefundGuard } from './refunds/guard.js';
import { OrderRefundOutcomes } from './refunds/refund-outcomes.js';
import { Refunds } from './refunds/refunds.js';
import { Requotes } from './requote/service.js';
import { FreezeService } from './review/freeze-service.js';
import { ReviewService } from './review/service.js';
import type { OrderRoom, OrderRoomOptions } from './room-options.js';
import { AccountIndex } from './rules/account-index.js';
import { gateRulesOf } from './rules/gate-rules.js';
import { ruleRoutes } from './rules/routes.js';
import { RuleWatch, rulesChanged } from './rules/rule-watch.js';
import { addDefaultRules } from './rules/service.js';
import { timelineRoute } from './timeline/routes.js';
import { TimelineService } from './timeline/service.js';

/** Also adds the default rules of a new instance, which are disabled in a sandbox. */
export async function orderRoom(options: OrderRoomOptions): Promise<OrderRoom> {
  const { database, payouts, payers, findPending, log } = options;
  await database.transaction((tx) => addDefaultRules(tx, { isEnabled: options.mode === 'live' }));
  const ruleWatch = new RuleWatch(database);
  await ruleWatch.start();
  const accounts = new AccountIndex(options.rootKey, options.persons.service);
  const { board, prover } = options.rates;
  const { service: users } = options.users;
  const { service: kyc, hits, exposures } = options.kyc;
  const { service: ledger } = options.ledger;
  const [{ blocks }, { policies: countries }] = [options.persons, options.countries];
  const snapshot = () => options.screening.service.snapshot();
  const limits = new LimitService({
    kyc,
    users,
    rates: board,
    table: options.limits,
    countingPairs: () => board.countingPairs,
  });
  const transitions = new OrderTransitions(ledger, () => snapshot().version);
  // Refunds ask the gate, which asks reviews, which open refunds.
  const guard: RefundGuard = {
    examine: (...asked) => refundGate.examine(...asked),
    refer: (...referred) => reviews.refer(...referred),
  };
  const refunds = new Refunds({ ledger, transitions, payouts, payers, guard });
  const levels = new RequiredLevels({ kyc, corridor: (...pair) => board.corridor(...pair) });
  const reviews = new ReviewService({ users, hits, exposures, ledger, transitions, refunds, payouts, levels, blocks });
  const refundGate = new RefundGate({ users, hits, reviews, payers, blocks, countries, snapshot });
  const disclosures = new DisclosureService({ users, payouts, ecbRate: (...pair) => board.ecbRate(...pair) });
  const originators = new Originators({ hits, mode: options.mode });
  const creation = new OrderCreation({
    users,
    beneficiaries: options.beneficiaries.service,
    ledger,
    transitions,
    openCorridor: (fiatIn, fiatOut) => board.openCorridor(fiatIn, fiatOut),
    admit: limits.admit,
    payouts,
    payinAccounts: options.payinAccounts,
    accounts,
    countries,
    disclosures,
    originators,
    requireLicensee: () => options.licensee.watch.require(),
  });
  const service = new OrderService({ users, creation, originators, transitions, refunds, accounts });
  const expiry = new Expiry({ users, transitions, refunds, reviews, findPending });
  const timelines = new TimelineService(ledger);
  const preflight = new PreflightService({ users, ledger, creation, limits, disclosures, originators });
  const requotes = new Requotes({ board, transitions });
  const files = options.documents.files.within('orders');
  const documents = new OrderDocuments({ users, files, keptIn: options.documents.keptIn });
  const information = new InformationService({ users, transitions, refunds, documents });
  const gate = new Gate({
    database,
    users,
    hits,
    ledger,
    reviews,
    payouts,
    payers,
    levels,
    countries,
    rules: [...options.gateRules, ...gateRulesOf({ ...options, rules: () => ruleWatch.rules, accounts })],
  });
  const steps = new GatedSteps(transitions, payouts);
  const advance = new Advance({ database, steps, reviews, refunds, log });
  const freezes = new FreezeService({ users, ledger, reviews });
  const retries = new RetryService({ users, gate, snapshot, steps, reviews, payouts });
  const rechecks = new Recheck({ database, users, gate, reviews, snapshot, findPending, log });
  const receipts = new ReceiptService({ users, prover });
  const refundDecisions = new RefundService({ users, reviews, refunds });
  return {
    service,
    requotes,
    receiving: new Receiving({ users, transitions, requotes, payouts }),
    payoutOutcomes: new PayoutOutcomes(transitions),
    refundOutcomes: new OrderRefundOutcomes(transitions),
    refundExit: new RefundExit({ users, gate: refundGate, reviews, snapshot, findPending }),
    corrections: new OrderCorrections({ ledger, requotes, reviews, refunds, payouts }),
    payoutProofs: new OrderPayoutProofs({ ledger, reviews }),
    refundProofs: new OrderRefundProofs({ ledger, reviews, refunds, payouts }),
    creation,
    reviews,
    freezes,
    retries,
    recheck: (merchantId, orderIds) => rechecks.check(merchantId, orderIds),
    expiry,
    refunds: refundDecisions,
    information,
    documents,
    receipts,
    timelines,
    disclosures,
    wakeWaiting: () => wakeWaitingOrders(database),
    erasure: new OrderErasure(accounts, documents),
    desk: new OrderDesk(ledger),
    limits,
    accounts,
    routes: [
      ...orderRoutes(service, creation),
      timelineRoute(timelines),
      ...movementRoutes(new TimelineService(ledger)),
      receiptRoute(receipts),
      disclosureRoute(disclosures),
      ...informationRoutes(information),
      ...documentRoutes({ documents, inspect: options.documents.inspect }),
      ...preflightRoutes(preflight),
      ...limitRoutes(limits),
      ...ruleRoutes({ findPending, refresh: () => ruleWatch.refresh() }),
      ...reviewRoutes({
        database,
        users,
        documents,
        payers: options.payers,
        reviews,
        freezes,
        retries,
        findPending,
        refunds: refundDecisions,
      }),
    ],
    jobs: [
      ...orderJobs({ database, expiry, log }),
      advanceOrdersJob({ database, gate, advance, snapshot, findPending, log }),
      fileSweep({
        name: 'orders.sweep-document-files',
        files,
        clock: options.clock,
        log,
        inUse: (names) => orderFilesInUse(database, names),
      }),
    ],
    gauges: orderGauges(database),
    agenda: orderAgenda({ database, expiry, gate, advance, snapshot, findPending, log }),
    taskSources: [
      { kind: 'order_review', list: listReviewTasks },
      { kind: 'order_frozen', list: listFrozenOrders },
      { kind: 'order_stuck', list: listStuckTasks },
      { kind: 'payout_failed', list: listFailedPayouts },
      { kind: 'refund_failed', list: listFailedRefunds },
    ],
    onWake: { [rulesChanged]: () => void ruleWatch.refresh().catch(() => {}) },
    close: async () => ruleWatch.stop(),
  };
}
