import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupRefused } from '../../errors.js';
import { syncDirectory } from './data-directory.js';

/** The password of the embedded server, made at the first start. Services that start at once get the same one. */
export async function databasePassword(
  dataDirectory: string,
  { clusterExists }: { clusterExists: boolean },
): Promise<string> {
  const file = join(dataDirectory, 'postgres-password');
  const known = await readPassword(file);
  if (known !== undefined) return known;
  if (clusterExists) {
    throw new StartupRefused(
      `${file} is missing, and without it the database in ${dataDirectory} can't be opened. Put it back from your backup, or set DATA_DIR to another folder to begin anew.`,
    );
  }
  await writeWholeOrNot(file, `${randomBytes(24).toString('base64url')}\n`);
  const made = await readPassword(file);
  if (made === undefined) throw new StartupRefused(`${file} can't be read.`);
  return made;
}

async function readPassword(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartupRefused(`${file} can't be read: ${(error as Error).message}`, { cause: error });
  }
}

/** A link appears with all its content and never replaces another's: the first of several writers wins. */
async function writeWholeOrNot(file: string, content: string): Promise<void> {
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
