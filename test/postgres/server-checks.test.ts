import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/postgres/database.js';
import { type EmbeddedServer, startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';
import { replicationFault, replicationState, requireDurableServer } from '../../src/postgres/server-checks.js';
import { statement } from '../../src/postgres/statement.js';
import { copyNewCluster } from '../harness/new-cluster.js';
import { useTestDatabase } from '../harness/test-database.js';

describe('a server without durability', () => {
  const { database } = useTestDatabase();

  // The server of the tests is one.
  it('is refused, with the settings that could lose committed transactions', async () => {
    await expect(requireDurableServer(database, 'none')).rejects.toThrow(
      'this server has fsync = off, full_page_writes = off, synchronous_commit = off. Set them to on.',
    );
  });
});

describe('a durable server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remesa-durable-'));
  let server: EmbeddedServer;
  beforeAll(async () => {
    await copyNewCluster(folder);
    server = await startEmbeddedPostgres({ dataDirectory: folder, say: () => {} });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function check(replication: 'none' | 'synchronous'): Promise<void> {
    const database = new Database(server.connectionString, { poolSize: 1 });
    await requireDurableServer(database, replication).finally(() => database.close());
  }

  async function administer(statement: string): Promise<void> {
    const client = new pg.Client(server.connectionString);
    await client.connect();
    await client.query(statement);
    await client.query('SELECT pg_reload_conf()').finally(() => client.end());
  }

  it('is accepted', async () => {
    await check('none');
  });

  it('is refused with synchronous_commit = local, which waits for no standby', async () => {
    await administer('ALTER ROLE CURRENT_USER SET synchronous_commit = local');
    await expect(check('none')).rejects.toThrow('this server has synchronous_commit = local');
    await administer('ALTER ROLE CURRENT_USER RESET synchronous_commit');
  });

  it('is refused with DATABASE_REPLICATION=synchronous when it names no standby', async () => {
    await expect(check('synchronous')).rejects.toThrow(
      'DATABASE_REPLICATION=synchronous, but COMMIT waits for no standby, because synchronous_standby_names is empty.',
    );
  });

  it('is refused with DATABASE_REPLICATION=synchronous when the standby it names is not connected', async () => {
    await administer(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await expect(check('synchronous')).rejects.toThrow('but no synchronous standby is connected');
    const database = new Database(server.connectionString, { poolSize: 1 });
    expect(await replicationState(database).finally(() => database.close())).toEqual({
      standbyNames: '*',
      canSeeStandbys: true,
      synchronousStandbys: 0,
    });
    await administer('ALTER SYSTEM RESET synchronous_standby_names');
  });
});

describe('replication', () => {
  it.each([
    [{ standbyNames: 'db2', canSeeStandbys: true, synchronousStandbys: 1 }],
    // Without the right to see standbys, the setting is all that can be checked; it makes COMMIT wait.
    [{ standbyNames: 'db2', canSeeStandbys: false, synchronousStandbys: 0 }],
  ])('loses nothing in a failover: %j', (state) => {
    expect(replicationFault(state)).toBeUndefined();
  });
});

describe('a standby', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remesa-standby-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const anything = statement('test.anything', 'SELECT 1');

  it('serves neither reads nor transactions: it may show what its primary never acknowledged', async () => {
    const options = { dataDirectory: folder, say: () => {} };
    await copyNewCluster(folder);
    writeFileSync(join(folder, 'postgres', 'standby.signal'), '');
    const server = await startEmbeddedPostgres(options);
    const database = new Database(server.connectionString, { poolSize: 1 });
    const unavailable = { code: 'database_unavailable' };
    await expect(database.query(anything)).rejects.toMatchObject(unavailable);
    await expect(database.transaction((tx) => tx.query(anything))).rejects.toMatchObject(unavailable);
    await database.close();
    await server.stop();
  });
});
