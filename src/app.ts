/** The only wiring: config → database → rooms → worker and HTTP server. Plain calls, the lower rooms first. */
import { approvalRoom } from './approvals/room.js';
import type { LineTaker } from './bank/matching/taker.js';
import { bankRoom } from './bank/room.js';
import { caseRoom } from './cases/room.js';
import { changeRoom } from './changes/room.js';
import { type Clock, systemClock } from './clock.js';
import { complaintRoom } from './complaints/room.js';
import type { Config } from './config/config.js';
import { consoleRoom } from './console/room.js';
import { countryRoom } from './countries/room.js';
import type { Authenticator } from './http/authenticator.js';
import { idempotencySweepJob } from './http/commands/idempotency.js';
import type { Route } from './http/route.js';
import { kycEventTypes } from './kyc/event-types.js';
import { ledgerRoom } from './ledger/room.js';
import { licenseeRoom } from './licensee/room.js';
import type { Log } from './log.js';
import { mailRoom } from './mail/room.js';
import { merchantRoom } from './merchants/room.js';
import { secretEventTypes } from './merchants/secrets/secret-events.js';
import { clientIdsOf, merchantIdOf } from './merchants/service.js';
import { MerchantStatusCache } from './merchants/status-cache.js';
import type { FindUser } from './merchants/token-endpoint.js';
import { operationsRoom } from './operations/room.js';
import { operatorRoom } from './operators/room.js';
import { loginsOf } from './operators/service.js';
import { OperatorStatusCache } from './operators/status-cache.js';
import { orderEventTypes } from './orders/api/event-types.js';
import type { Payouts } from './orders/order/ports.js';
import { orderObligations } from './orders/owed/obligations.js';
import type { CloserLooks } from './orders/rules/person-limit.js';
import { createGuard } from './outgoing/guard.js';
import { owedBalances } from './payments/owed/balances.js';
import { paymentObligations } from './payments/owed/obligations.js';
import type { PayoutRoomOptions } from './payouts/room.js';
import type { Database } from './postgres/database.js';
import { serviceProblems } from './problems.js';
import { bankConnectionsOf } from './providers/bank/configured.js';
import { mailTransportOf, tellsOperators } from './providers/mail/transports.js';
import { railsOf } from './providers/payout/configured.js';
import { rateSourcesOf } from './providers/rates/configured.js';
import { rateRoom } from './rates/room.js';
import { requestLogRoom } from './request-log/room.js';
import { type RiskRoomOptions, riskRoom } from './risk/room.js';
import { sandboxRoom } from './sandbox/room.js';
import { CleanupStack } from './startup/cleanup.js';
import { buildEdge, type EdgeOptions } from './startup/edge.js';
import { moneyRooms } from './startup/money-rooms.js';
import { type OpenedDatabase, type OpenOptions, openDatabase } from './startup/open-database.js';
import { type PeopleRoomOptions, peopleRooms } from './startup/people-rooms.js';
import { blockingOf, dependentsOf, moneyOf } from './startup/registered.js';
import { closing, type Room } from './startup/room.js';
import { rowFaultsUnder } from './startup/row-faults.js';
import { runJobs } from './startup/run-jobs.js';
import { type SendingPermit, startSendingPermit } from './startup/sending.js';
import { explainStartupFault } from './startup-faults.js';
import { taskRoom } from './tasks/room.js';
import { tokenRoom } from './tokens/room.js';
import { transferPageRoom } from './transfer-page/room.js';
import { userExportRoom } from './user-export/room.js';
import { webhookRoom } from './webhooks/room.js';
import type { Job } from './worker/worker.js';

export interface ServiceOptions extends OpenOptions {
  readonly log: Log;
  readonly clock?: Clock;
  /** How late the event loop may be before requests are refused. Tests share their event loop with the service. */
  readonly eventLoopDelayMs?: number;
  /** Rooms that only tests have. */
  readonly extraRooms?: (database: Database) => ExtraRooms;
  /** Returns the jobs that the worker runs. A test keeps the others and runs them itself. Absent: all. */
  readonly chooseJobs?: (jobs: readonly Job[]) => readonly Job[];
}

export interface ExtraRooms extends Room {
  /** Replaces the one of the service. */
  readonly authenticator?: Authenticator;
  readonly findUser?: FindUser;
  readonly payouts?: Payouts;
  readonly rails?: PayoutRoomOptions['rails'];
}

export interface Service {
  /** The address that it listens on. */
  readonly url: string;
  /** Where operators call: the same, unless OPERATOR_PORT is set. */
  readonly operatorUrl: string;
  readonly database: Database;
  readonly routes: readonly Route[];
  stop(): Promise<void>;
}

/** Throws `StartupRefused` with a text for the operator when the service cannot start; nothing is left running then. */
export async function startService(config: Config, options: ServiceOptions): Promise<Service> {
  const { log, chooseJobs, eventLoopDelayMs = 250 } = options;
  const cleanup = new CleanupStack();
  let listeningUrl = '';
  const baseUrl = () => config.baseUrl ?? listeningUrl;
  try {
    const opened = await openDatabase(config, options, cleanup);
    const { database } = opened;
    const permit = await startSendingPermit(database, config, log);
    const built = await buildRooms({ config, options, opened, baseUrl, permit, cleanup });
    const runsJobs = config.role !== 'api';
    const jobs = runJobs({ database, rooms: built.rooms, runsJobs, chooseJobs, log, cleanup });
    const edge = buildEdge({ config, opened, ...built, jobs, permit, baseUrl, log, eventLoopDelayMs, cleanup });
    const listening = await edge.listen();
    listeningUrl = listening.url;
    return { ...listening, database, routes: edge.routes, stop: () => cleanup.run() };
  } catch (error) {
    // The reason why it did not start matters more than a failure to stop.
    await cleanup.run().catch(() => {});
    throw explainStartupFault(error, config);
  }
}

interface BuildOptions {
  readonly config: Config;
  readonly options: ServiceOptions;
  readonly opened: OpenedDatabase;
  /** The public address of the service: BASE_URL, or the address that it listens on. */
  readonly baseUrl: () => string;
  readonly permit: SendingPermit;
  readonly cleanup: CleanupStack;
}

type BuiltRooms = Pick<EdgeOptions, 'rooms' | 'authenticator' | 'webhooks' | 'approvals' | 'recorder'>;

async function buildRooms(build: BuildOptions): Promise<BuiltRooms> {
  const { config, options, opened, baseUrl, permit } = build;
  const { database, isDistributed } = opened;
  const { rootKey } = opened.vault;
  const { log, clock = systemClock } = options;
  const { mode, dataDirectory, tokensPerMinute } = config;
  const open = closing(build.cleanup);

  const rooms: Room[] = [];
  // An approved command is run by its route, whichever room has it.
  const routes = () => rooms.flatMap((room) => room.routes);
  const approvals = await approvalRoom({ database, rootKey, log, settings: config, routes });
  const base = { database, rootKey, clock, log, mode, findPending: approvals.findPending };
  const licensee = open(await licenseeRoom(base));
  const countries = open(await countryRoom(base));
  const rateRisk: PeopleRoomOptions['rateRisk'] = (...asked) => risk.service.rate(...asked);
  const ofPeople = { vault: opened.vault, config, baseUrl, open, countries: countries.policies, rateRisk };
  const people = await peopleRooms({ ...base, ...ofPeople }, approvals);
  const { users, screening, documents, kyc, kycForm, beneficiaries } = people;
  const operatorUrl = () => config.operatorUrl ?? baseUrl();
  const operatorAudience = () => `${baseUrl()}/operator`;
  const statusCaches = [
    new MerchantStatusCache(database, baseUrl),
    new OperatorStatusCache(database, operatorAudience),
  ] as const;
  const tokens = open(await tokenRoom({ database, rootKey, clock, issuer: baseUrl, statusCaches }));
  const { authority } = tokens;
  const sources = rateSourcesOf(config.rateSources);
  const requestLog = open(requestLogRoom({ database, clock, log, isOn: config.requestLog }));
  const rates = open(await rateRoom({ ...base, isDistributed, sources, runsJobs: config.role !== 'api' }));
  const allowedNetworks = config.webhookAllowedNetworks;
  const guard = createGuard({ allowsLoopback: mode === 'sandbox', allowedNetworks }, log);
  const eventTypes = [...kycEventTypes, ...orderEventTypes, ...secretEventTypes];
  const webhooks = open(webhookRoom({ ...base, guard, ownUrl: baseUrl, eventTypes, isSendingHeld: permit.isHeld }));
  const takers: LineTaker[] = [];
  const connections = bankConnectionsOf(config.bankConnections);
  const bank = bankRoom({
    ...base,
    takers: () => takers,
    payments: () => money.payouts.batched,
    connections,
    ledger: () => ledger.service,
    isSendingHeld: permit.isHeld,
  });
  // The ledger is below the rooms that know what we owe, so its verification is told by them.
  const ledger = open(
    await ledgerRoom({ ...base, owedBalances, banks: bank.banks, rowFaults: rowFaultsUnder(rootKey) }),
  );
  database.onFault = ledger.recordFault;
  const extra = options.extraRooms?.(database);
  const rails = extra?.rails ?? railsOf(mode, database, rootKey);
  const sending = { rails, replacedPayouts: extra?.payouts, isSendingHeld: permit.isHeld };
  const looks: CloserLooks = (...asked) => risk.service.looksOf(...asked);
  const ofMoney = { config, open, rates, ledger, bank, licensee, countries, looks, ...sending };
  const money = await moneyRooms({ ...base, ...people, ...ofMoney });
  const { orders, payments, payouts } = money;
  takers.push(payouts.lineTaker, bank.lineTaker, payments.lineTaker);
  rates.board.stopQuotesWhen((asked) => payouts.service.areQuotesStopped(asked));
  const transferPages = open(transferPageRoom({ ...base, users, beneficiaries, orders, payouts, documents, baseUrl }));
  users.service.register(
    dependentsOf({
      beneficiaries,
      orders,
      kyc,
      transferPages,
      persons: people.persons.service,
      holds: () => cases.holds,
      risk: () => risk.service,
      complaints: () => complaints.service,
    }),
  );
  kyc.hitReviews.register(blockingOf({ orders, payments }));
  people.persons.register(moneyOf({ users, orders, payments }));
  const userExport = userExportRoom({ ...base, users, kyc, beneficiaries, orders });
  const operations = operationsRoom({ ...base, users, orders, rates });
  const countAlerts: RiskRoomOptions['countAlerts'] = (...asked) => cases.countAlerts(...asked);
  const risk = riskRoom({ ...base, ...people, countries, countAlerts, forgetApprovals: approvals.forget });
  const complaints = complaintRoom({ ...people, orders });
  const cases = caseRoom({ ...base, ...people, orders, risk, licensee: () => licensee.watch.current });
  const withTasks = [
    approvals,
    bank,
    cases,
    complaints,
    kyc,
    ledger,
    operations,
    orders,
    payments,
    payouts,
    people.persons,
    rates,
    risk,
    webhooks,
  ];
  const tasks = withTasks.flatMap((room) => room.taskSources);
  const mail = mailTransportOf(config);
  const findUser = extra?.findUser ?? users.findUser;
  const operators = operatorRoom({ ...base, authority, audience: operatorAudience, settings: config.fourEyes });
  const names = { merchantIdOf, clientIdsOf, logins: loginsOf };
  rooms.push(
    await merchantRoom({ database, authority, issuer: baseUrl, findUser, tokensPerMinute, mode }),
    operators,
    licensee,
    countries,
    tokens,
    users,
    people.persons,
    documents,
    kyc,
    kycForm,
    beneficiaries,
    orders,
    payments,
    payouts,
    transferPages,
    userExport,
    operations,
    risk,
    complaints,
    cases,
    ledger,
    bank,
    rates,
    screening,
    webhooks,
    requestLog,
    approvals,
    open(
      mailRoom({ ...base, transport: mail, isSendingHeld: permit.isHeld, composeForSender: transferPages.composeMail }),
    ),
    taskRoom({
      ...base,
      sources: tasks,
      obligations: [...orderObligations, ...paymentObligations],
      sendsMail: tellsOperators(config),
      operatorUrl,
    }),
    ...(mode === 'sandbox' ? [sandboxRoom({ ...base, ...people, ...money, rates })] : []),
    changeRoom({ ...base, dataDirectory, names, queue: webhooks.queue, journals: ledger.numbering }),
    { routes: [], jobs: [idempotencySweepJob(database)] },
    ...(extra ? [extra] : []),
  );
  const pages = {
    operators,
    approvals: approvals.service,
    routes: routes(),
    problems: serviceProblems(),
    baseUrl: operatorUrl,
  };
  rooms.push(consoleRoom({ ...base, ...pages, configuredUrl: config.baseUrl }));
  return {
    rooms,
    approvals: approvals.service,
    webhooks: webhooks.webhooks,
    recorder: requestLog.recorder,
    authenticator: extra?.authenticator ?? {
      authenticate: (token) => authority.authenticate(token),
      findUser,
      loginOf: statusCaches[1].loginOf,
    },
  };
}
