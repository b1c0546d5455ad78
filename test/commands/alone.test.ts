/** Commands without a running service, on the embedded database or on DATABASE_URL. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { askToken, auditRows, logIn } from '../harness/access.js';
import { type Answer, Api } from '../harness/api.js';
import { postmasterPid } from '../harness/embedded-place.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { useTestDatabase } from '../harness/test-database.js';
import { remesa, remesaHere, serveRemesa } from './remesa.js';

// Each test starts a process, and some start a database, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'remesa-alone-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('without a database', () => {
  const place = join(folder, 'nowhere');
  const here = (...args: string[]) => remesaHere({ DATA_DIR: place }, ...args);

  it.each([
    ['merchant', 'list'],
    ['merchant', 'create', '--name', 'Lost'],
    ['operator', 'list'],
    ['operator', 'create', 'ana'],
    ['keys', 'rotate'],
    ['keys', 'rewrap'],
  ])('%s %s is refused with the path of the data directory, and creates nothing', async (...args) => {
    const outcome = await here(...args);
    expect([outcome.code, outcome.stdout]).toEqual([1, '']);
    expect(outcome.stderr).toBe(
      `There is no database in ${place}. Set DATA_DIR to the folder of your database, or DATABASE_URL to its server. To create a new database, start the service (./bin/remesa serve) or run ./bin/remesa migrate.\n`,
    );
    expect(existsSync(place)).toBe(false);
  });

  it('verify fails in a missing folder and in an empty one, and creates nothing', async () => {
    expect(await remesa({ DATA_DIR: place }, 'verify')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`There is no database in ${place}.`),
    });
    expect(existsSync(place)).toBe(false);
    mkdirSync(place);
    expect((await remesa({ DATA_DIR: place }, 'verify')).code).toBe(1);
    expect(readdirSync(place)).toEqual([]);
  });
});

describe('on the embedded database, which each command starts and stops,', () => {
  const environment = { DATA_DIR: join(folder, 'embedded') };
  const run = (...args: string[]) => remesa(environment, ...args);

  it('merchants, operators and keys can be created before the first start of the service', async () => {
    const migrated = await run('migrate');
    expect([migrated.code, migrated.stdout]).toEqual([0, '']);
    expect(migrated.stderr).toMatch(/Database migrated: 0001_.*\nThe database is up to date\.\n$/);
    expect(postmasterPid(environment.DATA_DIR)).toBeUndefined();

    const merchant = JSON.parse((await run('merchant', 'create', '--name', 'First')).stdout);
    const password = (await run('operator', 'create', 'ana')).stdout.trim();
    const rotated = await run('keys', 'rotate');
    expect(rotated.stderr).toMatch(/starts to sign in 0 s/);
    expect(postmasterPid(environment.DATA_DIR)).toBeUndefined();

    const served = await serveRemesa(environment);
    try {
      const api = new Api(served.url, undefined);
      // A service that was just started on a busy machine may ask for a moment.
      const answered = (ask: () => Promise<Answer>) =>
        eventually(
          async () => {
            const { status } = await ask();
            return status === 503 ? undefined : status;
          },
          { withinMs: 60_000 },
        );
      expect(await answered(() => askToken({ api }, merchant))).toBe(200);
      expect(await answered(() => logIn({ api }, 'ana', password))).toBe(200);
    } finally {
      expect(await served.stop()).toBe(0);
    }
    const verified = await run('verify');
    expect([verified.code, verified.stderr]).toEqual([0, expect.stringContaining(' 0 faults.')]);

    const key = join(environment.DATA_DIR, 'master-key');
    renameSync(key, `${key}.away`);
    const keyless = await run('merchant', 'list');
    expect([keyless.code, keyless.stderr]).toEqual([
      1,
      expect.stringContaining(`The master key of this database is missing: there is no ${key}`),
    ]);
    expect(existsSync(key)).toBe(false);
    expect(postmasterPid(environment.DATA_DIR)).toBeUndefined();
  });
});

describe('on the database of DATABASE_URL', () => {
  const { url, sql } = useTestDatabase();
  const environment = () => ({
    DATABASE_URL: url,
    MASTER_KEY: testMasterKey,
    DATA_DIR: join(folder, 'given'),
  });
  const run = (...args: string[]) => remesa(environment(), ...args);
  const here = (...args: string[]) => remesaHere(environment(), ...args);

  it('a command is refused when no service was ever started on it, and changes nothing', async () => {
    const outcome = await here('operator', 'create', 'ana');
    expect([outcome.code, outcome.stderr]).toEqual([
      1,
      'The database of DATABASE_URL is empty. If it is the right one, start the service once (./bin/remesa serve) or run ./bin/remesa migrate, then try again.\n',
    ]);
    expect((await sql.query('SELECT 1 FROM instance')).rows).toEqual([]);
    expect((await run('migrate')).code).toBe(0);
  });

  it('a command is audited as the command line, and starts no embedded database', async () => {
    expect((await here('merchant', 'create', '--name', 'Given', '--client-id', 'given')).code).toBe(0);
    expect((await here('operator', 'create', 'ana', '--role', 'viewer')).code).toBe(0);
    expect(await auditRows(sql, '%')).toMatchObject([
      { actor: 'system:command line', action: 'merchant.created', to_state: 'active' },
      { actor: 'system:command line', action: 'operator.created', to_state: 'active' },
    ]);
    expect(postmasterPid(environment().DATA_DIR)).toBeUndefined();
  });

  it('verify exits with 1 when the audit log was changed, with 2 when the heads outside of the database are missing, and with 3 when the database is behind them', async () => {
    expect((await here('merchant', 'rotate-secret', 'given')).code).toBe(0);
    const unsigned = `SELECT 1 FROM changes WHERE number IS NULL
                      UNION ALL SELECT 1 FROM change_chains WHERE signed_number < number`;
    const served = await serveRemesa({ ...environment(), PORT: '0' });
    await expect.poll(async () => (await sql.query(unsigned)).rows, { timeout: 60_000 }).toEqual([]);
    await served.stop();
    expect((await run('verify')).code).toBe(0);
    const elsewhere = await remesa({ ...environment(), DATA_DIR: join(folder, 'elsewhere') }, 'verify');
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      2,
      expect.stringMatching(/NOT CHECKED: there are no heads outside the database: .*elsewhere/),
    ]);
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
    await sql.query('ALTER TABLE changes DISABLE TRIGGER ALL');
    await sql.query('ALTER TABLE signed_heads DISABLE TRIGGER ALL');
    await sql.query('DELETE FROM signed_heads');
    await sql.query('DELETE FROM changes WHERE merchant_id > 0');
    const behind = await run('verify');
    expect([behind.code, behind.stderr]).toEqual([
      3,
      expect.stringMatching(/LOST: the database is behind .*\n {2}LOST: merchant \w+: entry 1 is lost \(1 in all\)/),
    ]);
    await sql.query("UPDATE changes SET actor_id = 'someone else' WHERE number = 1 AND merchant_id = 0");
    const outcome = await run('verify');
    expect([outcome.code, outcome.stdout]).toEqual([1, '']);
    expect(outcome.stderr).toContain('FAULT: the instance: entry 1 was changed');
  });

  it('a wrong master key, a missing one and an unknown command are refused with a message', async () => {
    const wrong = await remesaHere(
      { ...environment(), MASTER_KEY: 'ZGlmZmVyZW50IGtleSBvZiBleGFjdGx5IDMyIGJ5dC4=' },
      'merchant',
      'list',
    );
    expect([wrong.code, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toContain('The master key is not the one that this database uses');
    const { MASTER_KEY: _, ...without } = environment();
    const missing = await remesaHere(without, 'merchant', 'list');
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('MASTER_KEY is required with DATABASE_URL'),
    ]);
    const unknown = await here('merchant', 'destroy');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("unknown command 'destroy'")]);
  });

  it('a secret appears once on standard output, and neither on standard error nor in the audit log', async () => {
    const outcome = await here('merchant', 'create', '--name', 'Quiet');
    const { clientSecret } = JSON.parse(outcome.stdout);
    expect(outcome.stdout.split(clientSecret)).toHaveLength(2);
    expect(outcome.stderr).not.toContain(clientSecret);
    const { rows } = await sql.query("SELECT 1 FROM changes AS e WHERE e::text LIKE '%' || $1 || '%'", [clientSecret]);
    expect(rows).toEqual([]);
  });
});
