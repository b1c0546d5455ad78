/** Runs a PostgreSQL server beside the service when DATABASE_URL is not set: in the sandbox and for development. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { StartupRefused } from '../../errors.js';
import { bundledBinaries, type ServerBinaries } from './binaries.js';
import { clusterIn, enterDataDirectory, hasCluster, requireOwner, requireVersion } from './data-directory.js';
import { type Cluster, type Launch, launchServer } from './launch.js';
import { createCluster, passwordOf, removeAbandonedAttempts } from './new-cluster.js';
import { openOwnerSession } from './owner-session.js';
import { chooseRunAs } from './run-as.js';
import { connectionString, findServer, type RunningServer } from './running-server.js';

export interface EmbeddedServer {
  readonly connectionString: string;
  readonly processId: number;
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions {
  readonly dataDirectory: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly binaries?: ServerBinaries;
  readonly say: (message: string) => void;
  /** Called once, when the server has ended by itself or has ended our session. */
  readonly onLost?: (reason: string) => void;
}

/** Long enough for crash recovery, which reads the write-ahead log again. */
const readyWithinMs = 60_000;
const explainAfterMs = 2_000;
const pollEveryMs = 20;
/** PostgreSQL's fast and immediate shutdown. After an immediate one the next start recovers. */
const shutdowns = [
  { signal: 'SIGINT', withinMs: 15_000 },
  { signal: 'SIGQUIT', withinMs: 10_000 },
] as const;

/** Throws `StartupRefused` when the server cannot run here or another service owns the data directory. */
export async function startEmbeddedPostgres(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { say, onLost } = options;
  const cluster = await openCluster(options);
  const { session, server } = await bringUp(cluster, say);
  let isOwner = true;
  session.once('end', () => {
    if (!isOwner) return;
    isOwner = false;
    const reason = 'The connection to the embedded database was lost. Start Remesa again.';
    say(reason);
    onLost?.(reason);
  });
  await removeAbandonedAttempts(cluster.dataDirectory);
  return {
    connectionString: connectionString(server.port, cluster.password),
    processId: server.processId,
    async stop() {
      // Whoever has lost the lock leaves the server to the next owner.
      if (!isOwner) return;
      isOwner = false;
      await shutDown(cluster.directory, say);
      await session.end().catch(() => undefined);
    },
  };
}

async function openCluster({ settings = {}, say, ...options }: EmbeddedServerOptions): Promise<Cluster> {
  const binaries = options.binaries ?? (await bundledBinaries());
  const dataDirectory = await enterDataDirectory(options.dataDirectory);
  const directory = clusterIn(dataDirectory);
  const exists = await hasCluster(dataDirectory);
  if (exists) await requireOwner(directory);
  const runAs = await chooseRunAs(dataDirectory, directory, binaries.postgres);
  if (!exists) {
    say(`Creating a new database in ${directory}`);
    await createCluster(dataDirectory, binaries, runAs, settings.fsync !== 'off');
  }
  await requireVersion(directory, binaries.major);
  const password = await passwordOf(directory);
  return { dataDirectory, directory, password, binaries, settings, runAs };
}

/**
 * Finds or starts the server and becomes its owner. Each round looks at the present state, because a previous server
 * may be stopping or another service may be starting. Throws `StartupRefused` when the server does not start.
 */
async function bringUp(
  cluster: Cluster,
  say: (message: string) => void,
): Promise<{ session: Client; server: RunningServer }> {
  const startedAt = performance.now();
  let hasExplained = false;
  let launch: Launch | undefined;
  while (performance.now() - startedAt < readyWithinMs) {
    const server = await findServer(cluster.directory);
    if (server?.isReady) {
      const session = await openOwnerSession(cluster, server.port);
      if (session !== undefined) return { session, server };
    }
    if (server === undefined && !(await launch?.isUnderWay())) launch = await launchServer(cluster);
    if (!hasExplained && performance.now() - startedAt > explainAfterMs) {
      hasExplained = true;
      say('The database is not ready yet: it recovers from a crash, or the previous server is still stopping');
    }
    await pause(pollEveryMs);
  }
  throw new StartupRefused(
    `The database in ${cluster.directory} was not ready within ${readyWithinMs / 1000} seconds. It may still be recovering: wait, then start Remesa again. Its log is ${cluster.dataDirectory}/postgres.log.`,
  );
}

async function shutDown(cluster: string, say: (message: string) => void): Promise<void> {
  for (const { signal, withinMs } of shutdowns) {
    const deadline = performance.now() + withinMs;
    let server = await findServer(cluster);
    if (server !== undefined) process.kill(server.processId, signal);
    while (server !== undefined && performance.now() < deadline) {
      await pause(pollEveryMs);
      server = await findServer(cluster);
    }
    if (server === undefined) return;
  }
  say('The database server does not stop and was left running.');
}
