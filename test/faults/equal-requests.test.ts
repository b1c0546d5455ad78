import { beforeAll, describe, expect, it } from 'vitest';
import { makeTryLockIneffective } from '../harness/ineffective-lock.js';
import { endProcessesAfterEach, startNotesService } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';
import { postNote } from '../harness/traffic.js';
import { notesTable } from '../rooms/notes.js';

describe.each([
  ['', () => Promise.resolve()],
  [', with a lock that excludes nobody', makeTryLockIneffective],
])('fifty equal keyed requests at once on two processes%s', (_, prepare) => {
  const { url, sql } = useTestDatabase();
  endProcessesAfterEach();
  beforeAll(async () => {
    await sql.query(notesTable);
    await prepare(sql);
  });

  it('have one effect; every answer is that one or 409; later replays are byte-identical', {
    timeout: 600_000,
  }, async () => {
    // One after the other: the first one fills the new database, and on a busy machine the second would not wait for it.
    const services = [
      await startNotesService({ DATABASE_URL: url }),
      await startNotesService({ DATABASE_URL: url }),
    ];
    for (let round = 1; round <= rounds(5, 100); round += 1) {
      const key = `equal-${round}`;
      const asked = Array.from({ length: 50 }, (_, index) => postNote(services[index % 2]?.url ?? '', key));
      const answers = await Promise.all(asked);

      const statuses = new Set(answers.map((answer) => answer.status));
      expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
      const bodies = new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.body));
      expect(bodies.size).toBe(1);
      const { rows } = await sql.query('SELECT count(*)::int AS count FROM notes WHERE text = $1', [
        `note ${key}`,
      ]);
      expect(rows).toEqual([{ count: 1 }]);
      for (const service of services) {
        const replay = await postNote(service.url, key);
        expect({ status: replay.status, body: replay.body }).toEqual({ status: 200, body: [...bodies][0] });
      }
    }
  });
});
