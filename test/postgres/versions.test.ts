import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../src/app.js';
import { createLog } from '../../src/log.js';
import { type EmbeddedServer, startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';
import { endEmbeddedServer } from '../harness/embedded-place.js';
import { testConfig } from '../harness/service.js';
import { postNote } from '../harness/traffic.js';
import { notesRooms, notesTable } from '../rooms/notes.js';
import { otherVersions } from './other-versions.js';

/** A busy machine takes longer than the second that Vitest waits by itself. */
const patient = { timeout: 10_000 };
const versions = await otherVersions();

it('another PostgreSQL version is installed', ({ skip }) => {
  if (versions.length === 0) skip('no PostgreSQL ≥ 14 but the bundled one is installed here');
});

describe.each(versions)('on PostgreSQL $major', (binaries) => {
  const folder = mkdtempSync(join(tmpdir(), `remesa-version-${binaries.major}-`));
  let server: EmbeddedServer;
  let sql: pg.Pool;
  let service: Service;

  beforeAll(async () => {
    const options = { dataDirectory: join(folder, 'server'), settings: { fsync: 'off' }, binaries };
    server = await startEmbeddedPostgres({ ...options, say: () => {} });
    sql = new pg.Pool({ connectionString: server.connectionString, max: 2 });
    // The server is stopped while connections are idle.
    sql.on('error', () => {});
    const { log } = createLog({ level: 'silent' });
    const config = testConfig({ DATABASE_URL: server.connectionString, DATA_DIR: join(folder, 'service') });
    service = await startService(config, { log, say: () => {}, extraRooms: notesRooms });
  });
  afterAll(async () => {
    await service?.stop();
    await sql?.end();
    await server?.stop();
    await endEmbeddedServer(join(folder, 'server'));
    rmSync(folder, { recursive: true, force: true });
  });

  it('the service reports that it is ready', async () => {
    const { rows } = await sql.query(`SELECT current_setting('server_version_num')::int / 10000 AS major`);
    expect(rows).toEqual([{ major: binaries.major }]);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  it('a command with an idempotency key runs once, is replayed byte by byte, is audited, and is visible to the worker and to reads', async () => {
    await sql.query(notesTable);
    const first = await postNote(service.url, 'one-key');
    expect(first.status).toBe(200);
    expect((await postNote(service.url, 'one-key')).body).toBe(first.body);
    const headers = { authorization: 'Bearer merchant-1' };
    const notes = await fetch(`${service.url}/notes`, { headers });
    expect(await notes.json()).toEqual([{ id: 1, text: 'note one-key' }]);
    await expect
      .poll(async () => (await sql.query('SELECT stamped_by IS NOT NULL AS stamped FROM notes')).rows, patient)
      .toEqual([{ stamped: true }]);
    const chained = `SELECT count(*)::int FROM changes WHERE action = 'note.kept' AND number IS NOT NULL`;
    await expect.poll(async () => (await sql.query(chained)).rows, patient).toEqual([{ count: 1 }]);
  });
});
