/** The only wiring: config → database → rooms → edges. Plain calls, in the order in which things depend on each other. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { HeadFile } from './audit/head-file.js';
import { auditChainJob } from './audit/service.js';
import type { Config } from './config.js';
import { docsRoutes } from './http/docs.js';
import type { Gatekeeper } from './http/gatekeeper.js';
import { healthRoutes } from './http/health.js';
import { sweepExpiredKeys } from './http/idempotency.js';
import { Metrics } from './http/metrics.js';
import { RateLimiter } from './http/rate-limit.js';
import type { Route } from './http/route.js';
import { createServer } from './http/server.js';
import { Shedder } from './http/shedding.js';
import { stopServer } from './http/stop.js';
import { deriveKey, deriveSigningKey } from './keys.js';
import type { Log } from './log.js';
import { loadMasterKey, masterKeyCheckValue } from './master-key.js';
import { Database } from './postgres/database.js';
import { startEmbeddedPostgres } from './postgres/embedded/server.js';
import { confirmInstance, refuseForgetfulServer } from './postgres/instance.js';
import { migrate, readMigrations } from './postgres/migrate.js';
import { version } from './version.js';
import { WakeUp } from './worker/wake-up.js';
import { type Job, Worker } from './worker/worker.js';

export interface Surroundings {
  readonly log: Log;
  /** For the person who starts it: progress of what takes a moment. */
  readonly say: (message: string) => void;
  /** Further rooms, for tests of the edge itself. */
  readonly rooms?: (database: Database) => Rooms;
}

export interface Rooms {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly gatekeeper?: Gatekeeper;
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
    const { database, masterKey } = await openDatabase(config, surroundings, undo);
    const rooms = buildRooms(config, database, masterKey, surroundings);
    const worker = startWorker(config, database, rooms.jobs, surroundings.log, undo);
    const { url, routes } = await startEdge(
      config,
      database,
      masterKey,
      rooms,
      worker,
      surroundings.log,
      undo,
    );
    return { url, database, routes, stop: () => undo.run() };
  } catch (error) {
    await undo.run();
    throw error;
  }
}

/** The database that the config names, up, migrated and proved to be the right one. */
export async function openDatabase(
  config: Config,
  { say }: Pick<Surroundings, 'say'>,
  undo: UndoList,
): Promise<{ database: Database; masterKey: Buffer }> {
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });
  const url = config.databaseUrl ?? (await startEmbedded(config, say, undo));
  const masterKey = loadMasterKey(config);
  const applied = await migrate(url, { say });
  if (applied.length > 0) say(`Database migrated: ${applied.join(', ')}`);
  const database = new Database(url, { poolSize: config.databasePoolSize });
  undo.add(() => database.close());
  await confirmInstance(database, { mode: config.mode, masterKeyCheck: masterKeyCheckValue(masterKey) });
  if (config.mode === 'live') await refuseForgetfulServer(database);
  return { database, masterKey };
}

async function startEmbedded(
  config: Config,
  say: (message: string) => void,
  undo: UndoList,
): Promise<string> {
  const server = await startEmbeddedPostgres({ dataDirectory: config.dataDirectory, say });
  undo.add(() => server.stop());
  return server.connectionString;
}

function buildRooms(
  config: Config,
  database: Database,
  masterKey: Buffer,
  surroundings: Surroundings,
): Required<Rooms> {
  const further = surroundings.rooms?.(database);
  const headFile = auditHeadFile(config);
  return {
    routes: further?.routes ?? [],
    jobs: [
      auditChainJob(database, deriveSigningKey(masterKey, 'audit head'), headFile),
      sweepJob('idempotency.sweep', database),
      ...(further?.jobs ?? []),
    ],
    gatekeeper: further?.gatekeeper ?? closedGate,
  };
}

export function auditHeadFile(config: Config): HeadFile {
  return new HeadFile(join(config.dataDirectory, 'audit-heads.jsonl'));
}

const closedGate: Gatekeeper = { authenticate: () => undefined, findUser: async () => undefined };

function sweepJob(name: string, database: Database): Job {
  return { name, everySeconds: 60, run: () => database.transaction((tx) => sweepExpiredKeys(tx, 1000)) };
}

function startWorker(
  config: Config,
  database: Database,
  jobs: readonly Job[],
  log: Log,
  undo: UndoList,
): Worker {
  const worker = new Worker(config.role === 'api' ? [] : jobs, log);
  const wakeUp = new WakeUp(database, log, (job) => worker.wake(job));
  database.onWake = (woken) => wakeUp.send(woken);
  undo.add(() => wakeUp.close());
  undo.add(() => worker.stop());
  if (config.role !== 'api') wakeUp.listen(jobs.map((job) => job.name));
  worker.start();
  return worker;
}

async function startEdge(
  config: Config,
  database: Database,
  masterKey: Buffer,
  rooms: Required<Rooms>,
  worker: Worker,
  log: Log,
  undo: UndoList,
): Promise<{ url: string; routes: readonly Route[] }> {
  const state = { isStopping: false };
  const live = config.mode === 'live';
  const shedder = new Shedder({ requestsInFlight: config.requestsInFlight, eventLoopDelayMs: 250 });
  const metrics = new Metrics({
    poolUse: () => database.poolUse(),
    requestsInFlight: () => shedder.inFlight,
    queueAges: () => worker.queueAges(),
  });
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
  const routes =
    config.role === 'worker' ? health : [...documented, ...docsRoutes({ routes: documented, version })];
  const rateLimiter = new RateLimiter([
    { name: 'requests', requests: config.requestsPerMinute, windowSeconds: 60, covers: () => true },
  ]);
  const fingerprintKey = deriveKey(masterKey, 'idempotency fingerprint');
  const edge = { database, gatekeeper: rooms.gatekeeper, rateLimiter, fingerprintKey };
  const server = createServer({ routes, edge, log, metrics, shedder, trustProxy: config.trustProxy, live });
  undo.add(async () => {
    state.isStopping = true;
    await stopServer(server);
    shedder.stop();
  });
  const url = await server.fastify.listen({ host: config.host, port: config.port });
  return { url, routes };
}

/** What was started is stopped in reverse: the edge before the worker, the database last. */
export class UndoList {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) await step();
  }
}
