import { describe, expect, it } from 'vitest';
import type { ExtraRooms } from '../../src/app.js';
import type { Database } from '../../src/postgres/database.js';
import { eventually } from '../harness/eventually.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { notesRooms, notesTable, stampJob } from '../rooms/notes.js';

let startsOfOnce = 0;
const countStart = () => {
  startsOfOnce += 1;
  return 0;
};
/** Rooms whose job runs only after a wake-up, because its timer is too long for the test. */
const roomsOf =
  (name: string) =>
  (database: Database): ExtraRooms => ({
    ...notesRooms(database),
    jobs: [
      { ...stampJob(database, name), everySeconds: 3600 },
      { name: 'once', everySeconds: 3600, run: async () => countStart() },
    ],
  });
const testDatabase = useTestDatabase();
const { sql } = testDatabase;
const api = useService(testDatabase, {
  settings: { ROLE: 'api' },
  rooms: roomsOf('api'),
  before: () => sql.query(notesTable),
});
const worker = useService(testDatabase, { settings: { ROLE: 'worker' }, rooms: roomsOf('worker') });

describe('a process with ROLE=api and one with ROLE=worker', () => {
  it('work together: a request to one wakes the job of the other at once', async () => {
    await api.api.post('/notes', { token: 'merchant-1', body: { text: 'work' } });
    const stamped = await eventually(
      async () => {
        const { rows } = await sql.query('SELECT stamped_by FROM notes WHERE stamped_by IS NOT NULL');
        return rows[0];
      },
      { withinMs: 3000 },
    );
    expect(stamped).toEqual({ stamped_by: 'worker' });
  });

  it('serve different routes: the worker serves its probes only', async () => {
    expect((await worker.api.get('/livez')).status).toBe(200);
    expect((await worker.api.get('/readyz')).status).toBe(200);
    expect((await worker.api.get('/notes', { token: 'merchant-1' })).status).toBe(404);
    expect((await api.api.get('/notes', { token: 'merchant-1' })).status).toBe(200);
  });

  it('run a job once at the start, in the worker only', async () => {
    // The wake-up of the first test has arrived by now, so all earlier ones have too.
    expect(startsOfOnce).toBe(1);
  });

  it('chain the audit log in the worker', async () => {
    await eventually(async () => {
      const { rows } = await sql.query('SELECT count(*)::int AS open FROM changes WHERE number IS NULL');
      return rows[0].open === 0;
    });
  });
});
