/** Builds the HTTP server: the routes of the rooms, health checks, metrics, API reference and request limits. */
import type { Config } from '../config/config.js';
import type { Authenticator } from '../http/authenticator.js';
import { docsRoutes } from '../http/docs/routes.js';
import type { Approvals } from '../http/four-eyes.js';
import { healthRoutes } from '../http/monitoring/health.js';
import { Metrics } from '../http/monitoring/metrics.js';
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';
import type { Route, Webhook } from '../http/route.js';
import { createServer } from '../http/server.js';
import { stopServer } from '../http/stop.js';
import { RateLimiter } from '../http/traffic/rate-limit.js';
import { Shedder } from '../http/traffic/shedding.js';
import { deriveKey } from '../keys/derive.js';
import type { Log } from '../log.js';
import { readMigrations } from '../postgres/migrate.js';
import { replicationState } from '../postgres/server-checks.js';
import { serviceProblems } from '../problems.js';
import { version } from '../version.js';
import type { CleanupStack } from './cleanup.js';
import type { OpenedDatabase } from './open-database.js';
import type { Room } from './room.js';
import type { RunningJobs } from './run-jobs.js';

export interface EdgeOptions {
  readonly config: Config;
  readonly opened: OpenedDatabase;
  readonly rooms: readonly Room[];
  readonly webhooks: readonly Webhook[];
  readonly authenticator: Authenticator;
  readonly approvals: Approvals;
  readonly jobs: RunningJobs;
  readonly baseUrl: () => string;
  readonly log: Log;
  readonly eventLoopDelayMs: number;
  readonly cleanup: CleanupStack;
}

export interface Edge {
  readonly routes: readonly Route[];
  /** Returns the url that the server listens on. Throws when the port is taken. */
  listen(): Promise<string>;
}

export function buildEdge(options: EdgeOptions): Edge {
  const { config, opened, authenticator, log, baseUrl, cleanup } = options;
  const live = config.mode === 'live';
  const state = { isStopping: false };
  const shedder = new Shedder({
    requestsInFlight: config.requestsInFlight,
    eventLoopDelayMs: options.eventLoopDelayMs,
  });
  const metrics = metricsOf(options, shedder);
  const health = healthRoutes({
    database: opened.database,
    isDistributed: opened.isDistributed,
    schemaVersion: readMigrations().length,
    dataDirectory: config.dataDirectory,
    isStopping: () => state.isStopping,
    warnings: () => options.rooms.flatMap((room) => room.warnings?.() ?? []),
    metrics,
    metricsToken: config.metricsToken,
    live,
  });
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
  const server = createServer({
    routes,
    problems,
    edge,
    log,
    metrics,
    shedder,
    trustProxy,
    live,
    baseUrl,
  });
  cleanup.add(async () => {
    state.isStopping = true;
    await stopServer(server, config.stopDelaySeconds);
    shedder.stop();
  });
  return { routes, listen: () => server.fastify.listen({ host: config.host, port: config.port }) };
}

function metricsOf({ config, opened, rooms, jobs }: EdgeOptions, shedder: Shedder): Metrics {
  const { database } = opened;
  const metrics = new Metrics({
    poolUse: () => database.poolUse(),
    requestsInFlight: () => shedder.inFlight,
    queueAges: () => jobs.worker.queueAges(),
  });
  for (const gauge of rooms.flatMap((room) => room.gauges ?? [])) metrics.watch(gauge);
  metrics.watchFigure(
    'remesa_wake_up_silence_seconds',
    'Seconds since this process last received a wake-up of its own. It sends one every 10 s.',
    () => jobs.wakeUp.silenceSeconds(),
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
