/** Keeps the password of the embedded server in a file of the data directory. */
import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupRefused } from '../../errors.js';
import { syncDirectory } from './data-directory.js';

/**
 * Returns the password, creating it at the first start; services that start at the same time get the same one.
 * Throws `StartupRefused` when the cluster exists without its password.
 */
export async function databasePassword(
  dataDirectory: string,
  { clusterExists }: { clusterExists: boolean },
): Promise<string> {
  const file = join(dataDirectory, 'postgres-password');
  const existing = await readPassword(file);
  if (existing !== undefined) return existing;
  if (clusterExists) {
    throw new StartupRefused(
      `${file} is missing, and without it the database in ${dataDirectory} cannot be opened. Restore it from your backup, or set DATA_DIR to another folder to start with a new database.`,
    );
  }
  await writeAtomically(file, `${randomBytes(24).toString('base64url')}\n`);
  const created = await readPassword(file);
  if (created === undefined) throw new StartupRefused(`${file} cannot be read.`);
  return created;
}

async function readPassword(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartupRefused(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Creates the file by a link, which appears with its whole content and never replaces a file: the first writer wins. */
async function writeAtomically(file: string, content: string): Promise<void> {
  const draft = `${file}.${process.pid}-${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await handle.close();
    await unlink(draft).catch(() => undefined);
  }
  await syncDirectory(join(file, '..'));
}
