/** Commands without a running service: on a database of their own, embedded or given. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { askToken, auditRows, logIn } from '../access/running.js';
import { Api } from '../harness/api.js';
import { postmasterPid } from '../harness/embedded-place.js';
import { testMasterKey } from '../harness/master-key.js';
import { useTestDatabase } from '../harness/test-database.js';
import { buildRemesa, remesa, remesaHere, serveRemesa } from './remesa.js';

// Each of these starts a process, some a database too, on a machine that may have much else to do.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'remesa-alone-'));
beforeAll(buildRemesa);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('on the embedded database, which each command starts and stops again', () => {
  const environment = { DATA_DIR: join(folder, 'embedded') };
  const run = (...args: string[]) => remesa(environment, ...args);

  it('everything can be prepared before the first start, and works from it on', async () => {
    const migrated = await run('migrate');
    expect([migrated.code, migrated.stdout]).toEqual([0, '']);
    expect(migrated.stderr).toMatch(/Database migrated: 0001_.*\nThe database is up to date\.\n$/);
    expect(postmasterPid(environment.DATA_DIR)).toBeUndefined();

    const merchant = JSON.parse((await run('merchant', 'create', '--name', 'First')).stdout);
    const password = (await run('operator', 'create', 'ana')).stdout.trim();
    const rotated = await run('keys', 'rotate');
    expect(rotated.stderr).toMatch(/signs in 0 s/);
    expect(postmasterPid(environment.DATA_DIR)).toBeUndefined();

    const served = await serveRemesa(environment);
    try {
      const api = new Api(served.url, undefined);
      expect((await askToken({ api }, merchant)).status).toBe(200);
      expect((await logIn({ api }, 'ana', password)).status).toBe(200);
    } finally {
      expect(await served.stop()).toBe(0);
    }
    const verified = await run('verify');
    expect([verified.code, verified.stderr]).toEqual([0, expect.stringContaining(' 0 faults.')]);
  });
});

describe('on a database that is given', () => {
  const { url, sql } = useTestDatabase();
  const environment = () => ({
    DATABASE_URL: url,
    MASTER_KEY: testMasterKey,
    DATA_DIR: join(folder, 'given'),
  });
  const run = (...args: string[]) => remesa(environment(), ...args);
  const here = (...args: string[]) => remesaHere(environment(), ...args);

  it('a command writes, is audited as the command line, and touches no embedded one', async () => {
    expect((await run('merchant', 'create', '--name', 'Given', '--client-id', 'given')).code).toBe(0);
    expect((await here('operator', 'create', 'ana', '--role', 'viewer')).code).toBe(0);
    expect(await auditRows(sql, '%')).toMatchObject([
      { actor: 'system:command line', action: 'merchant.created', to_state: 'active' },
      { actor: 'system:command line', action: 'operator.created', to_state: 'active' },
    ]);
    expect(postmasterPid(environment().DATA_DIR)).toBeUndefined();
  });

  it('verify fails with exit code 1 when someone has touched the audit log', async () => {
    const served = await serveRemesa({ ...environment(), PORT: '0' });
    await expect
      .poll(async () => (await sql.query('SELECT 1 FROM audit_entries WHERE sequence IS NULL')).rows, {
        timeout: 10_000,
      })
      .toEqual([]);
    await served.stop();
    expect((await run('verify')).code).toBe(0);
    await sql.query('ALTER TABLE audit_entries DISABLE TRIGGER ALL');
    await sql.query("UPDATE audit_entries SET actor_id = 'someone else' WHERE sequence = 1");
    const outcome = await run('verify');
    expect([outcome.code, outcome.stdout]).toEqual([1, '']);
    expect(outcome.stderr).toContain('FAULT: entry 1 was changed');
  });

  it('a wrong master key, a missing one and an unknown command are refused with a message', async () => {
    const wrong = await remesa(
      { ...environment(), MASTER_KEY: 'ZGlmZmVyZW50IGtleSBvZiBleGFjdGx5IDMyIGJ5dC4=' },
      'merchant',
      'list',
    );
    expect([wrong.code, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toContain('The master key is not the one that this database was made with');
    const { MASTER_KEY: _, ...without } = environment();
    const missing = await remesa(without, 'merchant', 'list');
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('MASTER_KEY is required with DATABASE_URL'),
    ]);
    const unknown = await here('merchant', 'destroy');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("unknown command 'destroy'")]);
  });

  it('a secret is on standard output once, and neither on the other nor in the audit log', async () => {
    const outcome = await here('merchant', 'create', '--name', 'Quiet');
    const { clientSecret } = JSON.parse(outcome.stdout);
    expect(outcome.stdout.split(clientSecret)).toHaveLength(2);
    expect(outcome.stderr).not.toContain(clientSecret);
    const { rows } = await sql.query("SELECT 1 FROM audit_entries AS e WHERE e::text LIKE '%' || $1 || '%'", [
      clientSecret,
    ]);
    expect(rows).toEqual([]);
  });
});
