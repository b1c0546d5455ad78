/** The erasure proof: what somebody finds who has all files of the database, its log and the service's log. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedServer, startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';
import type { Profile } from '../../src/users/user.js';
import { tokenOf } from '../harness/access.js';
import { Api } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { copyNewCluster } from '../harness/new-cluster.js';
import { type RunningProgram, startProgram } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { detailsOf, type MadeUser } from '../harness/users.js';
import { type Needle, piecesOf, search, writingsOf } from '../users/raw-files.js';

const folder = mkdtempSync(join(tmpdir(), 'remesa-erasure-'));
const marker = 'Qwyzzelthorpe';
const number = rounds(20, 1000);
let server: EmbeddedServer;
let service: RunningProgram;
let sql: pg.Client;
let api: Api;
let demo: { token: string };

/** Durable as it is shipped; only the log of changes is kept short, so that its recycling can be waited for. */
beforeAll(async () => {
  const settings = { min_wal_size: '32MB', max_wal_size: '64MB', wal_recycle: 'off' };
  await copyNewCluster(join(folder, 'data'));
  server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'data'), settings, say: () => {} });
  mkdirSync(join(folder, 'service'));
  // In a process of its own: searching through files would keep it from answering.
  service = startProgram(
    'src/main.ts',
    {
      DATABASE_URL: server.connectionString,
      DATA_DIR: join(folder, 'service'),
      MASTER_KEY: testMasterKey,
      PORT: '0',
      LOG_LEVEL: 'debug',
      REQUESTS_PER_MINUTE: '1000000',
    },
    ['serve'],
  );
  const url = await eventually(() => /Listening on\s+(\S+)/.exec(service.output())?.[1], {
    withinMs: 50_000,
    what: 'the service listening',
  });
  sql = new pg.Client({ connectionString: server.connectionString });
  await sql.connect();
  api = new Api(url, undefined);
  demo = { token: await tokenOf({ api }, { clientId: 'demo', clientSecret: 'demo-secret' }) };
});
afterAll(async () => {
  await sql?.end();
  await service?.end('SIGTERM');
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function profileOf(index: number): Profile {
  return {
    firstName: `${marker}${index}First`,
    lastName: `${marker}${index}Last`,
    email: `${marker}${index}@example.com`,
    address: `${index} ${marker} Street`,
    city: `${marker}${index}City`,
    stateProvince: `${marker}${index}State`,
    countryCode: 'ES',
    postalCode: `${index}${marker}`,
  };
}

async function create(index: number): Promise<MadeUser> {
  const ask = { token: demo.token, body: profileOf(index), key: `create-${index}` };
  const answer = await api.post('/user', ask);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

/** Everything is on the disk; the service's log lies beside it. */
async function flush(): Promise<void> {
  await sql.query('CHECKPOINT');
  writeFileSync(join(folder, 'service', 'service.log'), service.output());
}

/** First with the log of changes as it is, then with the tables written out, which may shorten the log. */
async function expectNoMarker(): Promise<void> {
  expect(search(folder, writingsOf(marker))).toEqual(new Map());
  await flush();
  expect(search(folder, writingsOf(marker))).toEqual(new Map());
}

interface Ciphertexts {
  readonly keys: Needle[];
  readonly profiles: Needle[];
}

/** The bytes of the keys and of the sealed profiles, as they are stored now. */
async function ciphertextsOf(made: readonly MadeUser[]): Promise<Ciphertexts> {
  const ids = [made.map((user) => user.id)];
  const keys = await sql.query(
    `SELECT user_id || ' ' || purpose AS name, wrapped_key AS bytes FROM user_keys WHERE user_id = ANY ($1)`,
    ids,
  );
  const profiles = await sql.query(
    `SELECT 'profile of ' || user_id AS name, profile AS bytes FROM users WHERE user_id = ANY ($1)`,
    ids,
  );
  const pieces = ({ rows }: pg.QueryResult) => rows.flatMap(({ name, bytes }) => piecesOf(name, bytes));
  return { keys: pieces(keys), profiles: pieces(profiles) };
}

/** Lets the server remove the log of changes that no recovery needs any more. */
async function recycleLog(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await sql.query('CREATE TABLE IF NOT EXISTS filler (); DROP TABLE filler');
    await sql.query('SELECT pg_switch_wal()');
    await sql.query('CHECKPOINT');
  }
}

describe('users whose every field holds a word that is nowhere else', { timeout: 300_000 }, () => {
  const made: MadeUser[] = [];
  let erased: MadeUser[] = [];
  let kept: MadeUser[] = [];

  it('leave that word in no file while they are created, changed, read and refused', async () => {
    while (made.length < number) {
      const batch = Array.from({ length: 10 }, (_, index) => create(made.length + index));
      made.push(...(await Promise.all(batch)));
      if (made.length % 100 === 0) await expectNoMarker();
    }
    const { token } = demo;
    for (const [index, user] of made.slice(0, rounds(5, 20)).entries()) {
      const path = `/user?userId=${user.id}`;
      const change = { city: `${marker}${index}Town`, firstName: `${marker}${index}Name` };
      expect((await api.call('PATCH', path, { token, body: change, key: `patch-${index}` })).status).toBe(200);
      expect((await detailsOf({ api }, demo, user)).city).toBe(change.city);
      const bad = { ...profileOf(index), email: marker, nickname: marker };
      expect((await api.post('/user', { token, body: bad })).status).toBe(400);
      await api.call('PATCH', path, { token, body: profileOf(index) });
    }
    await sql.query("UPDATE users SET profile = profile || '\\x00' WHERE user_id = $1", [made[0]?.id]);
    expect((await api.get(`/user/details?userId=${made[0]?.id}`, { token })).status).toBe(500);
    made.shift();
    await eventually(() => service.output().split('"msg":"request"').length > number, { what: 'the log' });
    await expectNoMarker();
  });

  it('would be found by that search if the word were there, and so are their keys and profiles', async () => {
    const control = 'Controlword';
    const utf16 = Buffer.from(control, 'utf16le');
    const shifted = ['', 'a', 'ab'].map((before) => Buffer.from(`${before}${control}`).toString('base64'));
    const texts = [control, utf16, Buffer.from(utf16).swap16(), Buffer.from(control).toString('hex'), ...shifted];
    for (const [index, text] of texts.entries()) {
      const bytes = Buffer.concat([Buffer.alloc(20_000 + index, 'x'), Buffer.from(text)]);
      writeFileSync(join(folder, 'service', `control-${index}`), bytes);
    }
    expect(search(folder, writingsOf(control)).size).toBe(texts.length);
    await flush();
    expect(made).toHaveLength(number - 1);
    const { keys, profiles } = await ciphertextsOf(made);
    const names = made.map((user) => user.externalClientId);
    const inClear = names.map((name) => ({ name, bytes: Buffer.from(name) }));
    expect(search(folder, [...inClear, ...keys, ...profiles]).size).toBe((1 + 3 + 1) * made.length);
  });

  it('leave no byte of their keys once they are deleted, the table of keys is rewritten and the log recycled', async () => {
    erased = made.filter((_, index) => index % 2 === 0);
    kept = made.filter((_, index) => index % 2 === 1);
    const { keys, profiles } = await ciphertextsOf(erased);
    for (const user of erased) {
      const answer = await api.call('DELETE', `/user?userId=${user.id}`, { token: demo.token });
      expect([answer.status, answer.text]).toEqual([200, '']);
    }
    await flush();
    // PostgreSQL may have reused a part of them already.
    expect(search(folder, keys).size).toBeGreaterThan(0);

    // Repeated: an upkeep of the server may still see the deleted rows, and a rewrite keeps them then.
    const found = async () => {
      await sql.query('VACUUM (FULL) user_keys');
      await recycleLog();
      return search(folder, keys).size;
    };
    await expect.poll(found, { timeout: 120_000 }).toBe(0);
    const { rows } = await sql.query('SELECT count(*)::int AS n FROM user_keys');
    expect(rows).toEqual([{ n: 3 * (kept.length + 1) }]);

    // What they sealed can't be opened by anyone now. An ordinary VACUUM leaves a part of those bytes in the pages;
    // they go when the table is written anew.
    await sql.query('VACUUM (FULL) users');
    await recycleLog();
    expect(search(folder, profiles)).toEqual(new Map());
    await expectNoMarker();
  });

  it('take nothing from those who stay', async () => {
    const { keys } = await ciphertextsOf(kept);
    await flush();
    expect(search(folder, keys).size).toBe(3 * kept.length);
    for (const user of kept) {
      const details = await detailsOf({ api }, demo, user);
      expect(details.lastName).toMatch(new RegExp(`^${marker}\\d+Last$`));
      expect(details.email).toMatch(new RegExp(`^${marker}\\d+@example\\.com$`));
    }
    for (const user of erased) {
      const answer = await api.get(`/user/details?userId=${user.id}`, { token: demo.token });
      expect(answer.status).toBe(404);
    }
  });
});
