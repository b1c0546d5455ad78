/** The master key is exchanged while services go on creating users, and the process that does it is killed. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../src/app.js';
import { verifyChanges } from '../../src/changes/room.js';
import { systemClock } from '../../src/clock.js';
import { auditNames } from '../../src/commands/audit.js';
import { KeyVault } from '../../src/keys/vault.js';
import { createLog } from '../../src/log.js';
import { rememberedRows } from '../../src/startup/row-faults.js';
import { remesaHere } from '../commands/remesa.js';
import { oneInstance } from '../harness/access.js';
import { Api } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { endProcessesAfterEach, startProgram } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { testConfig } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { ana, detailsOf, type MadeUser, type Merchant, merchantWithToken } from '../harness/users.js';

const { url, database, sql } = useTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'remesa-exchange-'));
/** Enough for several batches of keys. */
const beforehand = rounds(208, 1000);
/** Every user that was acknowledged, with the city by which it is known again. */
const made = new Map<MadeUser, string>();
let acme: Merchant;

interface Keys {
  readonly current: string;
  readonly previous?: string;
}

function settingsOf({ current, previous }: Keys, place = 'a'): Record<string, string> {
  const dataDirectory = join(folder, place);
  const before: Record<string, string> = previous === undefined ? {} : { MASTER_KEY_PREVIOUS: previous };
  return { DATABASE_URL: url, DATA_DIR: dataDirectory, ...oneInstance, MASTER_KEY: current, ...before };
}

const running = new Set<Service>();

async function start(keys: Keys, place = 'a'): Promise<{ service: Service; api: Api }> {
  const { log } = createLog({ level: 'silent' });
  const config = testConfig(settingsOf(keys, place));
  const service = await startService(config, { log, say: () => {}, eventLoopDelayMs: 60_000 });
  running.add(service);
  return { service, api: new Api(service.url, undefined) };
}

async function stop(service: Service): Promise<void> {
  running.delete(service);
  await service.stop();
}

async function create(api: Api, key?: string): Promise<MadeUser> {
  const city = `City ${randomBytes(8).toString('hex')}`;
  const ask = { token: acme.token, body: { ...ana, city }, ...(key === undefined ? {} : { key }) };
  const answer = await api.post('/user', ask);
  expect(answer.status, answer.text).toBe(200);
  made.set(answer.json, city);
  return answer.json;
}

/** A client on each service, until they are told to stop. Each user is read three times later, hence the pauses. */
function traffic(apis: readonly Api[]): () => Promise<void> {
  let isOn = true;
  const clients = apis.map(async (api) => {
    while (isOn) {
      await create(api);
      await setTimeout(rounds(100, 0));
    }
  });
  return async () => {
    isOn = false;
    await Promise.all(clients);
  };
}

const rewrap = (keys: Keys) => startProgram('src/main.ts', settingsOf(keys, 'command'), ['keys', 'rewrap']);

async function instance() {
  const { rows } = await sql.query(
    `SELECT max(version) AS version, count(*) > 1 AS is_unfinished,
            (SELECT count(*)::int FROM user_keys WHERE master_key_version < max(version)) AS old_keys
       FROM master_keys`,
  );
  return rows[0] as { version: number; is_unfinished: boolean; old_keys: number };
}

/**
 * An exchange leaves out a key that another transaction has locked, and does not end before it could be wrapped. Users
 * can be added.
 */
async function lockOneKey(): Promise<() => Promise<void>> {
  const holder = await sql.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM user_keys LIMIT 1 FOR NO KEY UPDATE');
  return async () => {
    await holder.query('ROLLBACK');
    holder.release();
  };
}

async function expectAllReadable(api: Api): Promise<void> {
  const all = [...made];
  for (let first = 0; first < all.length; first += 16) {
    const batch = all.slice(first, first + 16);
    const cities = await Promise.all(batch.map(async ([user]) => (await detailsOf({ api }, acme, user)).city));
    expect(cities).toEqual(batch.map(([, city]) => city));
  }
}

beforeAll(async () => {
  const { service, api } = await start({ current: testMasterKey });
  acme = await merchantWithToken({ service, api, logText: () => '' }, 'acme');
  while (made.size < beforehand) await Promise.all(Array.from({ length: 16 }, () => create(api)));
  await stop(service);
}, 120_000);
endProcessesAfterEach();
afterAll(async () => {
  await Promise.all([...running].map(stop));
  rmSync(folder, { recursive: true, force: true });
});

describe('the exchange of the master key', () => {
  let current = testMasterKey;
  let previous = testMasterKey;

  it('loses nothing under traffic, however often it is killed, and ends with no key of the old version', {
    timeout: 900_000,
  }, async () => {
    for (let round = 1; round <= rounds(1, 20); round += 1) {
      const keys = { current: randomBytes(32).toString('base64'), previous: current };
      const nodes = [await start(keys, 'a'), await start(keys, 'b')] as const;
      const body = { ...ana, city: `Round ${round}` };
      const ask = { token: acme.token, body, key: `round-${round}` };
      const first = await nodes[0].api.post('/user', ask);
      const stopTraffic = traffic(nodes.map((node) => node.api));
      const { version } = await instance();
      const unlock = await lockOneKey();

      for (let kill = 0; kill < 2; kill += 1) {
        const program = rewrap(keys);
        const lines = 1 + Math.floor(Math.random() * rounds(1, 4));
        const isFarEnough = async () =>
          program.output().split(' keys …').length > lines || (await instance()).old_keys === 1;
        await eventually(isFarEnough, { withinMs: 120_000, what: 'progress' });
        await program.end('SIGKILL');
        const state = await instance();
        expect([state.version, state.is_unfinished]).toEqual([version + 1, true]);
        expect(state.old_keys).toBeGreaterThan(0);
        await expect(start({ current: keys.current }, 'refused')).rejects.toThrow(
          /being changed[\s\S]*MASTER_KEY_PREVIOUS[\s\S]*keys rewrap/,
        );
        await expect(start({ current: keys.previous }, 'refused')).rejects.toThrow('master key is not the one');
      }

      await unlock();
      const last = rewrap(keys);
      await eventually(() => last.process.exitCode !== null, {
        withinMs: 120_000,
        what: 'the end of rewrap',
      });
      expect([last.process.exitCode, last.output()]).toEqual([
        0,
        expect.stringContaining('You can remove MASTER_KEY_PREVIOUS'),
      ]);
      await stopTraffic();
      expect(await instance()).toEqual({ version: version + 1, is_unfinished: false, old_keys: 0 });

      await expectAllReadable(nodes[0].api);
      const replayed = await nodes[1].api.post('/user', ask);
      expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
      for (const { service } of nodes) await stop(service);
      ({ current, previous } = keys);
    }
  });

  it('leaves a service that needs the new key alone, reads everything and takes the old tokens', async () => {
    const { service, api } = await start({ current });
    await expectAllReadable(api);
    const answer = await api.get('/merchant/users?limit=1', { token: acme.token });
    expect(answer.status).toBe(200);
    await create(api);
    await stop(service);
    await expect(start({ current: testMasterKey })).rejects.toThrow('master key is not the one');
  });

  it('leaves the audit log as it was: its signatures are still good', async () => {
    const config = testConfig(settingsOf({ current }));
    const { rootKey } = await KeyVault.open(database, {
      current: Buffer.from(current, 'base64'),
      previous: undefined,
    });
    const report = await verifyChanges({
      database,
      rootKey,
      dataDirectory: config.dataDirectory,
      names: auditNames,
      clock: systemClock,
      rows: rememberedRows,
    });
    expect(report.faults).toEqual([]);
    expect(report.entries).toBeGreaterThan(0);
    expect(report.heads).toBeGreaterThan(0);
  });

  it('may be asked for again, when it has nothing to do, but not without the key before', {
    timeout: 90_000,
  }, async () => {
    const again = await remesaHere(settingsOf({ current, previous }, 'command'), 'keys', 'rewrap');
    expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(/^0 keys/)]);
    const without = await remesaHere(settingsOf({ current }, 'command'), 'keys', 'rewrap');
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('MASTER_KEY_PREVIOUS')]);
    expect(await instance()).toMatchObject({ is_unfinished: false, old_keys: 0 });
  });

  it('may be done by two at a time', { timeout: 120_000 }, async () => {
    const keys = { current: randomBytes(32).toString('base64'), previous: current };
    const programs = [rewrap(keys), rewrap(keys)];
    await eventually(() => programs.every((program) => program.process.exitCode !== null), {
      withinMs: 100_000,
      what: 'the end of both',
    });
    expect(programs.map((program) => program.process.exitCode)).toEqual([0, 0]);
    expect(await instance()).toMatchObject({ is_unfinished: false, old_keys: 0 });
    current = keys.current;
    const { service, api } = await start({ current });
    await expectAllReadable(api);
    await stop(service);
  });
});
