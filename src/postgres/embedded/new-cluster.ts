/** Creates a new cluster with initdb, so that it appears complete or not at all. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupRefused } from '../../errors.js';
import { serverSentence } from '../../startup-faults.js';
import type { ServerBinaries } from './binaries.js';
import { syncDirectory } from './data-directory.js';
import { attemptAs } from './privilege/program.js';
import type { RunMode } from './privilege/run-mode.js';
import { isRunning } from './running-process.js';
import { initdbArguments } from './settings.js';

export interface NewCluster {
  readonly dataDirectory: string;
  readonly clusterDirectory: string;
  readonly binaries: ServerBinaries;
  readonly password: string;
  readonly runMode: RunMode;
  readonly durable: boolean;
}

const initdbTimeoutMs = 120_000;
const attemptName = /^postgres\.new-(\d+)-[0-9a-f]+$/;
/** The attempts of this process. In a container its process id may equal that of a predecessor that was killed. */
const ownAttempts = new Set<string>();

/** Creates the cluster in a temporary folder and renames it into place. A cluster that another process put there first stays. */
export async function createCluster(cluster: NewCluster): Promise<void> {
  const name = `postgres.new-${process.pid}-${randomBytes(6).toString('hex')}`;
  const temporaryFolder = join(cluster.dataDirectory, name);
  ownAttempts.add(name);
  try {
    await initialise(cluster, temporaryFolder);
    await moveIntoPlace(join(temporaryFolder, 'cluster'), cluster.clusterDirectory);
    await syncDirectory(cluster.dataDirectory);
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true, maxRetries: 3 });
    ownAttempts.delete(name);
  }
}

async function initialise(
  { binaries, runMode, password, durable }: NewCluster,
  temporaryFolder: string,
): Promise<void> {
  await mkdir(join(temporaryFolder, 'cluster'), { recursive: true, mode: 0o700 });
  const passwordFile = join(temporaryFolder, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await runMode.giveOwnership(temporaryFolder);
  const args = initdbArguments(binaries.major, {
    directory: join(temporaryFolder, 'cluster'),
    passwordFile,
    durable,
  });
  const { failure } = await attemptAs(runMode, binaries.initdb, args, initdbTimeoutMs);
  if (failure === undefined) return;
  throw new StartupRefused(
    serverSentence(failure, dirname(temporaryFolder)) ??
      `PostgreSQL could not create a new database: ${failure}\nIts programs need a glibc system (not Alpine), free disk space, and a user that /etc/passwd knows. Set DATABASE_URL to use a PostgreSQL server instead.`,
  );
}

async function moveIntoPlace(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

/** Removes the temporary folders of starts that were killed. */
export async function removeAbandonedAttempts(dataDirectory: string): Promise<void> {
  const leftovers = (await readdir(dataDirectory)).filter((name) => isAbandoned(name));
  for (const name of leftovers) {
    // An initdb that outlived its service may still write there; the next start removes the rest.
    await rm(join(dataDirectory, name), { recursive: true, force: true, maxRetries: 3 }).catch(
      () => undefined,
    );
  }
}

function isAbandoned(name: string): boolean {
  const processId = Number(attemptName.exec(name)?.[1] ?? Number.NaN);
  if (Number.isNaN(processId)) return false;
  return processId === process.pid ? !ownAttempts.has(name) : !isRunning(processId);
}
