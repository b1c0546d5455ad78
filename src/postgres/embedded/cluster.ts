/** Opens the database cluster in the data directory, creating it at the first start, and starts its server. */
import type { ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { ServerBinaries } from './binaries.js';
import { examineCluster } from './data-directory.js';
import { createCluster, removeAbandonedAttempts } from './new-cluster.js';
import { databasePassword } from './password.js';
import { chooseRunMode, defaultRunModes } from './privilege/choose-run-mode.js';
import { launchDetached } from './privilege/program.js';
import type { RunMode } from './privilege/run-mode.js';
import { logSize } from './server-log.js';
import { serverArguments } from './settings.js';

export interface ClusterOptions {
  readonly dataDirectory: string;
  readonly binaries: ServerBinaries;
  readonly settings: Readonly<Record<string, string>>;
  /** Set by tests. By default the modes that suit the current user. */
  readonly runModes: readonly RunMode[] | undefined;
  readonly say: (message: string) => void;
}

/** A cluster that exists and whose server this user may run. */
export interface Cluster extends ClusterOptions {
  readonly directory: string;
  readonly logFile: string;
  readonly password: string;
}

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDirectory, binaries, say } = options;
  const directory = join(dataDirectory, 'postgres');
  await removeAbandonedAttempts(dataDirectory);
  const clusterExists = (await examineCluster(directory, binaries.major)) === 'present';
  const password = await databasePassword(dataDirectory, { clusterExists });
  const cluster = { ...options, directory, logFile: join(dataDirectory, 'postgres.log'), password };
  if (!clusterExists) {
    say(`Creating a new database in ${directory}`);
    const runMode = await selectRunMode(cluster);
    const durable = options.settings.fsync !== 'off';
    await createCluster({ dataDirectory, clusterDirectory: directory, binaries, password, runMode, durable });
  }
  return cluster;
}

async function selectRunMode({ runModes, directory, binaries, dataDirectory }: Cluster): Promise<RunMode> {
  return await chooseRunMode(runModes ?? (await defaultRunModes(directory)), {
    postgres: binaries.postgres,
    dataDirectory,
  });
}

export interface Launch {
  readonly processId: number | undefined;
  /** The position in the log at which this launch begins. */
  readonly logStart: number;
  /** Returns how the server ended, or undefined while it runs. */
  ended(): string | undefined;
}

export async function launchServer(cluster: Cluster): Promise<Launch> {
  const runMode = await selectRunMode(cluster);
  const log = await open(cluster.logFile, 'a', 0o600);
  try {
    await runMode.giveOwnership(cluster.directory);
    await runMode.giveOwnership(cluster.logFile);
    const logStart = await logSize(cluster.logFile);
    const { binaries, directory, settings } = cluster;
    const args = serverArguments(binaries.major, directory, await freePort(), settings);
    return watch(launchDetached(runMode, binaries.postgres, args, log.fd), logStart);
  } finally {
    await log.close();
  }
}

function watch(child: ChildProcess, logStart: number): Launch {
  let end: string | undefined;
  child.once('error', (error) => {
    end = error.message;
  });
  child.once('exit', (code, signal) => {
    end = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
  });
  return { processId: child.pid, logStart, ended: () => end };
}

/** Returns a port that is free now. If another program takes it before PostgreSQL does, the next launch uses another. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
