import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.js';
import { Database } from '../../src/postgres/database.js';
import { Worker } from '../../src/worker/worker.js';
import { eventually } from '../harness/eventually.js';
import { useTestDatabase } from '../harness/test-database.js';
import { notesTable, stampJob } from '../rooms/notes.js';

const { url, sql, database } = useTestDatabase();
const { log } = createLog({ level: 'silent' });
const secondDatabase = new Database(url, { poolSize: 4 });
const signal = new AbortController().signal;

beforeAll(() => sql.query(notesTable));
afterAll(() => secondDatabase.close());
beforeEach(() => sql.query('TRUNCATE notes RESTART IDENTITY'));

async function addNotes(count: number): Promise<void> {
  await sql.query(
    `INSERT INTO notes (merchant_id, text) SELECT 1 + n % 3, 'note ' || n FROM generate_series(1, $1) AS n`,
    [count],
  );
}

async function notesLeft(): Promise<unknown[]> {
  const { rows } = await sql.query(
    'SELECT stamped_by AS by, attempts, count(*)::int FROM notes GROUP BY 1, 2 ORDER BY 1, 2',
  );
  return rows;
}

/** A database whose worker pauses between its claim and its result, until `release` is called. */
function stalled(from: Database) {
  let isClaimed = false;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stalledDatabase = {
    async transaction<Result>(work: Parameters<typeof from.transaction<Result>>[0]): Promise<Result> {
      if (isClaimed) await released;
      const result = await from.transaction(work);
      isClaimed = true;
      return result;
    },
  } as Database;
  return { database: stalledDatabase, hasClaimed: () => isClaimed, release: () => release() };
}

describe('two workers on one table', () => {
  it('process every row exactly once', async () => {
    await addNotes(3000);
    const workers = [new Worker([stampJob(database, 'one')], log), new Worker([stampJob(secondDatabase, 'two')], log)];
    for (const worker of workers) worker.start();
    await eventually(async () => {
      const { rows } = await sql.query('SELECT 1 FROM notes WHERE stamped_by IS NULL LIMIT 1');
      return rows.length === 0;
    });
    await Promise.all(workers.map((worker) => worker.stop()));
    const { rows } = await sql.query(
      'SELECT max(attempts) AS attempts, count(DISTINCT stamped_by)::int AS workers, count(*)::int FROM notes',
    );
    expect(rows).toEqual([{ attempts: 1, workers: 2, count: 3000 }]);
  });

  it('do not wait for each other: a worker skips rows that another one is claiming', async () => {
    await addNotes(150);
    const client = await sql.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM notes ORDER BY id LIMIT 100 FOR UPDATE');
      expect(await stampJob(database, 'one').run(signal)).toBe(50);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    expect(await stampJob(database, 'one').run(signal)).toBe(100);
  });
});

describe('a lease', () => {
  it('keeps a row for the worker that claimed it', async () => {
    await addNotes(2);
    const slow = stalled(database);
    const running = stampJob(slow.database, 'slow').run(signal);
    await eventually(slow.hasClaimed);
    expect(await stampJob(secondDatabase, 'second').run(signal)).toBe(0);
    slow.release();
    await running;
    expect(await notesLeft()).toEqual([{ by: 'slow', attempts: 1, count: 2 }]);
  });

  it('lets another worker claim the row when it has expired', async () => {
    await addNotes(2);
    const dead = stalled(database);
    void stampJob(dead.database, 'dead').run(signal);
    await eventually(dead.hasClaimed);
    await sql.query("UPDATE notes SET leased_until = clock_timestamp() - interval '1 second'");
    expect(await stampJob(secondDatabase, 'second').run(signal)).toBe(2);
    expect(await notesLeft()).toEqual([{ by: 'second', attempts: 2, count: 2 }]);
  });

  it('makes a late result invalid when it has expired, whether or not another worker has finished', async () => {
    await addNotes(1);
    const late = stalled(database);
    const second = stalled(secondDatabase);
    const lateRun = stampJob(late.database, 'late', 0).run(signal);
    await eventually(late.hasClaimed);
    const secondRun = stampJob(second.database, 'second', 60).run(signal);
    await eventually(second.hasClaimed);

    late.release();
    await lateRun;
    expect(await notesLeft()).toEqual([{ by: null, attempts: 2, count: 1 }]);
    second.release();
    await secondRun;
    expect(await notesLeft()).toEqual([{ by: 'second', attempts: 2, count: 1 }]);
  });
});
