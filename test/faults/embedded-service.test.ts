/** A service on the embedded database: killed while it writes, beside a second one, and stopped while it works. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyChanges } from '../../src/changes/room.js';
import { systemClock } from '../../src/clock.js';
import { auditNames } from '../../src/commands/audit.js';
import { KeyVault } from '../../src/keys/vault.js';
import { Database } from '../../src/postgres/database.js';
import { rememberedRows } from '../../src/startup/row-faults.js';
import { embeddedUrl, endEmbeddedServer, postmasterPid } from '../harness/embedded-place.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { copyNewCluster } from '../harness/new-cluster.js';
import { type RunningService, startNotesService, startProgram } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { slowness } from '../harness/slowness.js';
import { postNote, Traffic } from '../harness/traffic.js';
import { notesTable } from '../rooms/notes.js';

const folder = mkdtempSync(join(tmpdir(), 'remesa-kill-'));
/** The one that runs now: each test goes on with what the last one left. */
let service: RunningService;
const start = () => startNotesService({ DATA_DIR: folder });

beforeAll(async () => {
  await copyNewCluster(folder);
  service = await start();
  await query(notesTable);
});
afterAll(async () => {
  await service?.end('SIGKILL');
  await endEmbeddedServer(folder);
  rmSync(folder, { recursive: true, force: true });
});

describe('a service on the embedded database that is killed while it writes', () => {
  it('comes up again without help within 15 s and has every acknowledged row, once, and an intact audit log', {
    timeout: 600_000,
  }, async () => {
    const acknowledged = new Map<string, string>();
    for (let round = 1; round <= rounds(1, 20); round += 1) {
      const traffic = new Traffic(() => service.url, { clients: 8, name: `round-${round}` }).start();
      const enough = 50 + Math.floor(Math.random() * 200);
      await eventually(() => traffic.acknowledged().length >= enough, { what: 'traffic' });
      await service.end('SIGKILL');
      await traffic.stop();
      for (const outcome of traffic.acknowledged()) acknowledged.set(outcome.key, outcome.body);

      const began = performance.now();
      service = await start();
      expect(performance.now() - began).toBeLessThan(15_000 * (await slowness()));
      const rows = await query<{ text: string }>('SELECT text FROM notes');
      const counts = new Map<string, number>();
      for (const { text } of rows) counts.set(text, (counts.get(text) ?? 0) + 1);
      const missing = [...acknowledged.keys()].filter((key) => counts.get(`note ${key}`) !== 1);
      expect(missing).toEqual([]);
    }
    expect(await auditFindings()).toEqual([]);
    const [key, body] = [...acknowledged][0] ?? [];
    expect((await postNote(service.url, String(key))).body).toBe(body);
  });
});

describe('the embedded database belongs to one service', () => {
  it('refuses a second service within 3 s, names the first one, and leaves it healthy', async () => {
    const second = await startSecond();
    expect(second.code).toBe(1);
    expect(second.milliseconds).toBeLessThan(3_000 * (await slowness()));
    expect(second.output).toContain(
      `Another Remesa (process ${service.process.pid}) is using ${folder}. Stop it, or set DATA_DIR to another folder.`,
    );
    expect((await postNote(service.url, 'healthy')).status).toBe(200);
  });

  it('does so also while the first one is stopped with SIGSTOP', async () => {
    service.process.kill('SIGSTOP');
    const second = await startSecond();
    service.process.kill('SIGCONT');
    expect(second.code).toBe(1);
    expect(second.milliseconds).toBeLessThan(3_000 * (await slowness()));
    expect(second.output).toContain(`process ${service.process.pid}`);
    expect((await postNote(service.url, 'healthy-after-a-stop')).status).toBe(200);
  });

  it('lets running requests finish on Ctrl-C before the database stops', async () => {
    const running = fetch(`${service.url}/notes/slowly?ms=1200`, {
      method: 'POST',
      headers: { authorization: 'Bearer merchant-1', 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'slow' }),
    });
    const sleepers = 'SELECT FROM pg_stat_activity WHERE wait_event = $$PgSleep$$';
    await eventually(async () => (await query(sleepers)).length === 1, { what: 'the running request' });
    const ended = service.end('SIGINT');
    expect((await running).status).toBe(200);
    expect(await ended).toBe(0);
    expect(postmasterPid(folder)).toBeUndefined();
  });
});

async function startSecond(): Promise<{ code: number; output: string; milliseconds: number }> {
  const began = performance.now();
  const second = startProgram('src/main.ts', { DATA_DIR: folder, PORT: '0' }, ['serve']);
  const [code] = (await once(second.process, 'close')) as [number];
  return { code, output: second.output(), milliseconds: performance.now() - began };
}

/** Waits until everything is chained, then verifies the log against the heads file that was cut off by each kill. */
async function auditFindings(): Promise<string[]> {
  const waiting = 'SELECT 1 FROM changes WHERE number IS NULL';
  await eventually(async () => (await query(waiting)).length === 0, { what: 'chaining' });
  const database = new Database(embeddedUrl(folder), { poolSize: 2 });
  try {
    const masterKey = { current: Buffer.from(testMasterKey, 'base64'), previous: undefined };
    const { rootKey } = await KeyVault.open(database, masterKey);
    const options = {
      database,
      rootKey,
      dataDirectory: folder,
      names: auditNames,
      clock: systemClock,
      rows: rememberedRows,
    };
    const { faults, losses, unchecked } = await verifyChanges(options);
    return [...faults, ...losses, ...unchecked];
  } finally {
    await database.close();
  }
}

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: embeddedUrl(folder) });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
