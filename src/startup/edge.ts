/** Builds the HTTP server: the routes of the rooms, health checks, metrics, API reference and request limits. */
import type { Config } from '../config/config.js';
import type { Authenticator } from '../http/authenticator.js';
import { docsRoutes } from '../http/docs/routes.js';
import type { Approvals } from '../http/four-eyes.js';
import { healthRoutes, isReady } from '../http/monitoring/health.js';
import type { RequestRecorder } from '../http/monitoring/merchant-request.js';
import { Metrics } from '../http/monitoring/metrics.js';
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';
import type { Route, Webhook } from '../http/route.js';
import { createServer } from '../http/server.js';
import { stopServer } from '../http/stop.js';
import { RateLimiter } from '../http/traffic/rate-limit.js';
import { Shedder } from '../http/traffic/shedding.js';
import { deriveKey } from '../keys/derive.js';
import { type Log, loggedLines } from '../log.js';
import { readMigrations } from '../postgres/migrate.js';
import { replicationState } from '../postgres/server-checks.js';
import { serviceProblems } from '../problems.js';
import { version } from '../version.js';
import type { CleanupStack } from './cleanup.js';
import type { OpenedDatabase } from './open-database.js';
import type { Room } from './room.js';
import type { RunningJobs } from './run-jobs.js';
import type { SendingPermit } from './sending.js';

export interface EdgeOptions {
  readonly config: Config;
  readonly opened: OpenedDatabase;
  readonly rooms: readonly Room[];
  readonly webhooks: readonly Webhook[];
  readonly authenticator: Authenticator;
  /** Undefined: merchants do not see their requests. */
  readonly recorder: RequestRecorder | undefined;
  readonly approvals: Approvals;
  readonly jobs: RunningJobs;
  readonly permit: SendingPermit;
  readonly baseUrl: () => string;
  readonly log: Log;
  readonly eventLoopDelayMs: number;
  readonly cleanup: CleanupStack;
}

export interface ListeningUrls {
  readonly url: string;
  /** Where operators call: the same, unless they have a port of their own. */
  readonly operatorUrl: string;
}

export interface Edge {
  readonly routes: readonly Route[];
  /** Returns the urls that the service listens on. Throws when a port is taken. */
  listen(): Promise<ListeningUrls>;
}

export function buildEdge(options: EdgeOptions): Edge {
  const { config, opened, authenticator, recorder, log, baseUrl, cleanup } = options;
  const live = config.mode === 'live';
  const state = { isStopping: false };
  const shedder = new Shedder({
    requestsInFlight: config.requestsInFlight,
    eventLoopDelayMs: options.eventLoopDelayMs,
  });
  const metrics = metricsOf(options, shedder);
  const healthOptions = {
    database: opened.database,
    isDistributed: opened.isDistributed,
    schemaVersion: readMigrations().length,
    dataDirectory: config.dataDirectory,
    isStopping: () => state.isStopping,
    warnings: () => [
      ...options.rooms.flatMap((room) => room.warnings?.() ?? []),
      ...(options.permit.wasHeld() ? ['sending_held'] : []),
    ],
    metrics,
    metricsToken: config.metricsToken,
    live,
  };
  metrics.watchFigure('remesa_ready', '1 while /readyz answers 200.', async () =>
    (await isReady(healthOptions)) ? 1 : 0,
  );
  const health = healthRoutes(healthOptions);
  const problems = serviceProblems();
  const routes = config.role === 'worker' ? health : withDocs(options, health, problems);
  const edge = {
    database: opened.database,
    authenticator,
    approvals: options.approvals,
    rateLimiter: rateLimiterOf(config),
    fingerprintKey: deriveKey(opened.vault.rootKey, 'idempotency fingerprint'),
    answerKey: deriveKey(opened.vault.rootKey, 'idempotency answers'),
  };
  const { trustProxy } = config;
  const { host, port, operatorPort, stopDelaySeconds } = config;
  const serverOf = (served: readonly Route[]) =>
    createServer({ routes: served, problems, edge, log, metrics, recorder, shedder, trustProxy, live, baseUrl });
  const listeners = servedAt(routes, { port, operatorPort }).map((at) => ({ ...at, server: serverOf(at.routes) }));
  cleanup.add(async () => {
    state.isStopping = true;
    await Promise.all(listeners.map(({ server }) => stopServer(server, stopDelaySeconds)));
    shedder.stop();
  });
  return {
    routes,
    async listen() {
      const urls = [];
      for (const listener of listeners) urls.push(await listener.server.fastify.listen({ host, port: listener.port }));
      const [url = '', operatorUrl = url] = urls;
      return { url, operatorUrl };
    },
  };
}

interface ServedAt {
  readonly port: number;
  readonly routes: readonly Route[];
}

/** Both ports have the probes. With OPERATOR_PORT, what operators and Prometheus call is there only. */
function servedAt(routes: readonly Route[], { port, operatorPort }: Pick<Config, 'port' | 'operatorPort'>): ServedAt[] {
  if (operatorPort === undefined) return [{ port, routes }];
  const isOfOperators = ({ path }: Route) => /^\/(operator|console|metrics)(\/|$)/.test(path);
  const isProbe = ({ path }: Route) => path === '/livez' || path === '/readyz';
  return [
    { port, routes: routes.filter((route) => !isOfOperators(route)) },
    { port: operatorPort, routes: routes.filter((route) => isProbe(route) || isOfOperators(route)) },
  ];
}

function metricsOf({ config, opened, rooms, jobs, permit }: EdgeOptions, shedder: Shedder): Metrics {
  const { database } = opened;
  const metrics = new Metrics({
    poolUse: () => database.poolUse(),
    requestsInFlight: () => shedder.inFlight,
    queueAges: () => jobs.worker.queueAges(),
  });
  for (const gauge of rooms.flatMap((room) => room.gauges ?? [])) metrics.watch(gauge);
  for (const counter of rooms.flatMap((room) => room.counters ?? [])) metrics.count(counter);
  metrics.watchFigure(
    'remesa_wake_up_silence_seconds',
    'Seconds since this process last received a wake-up of its own. It sends one every 10 s.',
    () => jobs.wakeUp.silenceSeconds(),
  );
  metrics.describeBuild({ version, mode: config.mode, role: config.role });
  metrics.count({
    name: 'remesa_job_failures_total',
    help: 'How often a job has failed since this process started.',
    label: 'job_name',
    read: () => jobs.worker.failures,
  });
  metrics.count({
    name: 'remesa_log_lines_total',
    help: 'Lines in the log at the levels that somebody should look at.',
    label: 'level',
    read: () => Object.entries(loggedLines),
  });
  metrics.watchFigure(
    'remesa_sending_held',
    '1 while notifications, payments and mails wait for a person: sending is held, or this is a copy.',
    async () => ((await permit.isHeld()) ? 1 : 0),
  );
  if (config.databaseReplication === 'synchronous') {
    metrics.watchFigure(
      'remesa_synchronous_standbys',
      'Standbys that COMMIT waits for. Needs the role pg_read_all_stats.',
      async () => (await replicationState(database)).synchronousStandbys,
    );
  }
  return metrics;
}

function withDocs(
  { rooms, webhooks, baseUrl }: EdgeOptions,
  health: readonly Route[],
  problems: ProblemCatalogue,
): readonly Route[] {
  const documented = [...health, ...rooms.flatMap((room) => room.routes)];
  return [...documented, ...docsRoutes({ routes: documented, version, webhooks, baseUrl, problems })];
}

function rateLimiterOf(config: Config): RateLimiter {
  return new RateLimiter([
    { name: 'quotes', requests: config.quotesPerMinute, windowSeconds: 60, path: '/rates' },
    { name: 'requests', requests: config.requestsPerMinute, windowSeconds: 60 },
  ]);
}
