import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PipelinedReader } from '../../src/postgres/pipelined-reader.js';
import { statement } from '../../src/postgres/statement.js';
import { eventually } from '../harness/eventually.js';
import { FaultProxy, type Harm } from '../harness/proxy.js';
import { useTestDatabase } from '../harness/test-database.js';

const echo = Array.from({ length: 20 }, (_, index) =>
  statement(`test.echo-${index}`, `SELECT ${index} AS from, $text::text AS text, pg_sleep($seconds)`).rows<{
    from: number;
    text: string;
  }>(),
);
const divide = statement('test.divide', 'SELECT 100 / $by::int AS quotient').rows<{ quotient: number }>();
const unknownTable = statement('test.unknown-table', 'SELECT FROM no_such_table');
const ownPid = statement('test.own-pid', 'SELECT pg_backend_pid() AS pid').rows<{ pid: number }>();
const sleep = statement('test.sleep', 'SELECT pg_sleep(60)');
const fromLocked = statement('test.from-locked', 'SELECT FROM locked');

const unavailable = { kind: 'unavailable', code: 'database_unavailable' };

describe('the pipelined reader', () => {
  const { url, sql } = useTestDatabase();
  let proxy: FaultProxy;
  let reader: PipelinedReader;
  beforeEach(async () => {
    proxy = new FaultProxy(url);
    reader = new PipelinedReader({ connectionString: await proxy.listen(), pooler: 'none' });
  });
  afterEach(async () => {
    await reader.close();
    await proxy.close();
  });

  const pid = async () => (await reader.query(ownPid))[0]?.pid as number;
  const connections = async () =>
    (
      await sql.query(`SELECT FROM pg_stat_activity WHERE application_name = 'remesa reads'
                        AND datname = current_database()`)
    ).rowCount;

  /** Does harm to the first so many reads that carry the name, and counts all of them. */
  function harmReads(name: string, verdict: ReturnType<Harm>, atMost: number): () => number {
    let asked = 0;
    proxy.harm = (chunk) => {
      if (!chunk.includes(name)) return 'pass';
      asked += 1;
      return asked <= atMost ? verdict : 'pass';
    };
    return () => asked;
  }

  it('returns the right answer to each of many reads on one connection', async () => {
    const asked = Array.from({ length: 1_000 }, (_, index) => ({ from: index % 20, text: `text ${index}` }));
    const answers = await Promise.all(
      asked.map(({ from, text }) => reader.query(echo[from] as (typeof echo)[0], { text, seconds: 0 })),
    );
    expect(answers).toEqual(asked.map((row) => [{ ...row, pg_sleep: '' }]));
    expect(await connections()).toBe(1);
  });

  it('does not let a failing read affect the others', async () => {
    const outcomes = await Promise.allSettled([
      reader.query(divide, { by: 4 }),
      reader.query(divide, { by: 0 }),
      reader.query(unknownTable),
      reader.query(divide, { by: 'not a number' }),
      reader.query(divide, { by: 5 }),
    ]);
    expect(outcomes).toMatchObject([
      { value: [{ quotient: 25 }] },
      { reason: { code: '22012' } },
      { reason: { code: '42P01' } },
      { reason: { code: '22P02' } },
      { value: [{ quotient: 20 }] },
    ]);
    expect(await connections()).toBe(1);
  });

  it('repeats a read once on a new connection when the old one is lost', async () => {
    const before = await pid();
    const asked = harmReads('test.divide', 'cut-before', 1);
    expect(await reader.query(divide, { by: 4 })).toEqual([{ quotient: 25 }]);
    expect(asked()).toBe(2);
    expect(await pid()).not.toBe(before);
  });

  it('does not repeat a read a second time', async () => {
    const asked = harmReads('test.divide', 'cut-before', Number.POSITIVE_INFINITY);
    await expect(reader.query(divide, { by: 4 })).rejects.toMatchObject(unavailable);
    expect(asked()).toBe(2);
    proxy.harm = () => 'pass';
    expect(await reader.query(divide, { by: 4 })).toEqual([{ quotient: 25 }]);
  });

  it('answers all reads that were running when the connection was lost', async () => {
    await pid();
    const reads = Array.from({ length: 100 }, (_, index) =>
      reader.query(echo[index % 20] as (typeof echo)[0], {
        text: `text ${index}`,
        seconds: 0.001,
      }),
    );
    await sql.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                      WHERE application_name = 'remesa reads' AND datname = current_database()`);
    const texts = (await Promise.all(reads)).map(([row]) => row?.text);
    expect(texts).toEqual(Array.from({ length: 100 }, (_, index) => `text ${index}`));
  });

  it('opens a new connection after its backend was terminated while idle', async () => {
    const before = await pid();
    await sql.query('SELECT pg_terminate_backend($1)', [before]);
    await eventually(async () => (await connections()) === 0);
    expect(await pid()).not.toBe(before);
  });

  it('does not repeat a statement that reaches its time limit, and keeps the connection', async () => {
    const before = await pid();
    const asked = harmReads('test.sleep', 'pass', 0);
    await expect(reader.query(sleep)).rejects.toMatchObject(unavailable);
    expect(asked()).toBe(1);
    expect(await pid()).toBe(before);
  });

  it('does not repeat a read that gets no answer, and closes the connection', async () => {
    const before = await pid();
    const asked = harmReads('test.divide', 'swallow', 1);
    const began = performance.now();
    await expect(reader.query(divide, { by: 4 })).rejects.toMatchObject(unavailable);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(asked()).toBe(1);
    expect(await pid()).not.toBe(before);
    await eventually(async () => (await connections()) === 1, { what: 'the end of the silent connection' });
  });

  it('fails every read that waits too long for a lock in the same way, also those that did not prepare the statement', async () => {
    await sql.query('CREATE TABLE locked ()');
    const holder = await sql.connect();
    await holder.query('BEGIN; LOCK locked');
    const outcomes = await Promise.allSettled([reader.query(fromLocked), reader.query(fromLocked)]);
    await holder.query('ROLLBACK');
    holder.release();
    expect(outcomes).toMatchObject([{ reason: unavailable }, { reason: unavailable }]);
    expect(await reader.query(fromLocked)).toEqual([]);
  });

  it('refuses reads after it was closed', async () => {
    await reader.close();
    await expect(reader.query(divide, { by: 4 })).rejects.toMatchObject(unavailable);
  });
});
