/** The only wiring: config → database → rooms → worker and HTTP server. Plain calls, in the order of dependence. */
import { approvalRoom } from './approvals/room.js';
import { type BeneficiaryRoom, beneficiaryRoom } from './beneficiaries/room.js';
import { changeRoom } from './changes/room.js';
import { systemClock } from './clock.js';
import type { Config } from './config/config.js';
import { documentRoom } from './documents/room.js';
import { idempotencySweepJob } from './http/commands/idempotency.js';
import { kycEventTypes } from './kyc/event-types.js';
import { type KycRoom, kycRoom } from './kyc/room.js';
import { kycFormRoom } from './kyc-form/room.js';
import { ledgerRoom } from './ledger/room.js';
import { merchantRoom } from './merchants/room.js';
import type { FindUser } from './merchants/token-endpoint.js';
import { operationsRoom } from './operations/room.js';
import { operatorRoom } from './operators/room.js';
import { orderEventTypes } from './orders/api/event-types.js';
import { createGuard } from './outgoing/guard.js';
import { railsOf } from './providers/payout/configured.js';
import { rateSourcesOf } from './providers/rates/configured.js';
import { rateRoom } from './rates/room.js';
import { sandboxRoom } from './sandbox/room.js';
import { screeningRoom } from './screening/room.js';
import { auditNames } from './startup/audit-names.js';
import type { BuildOptions, BuiltRooms } from './startup/build-options.js';
import { CleanupStack } from './startup/cleanup.js';
import { buildEdge } from './startup/edge.js';
import { endRetention, eraseUser } from './startup/erase-user.js';
import { type MoneyRooms, moneyRooms } from './startup/money-rooms.js';
import { openDatabase } from './startup/open-database.js';
import { owedBalances } from './startup/owed-balances.js';
import type { Room } from './startup/room.js';
import { rowFaultsUnder } from './startup/row-faults.js';
import { runJobs } from './startup/run-jobs.js';
import type { Service, ServiceOptions } from './startup/service-options.js';
import { statusCaches } from './startup/status-caches.js';
import { explainStartupFault } from './startup-faults.js';
import { taskRoom } from './tasks/room.js';
import { tokenRoom } from './tokens/room.js';
import { userRoom } from './users/room.js';
import { webhookRoom } from './webhooks/room.js';

export type { ExtraRooms, Service, ServiceOptions } from './startup/service-options.js';

/** Throws `StartupRefused` with a text for the operator when the service cannot start; nothing is left running then. */
export async function startService(config: Config, options: ServiceOptions): Promise<Service> {
  const { log, chooseJobs, eventLoopDelayMs = 250 } = options;
  const cleanup = new CleanupStack();
  let listeningUrl = '';
  const baseUrl = () => config.baseUrl ?? listeningUrl;
  try {
    const opened = await openDatabase(config, options, cleanup);
    const { database } = opened;
    const built = await buildRooms({ config, options, opened, baseUrl, cleanup });
    const runsJobs = config.role !== 'api';
    const jobs = runJobs({ database, rooms: built.rooms, runsJobs, chooseJobs, log, cleanup });
    const edge = buildEdge({ config, opened, ...built, jobs, baseUrl, log, eventLoopDelayMs, cleanup });
    listeningUrl = await edge.listen();
    return { url: listeningUrl, database, routes: edge.routes, stop: () => cleanup.run() };
  } catch (error) {
    // The reason why it did not start matters more than a failure to stop.
    await cleanup.run().catch(() => {});
    throw explainStartupFault(error, config);
  }
}

async function buildRooms({ config, options, opened, baseUrl, cleanup }: BuildOptions): Promise<BuiltRooms> {
  const { database, vault, isDistributed } = opened;
  const { rootKey } = vault;
  const { log, clock = systemClock } = options;
  const { mode, dataDirectory, retentionYears, tokensPerMinute, limits } = config;
  const open = <Opened extends Room>(room: Opened): Opened => {
    cleanup.add(async () => room.close?.());
    return room;
  };

  const rooms: Room[] = [];
  const routes = () => rooms.flatMap((room) => room.routes);
  const approvals = await approvalRoom({ database, rootKey, log, settings: config, routes });
  const { findPending } = approvals;
  const users = userRoom({
    database,
    vault,
    clock,
    log,
    retentionYears,
    erasureGuard: eraseUser(() => ({ beneficiaries, orders: money.orders, kyc })),
    identityChanged: (...change) => kyc.service.identityChanged(...change),
    retentionEnded: endRetention(() => ({ orders: money.orders, kyc })),
  });
  const screening = open(await screeningRoom({ settings: config, clock, log }));
  const documents = open(documentRoom({ rootKey, settings: config, log }));
  const kyc: KycRoom = kycRoom({
    database,
    vault,
    clock,
    log,
    users: users.service,
    documents,
    screening: screening.service,
    approvals,
    settings: config,
  });
  const kycForm = kycFormRoom({ kyc, inspect: documents.inspect, baseUrl, mode, clock });
  const beneficiaries: BeneficiaryRoom = beneficiaryRoom(users.service);
  const extra = options.extraRooms?.(database);
  const findUser: FindUser = extra?.findUser ?? users.findUser;
  const operatorAudience = () => `${baseUrl()}/operator`;
  const caches = statusCaches(database, baseUrl, operatorAudience);
  const tokens = open(await tokenRoom({ database, rootKey, clock, issuer: baseUrl, statusCaches: caches }));
  const { authority } = tokens;
  const sources = rateSourcesOf(config.rateSources);
  const runsJobs = config.role !== 'api';
  const base = { database, rootKey, clock, log, mode, findPending };
  const rates = open(await rateRoom({ ...base, isDistributed, sources, runsJobs }));
  const allowedNetworks = config.webhookAllowedNetworks;
  const guard = createGuard({ allowsLoopback: mode === 'sandbox', allowedNetworks }, log);
  const eventTypes = [...kycEventTypes, ...orderEventTypes];
  const webhooks = open(webhookRoom({ ...base, guard, ownUrl: baseUrl, eventTypes }));
  const ledger = open(await ledgerRoom({ ...base, owedBalances, rowFaults: rowFaultsUnder(rootKey) }));
  const money: MoneyRooms = await moneyRooms({
    ...base,
    users,
    beneficiaries,
    documents,
    kyc,
    screening,
    ledger,
    rates,
    limits,
    settings: config,
    rails: extra?.rails ?? railsOf(mode, database, rootKey),
    replacedPayouts: extra?.payouts,
  });
  const { payments } = money;
  const orders = open(money.orders);
  const payouts = open(money.payouts);
  const operations = operationsRoom({ ...base, orders });
  const withTasks = [approvals, kyc, ledger, operations, orders, payments, payouts, rates, webhooks];
  const tasks = withTasks.flatMap((room) => room.taskSources);
  rooms.push(
    await merchantRoom({ database, authority, issuer: baseUrl, findUser, tokensPerMinute, mode }),
    operatorRoom({ database, authority, audience: operatorAudience, findPending }),
    tokens,
    users,
    documents,
    kyc,
    kycForm,
    beneficiaries,
    orders,
    payments,
    payouts,
    operations,
    ledger,
    rates,
    screening,
    webhooks,
    approvals,
    taskRoom(database, tasks),
    ...(mode === 'sandbox' ? [sandboxRoom({ ...base, users, kyc, rates, beneficiaries, ...money })] : []),
    changeRoom({ ...base, dataDirectory, names: auditNames, queue: webhooks.queue }),
    { routes: [], jobs: [idempotencySweepJob(database)] },
    ...(extra ? [extra] : []),
  );
  return {
    rooms,
    approvals: approvals.service,
    webhooks: webhooks.webhooks,
    authenticator: extra?.authenticator ?? {
      authenticate: (token) => authority.authenticate(token),
      findUser,
    },
  };
}
