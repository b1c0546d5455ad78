/** Starts the server of a cluster, or finds the one that already runs, and waits until it is ready. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { StartupRefused } from '../../errors.js';
import { serverSentence } from '../../startup-faults.js';
import { type Cluster, type Launch, launchServer } from './cluster.js';
import { findRunningServer, type RunningServer } from './postmaster-file.js';
import { logTail } from './server-log.js';
import { isConnectionLoss, isWrongPassword, openSession } from './session.js';

export interface ReadyServer {
  readonly processId: number;
  readonly port: number;
  readonly adopted: boolean;
  readonly session: Client;
}

/** Long enough for crash recovery, which reads the write-ahead log again. */
const readyWithinMs = 60_000;
const explainAfterMs = 2_000;
const pollEveryMs = 20;
/** Failures that pass: the port was taken meanwhile, or the previous server has not quite ended. */
const temporaryFailure =
  /Address already in use|pre-existing shared memory block|lock file ".*" already exists/;

/**
 * Finds or starts the server of this cluster and opens a session on it. Each round looks at the present state, because
 * a previous server may be stopping or another service may be starting. Throws `StartupRefused` when none gets ready.
 */
export async function bringUp(cluster: Cluster): Promise<ReadyServer> {
  const startedAt = performance.now();
  let explained = false;
  let launch: Launch | undefined;
  while (performance.now() - startedAt < readyWithinMs) {
    const running = await findRunningServer(cluster.directory);
    const session = await sessionOn(running, cluster);
    if (running !== undefined && session !== undefined) {
      const { processId, port } = running;
      return { processId, port, adopted: processId !== launch?.processId, session };
    }
    if (running === undefined) launch = await keepLaunching(cluster, launch);
    if (!explained && performance.now() - startedAt > explainAfterMs) {
      explained = true;
      cluster.say(waitingFor(running));
    }
    await pause(pollEveryMs);
  }
  throw new StartupRefused(
    `The database in ${cluster.directory} was not ready within ${readyWithinMs / 1000} seconds. It may still be recovering: wait, then start Remesa again. The end of ${cluster.logFile}:\n${await logTail(cluster.logFile)}`,
  );
}

async function sessionOn(running: RunningServer | undefined, cluster: Cluster): Promise<Client | undefined> {
  if (running?.status !== 'ready') return undefined;
  try {
    return await openSession({ port: running.port, password: cluster.password });
  } catch (error) {
    if (isConnectionLoss(error)) return undefined;
    if (!isWrongPassword(error)) throw error;
    throw new StartupRefused(
      `The database in ${cluster.directory} does not accept the password in ${cluster.dataDirectory}/postgres-password. Restore the file that was created with the database.`,
      { cause: error },
    );
  }
}

async function keepLaunching(cluster: Cluster, previous: Launch | undefined): Promise<Launch> {
  if (previous === undefined) return await launchServer(cluster);
  const end = previous.ended();
  if (end === undefined) return previous;
  const tail = await logTail(cluster.logFile, previous.logStart);
  if (temporaryFailure.test(tail)) {
    await pause(100);
    return await launchServer(cluster);
  }
  const reason = serverSentence(tail, cluster.dataDirectory) ?? `PostgreSQL did not start: ${end}.`;
  throw new StartupRefused(`${reason} The end of ${cluster.logFile}:\n${tail}`);
}

function waitingFor(running: RunningServer | undefined): string {
  if (running?.status === 'stopping')
    return `Waiting for the previous database server (process ${running.processId}) to stop`;
  return 'The database is still starting. After a crash it first recovers the last writes';
}
