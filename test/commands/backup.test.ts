/** The drill: back up, lose the database, restore, and go on. With the client programs of a PostgreSQL that is here. */
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EmbeddedServer, startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';
import { withDatabaseName } from '../harness/database-url.js';
import { endEmbeddedServer } from '../harness/embedded-place.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { newFolder } from '../harness/new-folder.js';
import { RunningService } from '../harness/service.js';
import { type Merchant, merchantWithToken, newUser } from '../harness/users.js';
import { otherVersions } from '../postgres/other-versions.js';
import { remesaHere } from './remesa.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const versions = (await otherVersions()).filter(({ initdb }) => existsSync(join(dirname(initdb), 'pg_dump')));

it('a PostgreSQL with pg_dump is installed', ({ skip }) => {
  if (versions.length === 0) skip('no PostgreSQL with its client programs is installed here');
});

const oldBackups = ['remesa-2020-01-01T02-30-00-000Z', 'remesa-2020-01-02T02-30-00-000Z.partial'];
const notOurs = ['remesa-2020', 'photographs'];

describe.each(versions.slice(-1))('a backup on PostgreSQL $major', (binaries) => {
  const folder = newFolder();
  const [serverFolder, data, backups] = ['server', 'data', 'backups'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const bin = ['--pg-bin', dirname(binaries.initdb)];
  let server: EmbeddedServer;
  let url: string;
  let running: RunningService;
  let acme: Merchant;
  let [kept, erased] = [0, 0];
  let backup = '';
  let later = '';

  const settings = (extra: Record<string, string> = {}) => ({
    ...{ DATABASE_URL: url, DATA_DIR: data, MASTER_KEY: testMasterKey, DOCUMENT_STORE: 'files', ...extra },
  });
  const sql = async (statement: string) => {
    const client = new pg.Client({ connectionString: server.connectionString });
    await client.connect();
    await client.query(statement);
    await client.end();
  };

  beforeAll(async () => {
    server = await startEmbeddedPostgres({
      dataDirectory: serverFolder,
      settings: { fsync: 'off' },
      binaries,
      say: () => {},
    });
    await sql('CREATE DATABASE instance');
    url = withDatabaseName(server.connectionString, 'instance');
    running = new RunningService({ url }, { settings: settings() });
    await running.start();
    acme = await merchantWithToken(running, 'acme');
    kept = (await newUser(running, acme)).id;
    erased = (await newUser(running, acme)).id;
    const { json } = await running.api.post('/sandbox/scenarios', { token: acme.token, body: { name: 'happy_path' } });
    const run = `/sandbox/scenarios/runs/${json.id}`;
    await eventually(async () => (await running.api.get(run, { token: acme.token })).json.isFinished === true, {
      withinMs: 60_000,
      what: 'the story',
    });
    // The heads of the audit log reach the file within two seconds.
    await eventually(() => existsSync(join(data, 'audit-heads.jsonl')), { withinMs: 20_000 });
    backup = (await remesaHere(settings(), 'backup', backups, ...bin)).stdout.trim();
    await running.api.call('DELETE', `/user?userId=${erased}`, { token: acme.token });
    for (const name of [...oldBackups, ...notOurs]) mkdirSync(join(backups, name));
    later = (await remesaHere(settings(), 'backup', backups, '--keep-days', '30', ...bin)).stdout.trim();
  });
  afterAll(async () => {
    await running?.stop();
    await server?.stop();
    await endEmbeddedServer(serverFolder);
  });

  it('deletes backups that are older than it was told to keep, and nothing else', () => {
    expect(readdirSync(backups).sort()).toEqual([...notOurs, basename(backup), basename(later)].sort());
  });

  it('is one folder with a manifest, and has no key in it', () => {
    expect(readdirSync(backup).sort()).toEqual(
      expect.arrayContaining(['audit-heads.jsonl', 'database.dump', 'erasures.jsonl', 'manifest.json']),
    );
    expect(readdirSync(backups).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('is refused when it is not whole, has changed, or would go into a database with content', async () => {
    const copy = join(folder, 'copy');
    const refusal = async (change: () => void, into = 'refused') => {
      rmSync(copy, { recursive: true, force: true });
      cpSync(backup, copy, { recursive: true });
      change();
      await sql(`DROP DATABASE IF EXISTS ${into}`).catch(() => {});
      await sql(`CREATE DATABASE ${into}`).catch(() => {});
      const target = { DATABASE_URL: withDatabaseName(server.connectionString, into), DATA_DIR: join(folder, 'other') };
      const { code, stderr } = await remesaHere(settings(target), 'restore', copy, ...bin);
      expect(code).toBe(1);
      return stderr;
    };
    expect(await refusal(() => rmSync(join(copy, 'manifest.json')))).toContain('was not finished');
    expect(await refusal(() => rmSync(join(copy, 'erasures.jsonl')))).toContain('lacks erasures.jsonl');
    expect(await refusal(() => appendFileSync(join(copy, 'database.dump'), 'x'))).toContain(
      'database.dump of the backup has changed',
    );
    const { stderr } = await remesaHere(settings({ DATA_DIR: join(folder, 'other') }), 'restore', backup, ...bin);
    expect(stderr).toContain('is not empty');
  });

  it('restored, verifies without a fault, sends nothing, and erases again who was erased since', async () => {
    await sql('CREATE DATABASE drill');
    const drill = {
      DATABASE_URL: withDatabaseName(server.connectionString, 'drill'),
      DATA_DIR: join(folder, 'drill'),
    };
    const since = ['--erasures', join(later, 'erasures.jsonl')];
    const outcome = await remesaHere(settings(drill), 'restore', backup, ...since, ...bin);
    expect(outcome.stderr).toMatch(/Verified: [1-9]\d* entries of the audit log, [1-9]\d* journals, 0 faults\./);
    expect(outcome.code).toBe(0);

    const restored = new RunningService({ url: drill.DATABASE_URL }, { settings: settings(drill) });
    await restored.start();
    try {
      const { token } = await merchantWithToken(restored, 'another');
      expect((await restored.api.get('/readyz')).json).toMatchObject({ warnings: ['sending_held'] });
      const statusOf = async (id: number) => {
        const client = new pg.Client({ connectionString: drill.DATABASE_URL });
        await client.connect();
        const { rows } = await client.query('SELECT status FROM users WHERE user_id = $1', [id]);
        await client.end();
        return rows[0]?.status;
      };
      await eventually(async () => (await statusOf(erased)) === 'deleted', { withinMs: 30_000, what: 'erased again' });
      expect(await statusOf(kept)).toBe('active');
      expect(token).toBeTruthy();
    } finally {
      await restored.stop();
    }
  });
});
