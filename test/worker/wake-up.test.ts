import type { Socket } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.js';
import { Database } from '../../src/postgres/database.js';
import { statement } from '../../src/postgres/statement.js';
import { WakeUp } from '../../src/worker/wake-up.js';
import { eventually } from '../harness/eventually.js';
import { FaultProxy } from '../harness/proxy.js';
import { useTestDatabase } from '../harness/test-database.js';

const { url, sql } = useTestDatabase();
const { log } = createLog({ level: 'silent' });
const anything = statement('test.anything', 'SELECT 1');

/** A process with a database and a wake-up that records the woken jobs. */
class Process {
  readonly woken: string[] = [];
  readonly database = new Database(url, { poolSize: 2 });
  readonly wakeUp = new WakeUp({
    database: this.database,
    log,
    wake: (job) => void this.woken.push(job),
  });

  constructor() {
    this.database.onWake = (jobs) => this.wakeUp.send(jobs);
  }

  /** Resolves when it is listening. All jobs are woken once then. */
  async listen(): Promise<void> {
    await this.wakeUp.listen(['ready']);
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

let first: Process;
let second: Process;
beforeEach(async () => {
  first = new Process();
  second = new Process();
  await Promise.all([first.listen(), second.listen()]);
});
afterEach(() => Promise.all([first.close(), second.close()]));

describe('a transaction that wakes a job', () => {
  it('wakes it after the commit, in this process and in the others', async () => {
    let wokenBefore = -1;
    await first.database.transaction(async (tx) => {
      tx.wake('queue');
      await tx.query(anything);
      wokenBefore = first.woken.length;
    });
    expect([wokenBefore, first.woken]).toEqual([0, ['queue']]);
    await eventually(() => second.woken.length > 0);
    expect(second.woken).toEqual(['queue']);
  });

  it('wakes nothing when it is rolled back', async () => {
    const failed = first.database.transaction(async (tx) => {
      tx.wake('rolled-back');
      await tx.query(anything);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    await first.wake('committed');
    await eventually(() => second.woken.includes('committed'));
    expect([first.woken, second.woken]).toEqual([['committed'], ['committed']]);
  });

  it('does not wake the job of its own process a second time', async () => {
    await first.wake('queue');
    await second.wake('back');
    await eventually(() => first.woken.includes('back') && second.woken.includes('queue'));
    expect(first.woken).toEqual(['queue', 'back']);
    expect(second.woken.sort()).toEqual(['back', 'queue']);
  });

  it('notifies other processes of the first wake-up at once, and of those that follow it together', async () => {
    const payloads: string[] = [];
    const listener = new pg.Client(url);
    await listener.connect();
    listener.on('notification', ({ payload }) => void payloads.push(String(payload)));
    await listener.query('LISTEN remesa_wake');
    first.wakeUp.send(['a']);
    first.wakeUp.send(['a', 'b']);
    first.wakeUp.send(['b']);
    await eventually(() => second.woken.length === 3);
    await listener.query('SELECT 1');
    await listener.end();
    expect(payloads.map((payload) => payload.replace(/^[0-9a-f]{12} /, ''))).toEqual(['a', 'a b']);
    expect(second.woken).toEqual(['a', 'a', 'b']);
  });
});

describe('a lost connection', () => {
  const closeConnections = () =>
    sql.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'remesa wake-ups'`);

  it('is opened again, and then all jobs are woken, because wake-ups may have been missed', async () => {
    await closeConnections();
    await eventually(() => second.woken.includes('ready') && first.woken.includes('ready'));
    await first.wake('after');
    await eventually(() => second.woken.includes('after'));
  });

  it('is not opened again after close', async () => {
    await Promise.all([first.wakeUp.close(), second.wakeUp.close()]);
    const { rows } = await sql.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'remesa wake-ups'`,
    );
    expect(rows).toEqual([]);
    await second.wakeUp.listen(['ready']);
    await first.wake('late');
    expect(second.woken).toEqual([]);
  });

  it('is tried again when it cannot be opened, and keeps neither jobs from starting nor the process from running', async () => {
    const nowhere = new Database('postgres://nobody:x@127.0.0.1:1/nothing', { poolSize: 1 });
    const woken: string[] = [];
    const lines: string[] = [];
    const noisy = createLog({ level: 'warn', stream: { write: (line) => void lines.push(line) } });
    const wakeUp = new WakeUp({ database: nowhere, log: noisy.log, wake: (job) => void woken.push(job) });
    // The worker starts after that.
    await wakeUp.listen(['ready']);
    await eventually(() => lines.length >= 2);
    wakeUp.send(['local']);
    expect(woken).toEqual(['local']);
    await wakeUp.close();
    await nowhere.close();
  });
});

describe('a listener that went deaf', () => {
  it('notices by its own probes, connects again, and wakes all jobs', async () => {
    const proxy = new FaultProxy(url);
    const proxied = await proxy.listen();
    const connections = new Set<Socket>();
    proxy.harm = (_chunk, connection) => {
      connections.add(connection);
      return 'pass';
    };
    const database = new Database(url, { poolSize: 2, directUrl: proxied });
    const woken: string[] = [];
    const wakeUp = new WakeUp({ database, log, wake: (job) => void woken.push(job), probeEveryMs: 100 });
    await wakeUp.listen(['ready']);
    await eventually(() => woken.includes('ready'));
    await eventually(() => wakeUp.silenceSeconds() < 0.1, { what: 'a probe that was heard' });

    // As when the machine of the server died: the connection stays open, and nothing comes any more.
    const deaf = new Set(connections);
    proxy.dropAnswer = (_chunk, connection) => deaf.has(connection);
    woken.length = 0;
    await eventually(() => wakeUp.silenceSeconds() > 0.3, { what: 'silence' });
    await eventually(() => woken.includes('ready'), { what: 'a new connection' });
    await first.wake('after');
    await eventually(() => woken.includes('after'));
    expect(wakeUp.silenceSeconds()).toBeLessThan(30);
    await wakeUp.close();
    await Promise.all([database.close(), proxy.close()]);
  });
});
