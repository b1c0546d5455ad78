import { constants } from 'node:fs';
import { access, mkdir, open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupRefused } from '../../errors.js';
import { accountName } from './accounts.js';

/** Makes the folder if it is missing and answers its real path. */
export async function enterDataDirectory(directory: string): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(directory);
  } catch (cause) {
    const owner = await stat(directory).then(
      ({ uid }) => accountName(uid),
      () => undefined,
    );
    const belonging = owner === undefined ? '' : ` It belongs to user ${owner}.`;
    throw new StartupRefused(
      `Remesa can't use the folder ${directory} (${(cause as Error).message}).${belonging} Start Remesa as a user who may write there, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
}

export type ClusterCondition = 'absent' | 'present';

/** Refuses a cluster that this server, or this user, must not touch. */
export async function examineCluster(clusterDirectory: string, major: number): Promise<ClusterCondition> {
  const content = await readdir(clusterDirectory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'EACCES') return undefined;
    throw error;
  });
  if (content?.length === 0) return 'absent';
  await refuseForeignOwner(clusterDirectory);
  await refuseOtherVersion(clusterDirectory, major);
  return 'present';
}

/** PostgreSQL runs only as the owner of its files. Root is exempt: it can run the server as that owner. */
async function refuseForeignOwner(clusterDirectory: string): Promise<void> {
  const { uid } = await stat(clusterDirectory);
  const self = process.geteuid?.() ?? uid;
  if (self === 0 || self === uid) return;
  throw new StartupRefused(
    `The database in ${clusterDirectory} belongs to user ${await accountName(uid)}, and Remesa was started as user ${await accountName(self)}. Start it as ${await accountName(uid)}, change the owner of the whole folder (chown -R), or set DATA_DIR to another folder.`,
  );
}

async function refuseOtherVersion(clusterDirectory: string, major: number): Promise<void> {
  const version = (await readFile(join(clusterDirectory, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (version === String(major)) return;
  if (version === '') {
    throw new StartupRefused(
      `${clusterDirectory} is not empty and holds no PostgreSQL database. Move it away, or set DATA_DIR to another folder.`,
    );
  }
  throw new StartupRefused(
    `The database in ${clusterDirectory} was made by PostgreSQL ${version}; this Remesa brings PostgreSQL ${major}, which can't read it. Nothing was changed. Either dump it with a PostgreSQL ${version} server and restore the dump into a new DATA_DIR, or keep running a PostgreSQL ${version} server on it and set DATABASE_URL to that, or move the folder away to begin anew.`,
  );
}

/** A new name in a folder survives a power cut only once the folder itself is on the disk. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
