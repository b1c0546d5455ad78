import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { auditRoom } from '../../src/audit/room.js';
import { systemClock } from '../../src/clock.js';
import { KeyVault } from '../../src/keys/vault.js';
import { Database } from '../../src/postgres/database.js';
import { auditNames } from '../../src/startup/audit-names.js';
import { embeddedUrl, endEmbeddedServer } from '../harness/embedded-place.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { endProcessesAfterEach, startNotesService } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { slowness } from '../harness/slowness.js';
import { postNote, Traffic } from '../harness/traffic.js';
import { notesTable } from '../rooms/notes.js';

describe('a service on the embedded database that is killed while it writes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remesa-kill-'));
  endProcessesAfterEach();
  afterAll(async () => {
    await endEmbeddedServer(folder);
    rmSync(folder, { recursive: true, force: true });
  });

  it('comes up again without help within 15 s and has every acknowledged row, once, and an intact audit log', {
    timeout: 600_000,
  }, async () => {
    const settings = { DATA_DIR: folder };
    let service = await startNotesService(settings);
    await query(folder, notesTable);
    const acknowledged = new Map<string, string>();

    for (let round = 1; round <= rounds(2, 20); round += 1) {
      const traffic = new Traffic(() => service.url, { clients: 8, name: `round-${round}` }).start();
      const enough = 50 + Math.floor(Math.random() * 200);
      await eventually(() => traffic.acknowledged().length >= enough, { what: 'traffic' });
      await service.end('SIGKILL');
      await traffic.stop();
      for (const outcome of traffic.acknowledged()) acknowledged.set(outcome.key, outcome.body);

      const began = performance.now();
      service = await startNotesService(settings);
      expect(performance.now() - began).toBeLessThan(15_000 * (await slowness()));
      const rows = await query<{ text: string }>(folder, 'SELECT text FROM notes');
      const counts = new Map<string, number>();
      for (const { text } of rows) counts.set(text, (counts.get(text) ?? 0) + 1);
      const missing = [...acknowledged.keys()].filter((key) => counts.get(`note ${key}`) !== 1);
      expect(missing).toEqual([]);
    }
    expect(await auditFindings(folder)).toEqual([]);
    const [key, body] = [...acknowledged][0] ?? [];
    expect((await postNote(service.url, String(key))).body).toBe(body);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});

/** Waits until everything is chained, then verifies the log against the heads file that was cut off by each kill. */
async function auditFindings(folder: string): Promise<string[]> {
  const waiting = 'SELECT 1 FROM audit_entries WHERE sequence = 0';
  await eventually(async () => (await query(folder, waiting)).length === 0, { what: 'chaining' });
  const database = new Database(embeddedUrl(folder), { poolSize: 2 });
  try {
    const masterKey = { current: Buffer.from(testMasterKey, 'base64'), previous: undefined };
    const { rootKey } = await KeyVault.open(database, masterKey);
    const options = { database, rootKey, dataDirectory: folder, names: auditNames, clock: systemClock };
    const { faults, losses, unchecked } = await auditRoom(options).verify();
    return [...faults, ...losses, ...unchecked];
  } finally {
    await database.close();
  }
}

async function query<Row extends pg.QueryResultRow>(folder: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: embeddedUrl(folder) });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
