/** Creates a database with initdb, so that it appears complete or not at all. */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupRefused } from '../../errors.js';
import { serverSentence } from '../../startup-faults.js';
import type { ServerBinaries } from './binaries.js';
import { clusterIn, hasCluster } from './data-directory.js';
import { giveOwnership, type RunAs, run } from './run-as.js';

const attemptName = 'postgres.new-';
const passwordName = 'password';

/**
 * Creates the cluster in a temporary folder and renames it into place. One that another process put there first stays.
 */
export async function createCluster(
  dataDirectory: string,
  binaries: ServerBinaries,
  runAs: RunAs,
  isDurable: boolean,
): Promise<void> {
  const attempt = await mkdtemp(join(dataDirectory, attemptName));
  const [directory, password] = [join(attempt, 'cluster'), join(attempt, 'password')];
  try {
    await mkdir(directory, { mode: 0o700 });
    await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    await giveOwnership(runAs, attempt);
    const args = initdbArguments(binaries.major, directory, password);
    const failure = await run(runAs, binaries.initdb, isDurable ? args : [...args, '--no-sync']);
    if (failure !== undefined) throw initdbFailed(failure, dataDirectory);
    await rename(password, join(directory, passwordName));
    await syncDirectory(directory);
    await rename(directory, clusterIn(dataDirectory));
    await syncDirectory(dataDirectory);
  } catch (error) {
    if (!(await hasCluster(dataDirectory))) throw error;
  } finally {
    await rm(attempt, { recursive: true, force: true, maxRetries: 3 });
  }
}

function initdbArguments(major: number, directory: string, password: string): string[] {
  return [
    `--pgdata=${directory}`,
    '--username=remesa',
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--data-checksums',
    '--locale=C',
    // PostgreSQL's own C.UTF-8 sorts the same on every machine. The tests also run versions that lack it.
    ...(major < 17 ? [] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']),
  ];
}

function initdbFailed(failure: string, dataDirectory: string): StartupRefused {
  return new StartupRefused(
    serverSentence(failure, dataDirectory) ??
      `PostgreSQL could not create a new database: ${failure}\nIts programs need a glibc system (not Alpine), free disk space, and a user that /etc/passwd knows. Set DATABASE_URL to use a PostgreSQL server instead.`,
  );
}

export async function passwordOf(cluster: string): Promise<string> {
  return await readFile(join(cluster, passwordName), 'utf8');
}

/** Without it a new file may be missing after a power cut. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Removes the temporary folders of starts that were killed. Only the owner of the database may. */
export async function removeAbandonedAttempts(dataDirectory: string): Promise<void> {
  const names = (await readdir(dataDirectory)).filter((name) => name.startsWith(attemptName));
  for (const name of names) {
    // An initdb that outlived its service may still write there; the next start removes the rest.
    await rm(join(dataDirectory, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
