/** Checks the data directory and the cluster in it before anything is changed. */
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupRefused } from '../../errors.js';
import { fileSentence } from '../../startup-faults.js';
import { accountName } from './privilege/accounts.js';

/** Creates the folder if it is missing and returns its real path. Throws `StartupRefused` when it cannot be used. */
export async function enterDataDirectory(directory: string): Promise<string> {
  try {
    await createFolder(directory);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(directory);
  } catch (cause) {
    throw await unusable(directory, cause);
  }
}

/** Avoids `recursive`, which never returns on a file system that accepts no folders, such as /proc. */
async function createFolder(directory: string): Promise<void> {
  try {
    await createInParent(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || dirname(directory) === directory) throw error;
    await createFolder(dirname(directory));
    await createInParent(directory);
  }
}

async function createInParent(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    const exists = error.code === 'EEXIST' && (await stat(directory)).isDirectory();
    if (!exists) throw error;
  });
}

/** Returns whether this data directory has a database. Changes nothing. */
export async function hasCluster(dataDirectory: string): Promise<boolean> {
  try {
    return (await readdir(join(dataDirectory, 'postgres'))).length > 0;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    // A cluster may belong to another user, but the data directory itself must be accessible.
    const mayEnter = await access(dataDirectory, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (code === 'EACCES' && mayEnter) return true;
    throw await unusable(dataDirectory, error);
  }
}

async function unusable(directory: string, cause: unknown): Promise<StartupRefused> {
  const fault = cause as NodeJS.ErrnoException;
  const owner = fault.code === 'EACCES' ? await stat(directory).catch(() => undefined) : undefined;
  const belonging = owner === undefined ? '' : ` It belongs to user ${await accountName(owner.uid)}.`;
  return new StartupRefused(`${fileSentence(fault, directory)}${belonging}`, { cause });
}

export type ClusterCondition = 'absent' | 'present';

/** Throws `StartupRefused` when the cluster belongs to another user or another version of PostgreSQL. */
export async function examineCluster(clusterDirectory: string, major: number): Promise<ClusterCondition> {
  const content = await readdir(clusterDirectory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'EACCES') return undefined;
    throw error;
  });
  if (content?.length === 0) return 'absent';
  await requireOwner(clusterDirectory);
  await requireVersion(clusterDirectory, major);
  return 'present';
}

/** PostgreSQL runs only as the owner of its files. Root is exempt: it can run the server as that owner. */
async function requireOwner(clusterDirectory: string): Promise<void> {
  const { uid } = await stat(clusterDirectory);
  const self = process.geteuid?.() ?? uid;
  if (self === 0 || self === uid) return;
  throw new StartupRefused(
    `The database in ${clusterDirectory} belongs to user ${await accountName(uid)}, and Remesa was started as user ${await accountName(self)}. Start it as ${await accountName(uid)}, change the owner of the whole folder (chown -R), or set DATA_DIR to another folder.`,
  );
}

async function requireVersion(clusterDirectory: string, major: number): Promise<void> {
  const version = (await readFile(join(clusterDirectory, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (version === String(major)) return;
  if (version === '') {
    throw new StartupRefused(
      `${clusterDirectory} is not empty and contains no PostgreSQL database. Move it away, or set DATA_DIR to another folder.`,
    );
  }
  throw new StartupRefused(
    `The database in ${clusterDirectory} was created by PostgreSQL ${version}; this Remesa includes PostgreSQL ${major}, which cannot read it. Nothing was changed. Either dump it with a PostgreSQL ${version} server and restore the dump into a new DATA_DIR, or keep running a PostgreSQL ${version} server on it and set DATABASE_URL to that, or move the folder away to start with a new database.`,
  );
}

/** Writes the folder to disk: without it a new file may be missing after a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
