/** The only wiring: config → database → rooms → edges. Plain calls, in the order in which things depend on each other. */
import { join } from 'node:path';
import { HeadFile } from './audit/head-file.js';
import { auditRoutes } from './audit/routes.js';
import { auditChainJob } from './audit/service.js';
import { type Clock, systemClock } from './clock.js';
import type { Config } from './config/config.js';
import { docsRoutes } from './http/docs/routes.js';
import type { Gatekeeper } from './http/gatekeeper.js';
import { healthRoutes } from './http/health.js';
import { idempotencySweepJob } from './http/idempotency.js';
import { Metrics } from './http/metrics.js';
import type { Route } from './http/route.js';
import { createServer } from './http/server.js';
import { stopServer } from './http/stop.js';
import { RateLimiter } from './http/traffic/rate-limit.js';
import { Shedder } from './http/traffic/shedding.js';
import { deriveKey, deriveSigningKey } from './keys/derive.js';
import { kycEventTypes } from './kyc/event-types.js';
import { kycRoom } from './kyc/room.js';
import type { Log } from './log.js';
import { oauthRoutes } from './merchants/oauth-routes.js';
import { merchantRoutes } from './merchants/routes.js';
import { ensureDemoMerchant } from './merchants/service.js';
import { MerchantStatusCache } from './merchants/status-cache.js';
import { type FindUser, TokenEndpoint } from './merchants/token-endpoint.js';
import { OperatorLogin } from './operators/login.js';
import { operatorRoutes } from './operators/routes.js';
import { OperatorStatusCache } from './operators/status-cache.js';
import { announcedGuard } from './outgoing/guard.js';
import type { Database } from './postgres/database.js';
import { readMigrations } from './postgres/migrate.js';
import { rateSourcesOf } from './providers/rates/configured.js';
import { Board } from './rates/board/board.js';
import { boardChanged } from './rates/board/rate-state.js';
import { addDefaultCorridors } from './rates/corridors/default-corridors.js';
import { operatorRateRoutes } from './rates/operator-routes.js';
import { QuoteProver } from './rates/quote-proof.js';
import { QuoteWriter } from './rates/quote-writer.js';
import { rateRoutes } from './rates/routes.js';
import { historySweepJob, quoteSweepJob } from './rates/service.js';
import { collectJob, watchJob } from './rates/sources/collecting.js';
import { heldRatesGauge } from './rates/sources/rate-overview.js';
import { sandboxKycRoutes } from './sandbox/kyc-routes.js';
import { webhookFaultRoutes } from './sandbox/webhook-faults.js';
import { auditNames } from './startup/audit-names.js';
import { UndoList } from './startup/cleanup.js';
import { type OpenedDatabase, type OpenOptions, openDatabase } from './startup/open-database.js';
import { explainStartupFault } from './startup-faults.js';
import { TokenAuthority } from './tokens/authority.js';
import { signingKeyRoutes } from './tokens/routes.js';
import { callerStatusChanged, ensureSigningKey, tokenUpkeepJob } from './tokens/service.js';
import { userRoutes } from './users/routes.js';
import { findUser as findUserOf } from './users/store.js';
import { retentionJob, shredJob } from './users/upkeep.js';
import { version } from './version.js';
import { urlWithdrawn } from './webhooks/delivery/permits.js';
import { moreQueued } from './webhooks/numbering.js';
import { type WebhookRoom, webhookRoom } from './webhooks/room.js';
import { WakeUp } from './worker/wake-up.js';
import { type Job, Worker } from './worker/worker.js';

export interface Surroundings extends OpenOptions {
  readonly log: Log;
  readonly clock?: Clock;
  /** How late the event loop may be before requests are refused; tests share theirs with the service. */
  readonly eventLoopDelayMs?: number;
  /** Further rooms, for tests of the edge itself. */
  readonly rooms?: (database: Database) => Rooms;
}

export interface Rooms {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly gatekeeper?: Gatekeeper;
  readonly findUser?: FindUser;
}

export interface Service {
  /** Where it listens. */
  readonly url: string;
  readonly database: Database;
  readonly routes: readonly Route[];
  stop(): Promise<void>;
}

export async function startService(config: Config, surroundings: Surroundings): Promise<Service> {
  const undo = new UndoList();
  try {
    const opened = await openDatabase(config, surroundings, undo);
    const place: Place = { url: undefined };
    const rooms = await buildRooms(config, opened, surroundings, place, undo);
    const worker = startWorker(config, opened.database, rooms, surroundings.log, undo);
    const routes = await startEdge(config, opened, rooms, worker, surroundings, place, undo);
    return { url: place.url ?? '', database: opened.database, routes, stop: () => undo.run() };
  } catch (error) {
    // Why it did not start matters more than what then failed to stop.
    await undo.run().catch(() => {});
    throw explainStartupFault(error, config);
  }
}

/** Known once the service listens; until then nobody can ask. */
interface Place {
  url: string | undefined;
}

interface BuiltRooms {
  /** The public address of the service: BASE_URL, or where it listens. */
  readonly baseUrl: () => string;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly gatekeeper: Gatekeeper;
  readonly authority: TokenAuthority;
  readonly board: Board;
  readonly notifications: WebhookRoom;
}

async function buildRooms(
  config: Config,
  { database, vault }: OpenedDatabase,
  surroundings: Surroundings,
  place: Place,
  undo: UndoList,
): Promise<BuiltRooms> {
  const { clock = systemClock } = surroundings;
  const further = surroundings.rooms?.(database);
  const findUser: FindUser =
    further?.findUser ?? ((merchantId, selector) => findUserOf(database, merchantId, selector));
  const issuer = () => config.baseUrl ?? place.url ?? '';
  const operatorAudience = () => `${issuer()}/operator`;
  const sealingKey = deriveKey(vault.rootKey, 'signing keys');
  await database.transaction((tx) => ensureSigningKey(tx, sealingKey));
  if (config.mode === 'sandbox') await database.transaction(ensureDemoMerchant);

  const statusCaches = [
    new MerchantStatusCache(database, issuer),
    new OperatorStatusCache(database, operatorAudience),
  ];
  const authority = new TokenAuthority({ database, sealingKey, clock, issuer, statusCaches });
  await authority.start();
  undo.add(async () => authority.stop());
  const { tokensPerMinute } = config;
  const endpoint = new TokenEndpoint({ database, authority, audience: issuer, findUser, tokensPerMinute });

  const rates = { sources: rateSourcesOf(config.rateSources), clock, log: surroundings.log };
  await database.transaction((tx) => addDefaultCorridors(tx, { isOpen: config.mode === 'sandbox' }));
  const collecting = collectJob(database, rates);
  if (config.role !== 'api') await firstRates(collecting);
  const board = new Board(database, rates.sources, clock);
  await board.start();
  undo.add(async () => board.stop());
  const prover = new QuoteProver(deriveSigningKey(vault.rootKey, 'quote proofs'));

  const { log } = surroundings;
  const people = kycRoom({ database, vault, settings: config, baseUrl: issuer, clock, log });
  undo.add(() => people.close());
  const notifications = webhookRoom({
    database,
    rootKey: vault.rootKey,
    guard: announcedGuard(
      { allowsLoopback: config.mode === 'sandbox', allowedNetworks: config.webhookAllowedNetworks },
      log,
    ),
    mode: config.mode,
    ownUrl: issuer,
    log,
    eventTypes: kycEventTypes,
  });
  undo.add(() => notifications.close());

  return {
    baseUrl: issuer,
    authority,
    board,
    notifications,
    gatekeeper: further?.gatekeeper ?? { authenticate: (token) => authority.authenticate(token), findUser },
    routes: [
      ...oauthRoutes({ database, endpoint, authority, issuer }),
      ...operatorRoutes(new OperatorLogin(database, authority, operatorAudience)),
      ...merchantRoutes(),
      ...auditRoutes(auditNames),
      ...signingKeyRoutes(sealingKey),
      ...userRoutes(people.users),
      ...people.routes,
      ...(config.mode === 'sandbox' ? sandboxKycRoutes(people.reviews) : []),
      ...rateRoutes(board, new QuoteWriter(database), prover),
      ...operatorRateRoutes(rates),
      ...notifications.routes,
      ...(config.mode === 'sandbox' ? webhookFaultRoutes() : []),
      ...(further?.routes ?? []),
    ],
    jobs: [
      auditChainJob(database, deriveSigningKey(vault.rootKey, 'audit head'), auditHeadFile(config)),
      tokenUpkeepJob(database, sealingKey),
      collecting,
      watchJob(database, rates),
      quoteSweepJob(database),
      historySweepJob(database),
      retentionJob(database, people.retentionEnded, log),
      shredJob(database),
      ...people.jobs,
      ...notifications.jobs,
      idempotencySweepJob(database),
      ...(further?.jobs ?? []),
    ],
  };
}

/** So that the first quote can be answered; a source that takes its time is not waited for. */
async function firstRates(collecting: Job): Promise<void> {
  const enough = new Promise<number>((resolve) => setTimeout(resolve, 2_000, 0).unref());
  await Promise.race([collecting.run(new AbortController().signal).catch(() => 0), enough]);
}

export function auditHeadFile(config: Config): HeadFile {
  return new HeadFile(join(config.dataDirectory, 'audit-heads.jsonl'));
}

function startWorker(
  config: Config,
  database: Database,
  rooms: BuiltRooms,
  log: Log,
  undo: UndoList,
): Worker {
  const jobs = config.role === 'api' ? [] : rooms.jobs;
  const worker = new Worker(jobs, log);
  const wakeUp = new WakeUp(database, log, (name) => {
    if (name === callerStatusChanged) rooms.authority.refresh().catch(() => {});
    else if (name === boardChanged) rooms.board.refresh().catch(() => {});
    else if (name === moreQueued) rooms.notifications.lookAgain();
    else if (name === urlWithdrawn) rooms.notifications.confirmWithdrawals();
    else worker.wake(name);
  });
  database.onWake = (woken) => wakeUp.send(woken);
  undo.add(() => wakeUp.close());
  undo.add(() => worker.stop());
  wakeUp.listen([callerStatusChanged, boardChanged, ...jobs.map((job) => job.name)]);
  worker.start();
  return worker;
}

async function startEdge(
  config: Config,
  { database, vault }: OpenedDatabase,
  rooms: BuiltRooms,
  worker: Worker,
  { log, eventLoopDelayMs = 250 }: Surroundings,
  place: Place,
  undo: UndoList,
): Promise<readonly Route[]> {
  const state = { isStopping: false };
  const live = config.mode === 'live';
  const shedder = new Shedder({ requestsInFlight: config.requestsInFlight, eventLoopDelayMs });
  const metrics = new Metrics({
    poolUse: () => database.poolUse(),
    requestsInFlight: () => shedder.inFlight,
    queueAges: () => worker.queueAges(),
  });
  metrics.watch(heldRatesGauge(database));
  const health = healthRoutes({
    database,
    schemaVersion: readMigrations().length,
    dataDirectory: config.dataDirectory,
    isStopping: () => state.isStopping,
    metrics,
    metricsToken: config.metricsToken,
    live,
  });
  const documented = [...health, ...rooms.routes];
  const { baseUrl } = rooms;
  const docs = docsRoutes({ routes: documented, version, webhooks: rooms.notifications.webhooks, baseUrl });
  const routes = config.role === 'worker' ? health : [...documented, ...docs];
  const edge = {
    database,
    gatekeeper: rooms.gatekeeper,
    rateLimiter: new RateLimiter([
      {
        name: 'quotes',
        requests: config.quotesPerMinute,
        windowSeconds: 60,
        covers: (route) => route.path === '/rates',
      },
      { name: 'requests', requests: config.requestsPerMinute, windowSeconds: 60, covers: () => true },
    ]),
    fingerprintKey: deriveKey(vault.rootKey, 'idempotency fingerprint'),
    answerKey: deriveKey(vault.rootKey, 'idempotency answers'),
  };
  const { trustProxy } = config;
  const server = createServer({ routes, edge, log, metrics, shedder, trustProxy, live, baseUrl });
  undo.add(async () => {
    state.isStopping = true;
    await stopServer(server, config.stopDelaySeconds);
    shedder.stop();
  });
  place.url = await server.fastify.listen({ host: config.host, port: config.port });
  return routes;
}
