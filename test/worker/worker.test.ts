import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.js';
import { CommitOutcomeUnknown, databaseUnavailable } from '../../src/postgres/failure.js';
import { backOffMs, type Job, Worker } from '../../src/worker/worker.js';
import { eventually } from '../harness/eventually.js';

const lines: string[] = [];
const { log } = createLog({ level: 'warn', stream: { write: (line) => void lines.push(line) } });
const started: Worker[] = [];
afterEach(async () => {
  lines.length = 0;
  await Promise.all(started.splice(0).map((worker) => worker.stop()));
});

function start(...jobs: Job[]): Worker {
  const worker = new Worker(jobs, log);
  started.push(worker);
  worker.start();
  return worker;
}

/** A job that records when each of its runs started. `run` gets the number of the run. */
function jobOf(name: string, run: (round: number, signal: AbortSignal) => number | Promise<number>) {
  const startTimes: number[] = [];
  const job: Job = {
    name,
    everySeconds: 3600,
    async run(signal) {
      startTimes.push(performance.now());
      return run(startTimes.length, signal);
    },
  };
  return { job, startTimes };
}

/** A promise that resolves when `open` is called. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Waits for one more run of another job. Jobs that were due before it have run by then. */
async function anotherJobHasRun(worker: Worker, other: { startTimes: number[] }): Promise<void> {
  const before = other.startTimes.length;
  worker.wake('other');
  await eventually(() => other.startTimes.length > before);
}

describe('a job', () => {
  it('runs again until nothing is left, then is idle', async () => {
    const batches = [500, 500, 20];
    const { job, startTimes } = jobOf('queue', () => batches.shift() ?? 0);
    const other = jobOf('other', () => 0);
    const worker = start(job, other.job);
    await eventually(() => startTimes.length === 4);
    await anotherJobHasRun(worker, other);
    await anotherJobHasRun(worker, other);
    expect(startTimes).toHaveLength(4);
  });

  it('runs when it is woken, and no other job does', async () => {
    const { job, startTimes } = jobOf('queue', () => 0);
    const other = jobOf('other', () => 0);
    const worker = start(job, other.job);
    await eventually(() => startTimes.length === 1 && other.startTimes.length === 1);
    worker.wake('queue');
    await eventually(() => startTimes.length === 2);
    worker.wake('unknown');
    await anotherJobHasRun(worker, other);
    expect([startTimes.length, other.startTimes.length]).toEqual([2, 2]);
  });

  it('runs by its timer when it is not woken', async () => {
    const { job, startTimes } = jobOf('queue', () => 0);
    start({ ...job, everySeconds: 0.05 });
    await eventually(() => startTimes.length === 4);
    expect((startTimes[3] ?? 0) - (startTimes[0] ?? 0)).toBeGreaterThan(140);
  });

  it('runs once more when it is woken during a run', async () => {
    const { opened, open } = gate();
    const { job, startTimes } = jobOf('queue', async (round) => {
      if (round === 1) await opened;
      return 0;
    });
    const other = jobOf('other', () => 0);
    const worker = start(job, other.job);
    await eventually(() => startTimes.length === 1);
    worker.wake('queue');
    worker.wake('queue');
    open();
    await eventually(() => startTimes.length === 2);
    await anotherJobHasRun(worker, other);
    expect(startTimes).toHaveLength(2);
  });
});

describe('a job that fails', () => {
  it('is retried with growing pauses, is logged, and recovers', async () => {
    const { job, startTimes } = jobOf('queue', (round) => {
      if (round < 3) throw new Error(`attempt ${round}`);
      return 0;
    });
    start(job);
    await eventually(() => startTimes.length === 3);
    const gaps = startTimes.slice(1).map((at, index) => at - (startTimes[index] ?? 0));
    expect(gaps[0]).toBeGreaterThan(480);
    expect(gaps[1]).toBeGreaterThan(980);
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged).toMatchObject([
      { level: 'warn', job: 'queue', failures: 1, err: { message: 'attempt 1' }, msg: 'job failed' },
      { level: 'warn', job: 'queue', failures: 2, err: { message: 'attempt 2' } },
    ]);
  });

  it('is never retried without a pause, however often it is woken', async () => {
    const { job, startTimes } = jobOf('queue', () => Promise.reject(new Error('always')));
    const worker = start(job);
    const waking = setInterval(() => worker.wake('queue'), 2);
    await eventually(() => startTimes.length === 4);
    clearInterval(waking);
    const gaps = startTimes.slice(1).map((at, index) => at - (startTimes[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(480);
  });

  it('is retried earlier when it is woken', async () => {
    const { job, startTimes } = jobOf('queue', (round) => (round < 5 ? Promise.reject(new Error('away')) : 0));
    const worker = start(job);
    const waking = setInterval(() => worker.wake('queue'), 2);
    await eventually(() => startTimes.length >= 5);
    clearInterval(waking);
    // Without wake-ups the pauses would be 0.5, 1, 2 and 4 seconds.
    expect((startTimes[4] ?? 0) - (startTimes[0] ?? 0)).toBeLessThan(6000);
  });

  it('does not stop other jobs', async () => {
    const { job, startTimes } = jobOf('queue', () => {
      throw new Error('always');
    });
    const other = jobOf('other', () => 0);
    const worker = start(job, other.job);
    await eventually(() => startTimes.length === 1);
    for (let round = 0; round < 5; round += 1) await anotherJobHasRun(worker, other);
    expect(other.startTimes).toHaveLength(6);
  });
});

describe('stopping', () => {
  it('lets the running batch finish, and starts no new one', async () => {
    const { opened, open } = gate();
    let finished = 0;
    const { job, startTimes } = jobOf('queue', async () => {
      await opened;
      finished += 1;
      return 500;
    });
    const worker = start(job);
    await eventually(() => startTimes.length === 1);
    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    open();
    await stopping;
    worker.wake('queue');
    expect([finished, startTimes.length]).toEqual([1, 1]);
  });

  it('aborts the signal of a running batch', async () => {
    let isAborted = false;
    const { job, startTimes } = jobOf('queue', (_, signal) => {
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
          resolve(0);
        });
      });
    });
    const worker = start(job);
    await eventually(() => startTimes.length === 1);
    await worker.stop();
    expect(isAborted).toBe(true);
  });

  it('does not wait for idle jobs, nor for one that backs off', async () => {
    const idle = jobOf('queue', () => 0);
    const failing = jobOf('failing', () => Promise.reject(new Error('always')));
    const worker = start(idle.job, failing.job);
    await eventually(() => idle.startTimes.length === 1 && failing.startTimes.length === 1);
    const stoppingAt = performance.now();
    await worker.stop();
    expect(performance.now() - stoppingAt).toBeLessThan(5000);
    expect(failing.startTimes).toHaveLength(1);
  });
});

describe('the ages of the queues', () => {
  it('are returned for each job that has one, without those that cannot be read', async () => {
    const { job } = jobOf('plain', () => 0);
    const aged = { ...job, name: 'aged', oldestDueSeconds: async () => 12.5 };
    const broken = { ...job, name: 'broken', oldestDueSeconds: () => Promise.reject(new Error('away')) };
    expect(await new Worker([job, aged, broken], log).queueAges()).toEqual(new Map([['aged', 12.5]]));
  });
});

describe('many jobs', () => {
  it('start one after the other, and one that takes long keeps none waiting', async () => {
    const { opened, open } = gate();
    let running = 0;
    let most = 0;
    const quick = Array.from({ length: 10 }, (_, index) =>
      jobOf(`quick-${index}`, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return 0;
      }),
    );
    const slow = jobOf('slow', () => opened.then(() => 0));
    start(slow.job, ...quick.map(({ job }) => job));
    await eventually(() => quick.every(({ startTimes }) => startTimes.length === 1));
    expect(most).toBe(1);
    open();
  });

  it('never start when they have not started as the worker is stopped', async () => {
    let stopped: Promise<void> | undefined;
    const first = jobOf('first', () => {
      stopped = worker.stop();
      return 0;
    });
    const later = jobOf('later', () => 0);
    const worker = new Worker([first.job, later.job], log);
    worker.start();
    await stopped;
    expect([first, later].map(({ startTimes }) => startTimes.length)).toEqual([1, 0]);
  });

  it('fail at the same time without a warning of Node about a listener leak', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => void warnings.push(name);
    process.on('warning', onWarning);
    const jobs = Array.from({ length: 30 }, (_, index) =>
      jobOf(`failing-${index}`, () => {
        throw new Error('the database is away');
      }),
    );
    start(...jobs.map(({ job }) => job));
    await eventually(() => lines.length >= jobs.length);
    // Node reports a warning in the turn after the listener was added.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});

describe('the pause of a failed job', () => {
  const away = databaseUnavailable(new Error('gone'));

  it('grows to 30 s for a fault of the job, and to 5 s while the database is away', () => {
    const faulty = [1, 2, 5, 8, 20].map((failures) => backOffMs(new Error('faulty'), failures));
    const waiting = [1, 2, 5, 8, 20].map((failures) => backOffMs(away, failures));
    expect(faulty).toEqual([500, 1000, 8000, 30_000, 30_000]);
    expect(waiting).toEqual([500, 1000, 5000, 5000, 5000]);
    expect(backOffMs(new CommitOutcomeUnknown(), 20)).toBe(5000);
  });
});
