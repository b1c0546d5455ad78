import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.js';
import { type Job, Worker } from '../../src/worker/worker.js';
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

/** A job that does what it is told by the number of its run, and remembers when each began. */
function jobOf(name: string, run: (round: number, signal: AbortSignal) => number | Promise<number>) {
  const began: number[] = [];
  const job: Job = {
    name,
    everySeconds: 3600,
    async run(signal) {
      began.push(performance.now());
      return run(began.length, signal);
    },
  };
  return { job, began };
}

/** A door that is shut until it is opened. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Once this has run again, whatever else was going to run at once has done so too. */
async function anotherJobHasRun(worker: Worker, other: { began: number[] }): Promise<void> {
  const before = other.began.length;
  worker.wake('other');
  await eventually(() => other.began.length > before);
}

describe('a job', () => {
  it('is run again until there is nothing left, then rests', async () => {
    const left = [500, 500, 20];
    const { job, began } = jobOf('queue', () => left.shift() ?? 0);
    const other = jobOf('other', () => 0);
    const worker = start(job, other.job);
    await eventually(() => began.length === 4);
    await anotherJobHasRun(worker, other);
    await anotherJobHasRun(worker, other);
    expect(began).toHaveLength(4);
  });

  it('is run when it is woken, and only that one', async () => {
    const { job, began } = jobOf('queue', () => 0);
    const other = jobOf('other', () => 0);
    const worker = start(job, other.job);
    await eventually(() => began.length === 1 && other.began.length === 1);
    worker.wake('queue');
    await eventually(() => began.length === 2);
    worker.wake('nobody');
    await anotherJobHasRun(worker, other);
    expect([began.length, other.began.length]).toEqual([2, 2]);
  });

  it('is run by its timer when nobody wakes it', async () => {
    const { job, began } = jobOf('queue', () => 0);
    start({ ...job, everySeconds: 0.05 });
    await eventually(() => began.length === 4);
    expect((began[3] ?? 0) - (began[0] ?? 0)).toBeGreaterThan(140);
  });

  it('that is woken while it works is run once more, for what came after it looked', async () => {
    const { opened, open } = gate();
    const { job, began } = jobOf('queue', async (round) => {
      if (round === 1) await opened;
      return 0;
    });
    const other = jobOf('other', () => 0);
    const worker = start(job, other.job);
    await eventually(() => began.length === 1);
    worker.wake('queue');
    worker.wake('queue');
    open();
    await eventually(() => began.length === 2);
    await anotherJobHasRun(worker, other);
    expect(began).toHaveLength(2);
  });
});

describe('a job that fails', () => {
  it('is tried again later and later, is logged, and recovers', async () => {
    const { job, began } = jobOf('queue', (round) => {
      if (round < 3) throw new Error(`attempt ${round}`);
      return 0;
    });
    start(job);
    await eventually(() => began.length === 3);
    const gaps = began.slice(1).map((at, index) => at - (began[index] ?? 0));
    expect(gaps[0]).toBeGreaterThan(480);
    expect(gaps[1]).toBeGreaterThan(980);
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged).toMatchObject([
      { level: 40, job: 'queue', failures: 1, err: { message: 'attempt 1' }, msg: 'job failed' },
      { level: 40, job: 'queue', failures: 2, err: { message: 'attempt 2' } },
    ]);
  });

  it('is not tried without a pause, however often it is woken', async () => {
    const { job, began } = jobOf('queue', () => Promise.reject(new Error('always')));
    const worker = start(job);
    const waking = setInterval(() => worker.wake('queue'), 2);
    await eventually(() => began.length === 4);
    clearInterval(waking);
    const gaps = began.slice(1).map((at, index) => at - (began[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(480);
  });

  it('does not wait to the end of its pause when it is woken', async () => {
    const { job, began } = jobOf('queue', (round) => (round < 5 ? Promise.reject(new Error('away')) : 0));
    const worker = start(job);
    const waking = setInterval(() => worker.wake('queue'), 2);
    await eventually(() => began.length >= 5);
    clearInterval(waking);
    // Without the wake-ups it would have been half a second, one, two and four.
    expect((began[4] ?? 0) - (began[0] ?? 0)).toBeLessThan(6000);
  });

  it('does not stop the others', async () => {
    const { job, began } = jobOf('queue', () => {
      throw new Error('always');
    });
    const other = jobOf('other', () => 0);
    const worker = start(job, other.job);
    await eventually(() => began.length === 1);
    for (let round = 0; round < 5; round += 1) await anotherJobHasRun(worker, other);
    expect(other.began).toHaveLength(6);
  });
});

describe('stopping', () => {
  it('lets the batch under way finish, and starts no new one', async () => {
    const { opened, open } = gate();
    let finished = 0;
    const { job, began } = jobOf('queue', async () => {
      await opened;
      finished += 1;
      return 500;
    });
    const worker = start(job);
    await eventually(() => began.length === 1);
    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    open();
    await stopping;
    worker.wake('queue');
    expect([finished, began.length]).toEqual([1, 1]);
  });

  it('tells a batch that it should hurry', async () => {
    let isTold = false;
    const { job, began } = jobOf('queue', (_, signal) => {
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          isTold = true;
          resolve(0);
        });
      });
    });
    const worker = start(job);
    await eventually(() => began.length === 1);
    await worker.stop();
    expect(isTold).toBe(true);
  });

  it('does not wait for jobs that rest, nor for one that backs off', async () => {
    const resting = jobOf('queue', () => 0);
    const failing = jobOf('failing', () => Promise.reject(new Error('always')));
    const worker = start(resting.job, failing.job);
    await eventually(() => resting.began.length === 1 && failing.began.length === 1);
    const began = performance.now();
    await worker.stop();
    expect(performance.now() - began).toBeLessThan(5000);
    expect(failing.began).toHaveLength(1);
  });
});

describe('the age of the queues', () => {
  it('is told for each that knows it, and left out where it can not be read', async () => {
    const { job } = jobOf('plain', () => 0);
    const aged = { ...job, name: 'aged', oldestDueSeconds: async () => 12.5 };
    const broken = { ...job, name: 'broken', oldestDueSeconds: () => Promise.reject(new Error('away')) };
    expect(await new Worker([job, aged, broken], log).queueAges()).toEqual(new Map([['aged', 12.5]]));
  });
});

describe('many jobs', () => {
  it('fail at the same time without a warning of Node about too many listeners', async () => {
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
