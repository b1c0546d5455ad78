/** Checks the data directory and the database in it before anything is changed. */
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupRefused } from '../../errors.js';
import { fileSentence } from '../../startup-faults.js';
import { accountName } from './run-as.js';

/** Creates the folder if it is missing and returns its real path. Throws `StartupRefused` when it cannot be used. */
export async function enterDataDirectory(directory: string): Promise<string> {
  try {
    await createFolder(directory);
    await access(`${directory}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(directory);
  } catch (cause) {
    throw await unusable(directory, cause);
  }
}

/** Avoids `recursive`, which never returns on a file system that accepts no folders, such as /proc. */
async function createFolder(directory: string): Promise<void> {
  if (existsSync(directory)) return;
  await createFolder(dirname(directory));
  await mkdir(directory, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Where the database is. It appears complete or not at all. */
export function clusterIn(dataDirectory: string): string {
  return join(dataDirectory, 'postgres');
}

/** Returns whether this data directory has a database. Changes nothing. */
export async function hasCluster(dataDirectory: string): Promise<boolean> {
  try {
    await stat(clusterIn(dataDirectory));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw await unusable(dataDirectory, error);
  }
}

async function unusable(directory: string, cause: unknown): Promise<StartupRefused> {
  const fault = cause as NodeJS.ErrnoException;
  const owner = fault.code === 'EACCES' ? await stat(directory).catch(() => undefined) : undefined;
  const belonging = owner === undefined ? '' : ` It belongs to user ${await accountName(owner.uid)}.`;
  return new StartupRefused(`${fileSentence(fault, directory)}${belonging}`, { cause });
}

/**
 * Throws `StartupRefused` when the database belongs to another user. Root is exempt: it runs the server as the owner.
 */
export async function requireOwner(cluster: string): Promise<void> {
  const { uid } = await stat(cluster);
  const self = process.geteuid?.() ?? uid;
  if (self === 0 || self === uid) return;
  throw new StartupRefused(
    `The database in ${cluster} belongs to user ${await accountName(uid)}, and Remesa was started as user ${await accountName(self)}. Start it as ${await accountName(uid)}, change the owner of the whole folder (chown -R), or set DATA_DIR to another folder.`,
  );
}

/** Throws `StartupRefused` when another version of PostgreSQL created the database. */
export async function requireVersion(cluster: string, major: number): Promise<void> {
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (version === String(major)) return;
  if (version === '') {
    throw new StartupRefused(
      `${cluster} contains no PostgreSQL database. Move it away, or set DATA_DIR to another folder.`,
    );
  }
  throw new StartupRefused(
    `The database in ${cluster} was created by PostgreSQL ${version}; this Remesa includes PostgreSQL ${major}, which cannot read it. Nothing was changed. Dump it with a PostgreSQL ${version} server and restore the dump into a new DATA_DIR, or run that server and set DATABASE_URL to it, or move the folder away to start with a new database.`,
  );
}
