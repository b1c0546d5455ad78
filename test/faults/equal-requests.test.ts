import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { makeTryLockIneffective } from '../harness/ineffective-lock.js';
import { type RunningService, startNotesService } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';
import { postNote } from '../harness/traffic.js';
import { notesTable } from '../rooms/notes.js';

const { url, sql } = useTestDatabase();
const services: RunningService[] = [];

beforeAll(async () => {
  await sql.query(notesTable);
  // One after the other: the first one fills the new database, and on a busy machine the second would not wait for it.
  while (services.length < 2) services.push(await startNotesService({ DATABASE_URL: url }));
});
afterAll(() => Promise.all(services.map((service) => service.end('SIGKILL'))));

async function expectOneEffect(key: string): Promise<void> {
  const asked = Array.from({ length: 50 }, (_, index) => postNote(services[index % 2]?.url ?? '', key));
  const answers = await Promise.all(asked);

  const statuses = new Set(answers.map((answer) => answer.status));
  expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
  const bodies = new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.body));
  expect(bodies.size).toBe(1);
  const { rows } = await sql.query('SELECT count(*)::int AS count FROM notes WHERE text = $1', [`note ${key}`]);
  expect(rows).toEqual([{ count: 1 }]);
  for (const service of services) {
    const replay = await postNote(service.url, key);
    expect({ status: replay.status, body: replay.body }).toEqual({ status: 200, body: [...bodies][0] });
  }
}

/** On new connections, which alone know the new function. */
async function excludeNobody(): Promise<void> {
  await makeTryLockIneffective(sql);
  const { rows: old } = await sql.query(
    `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'remesa%'`,
  );
  const pids = old.map(({ pid }) => pid);
  const areGone = async () =>
    (await sql.query('SELECT FROM pg_stat_activity WHERE pid = ANY ($1)', [pids])).rowCount === 0;
  await eventually(areGone, { what: 'the end of the old connections' });
  let tries = 0;
  const areBack = async () => {
    tries += 1;
    const asked = Array.from({ length: 50 }, (_, index) =>
      postNote(services[index % 2]?.url ?? '', `back-${tries}-${index}`),
    );
    return (await Promise.all(asked)).every(({ status }) => status === 200);
  };
  await eventually(areBack, { what: 'both services on new connections' });
}

describe('fifty equal keyed requests at once on two processes', { timeout: 600_000 }, () => {
  const guarantee = 'have one effect; every answer is that one or 409; later replays are byte-identical';

  it(guarantee, async () => {
    for (let round = 1; round <= rounds(3, 100); round += 1) await expectOneEffect(`equal-${round}`);
  });

  it(`${guarantee}, with a lock that excludes nobody`, async () => {
    await excludeNobody();
    for (let round = 1; round <= rounds(3, 100); round += 1) await expectOneEffect(`unlocked-${round}`);
  });
});
