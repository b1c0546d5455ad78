/** `remesa doctor`, on databases with and without faults. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../../src/commands/doctor/examine.js';
import { exitCodeOf, type Finding, lineOf } from '../../src/commands/doctor/finding.js';
import { checkEncryption } from '../../src/commands/doctor/node-checks.js';
import {
  checkCorridors,
  checkHeads,
  checkLicensee,
  checkLists,
  checkOperators,
  checkPayinAccounts,
  checkProxy,
} from '../../src/commands/doctor/transfer-checks.js';
import { newFolder } from '../harness/new-folder.js';
import { FaultProxy } from '../harness/proxy.js';
import { testConfig, useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { remesaHere } from './remesa.js';

const folder = mkdtempSync(join(tmpdir(), 'remesa-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const testDatabase = useTestDatabase();
const { sql } = testDatabase;
// Without jobs, so that work piles up when a test wants it to.
const running = useService(testDatabase, { settings: { ROLE: 'api' } });

async function findings(settings: Record<string, string> = {}): Promise<Map<string, Finding>> {
  const config = testConfig({
    DATABASE_URL: testDatabase.url,
    DATA_DIR: folder,
    BASE_URL: 'http://remesa.test',
    ...settings,
  });
  const found = await examine(config, () => {});
  return new Map(found.map((finding) => [finding.check, finding]));
}

describe('on a running sandbox', () => {
  it('all is well but the durability of the test server, and each check is one line', async () => {
    const found = await findings();
    const verdicts = [...found.values()].map(({ check, verdict }) => [check, verdict]);
    expect(verdicts).toEqual([
      ['settings', 'ok'],
      ['data directory', 'ok'],
      ['disk', 'ok'],
      ['encryption', 'ok'],
      ['proxy', 'ok'],
      ['lists', 'ok'],
      ['audit heads', 'ok'],
      ['database', 'ok'],
      ['migrations', 'ok'],
      ['clock', 'ok'],
      ['pooler', 'ok'],
      ['durability', 'warning'],
      ['replication', 'ok'],
      ['wake-ups', 'ok'],
      ['distribution', 'ok'],
      ['instance', 'ok'],
      ['sending', 'ok'],
      ['rates', 'ok'],
      ['notifications', 'ok'],
      ['licensee', 'ok'],
      ['corridors', 'ok'],
      ['accounts', 'ok'],
      ['operators', 'ok'],
    ]);
  });

  it('names what would stop the first transfer in live: lists, corridors, accounts, admins, proxy and heads', async () => {
    const { database } = running.service;
    const live = (settings: Record<string, string> = {}) =>
      testConfig({
        ...{ MODE: 'live', BASE_URL: 'https://pay.example.com', DATABASE_URL: testDatabase.url, DATA_DIR: folder },
        ...settings,
      });
    const empty = newFolder();
    expect(await checkLists(live())).toMatchObject({
      verdict: 'fault',
      reason: expect.stringMatching(/No screening list/),
    });
    const list = join(empty, 'targets.simple.csv');
    const sources = (settings = {}) => live({ SCREENING_LISTS: `opensanctions:${list}`, ...settings });
    expect((await checkLists(sources())).reason).toContain('targets.simple.csv does not exist.');
    expect(await checkPayinAccounts(database, live())).toMatchObject({
      ...{ verdict: 'fault', reason: 'No pay-in account takes any currency.' },
    });
    expect(await checkOperators(database, live())).toMatchObject({ verdict: 'fault', reason: 'There is no operator.' });
    expect(await checkLicensee(database, live())).toMatchObject({ verdict: 'ok' });
    await withoutTriggers(sql, (client) => client.query('DELETE FROM licensee'));
    expect(await checkLicensee(database, live())).toMatchObject({
      ...{ verdict: 'fault', reason: 'Nobody has entered who holds the licence, so no order is taken.' },
    });
    expect(checkProxy(live())).toMatchObject({
      verdict: 'warning',
      reason: expect.stringMatching(/^TRUST_PROXY is not set/),
    });
    expect(checkProxy(live({ TRUST_PROXY: 'true' })).verdict).toBe('ok');
    expect(await checkHeads(live({ DATA_DIR: empty }))).toMatchObject({ verdict: 'warning' });
    expect((await checkCorridors(database)).verdict).toBe('ok');
    await sql.query('UPDATE corridors SET is_open = false');
    expect(await checkCorridors(database)).toMatchObject({
      verdict: 'fault',
      reason: expect.stringMatching(/^All corridors are closed/),
    });
    await sql.query('UPDATE corridors SET is_open = true');
  });

  it('finds replication that is promised and missing', async () => {
    const found = await findings({ DATABASE_REPLICATION: 'synchronous' });
    expect(found.get('replication')).toEqual({
      check: 'replication',
      verdict: 'fault',
      reason:
        'A failover can lose transactions: COMMIT waits for no standby, because synchronous_standby_names is empty.',
      fix: 'Start the standby, or correct synchronous_mode in Patroni (docs/scaling.md).',
    });
  });

  it('finds the wrong mode and the wrong master key', async () => {
    const live = await findings({ MODE: 'live', BASE_URL: 'https://pay.example.com' });
    expect(live.get('instance')).toMatchObject({
      verdict: 'fault',
      reason: 'This database is a sandbox instance and MODE is live.',
    });
    expect(live.get('durability')?.verdict).toBe('fault');
    const otherKey = await findings({ MASTER_KEY: Buffer.from([...Array(32).keys()]).toString('base64') });
    expect(otherKey.get('instance')).toMatchObject({
      verdict: 'fault',
      fix: 'Restore the right MASTER_KEY (or the file master-key in DATA_DIR): the newest one, if it was ever changed.',
    });
  });

  it('finds notifications that nobody sends', async () => {
    await withoutTriggers(sql, (client) =>
      client.query(
        `INSERT INTO changes (merchant_id, actor_kind, actor_id, action, subject, details, event_id, channel, event_type,
                              object, object_digest, journal_ids, occurred_at, recorded_at, seal)
         SELECT merchant_id, 'system', 'test', 'kyc.open', 'kyc:s', '{}', 'evt_late', 'kyc', 'kyc.pending', '{}',
                sha256('{}'), '{}', now(), now() - interval '10 minutes', sha256('x') FROM merchants LIMIT 1`,
      ),
    );
    expect((await findings()).get('notifications')).toMatchObject({
      verdict: 'warning',
      reason: expect.stringMatching(/^The oldest notification has been due for 6\d\d s\.$/),
    });
  });

  it('finds settings that each process would answer differently, and connections without encryption', async () => {
    const found = await findings({
      BASE_URL: '',
      DATABASE_DIRECT_URL: 'postgres://u:p@db.example.com/remesa',
    });
    expect(found.get('settings')?.reason).toMatch(/^BASE_URL is not set/);
    expect(found.get('encryption')).toMatchObject({
      verdict: 'warning',
      reason: 'DATABASE_DIRECT_URL may send passwords and personal data unencrypted over the network.',
    });
  });

  it.each(['postgres://u:p@%2Fvar%2Frun/remesa', 'postgres://u:p@db.example.com/remesa?host=/var/run'])(
    'a unix socket stays on this machine: %s',
    (databaseUrl) => {
      const config = { ...testConfig({}), databaseUrl, databaseDirectUrl: undefined };
      expect(checkEncryption(config).verdict).toBe('ok');
    },
  );
});

describe('behind a pooler', () => {
  let proxy: FaultProxy;
  let pooled: string;
  beforeAll(async () => {
    proxy = new FaultProxy(testDatabase.url);
    pooled = await proxy.listen();
  });
  afterAll(() => proxy.close());

  it('finds missing limits, with the statements that set them', async () => {
    const settings = { DATABASE_URL: pooled, DATABASE_POOLER: 'session' };
    expect((await findings(settings)).get('pooler')).toMatchObject({
      verdict: 'fault',
      fix: expect.stringContaining('ALTER ROLE CURRENT_USER SET statement_timeout = 2500;'),
    });
  });

  it('finds a listener that hears nothing', async () => {
    // A pooler in transaction mode accepts LISTEN and never passes on a notification, a message of type A.
    proxy.dropAnswer = (chunk) => chunk[0] === 'A'.charCodeAt(0);
    const found = await findings({ DATABASE_DIRECT_URL: pooled });
    expect(found.get('wake-ups')).toEqual({
      check: 'wake-ups',
      verdict: 'fault',
      reason: 'Wake-ups do not arrive, so jobs run by their timers only.',
      fix: 'Set DATABASE_DIRECT_URL to the server itself: a pooler in transaction mode does not pass on LISTEN.',
    });
  });
});

describe('without a database', () => {
  it('finds that there is none, and creates nothing', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'remesa-doctor-empty-'));
    const found = await examine(testConfig({ DATA_DIR: empty }), () => {});
    rmSync(empty, { recursive: true });
    expect(found.at(-1)).toMatchObject({
      check: 'database',
      verdict: 'fault',
      reason: `There is no database in ${empty}.`,
    });
  });

  it('finds a server that nobody listens at, and still checks this machine', async () => {
    const found = await findings({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/nothing' });
    expect([...found.keys()]).toEqual([
      ...['settings', 'data directory', 'disk', 'encryption', 'proxy', 'lists', 'audit heads', 'database'],
    ]);
    expect(found.get('database')).toEqual({
      check: 'database',
      verdict: 'fault',
      reason: 'No PostgreSQL server listens at 127.0.0.1:1.',
      fix: 'Start it, or correct DATABASE_URL.',
    });
  });
});

describe('what is printed', () => {
  it('is one line for each check, and what to do below it', () => {
    expect(lineOf({ check: 'disk', verdict: 'ok', reason: 'Enough.' })).toBe('ok       disk            Enough.');
    const fault = { check: 'disk', verdict: 'fault', reason: 'Full.', fix: 'Free some.' } as const;
    expect(lineOf(fault)).toBe(`fault    disk            Full.\n${' '.repeat(25)}→ Free some.`);
  });

  it('ends with 0, with 2 for warnings, with 1 for a fault', () => {
    const finding = (verdict: Finding['verdict']) => ({ check: 'x', verdict, reason: 'y' });
    expect(exitCodeOf([finding('ok')])).toBe(0);
    expect(exitCodeOf([finding('ok'), finding('warning')])).toBe(2);
    expect(exitCodeOf([finding('warning'), finding('fault')])).toBe(1);
  });

  it('is JSON with --json, also when the settings are wrong', async () => {
    const { stdout, code } = await remesaHere({ PORT: 'none', DATA_DIR: folder }, 'doctor', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ check: 'settings', verdict: 'fault' }]);
    expect(code).toBe(1);
  });
});
