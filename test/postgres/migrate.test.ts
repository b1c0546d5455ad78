import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StartupRefused } from '../../src/errors.js';
import { type Migration, migrate, readMigrations, requireMigrated } from '../../src/postgres/migrate.js';
import { emptyDatabase } from './empty-database.js';
import { answerOfOneRow, fakeServer, greeting } from './fake-server.js';

const one = migration(1, 'CREATE TABLE kept (line text)');
const two = migration(2, `INSERT INTO kept VALUES ('two')`);
const three = migration(3, `INSERT INTO kept VALUES ('three')`);

function migration(version: number, sql: string): Migration {
  const checksum = createHash('sha256').update(sql).digest('hex');
  return { version, name: `000${version}_step.sql`, sql, checksum };
}

describe('migrate', () => {
  it('applies every migration in order, each one once', async () => {
    const { url, query } = await emptyDatabase();
    expect(await migrate(url, { migrations: [one, two] })).toEqual(['0001_step.sql', '0002_step.sql']);
    expect(await migrate(url, { migrations: [one, two] })).toEqual([]);
    expect(await migrate(url, { migrations: [one, two, three] })).toEqual(['0003_step.sql']);
    expect(await query('SELECT line FROM kept')).toEqual([{ line: 'two' }, { line: 'three' }]);
  });

  it('lets eight nodes start at once: each migration is applied by one of them, and no node fails', async () => {
    const { url, query } = await emptyDatabase();
    const names = readMigrations().map(({ name }) => name);
    const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(url)));
    expect(applied.flat().sort()).toEqual(names);
    expect(await query('SELECT name FROM schema_migrations ORDER BY version')).toEqual(names.map((name) => ({ name })));
  });

  it('reports that it waits for another node', async () => {
    const { url } = await emptyDatabase();
    const slow = [migration(1, 'SELECT pg_sleep(0.3)')];
    const said: string[] = [];
    const say = (message: string) => said.push(message);
    await Promise.all([migrate(url, { migrations: slow, say }), migrate(url, { migrations: slow, say })]);
    expect(said).toEqual(['Another node is migrating the database; waiting for it …']);
  });

  it('rolls a failing migration back completely, names it, and keeps the earlier ones', async () => {
    const { url, query } = await emptyDatabase();
    const failing = migration(2, `INSERT INTO kept VALUES ('half'); CREATE TABLE half (); SELECT 1 / 0`);
    await expect(migrate(url, { migrations: [one, failing] })).rejects.toThrow(
      'migration 0002_step.sql failed and was rolled back',
    );
    expect(await query(`SELECT to_regclass('half') AS half, (SELECT count(*)::int FROM kept)`)).toEqual([
      { half: null, count: 0 },
    ]);
    expect(await migrate(url, { migrations: [one, two] })).toEqual(['0002_step.sql']);
  });

  it('rolls back a migration that cannot be recorded', async () => {
    const { url, query } = await emptyDatabase();
    const taken = migration(2, `INSERT INTO kept VALUES ('two'); INSERT INTO schema_migrations VALUES (2, '', '')`);
    await expect(migrate(url, { migrations: [one, taken] })).rejects.toThrow(
      '0002_step.sql failed and was rolled back',
    );
    expect(await query('SELECT line FROM kept')).toEqual([]);
  });

  it('refuses a database that a newer Remesa has migrated, and does not change it', async () => {
    const { url, query } = await emptyDatabase();
    await migrate(url, { migrations: [one, two] });
    const refusal = migrate(url, { migrations: [one] });
    await expect(refusal).rejects.toThrow(StartupRefused);
    await expect(refusal).rejects.toThrow('The database is newer than this Remesa: it has migration 0002_step.sql');
    expect(await query('SELECT count(*)::int FROM schema_migrations')).toEqual([{ count: 2 }]);
  });

  it('refuses a migration that was edited after it was applied, and applies nothing after it', async () => {
    const { url, query } = await emptyDatabase();
    await migrate(url, { migrations: [one] });
    const edited = migration(1, 'CREATE TABLE kept (line text, more text)');
    const refusal = migrate(url, { migrations: [edited, two] });
    await expect(refusal).rejects.toThrow(StartupRefused);
    await expect(refusal).rejects.toThrow('Migration 0001_step.sql of the database is not one of this Remesa');
    expect(await query('SELECT line FROM kept')).toEqual([]);
  });

  it('refuses a database with migrations of an unreleased version, says to start with a new one, and does not change it', async () => {
    const { url, query } = await emptyDatabase();
    const former = ['0001_foundation.sql', '0002_commands.sql', '0003_tokens.sql'].map((name, index) => ({
      ...migration(index + 1, `CREATE TABLE former_${index} ()`),
      name,
    }));
    await migrate(url, { migrations: former });
    const refusal = migrate(url, { migrations: [one, two] });
    await expect(refusal).rejects.toThrow(StartupRefused);
    await expect(refusal).rejects.toThrow(
      'Migration 0001_foundation.sql of the database is not one of this Remesa: a version that was never released made ' +
        'the database, or the file was edited after it was applied. Start with a new, empty database, or restore the file.',
    );
    expect(await query('SELECT count(*)::int FROM schema_migrations')).toEqual([{ count: 3 }]);
    expect(await query("SELECT to_regclass('kept') AS kept")).toEqual([{ kept: null }]);
  });

  it('refuses a PostgreSQL older than 14', async () => {
    const answer = answerOfOneRow({ version: '130014', text: '13.14' });
    const { url } = await fakeServer({ greeting, answer });
    const refusal = migrate(url);
    await expect(refusal).rejects.toThrow(StartupRefused);
    await expect(refusal).rejects.toThrow('needs PostgreSQL 14 or newer; the server of DATABASE_URL is 13.14');
  });
});

describe('a command, which must not migrate,', () => {
  it('recognises an empty database, and leaves it empty', async () => {
    const { url, query } = await emptyDatabase();
    expect(await requireMigrated(url)).toBe('empty');
    expect(await query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  });

  it('is refused on an older schema, and changes nothing', async () => {
    const { url, query } = await emptyDatabase();
    await migrate(url, { migrations: readMigrations().slice(0, 2) });
    await expect(requireMigrated(url)).rejects.toThrow(
      'The database is older than this Remesa: it lacks migration 0003_',
    );
    expect(await query('SELECT count(*)::int AS count FROM schema_migrations')).toEqual([{ count: 2 }]);
    await migrate(url);
    expect(await requireMigrated(url)).toBe('migrated');
  });
});

describe('the numbers of the migrations', () => {
  it.each([
    ['a gap', ['0001_one.sql', '0003_three.sql'], '0003_three.sql must be numbered 0002'],
    ['one number twice', ['0001_one.sql', '0001_two.sql'], '0001_two.sql must be numbered 0002'],
    ['a name that has no number', ['0001_one.sql', 'two.sql'], 'two.sql must be numbered 0002'],
    ['a beginning other than 0001', ['0002_two.sql'], '0002_two.sql must be numbered 0001'],
  ])('%s is refused', (_, files, message) => {
    expect(() => readMigrations(folderOf(files))).toThrow(message);
  });

  it('order the files, and other files are ignored', () => {
    const names = readMigrations(folderOf(['0002_two.sql', '0001_one.sql', 'README.md'])).map((m) => m.name);
    expect(names).toEqual(['0001_one.sql', '0002_two.sql']);
  });
});

function folderOf(files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'remesa-migrations-'));
  for (const file of files) writeFileSync(join(folder, file), 'SELECT 1');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
