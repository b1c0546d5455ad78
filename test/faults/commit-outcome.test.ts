import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { type RunningService, startNotesService } from '../harness/processes.js';
import { FaultProxy, type Harm } from '../harness/proxy.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';
import { type Outcome, postNote } from '../harness/traffic.js';
import { notesTable } from '../rooms/notes.js';

describe('a connection that is cut during COMMIT', () => {
  const { url, sql } = useTestDatabase();
  let proxy: FaultProxy;
  let proxied: string;
  let service: RunningService;
  beforeAll(async () => {
    await sql.query(notesTable);
    proxy = new FaultProxy(url);
    proxied = await proxy.listen();
    service = await startNotesService({ DATABASE_URL: proxied });
  });
  afterAll(async () => {
    await service?.end('SIGKILL');
    await proxy.close();
  });

  /** Does harm to the first COMMIT of a keyed note, once; what other jobs commit passes. */
  function harmOneCommit(verdict: ReturnType<Harm>, onHit: () => void = () => {}): void {
    const armed = new WeakSet<object>();
    proxy.harm = (chunk, connection) => {
      if (chunk.includes('idempotency.keep-answer')) armed.add(connection);
      if (!armed.has(connection) || !chunk.includes('COMMIT')) return 'pass';
      proxy.harm = () => 'pass';
      onHit();
      return verdict;
    };
  }

  /** Until the server has noticed the end of the connection, the first request counts as running. */
  function retry(key: string): Promise<Outcome> {
    const ask = async () => {
      const outcome = await postNote(service.url, key);
      return outcome.status === 409 ? undefined : outcome;
    };
    return eventually(ask, { what: 'the end of the first request' });
  }

  async function countOf(key: string): Promise<number> {
    const { rows } = await sql.query('SELECT count(*)::int AS count FROM notes WHERE text = $1', [`note ${key}`]);
    return rows[0].count;
  }

  it('gives the true answer when the server got the COMMIT, and there is one effect', {
    timeout: 300_000,
  }, async () => {
    for (let round = 1; round <= rounds(3, 50); round += 1) {
      const key = `cut-after-${round}`;
      harmOneCommit('cut-after');
      const answer = await postNote(service.url, key);
      expect([200, 503]).toContain(answer.status);
      const again = await retry(key);
      expect(again.status).toBe(200);
      if (answer.status === 200) expect(again.body).toBe(answer.body);
      expect(await countOf(key)).toBe(1);
    }
  });

  it('gives 503 when the server did not get the COMMIT, nothing is done, and a retry does it once', {
    timeout: 300_000,
  }, async () => {
    for (let round = 1; round <= rounds(3, 50); round += 1) {
      const key = `cut-before-${round}`;
      harmOneCommit('cut-before');
      expect((await postNote(service.url, key)).status).toBe(503);
      expect(await countOf(key)).toBe(0);
      expect((await retry(key)).status).toBe(200);
      expect(await countOf(key)).toBe(1);
    }
  });

  it('gives a retry the first answer when the process is killed between commit and answer', {
    timeout: 300_000,
  }, async () => {
    for (let round = 1; round <= rounds(1, 20); round += 1) {
      const key = `killed-${round}`;
      harmOneCommit('cut-after', () => service.process.kill('SIGKILL'));
      expect((await postNote(service.url, key)).status).toBeUndefined();
      await expect.poll(() => countOf(key), { timeout: 60_000 }).toBe(1);
      service = await startNotesService({ DATABASE_URL: proxied });
      const { rows } = await sql.query('SELECT id::int FROM notes WHERE text = $1', [`note ${key}`]);
      const retried = await postNote(service.url, key);
      expect(JSON.parse(retried.body)).toEqual({ id: rows[0].id, text: `note ${key}` });
      expect(await countOf(key)).toBe(1);
    }
  });
});
