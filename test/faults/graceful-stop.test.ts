import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { endProcessesAfterEach, startNotesService } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';
import { Traffic } from '../harness/traffic.js';
import { notesTable } from '../rooms/notes.js';

describe('SIGTERM under load', () => {
  const { url, sql } = useTestDatabase();
  endProcessesAfterEach();
  beforeAll(() => sql.query(notesTable));

  it('fails no request that was accepted, and the process ends with 0 within 30 s', {
    timeout: 600_000,
  }, async () => {
    for (let round = 1; round <= rounds(1, 20); round += 1) {
      const service = await startNotesService({ DATABASE_URL: url });
      const traffic = new Traffic(() => service.url, { clients: 16, name: `stop-${round}` }).start();
      await eventually(() => traffic.acknowledged().length >= 200, { what: 'traffic' });
      const began = performance.now();
      expect(await service.end('SIGTERM')).toBe(0);
      expect(performance.now() - began).toBeLessThan(30_000);
      const outcomes = await traffic.stop();
      const failed = outcomes.filter((outcome) => outcome.status !== 200 && outcome.error !== 'ECONNREFUSED');
      expect(failed).toEqual([]);
    }
  });

  it('a second signal ends the process at once', async () => {
    const service = await startNotesService({ DATABASE_URL: url });
    const running = fetch(`${service.url}/notes/slowly?ms=2400`, {
      method: 'POST',
      headers: { authorization: 'Bearer merchant-1', 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'slow' }),
    }).catch((error) => error);
    await eventually(async () => {
      const { rows } = await sql.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`);
      return rows.length > 0;
    });
    service.process.kill('SIGTERM');
    // Signals within a second of the first are the same Ctrl-C, passed on by npm.
    const began = performance.now();
    await eventually(() => performance.now() - began > 1_100);
    expect(await service.end('SIGTERM')).toBe(130);
    expect(await running).toBeInstanceOf(Error);
  });
});
