import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { StartupRefused } from '../../errors.js';
import { serverSentence } from '../../startup-faults.js';
import { type Cluster, type Launch, launchServer } from './cluster.js';
import { type StandingServer, standingServer } from './postmaster-file.js';
import { logTail } from './server-log.js';
import { isConnectionLoss, isWrongPassword, openSession } from './session.js';

export interface ReadyServer {
  readonly processId: number;
  readonly port: number;
  readonly adopted: boolean;
  readonly session: Client;
}

/** Crash recovery reads the write-ahead log again, which takes its time after much writing. */
const READY_WITHIN_MS = 60_000;
const EXPLAIN_AFTER_MS = 2_000;
const LOOK_EVERY_MS = 20;
/** Ends that another try can mend: a port that was taken meanwhile, or a predecessor that is not quite gone. */
const PASSING_TROUBLE =
  /Address already in use|pre-existing shared memory block|lock file ".*" already exists/;

/**
 * Finds the server of this cluster or starts one, and opens a session on it. Every round looks at what is there
 * now: a predecessor may be stopping, another service may be starting, and either may change its mind.
 */
export async function bringUp(cluster: Cluster): Promise<ReadyServer> {
  const began = performance.now();
  let explained = false;
  let launch: Launch | undefined;
  while (performance.now() - began < READY_WITHIN_MS) {
    const standing = await standingServer(cluster.directory);
    const session = await sessionOn(standing, cluster);
    if (standing !== undefined && session !== undefined) {
      const { processId, port } = standing;
      return { processId, port, adopted: processId !== launch?.processId, session };
    }
    if (standing === undefined) launch = await keepLaunching(cluster, launch);
    if (!explained && performance.now() - began > EXPLAIN_AFTER_MS) {
      explained = true;
      cluster.say(waitingFor(standing));
    }
    await pause(LOOK_EVERY_MS);
  }
  throw new StartupRefused(
    `The database in ${cluster.directory} was not ready within ${READY_WITHIN_MS / 1000} seconds. It may still be recovering: wait, then start Remesa again. The end of ${cluster.logFile}:\n${await logTail(cluster.logFile)}`,
  );
}

async function sessionOn(
  standing: StandingServer | undefined,
  cluster: Cluster,
): Promise<Client | undefined> {
  if (standing?.status !== 'ready') return undefined;
  try {
    return await openSession({ port: standing.port, password: cluster.password });
  } catch (error) {
    if (isConnectionLoss(error)) return undefined;
    if (!isWrongPassword(error)) throw error;
    throw new StartupRefused(
      `The database in ${cluster.directory} does not take the password in ${cluster.dataDirectory}/postgres-password. Put the file back that was made along with it.`,
      { cause: error },
    );
  }
}

async function keepLaunching(cluster: Cluster, previous: Launch | undefined): Promise<Launch> {
  if (previous === undefined) return await launchServer(cluster);
  const end = previous.ended();
  if (end === undefined) return previous;
  const tail = await logTail(cluster.logFile, previous.logStart);
  if (PASSING_TROUBLE.test(tail)) {
    await pause(100);
    return await launchServer(cluster);
  }
  const reason = serverSentence(tail, cluster.dataDirectory) ?? `PostgreSQL did not start: ${end}.`;
  throw new StartupRefused(`${reason} The end of ${cluster.logFile}:\n${tail}`);
}

function waitingFor(standing: StandingServer | undefined): string {
  if (standing?.status === 'stopping')
    return `Waiting for the previous database server (process ${standing.processId}) to stop`;
  return 'The database is still starting; after a crash it first recovers what was written last';
}
