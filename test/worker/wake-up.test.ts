import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.js';
import { Database } from '../../src/postgres/database.js';
import { statement } from '../../src/postgres/statement.js';
import { WakeUp } from '../../src/worker/wake-up.js';
import { eventually } from '../harness/eventually.js';
import { useTestDatabase } from '../harness/test-database.js';

const { url, sql } = useTestDatabase();
const { log } = createLog({ level: 'silent' });
const anything = statement('test.anything', 'SELECT 1');

/** What a process has: a database, and a wake-up that remembers what it was told. */
class Process {
  readonly woken: string[] = [];
  readonly database = new Database(url, { poolSize: 2 });
  readonly wakeUp = new WakeUp(this.database, log, (job) => void this.woken.push(job));

  constructor() {
    this.database.onWake = (jobs) => this.wakeUp.send(jobs);
  }

  /** Answers when it can hear: then everything is woken once. */
  async listen(): Promise<void> {
    this.wakeUp.listen(['ready']);
    await eventually(() => this.woken.includes('ready'));
    this.woken.length = 0;
  }

  async close(): Promise<void> {
    await this.wakeUp.close();
    await this.database.close();
  }

  async wake(...jobs: string[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const job of jobs) tx.wake(job);
      await tx.query(anything);
    });
  }
}

let one: Process;
let two: Process;
beforeEach(async () => {
  one = new Process();
  two = new Process();
  await Promise.all([one.listen(), two.listen()]);
});
afterEach(() => Promise.all([one.close(), two.close()]));

describe('a transaction that wakes a job', () => {
  it('wakes it after its commit, here and in the other process', async () => {
    let wokenBefore = -1;
    await one.database.transaction(async (tx) => {
      tx.wake('queue');
      await tx.query(anything);
      wokenBefore = one.woken.length;
    });
    expect([wokenBefore, one.woken]).toEqual([0, ['queue']]);
    await eventually(() => two.woken.length > 0);
    expect(two.woken).toEqual(['queue']);
  });

  it('wakes nobody when it is rolled back', async () => {
    const failed = one.database.transaction(async (tx) => {
      tx.wake('rolled-back');
      await tx.query(anything);
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    await one.wake('committed');
    await eventually(() => two.woken.includes('committed'));
    expect([one.woken, two.woken]).toEqual([['committed'], ['committed']]);
  });

  it('is not woken again by its own message', async () => {
    await one.wake('queue');
    await two.wake('back');
    await eventually(() => one.woken.includes('back') && two.woken.includes('queue'));
    expect(one.woken).toEqual(['queue', 'back']);
    expect(two.woken.sort()).toEqual(['back', 'queue']);
  });

  it('tells the others of the first at once, of many that follow it together, and then of each job once', async () => {
    const heard: string[] = [];
    const listener = new pg.Client(url);
    await listener.connect();
    listener.on('notification', ({ payload }) => void heard.push(String(payload)));
    await listener.query('LISTEN remesa_wake');
    one.wakeUp.send(['a']);
    one.wakeUp.send(['a', 'b']);
    one.wakeUp.send(['b']);
    await eventually(() => two.woken.length === 3);
    await listener.query('SELECT 1');
    await listener.end();
    expect(heard.map((payload) => payload.replace(/^[0-9a-f]{12} /, ''))).toEqual(['a', 'a b']);
    expect(two.woken).toEqual(['a', 'a', 'b']);
  });
});

describe('a lost connection', () => {
  const cut = () =>
    sql.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'remesa wake-ups'`);

  it('is made again by itself, and then everything is woken, for something may have been missed', async () => {
    await cut();
    await eventually(() => two.woken.includes('ready') && one.woken.includes('ready'));
    await one.wake('after');
    await eventually(() => two.woken.includes('after'));
  });

  it('is not made again after the end', async () => {
    await Promise.all([one.wakeUp.close(), two.wakeUp.close()]);
    const { rows } = await sql.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'remesa wake-ups'`,
    );
    expect(rows).toEqual([]);
    two.wakeUp.listen(['ready']);
    await one.wake('late');
    expect(two.woken).toEqual([]);
  });

  it('that can not be made at all is tried again, and does not end the process', async () => {
    const nowhere = new Database('postgres://nobody:x@127.0.0.1:1/nothing', { poolSize: 1 });
    const woken: string[] = [];
    const lines: string[] = [];
    const noisy = createLog({ level: 'warn', stream: { write: (line) => void lines.push(line) } });
    const wakeUp = new WakeUp(nowhere, noisy.log, (job) => void woken.push(job));
    wakeUp.listen(['ready']);
    await eventually(() => lines.length >= 2);
    wakeUp.send(['local']);
    expect(woken).toEqual(['local']);
    await wakeUp.close();
    await nowhere.close();
  });
});
