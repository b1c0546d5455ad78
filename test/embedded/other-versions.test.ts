import { expect, it } from 'vitest';
import { otherVersions } from '../postgres/other-versions.js';
import { query, start, temporaryFolder } from './folder.js';

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
