/**
 * Owns the PostgreSQL server that runs beside the service when no DATABASE_URL is given: its programs, files,
 * process and lock. Does not own what is in the database.
 */
import { StartupRefused } from '../../errors.js';
import { bundledBinaries, type ServerBinaries } from './binaries.js';
import { bringUp, type ReadyServer } from './bring-up.js';
import { type Cluster, openCluster } from './cluster.js';
import { enterDataDirectory } from './data-directory.js';
import { OwnershipKeeper } from './ownership/keep-ownership.js';
import { forgetOwnership, takeOwnership } from './ownership/take-ownership.js';
import type { RunMode } from './privilege/run-mode.js';
import { isRunning } from './running-process.js';
import { closeSession, connectionString, ensureDatabase, isConnectionLoss, openSession } from './session.js';
import { shutDown } from './shut-down.js';

export interface EmbeddedServer {
  readonly connectionString: string;
  /** True when the server was already running: it survives when its service is killed. */
  readonly adopted: boolean;
  readonly processId: number;
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions {
  readonly dataDirectory: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly binaries?: ServerBinaries;
  readonly runModes?: readonly RunMode[];
  readonly say: (message: string) => void;
  /** Called once, when the server has ended by itself or another service has become its owner. */
  readonly onLost?: (reason: string) => void;
}

const maxAttempts = 5;

/** Throws `StartupRefused` when the server cannot run here or another service owns the data directory. */
export async function startEmbeddedPostgres(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  if (process.platform === 'win32') {
    throw new StartupRefused(
      'The embedded database does not run on Windows. Use WSL, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  const cluster = await openCluster({
    dataDirectory: await enterDataDirectory(options.dataDirectory),
    binaries: options.binaries ?? (await bundledBinaries()),
    settings: options.settings ?? {},
    runModes: options.runModes,
    say: options.say,
  });
  const server = await ownedServer(cluster);
  const address = { port: server.port, password: cluster.password };
  const keeper = new OwnershipKeeper(server.session, {
    openSession: () => openSession(address),
    serverIsRunning: () => isRunning(server.processId),
    say: options.say,
    onLost: options.onLost ?? (() => undefined),
  });
  let stopping: Promise<void> | undefined;
  return {
    connectionString: connectionString(address),
    adopted: server.adopted,
    processId: server.processId,
    stop: () => {
      stopping ??= stopServer(cluster, server, keeper);
      return stopping;
    },
  };
}

/** Starts again when the server goes down between being found and being owned. */
async function ownedServer(cluster: Cluster): Promise<ReadyServer> {
  for (let round = 1; ; round += 1) {
    const server = await bringUp(cluster);
    try {
      await takeOwnership(server.session, cluster.dataDirectory);
      await ensureDatabase(server.session);
      return server;
    } catch (error) {
      await closeSession(server.session);
      forgetOwnership(cluster.dataDirectory);
      if (!isConnectionLoss(error) || round === maxAttempts) throw error;
    }
  }
}

/** Releases the lock last, so that no other service takes the data directory before the server has ended. */
async function stopServer(cluster: Cluster, server: ReadyServer, keeper: OwnershipKeeper): Promise<void> {
  const wasOwner = keeper.isOwner;
  keeper.expectEnd();
  if (wasOwner) {
    await shutDown({ processId: server.processId, clusterDirectory: cluster.directory, say: cluster.say });
  } else {
    cluster.say('The database server belongs to another Remesa now; it was left running.');
  }
  await keeper.close();
  forgetOwnership(cluster.dataDirectory);
}
